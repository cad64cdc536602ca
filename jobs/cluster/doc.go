// Package cluster brings a run onto a Slurm cluster. Of the packages of jobs only it and journal, below it, import
// package slurm.
//
//   - Propose takes stock of what a run lacks, asks the queue what is coming, packs the rest
//     into tasks (repack.go) and tasks into job arrays and their scripts (batch.go); Submission.Send
//     submits them (send.go), one sbatch an array, each call noted before and after in the journal.
//   - What jobs died of, and what attempts have measured of themselves, decide what the next tasks ask
//     for (needs.go, timelimit.go).
//   - Node runs one task inside a job: it stops before the time limit and puts the job back
//     into the queue (node.go).
package cluster
