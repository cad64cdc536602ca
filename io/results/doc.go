// Package results writes and reads result files. They hold the results of cells, one Row for each cell and checkpoint.
//
// A task of a run computes many cells. Several attempts may run the same task, one after the other or at the same time,
// and an attempt may be killed at any moment. The typical steps of an attempt are:
//
//  1. Call ReadParts to read what earlier attempts left, and Dedup to keep one row for each cell and checkpoint.
//  2. Create the attempt's own part with CreatePart. Add each finished row with Part.Append, and record the
//     attempt's progress with WriteAttempt.
//  3. When all cells have rows, write the models with WriteModels. Then write the final file, the shard, with
//     WriteShard. Only the first attempt that writes the shard succeeds. Every later attempt gets fs.ErrExist.
//  4. Remove the parts and notes with RemoveParts.
//
// A reader calls ReadShard for the rows, ReadModels for the models, and ReadShardInfo if only the counts are needed. A
// shard that exists is complete. The files are:
//
//	results/000/task-00012.<attempt>.arrows.part   the rows of one attempt so far
//	results/000/task-00012.<attempt>.attempt.json  the note of one attempt about itself
//	results/000/task-00012.arrow                   the shard: all rows of the task, and the attempts' notes
//	results/000/task-00012.models.arrow            the models of the task's best cells
//	cell.arrow                                     rows without a task; WriteTable, CheckTable
//
// The main types are:
//
//   - Row is the result of one cell at one checkpoint; Metrics are the measures in it.
//   - Layout names the columns of the hyperparameters in a file.
//   - Field is a column of the files. Fields and MetricColumns list all columns. Writers, readers and Dedup use
//     these lists, so a new measure needs a field of Metrics and one line.
//   - Part is the file to which one attempt appends rows.
//   - ShardInfo says what a shard holds. Attempt says how an attempt went.
//   - Model is a cell's model at a checkpoint.
//
// All files except the notes are ordinary Arrow files without compression. Parts are IPC streams, and all other
// Arrow files are IPC files. The bytes of a shard depend only on the arguments of WriteShard. Each field's
// metadata has a Role, which says what the column is for. Package export exports rows as CSV and Parquet.
//
// # Damage
//
// The checksum of a file is verified before the Arrow library parses a byte. Without that check some damaged Arrow
// files give wrong values without an error, some cause a panic, and some exhaust the memory. Shards, tables and models
// have a seal over the whole file (package seal). A part grows, so it cannot have such a seal. Instead each batch has
// its length and a SHA-256, which covers the SHA-256 of the previous batch too. Reading stops at the first batch that
// does not match. The ShardInfo of a shard has its own checksum, and can be read without the rest of the file.
//
// # Tests
//
// part_test.go cuts and damages a part at many places. shard_test.go seals one task from many attempts at once. The
// tests in cmd/internal/torture damage the files of whole runs.
package results
