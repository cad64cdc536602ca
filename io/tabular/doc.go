// Package tabular reads files of named columns, such as samples, edges, weights, groups, genes
// and pathways, row by row and one way whatever their format.
//
// # Formats
//
// The name of a file tells its format. Text (.csv, .tsv) is known here; other packages add theirs
// with Register, as io/columnar does for Parquet and Arrow: who imports it reads them too.
//
// # Text
//
// A text file is plain or compressed with gzip, by its content. Its first row names the columns;
// all rows have as many fields. Fields may be quoted, white space at their ends is dropped, blank
// lines are passed over, and so is a byte order mark at the beginning. The separator is told
// (Options), or it is the one of the file's name where the first line has it, or else the tab or
// the semicolon that the first line has. Numbers are finite decimal numbers. Where semicolons
// separate fields they may have a decimal comma; one file has commas or points, not both.
//
// Rows reads text that may have no column names.
//
// # Errors
//
// What is wrong is told as an Error with file, row and column, and says which value and what is
// wanted. A row of text is the line where it begins, counting from 1; a row of another file is
// its index, counting from 0.
package tabular
