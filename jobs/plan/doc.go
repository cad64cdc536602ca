// Package plan expands an experiment into cells and packs the cells into tasks. It writes cells and tasks into a run's
// directory, and reads them back. A cell is one online pass of a method, with values for its parameters, over one trial
// of a dataset. A task is a group of cells of one trial that one process runs.
//
// The typical steps are:
//
//  1. NewPlan expands an Experiment into a Plan (expand.go). It reads every trial once, so that bad data and unsuitable
//     parameters are refused before the first cell runs.
//  2. Calibrate measures how fast this machine is. It returns Rates (tasks.go).
//  3. Plan.Create packs the cells into tasks that each take about a target time. It writes plan and tasks into the
//     run's directory (create.go). If the directory already has a plan with some of the cells, that plan grows.
//  4. Read reads the plan and all tasks (tasklists.go). ReadTask reads only what one task needs.
//  5. AddTasks writes a new list of tasks when cells are packed again.
//
// The main types are Plan, Dataset, TrialSummary, Cell and Task. Single is one cell without a plan (single.go), and
// TrialData is a loaded trial that many cells share (data.go).
//
// # Identity of a cell
//
// A cell's id is the SHA-256 of this canonical JSON (names.go):
//
//	{"dataset":D,"loss":"logistic","method":"da-iht","params":{"gamma":100,"s":26},"trial":0}
//
// D is the digest of the trial's files. params has all parameters of the method, sorted by name. Numbers have the
// fewest digits that identify them. The id does not depend on paths, checkpoints or the cell's place in the plan.
//
// # A run's directory
//
//	plan.json            the experiment, its datasets and the hash of plan.parquet; written last
//	plan.parquet         a row per cell; cells beyond the first 262,144 are in plan.2.parquet and so on; lists of
//	                     tasks are split in the same way
//	plan-0001.json       the earlier plan, if the plan has grown; plan.json then names the new table of cells
//	tasks-0001.parquet   which cells each task runs, with their places in the plan and estimated seconds
//	tasks-0002.parquet   cells that were packed again; any task of a cell may finish it
//	results/000/         shards, models and parts of the tasks 0 to 999
//	submissions/         what was submitted to Slurm: scripts, and a journal of jobs
//	logs/0001-1/         logs of the first array of the first submission
//
// # Guarantees
//
//   - The same experiment and data give the same cells, with the same ids, in the same order.
//   - If writing a plan is interrupted, the same command completes it. plan.json is written last.
//   - A plan never loses cells, so finished results stay valid.
//
// jobs/run/open_test.go tests plans that grow. Other packages' tests make plans with jobs/runtest.
package plan
