// Package program runs a user's own program as a method: it starts the program, sends it cells, and checks the
// answers. docs/programs.md describes the protocol: each question and each answer is a line of JSON.
//
// The typical steps are:
//
//  1. When a run is planned, Greet starts each program once and stores the program's name and version in the plan
//     (planned.go).
//  2. WriteTrial writes the files of a trial for the program (trial.go).
//  3. StartPlanned starts the program for the trial. It refuses a program if its files or its version have changed
//     since the plan was made.
//  4. Process.Ask sends a Question about a cell with all checkpoints, and checks the Answers (process.go,
//     protocol.go).
//  5. Process.Close ends the program and its process group.
//
// A Process is a program that runs, and a Spec has the program's command and limits. Hello, Greeting, Question and
// Answer are the lines of the protocol. A Failure says why a program did not answer.
//
// # Guarantees
//
//   - No file for the program contains the labels of validation and test samples.
//   - If a program ends, hangs, writes too much, answers wrongly or takes too much memory, gdrun kills its process
//     group. If the program died, package executor starts it again, at most three times in all.
//   - Process.Ask refuses an answer with unknown keys, wrong lengths, infinite numbers or NaN.
//   - On Linux a program ends with gdrun, even after kill -9 (meter_linux.go). Elsewhere it ends when it reads the end
//     of its input.
//
// jobs/executor/program_test.go tests programs in a run.
package program
