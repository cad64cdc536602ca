// Package plan says what is to be computed: an experiment expanded into cells, each one online pass of a
// method with its parameters over one trial of a dataset, and the tasks that they are packed into.
//
//	experiment   a YAML file; package experiment
//	plan         the experiment expanded, every cell with its id; NewPlan
//	task         the cells that one process runs, all of one trial; package running
//	run          a directory with a plan, its tasks and their results; package run
//	shard        the sealed results of a task; package io/results
//
// A cell's id is the SHA-256 of the canonical JSON of what it computes,
//
//	{"dataset":D,"loss":"logistic","method":"da-iht","params":{"gamma":100,"s":26},"trial":0}
//
// where D is the digest of the trial's files and params are all parameters of the method,
// sorted by name, numbers in the shortest form that reads back the same. Neither paths nor
// checkpoints nor the cell's place in the plan are part of it.
//
// # A run's directory
//
//	plan.json            the experiment, its datasets and the hash of plan.parquet; written last
//	plan.parquet         a row per cell; beyond 262,144 cells the others are in plan.2.parquet and so on, and so are
//	                     those of lists of tasks
//	plan-0001.json       the plan that the run had before it grew; plan.json names the table of its cells
//	reused-0001.json     another run of which finished cells were taken, and how many
//	tasks-0001.parquet   which cells each task runs, with their places in the plan and estimated seconds
//	tasks-0002.parquet   cells that were packed again; a cell is done when any task has it
//	results/000/         shards, models and parts of the tasks 0 to 999
//	submissions/         what was submitted to Slurm: scripts, and a journal of jobs
//	logs/0001-1/         logs of the first array of the first submission
package plan
