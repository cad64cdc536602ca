// Package slurm writes batch scripts, submits them to a Slurm cluster with sbatch, and asks about the jobs.
//
// The typical steps on the machine that submits are:
//
//  1. Fill in a Script: JobName makes a name for it, and Resources say what each job asks for. SplitTasks divides many
//     tasks among job arrays that the cluster accepts (Client.Config).
//  2. Write the script to a file with Script.Render.
//  3. Check that the cluster answers with Client.Available, and submit with Client.Submit.
//  4. Ask for the state of jobs with Client.Queue, Client.QueueOf and, after their end, Client.Accounting.
//  5. End or restart jobs with Client.Cancel and Client.Requeue. Client.StartAfter lets a job wait for other jobs.
//
// A job that submits other jobs gets the variable of KeptEnvironment, and calls RestoreEnvironment first. So the other
// jobs get the environment of the user's call, not of the job's node.
//
// The program inside a job calls ReadEnv to learn its job id and its array index. It calls Client.TimeLeft to learn
// when it must stop.
//
// The main types are:
//
//   - Script is a batch script. Its Resources are time, memory, processors and so on.
//   - Array is a job array. SplitTasks and Share divide the tasks, and the jobs that run at once, among arrays.
//   - Submission is one call of sbatch.
//   - Client runs sbatch, squeue, scancel, scontrol and sacct, with time limits and retries.
//   - Error is a failure of such a command. Its Kind says whether another try may help.
//   - Entry is a job in the queue. Record is one start of a job in Slurm's accounting (sacct).
//   - Env describes the job in which a program runs.
//
// # Scripts
//
// The same Script gives the same bytes. Values in commands are quoted for the shell. Slurm has its own rules for
// #SBATCH lines, so values in these lines may have only letters, digits and a few signs. Paths are arguments of sbatch,
// and all names in a script are relative to the directory.
//
// # One submission, one job
//
// If sbatch fails while the controller is busy, the controller may still have accepted the job. So a Script's name must
// be unique, and Submit looks for a job with this name before it calls sbatch again. If a program crashes before it has
// stored the job id, Find finds the job by its name.
//
// # What Slurm does, seen on 22.05
//
//   - In an array, the last element to start has the array's job id as its SLURM_JOB_ID. For squeue, scancel and
//     scontrol, this id means the whole array. So Env.ID of an element has the form job_index.
//   - Time limits have a resolution of a minute, and the controller checks them every 30 s. The signal before the limit
//     comes up to 30 s early; the manual says up to a minute. Scripts ignore USR1 until the program can handle it, so a
//     program must also watch the time left.
//   - SLURM_RESTART_COUNT is not set when a job starts for the first time, and SLURM_JOB_END_TIME is never set.
//   - Variables such as SBATCH_TIMELIMIT override #SBATCH lines, and a job's SLURM_ variables reach the jobs that it
//     submits. This package hides such variables from Slurm's commands, or turns them into options (variables.go).
//   - If the name of a run's directory contains % or \, its jobs do not start, because Slurm reads the name as part of
//     the log's pattern. This package refuses such a name.
//   - A requeued job waits before it starts again, for two minutes by default (cred_expire).
//   - A controller that is killed (not ended by TERM) forgets its last seconds and gives the same job ids again. If the
//     earlier job with such an id still runs, the controller drains the job's node.
//   - squeue forgets jobs some minutes after their end (MinJobAge). sacct still lists them if the cluster has
//     accounting.
//
// # Tests
//
// script_test.go compares scripts with testdata and runs them in a shell. submit_test.go and queue_test.go use a fake
// Runner. The tests TestLive… need a cluster: `make test-slurm` starts one with slurm/testcluster and stops it.
package slurm
