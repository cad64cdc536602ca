// Package running computes the cells of a run in one process.
//
//	session   a call of Runner.RunTasks: it begins one task after the other and hands batches to workers
//	taskRun   a task while it runs: what earlier attempts have left, what is missing, its part, the models it may keep
//	batch     cells of one method, which go through the samples together
//	Pass      what takes a batch through the samples: the one interface by which a task learns a cell
//	part      the file that finished rows are appended to
//	recorder  what this attempt takes: time, memory, and why it ended
//
// # Interruption
//
// Whatever ends a process, the next one reads the parts that earlier attempts at a task
// have left, takes over the cells that are complete in them, and runs the others. Two
// processes may run the same task at once: the first shard stands, and both are right,
// because a cell's measures depend on its id alone.
//
// A cell that cannot be computed, such as one that diverges, is a row with an error and
// counts as failed; it does not stop the others.
package running
