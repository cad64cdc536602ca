// Package executor computes the cells of a run on this machine and writes their results. `gdrun local` and `gdrun
// task` use it. RunCell runs a single cell without a run, for `gdrun cell`.
//
// The typical steps, all in Runner.RunTasks, are:
//
//  1. session.begin skips a sealed task. For any other task it loads the trial once for all cells (runner.go).
//  2. session.takeOver reads the rows that earlier attempts have written to parts. A cell with a row for every
//     checkpoint is finished (taskrun.go).
//  3. taskRun.batches divides the missing cells into batches. All cells of a batch have the same method.
//  4. worker.run uses a Pass to let all cells of a batch learn the training samples (cell.go, pass.go). At each
//     checkpoint it measures both models of each cell, w and w̄, on validation and test samples.
//  5. taskRun.offer keeps a model if a selection rule may choose it. taskRun.add appends the rows to the part.
//  6. After the last cell, taskRun.seal writes the models and then the shard, and removes the parts.
//
// The main types are
//
//	Runner    what to run: the run, the number of workers, the deadline
//	session   one call of RunTasks
//	taskRun   a running task: finished rows, missing cells, and models that a selection rule may choose
//	batch     cells of one method that learn each sample together
//	Pass      lets a batch learn the samples. A task uses only this interface.
//	          builtIn runs methods of package learners, and foreign runs a user's programs.
//	part      the file to which finished rows are appended
//	recorder  measures an attempt: time, memory, and why it ended
//
// # What is promised
//
//   - No finished cell runs again. If a process ends early, the next process takes over the finished cells from
//     the parts and runs the others. The error of an interrupted run wraps ErrStopped.
//   - Two processes may run the same task at once. The first shard stays; a second shard would have the same measures.
//   - The number of workers does not change the results.
//   - If a cell cannot be computed, for example because it diverges, it gets a row with an error and counts as
//     failed. The other cells continue.
//   - Near the deadline, a batch begins only if it is expected to end in time. The first batch of an attempt always
//     begins.
//
// run_test.go tests rows and shards. resume_test.go tests interruption, damaged files and notes. models_test.go tests
// stored models, and program_test.go tests users' programs. cmd/internal/torture kills processes.
package executor
