// Package results keeps what cells computed: one Row for each (cell, checkpoint).
//
// # Files
//
//	results/000/task-00012.<attempt>.arrows.part   what one attempt has so far; Part, ReadParts
//	results/000/task-00012.<attempt>.attempt.json  what one attempt tells of itself; WriteAttempt, ReadAttempts
//	results/000/task-00012.arrow                   the sealed shard of a task; WriteShard, ReadShard
//	results/000/task-00012.models.arrow            the models of its best cells; WriteModels, ReadModels
//	cell.arrow                                     any rows, without a task; WriteTable, CheckTable
//
// All but the notes are ordinary Arrow, without compression: parts are IPC streams, the others IPC files. Every
// field's metadata says by a Role what the column is for. Package tidy has rows as CSV and Parquet.
//
// # From parts to a shard
//
// A task may be run by several attempts, one after the other or at once, and each may
// be killed at any moment. So each appends to a part of its own and nobody touches
// another's. A new attempt reads all parts, keeps one row of each kind (Dedup), runs
// what is missing, and writes the shard under a temporary name that is then linked to
// the final one. The first link wins, every later one fails with fs.ErrExist, and the
// parts are removed (RemoveParts), and with them the attempts' notes, which the shard's
// footer keeps. A shard that is there is complete.
//
// # Damage
//
// Nothing reaches the Arrow library before its bytes are known to be those that were
// written: of damaged Arrow files some read back other values without an error, some
// panic, and some ask for more memory than there is. Shards, tables and models carry a
// seal over the whole file (package seal). A part cannot, for it grows; each of its
// batches carries its length and a SHA-256 that is chained to the batch before, in a
// column of its own, and reading stops at the first that does not fit. What a shard's
// footer says of the shard (ShardInfo) has a checksum too and is read without the rest.
package results
