// Package program runs a user's own program as a method: it starts the program, sends it cells, and checks its answers.
// The protocol is in docs/programs.md: one line of JSON for each question and each answer.
//
// The typical steps are:
//
//  1. When a run is planned, Greet starts each program once and stores its name and version in the plan (planned.go).
//     So a program that cannot run is found before any cell runs.
//  2. WriteTrial writes the files of a trial for the program (trial.go).
//  3. StartPlanned starts the program for the trial. It refuses a program whose files or version have changed since the
//     plan was made.
//  4. Process.Ask sends a Question, one cell with all its checkpoints, and checks the Answers (process.go,
//     protocol.go).
//  5. Process.Close ends the program and its process group.
//
// The main types are Process, a program that runs; Spec, the program's command and limits; Hello, Greeting, Question
// and Answer, the lines of the protocol; and Failure, which says why a program did not answer.
//
// # What is promised
//
//   - No file for the program contains the labels of validation and test samples.
//   - A program that ends, hangs, writes too much, gives a wrong answer or takes too much memory is ended with its
//     whole process group. The caller decides whether the cell fails. Package executor restarts the program until the
//     cell has ended the program three times.
//   - An answer with unknown keys, wrong lengths or numbers that are not finite is refused.
//   - On Linux a program ends with gdrun, even after kill -9 (meter_linux.go). Elsewhere it ends when it reads the end
//     of its input.
//
// program_test.go runs its own test binary as a program that does all these things, and checks docs/programs.md.
// jobs/executor/program_test.go tests programs in a run.
package program
