// Package executor computes the cells of a run on this machine and writes their results. It is what `gdrun local` and
// `gdrun task` run. RunCell runs a single cell outside any run, for `gdrun cell`.
//
// The typical steps, all in Runner.RunTasks, are:
//
//  1. session.begin skips a sealed task. It loads the trial of any other task, once for all its cells (runner.go).
//  2. session.takeOver reads the rows that earlier attempts left in parts. A cell with a row for every checkpoint is
//     finished (taskrun.go).
//  3. taskRun.batches cuts the missing cells into batches. A batch has cells of one method.
//  4. worker.run takes a batch through the training samples by a Pass (cell.go, pass.go). At each checkpoint it
//     measures both models of each cell, w and w̄, on validation and test samples.
//  5. taskRun.offer keeps a model if a selection rule would choose it. taskRun.add appends the rows to the part.
//  6. After the last cell, taskRun.seal writes the models and then the shard, and removes the parts.
//
// The main types are
//
//	Runner    what to run: the run, the number of workers, the deadline
//	session   one call of RunTasks
//	taskRun   a task while it runs: its finished rows, the missing cells, the models that may be kept
//	batch     cells of one method, which go through the samples together
//	Pass      what takes a batch through the samples: the one interface by which a task learns a cell.
//	          builtIn is for the methods of package learners, foreign for a user's programs
//	part      the file that finished rows are appended to
//	recorder  measures an attempt: time, memory, and why it ended
//
// # What is promised
//
//   - No finished cell runs again. Whatever ends a process, the next process takes over the finished cells from the
//     parts and runs the others. The error of an interrupted run wraps ErrStopped.
//   - Two processes may run the same task at once. The first shard stays, and both are right: a cell's measures depend
//     on its id alone.
//   - The number of workers does not change the results.
//   - A cell that cannot be computed, such as a cell that diverges, is a row with an error and counts as failed. It
//     does not stop the others.
//   - Near the deadline, a batch begins only if it is expected to end in time. An attempt's first batch always begins.
//
// run_test.go tests rows and shards, resume_test.go interruption, damaged files and the notes of attempts,
// models_test.go the kept models, and program_test.go programs. cmd/internal/torture kills whole processes.
package executor
