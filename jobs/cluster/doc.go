// Package cluster submits a run to a Slurm cluster. It decides which cells go into which job, and how much memory and
// time each job asks for. It also runs a task inside a job. `gdrun submit` and `gdrun task` use it.
//
// The typical steps are:
//
//  1. Propose counts the finished cells, asks the queue which jobs wait or run, and lists the cells that are neither
//     finished nor queued.
//  2. Propose looks at earlier jobs: why they died, and how much memory and time they used (needs.go, timelimit.go).
//  3. Propose packs the cells into tasks (run.Repack), and the tasks into job arrays with scripts (batch.go). It
//     leaves tasks beyond --max-jobs or --max-core-hours for another submission.
//  4. Submission.Send puts programs and scripts into the run's folder and calls sbatch once for each array (send.go).
//     For a dry run, Submission.Write prints the scripts and commands instead. With UntilDone, Send first submits the
//     follow-up job, which then waits for the arrays (follow.go).
//  5. Each element of an array calls Node.RunTask to run one task (node.go). Near the time limit, RunTask stops and
//     puts the job back into the queue.
//  6. The follow-up job calls Propose again. Submission.Next says whether it then submits the missing cells and
//     another follow-up job, merges the results, or stops the run (Submission.Finish).
//
// The main types are SubmitOptions, Submission, ProposedJob and Node.
//
// # Memory and time
//
// The time limit of a task comes from timeLimits.of, and its memory from needs.memory. The comments of timeLimits and
// needs explain the rules.
//
// # What is promised
//
//   - No finished cell runs again. No cell is submitted while its job waits or runs.
//   - A crash during a call of sbatch loses no job: package journal records the job before and after the call.
//   - A job that finished no cell does not go back into the queue, because it might go back for ever.
//   - A run with follow-up jobs stops after two rounds without a finished cell. Only one follow-up job acts: the
//     newest that the cluster still has. Only a person submits cancelled cells again.
//
// The tests in cluster_test.go use a fake Slurm. In simulation_test.go, attempts fail in all known ways on a simulated
// cluster of 10,000 nodes. million_test.go measures plans of up to a million cells. Tests on a real Slurm are in
// cmd/gdrun/cluster*_test.go.
package cluster
