// Package journal records which Slurm jobs were submitted for a run, and finds out how they ended. Package cluster
// writes the journal. `gdrun status`, `gdrun cancel` and `gdrun efficiency` read it.
//
// The typical steps are:
//
//  1. TakeLock makes other submissions of the same run wait (lock.go).
//  2. Read reads the files submissions/NNNN.json. Each File belongs to one `gdrun submit` and has a Job for each call
//     of sbatch (journal.go).
//  3. Journal.FindLost completes records without a job id. A crash before sbatch's answer leaves such records.
//  4. Journal.Queue asks the clusters which of these jobs wait or run (queue.go). A job that this user or machine
//     cannot see is hidden, and never counts as dead (identity.go).
//  5. FindDeaths lists the jobs that ended and left cells undone. Explain finds the causes in Slurm's accounts and the
//     logs (death.go).
//  6. For a run with follow-up jobs, Journal.FollowUp and Journal.LastRound return its progress (follow.go), and
//     Round.Next decides the next step (round.go).
//  7. Journal.Save writes a File, before and after each call of sbatch.
//
// AskQueue adds running, waiting and dead jobs to a run's status. Cancel cancels all jobs of a run (status.go).
// MeasureEfficiency adds up the time and memory that the jobs held and used (efficiency.go).
//
// Journal, File and Job record what was submitted. A Queue holds the cluster's answers about these jobs. A Death is the
// end of a job that left cells undone.
//
// # What is promised
//
//   - Each job is recorded on disk before sbatch is called, and its id is on disk before anything else happens.
//   - Two submissions of a run wait for each other. If the file system has no locks, or separate locks for each login
//     node, both may submit the same tasks. The results are then equal, and are merged as one.
//   - A job counts as the run's own only if its cluster, id and name or script agree, because ids are reused within a
//     cluster and between clusters.
//   - A job that sbatch accepted less than two minutes ago counts as queued, even if squeue does not show it.
//   - Deaths stay in the journal, because the queue forgets ended jobs and many clusters keep no accounts.
//
// Most tests submit jobs, so they are in jobs/cluster: lock_test.go, statusqueue_test.go and submit_test.go.
// journal_test.go checks how a cause is found, and that many jobs need few calls of Slurm.
package journal
