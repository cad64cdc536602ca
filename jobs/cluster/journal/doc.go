// Package journal says what was submitted of a run to a Slurm cluster, and what has become of it.
//
//   - Each call of sbatch is noted before and after it (journal.go), under a lock (lock.go), so that a crash
//     between the two loses no job.
//   - A Queue is what the cluster knows of the run's jobs (queue.go), that which merges among them. A job that ends
//     and leaves cells undone is a Death (death.go).
//   - AskQueue adds to a run's status what runs, waits and has died, Cancel cancels all jobs of a run (status.go),
//     and MeasureEfficiency adds up what jobs held and used (efficiency.go).
package journal
