// Package cluster submits a run to a Slurm cluster: it decides which cells go into which job, and how much memory and
// time each job asks for. It also runs one task inside a job. `gdrun submit` and `gdrun task` use it.
//
// The typical steps are:
//
//  1. Propose takes stock of the run, asks the queue which jobs wait or run, and lists the cells that are neither
//     finished nor queued.
//  2. Propose learns from earlier jobs: from the causes of their deaths, and from the memory and time of finished tasks
//     (needs.go, timelimit.go).
//  3. It packs the cells into tasks (run.Repack), and the tasks into job arrays with their scripts (batch.go).
//     Tasks beyond --max-jobs or --max-core-hours are left for another submission.
//  4. Submission.Send puts programs and scripts into the run's folder and calls sbatch once for each array (send.go).
//     For a dry run, Submission.Write prints the scripts and commands instead. With UntilDone, Send first submits the
//     follow-up job, which then waits for the arrays (follow.go).
//  5. Each element of an array runs one task by Node.RunTask (node.go). Near the time limit, RunTask stops and puts the
//     job back into the queue.
//  6. The follow-up job calls Propose again, and Submission.Next says what it does next. It submits the missing cells
//     and the next follow-up job, or the caller merges the results, or Submission.Finish records why the run stops.
//
// # Memory and time
//
// The time limit of a task comes from timeLimits.of, and its memory from needs.memory. The comments of the types
// timeLimits and needs have the rules.
//
// # What is promised
//
//   - No finished cell runs again. A cell whose job waits or runs is not submitted again.
//   - A crash around a call of sbatch loses no job: package journal notes each call before and after it.
//   - A job that finished no cell does not go back into the queue. Otherwise it would never end.
//   - A run that finishes itself stops after two rounds without a finished cell. Only the newest follow-up job acts,
//     unless the cluster has lost this job. Only a person's call submits cancelled work again.
//
// The tests in cluster_test.go use a fake Slurm made of maps. In simulation_test.go, attempts fail in all known ways on
// a simulated cluster of 10,000 nodes. million_test.go measures plans of up to a million cells. Tests on a real Slurm
// are in cmd/gdrun/cluster*_test.go.
package cluster
