// Package cluster submits a run to a Slurm cluster: it decides which cells go into which job, and how much memory and
// time each job asks for. It also runs one task inside a job. `gdrun submit` and `gdrun task` use it.
//
// The typical steps are:
//
//  1. Propose takes stock of the run, asks the queue which jobs wait or run, and lists the cells that are neither
//     finished nor queued.
//  2. It learns from earlier jobs: from the causes of their deaths, and from the memory and time that finished
//     tasks used (needs.go, timelimit.go).
//  3. It packs the cells into tasks (run.Repack), and the tasks into job arrays with their scripts (batch.go).
//     Tasks beyond --max-jobs or --max-core-hours are left for another submission.
//  4. Submission.Send puts programs and scripts into the run's folder and calls sbatch once for each array
//     (send.go). For a dry run, Submission.Write prints the scripts and commands instead. With UntilDone it first
//     sends the follow-up job, which then waits for the arrays (follow.go).
//  5. Each element of an array runs one task by Node.RunTask (node.go). Near the time limit it stops and puts the job
//     back into the queue.
//  6. The follow-up job proposes again. Submission.Next is its next step: it sends what is missing and the next
//     follow-up job, or the caller merges, or Submission.Finish records why the run stops.
//
// # Memory and time
//
// needs.memory decides the memory of a task, and timeLimits.of its time limit. Their types' comments have the rules.
//
// # What is promised
//
//   - No finished cell runs again. A cell whose job waits or runs is not submitted again.
//   - A crash around a call of sbatch loses no job: package journal notes each call before and after it.
//   - A job that finished no cell does not go back into the queue. Otherwise it would never end.
//   - A run that finishes itself stops after two rounds that bring nothing. Only the newest follow-up job acts, unless
//     the cluster has lost it. Only a person's call submits cancelled work again.
//
// The tests use a fake Slurm made of maps, in cluster_test.go. simulation_test.go lets attempts fail in all known
// ways on a simulated cluster of 10,000 nodes. million_test.go measures plans of up to a million cells. Tests on a
// real Slurm are in cmd/gdrun/cluster*_test.go.
package cluster
