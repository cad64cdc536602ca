// Package results writes and reads result files. They hold the results of cells: one Row for each cell and checkpoint.
//
// A task of a run computes many cells. Several attempts may run the same task, even at the same time. An attempt may be
// killed at any moment. The typical steps of an attempt are:
//
//  1. Call ReadParts to read rows of earlier attempts, and Dedup to keep one row for each cell and checkpoint.
//  2. Create the attempt's own part with CreatePart. Add each finished row with Part.Append, and record the
//     attempt's progress with WriteAttempt.
//  3. When all cells have rows, write the models with WriteModels. Then write the final file, the shard, with
//     WriteShard. Only the first attempt succeeds. Every later attempt gets fs.ErrExist.
//  4. Remove the parts and notes with RemoveParts.
//
// A reader calls ReadShard for the rows, ReadModels for the models, and ReadShardInfo for the counts alone. A shard is
// always complete. The files are:
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
//   - Field is a column of the files. Fields and MetricColumns list all columns. A new measure needs only a field of
//     Metrics and a line in MetricColumns.
//   - Part is the file to which one attempt appends rows.
//   - ShardInfo says what a shard holds. Attempt says how an attempt went.
//   - Model is a cell's model at a checkpoint.
//
// Notes are JSON. Parts are Arrow IPC streams, and all other files are Arrow IPC files without compression. The bytes
// of a shard depend only on the arguments of WriteShard. The metadata of each field has a Role. Package export exports
// rows as CSV and Parquet.
//
// # Damage
//
// Readers verify the checksum of a file before the Arrow library parses a byte. Otherwise damaged files could give
// wrong values, cause a panic, or exhaust the memory. Shards, tables and models have a seal over the whole file
// (package seal). A part grows, so it cannot have a seal. Instead each batch has its length and a SHA-256, which also
// covers the SHA-256 of the previous batch. Reading stops at the first batch that does not match. The ShardInfo has
// its own checksum, so it can be read without the rest of the shard. The tests in cmd/internal/torture damage the
// files of whole runs.
package results
