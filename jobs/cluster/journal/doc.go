// Package journal says what was submitted of a run to a Slurm cluster, and what has become of it.
//
//   - Each call of sbatch is noted before and after it (journal.go), under a lock (lock.go), so that a crash
//     between the two loses no job.
//   - A Queue is what the cluster knows of the run's jobs (queue.go). A job that ends and leaves cells undone is
//     a Death (death.go). The job that merges is in merging.go.
//   - AskQueue adds to a run's status what runs, waits and has died (status.go), MeasureEfficiency adds up what
//     jobs held and used (efficiency.go), and Cancel cancels all jobs of a run (cancel.go).
package journal
