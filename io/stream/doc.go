// Package stream reads samples one by one as they come: from standard input, or from a file that may still be
// growing. Nothing is read ahead of what has come, and no more is held than what is being read.
//
// The beginning of a stream tells its kind:
//
//	CSV     a line of column names, then a line for each sample; separated by commas, tabs, semicolons or bars
//	NDJSON  a line for each sample, an object with its features and its label by name
//	Arrow   an IPC stream of record batches, with a column for each feature and one for the label
//
// Columns are found by name, in any order; others are passed over. Values are finite numbers. The label is
// text, a number or a truth value, and comes as text, a number in its shortest form: whoever reads the
// samples knows what it means.
//
// A line is complete with its end. A last line that lacks it may be cut within a number, and is no sample; an object
// of NDJSON tells its end itself, and is one.
//
// Errors are as in package tabular.
package stream
