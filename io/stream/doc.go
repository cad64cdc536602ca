// Package stream reads samples one by one as they arrive on standard input or in a growing file, for `gdrun learn`. It
// never waits for data beyond the current sample. It holds only one sample or one record batch in memory.
//
// New recognises the kind of a stream by the first bytes. Samples.Next reads the next sample. Follow reads a growing
// file. The kinds are:
//
//	CSV     a line of column names, then a line for each sample; separated by commas, tabs, semicolons or bars
//	NDJSON  a line for each sample, an object with its features and its label by name
//	Arrow   an IPC stream of record batches, with a column for each feature and a column for the label
//
// Columns are found by name, in any order, and other columns are ignored. Values are finite numbers. A label may be
// text, a number or a truth value. Labels are returned as text, with numbers in their shortest form.
//
// A last line without a line end may be cut within a number, so it is not a sample. The last NDJSON object needs no
// line end.
//
// The errors have the types of package dataframe.
package stream
