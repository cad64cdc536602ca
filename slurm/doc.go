// Package slurm renders batch scripts, submits them to a Slurm cluster, and reads what
// the cluster says of them. It knows nothing of what the scripts run.
//
//	Script       what a job does and asks for; Render writes the file for sbatch
//	Resources    time, memory, processors and the like
//	Array        a job array; SplitTasks and Share divide tasks and what runs at once among arrays
//	Submission   a script, its directory and its log: one sbatch command
//	Client       sbatch, squeue, scancel, scontrol and sacct, with time limits and retries
//	Env          what a program learns of the job it runs in
//
// Rendering is pure: the same Script gives the same bytes. Values in commands are quoted
// for the shell. Slurm itself reads the #SBATCH lines, with rules of its own, so that
// values in them are letters, digits and a few signs, and anything else is refused. No
// path is in them: the directory and the log are arguments of sbatch, and all names in a
// script are relative to the directory.
//
// # One submission, one job
//
// If sbatch fails while the controller is busy, its job may have been accepted
// nevertheless. A Script's name must therefore be its own: Submit looks for a job of that
// name before it submits again, and Find does the same after a crash between sbatch and
// the note of its job id.
//
// # What Slurm does, seen on 22.05
//
//   - The element of an array that starts last has the array's job id as its own
//     SLURM_JOB_ID, and squeue, scancel and scontrol take that number for the whole array.
//     Env.ID is therefore always job_index.
//   - Time limits have a resolution of a minute, and the controller looks at them every 30 s:
//     the signal before the limit comes up to 30 s early (a minute, by the manual). Under a
//     limit little longer than the lead time that is perhaps before the program can hear
//     it. Scripts ignore USR1 until then, and a program must look at the time left too.
//   - SLURM_RESTART_COUNT is not set in a job's first life, SLURM_JOB_END_TIME never.
//   - Variables such as SBATCH_TIMELIMIT win over #SBATCH lines. Those that would change a
//     script's directives are kept from sbatch, as are the SLURM_ variables of a job that
//     submits, which would otherwise reach its children.
//   - A run's directory whose name contains % or \ gets no logs, and its jobs do not
//     start: Slurm reads it as part of the log's pattern. Such a name is refused.
//   - A requeued job waits before it starts again, for two minutes by default (cred_expire).
//   - A controller that is killed (not ended by TERM) forgets its last seconds. It gives the
//     same job ids again, and drains a node on which the former job still runs.
//   - squeue forgets jobs some minutes after their end (MinJobAge); sacct knows them if the
//     cluster has accounting.
package slurm
