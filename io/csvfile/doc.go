// Package csvfile reads files of fields separated by commas or, by their names, tabs, plain
// or compressed with gzip (by their content), row by row. Rows gives records as they are; Table
// has a row of column names and gives the columns asked for, in any order in the file. A Writer
// writes such files.
//
// Fields may be quoted, white space at their ends is dropped, blank lines are passed over,
// and so is a byte order mark at the beginning. All rows have as many fields as the first.
// Numbers are finite decimal numbers. What is wrong is told as an Error with file, line
// and column.
//
// # Spreadsheets
//
// Names come from anywhere, and a spreadsheet that opens a file takes a name such as
// =HYPERLINK(…) for a formula. A text that begins with =, +, - or @ is written with an
// apostrophe before it, which makes it a text, and is read without; one that has apostrophes
// there already gets one more. A text that is a number, such as -1.5, stays as it is.
package csvfile
