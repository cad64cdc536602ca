// Package tabular reads files of named columns, such as samples, edges, weights, groups, genes
// and pathways, row by row and one way whatever their format.
//
// # Formats
//
// The name of a file tells its format, in small letters or capitals. Known here are
//
//	.csv .tsv .txt             text; see below
//	.gct                       expressions: a row for each gene, read with a row for each sample
//	.mtx                       a matrix, with the names that stand beside it; see NewNamedMatrix
//	.sif .graphml              networks
//	.edgelist .edges .ncol     networks without column names
//	.gmt                       groups: feature, group, description
//
// all of them compressed with gzip or not, by their content. Other packages add formats with
// Register, as io/columnar does for Parquet and Arrow, and io/matrix for NumPy: who imports them
// reads these too.
//
// # Text
//
// The first row of a text file names the columns; all rows have as many fields, or one more, the
// row's name, as R writes it. Fields may be quoted, white space at their ends is dropped, lines
// without content are passed over. Text is in UTF-8, or in UTF-16, which is recognised. The
// separator is told (Options), or it is the one of the file's name where the first line has it, or
// else the tab, the semicolon or the bar that the first line has, or in .txt white space. Numbers
// are finite decimal numbers. Where semicolons separate fields they may have a decimal comma; one
// file has commas or points, not both.
//
// Rows reads text that may have no column names.
//
// # Errors
//
// What is wrong is told as an Error with file, row and column, and says which value and what is
// wanted. A row of text is the line where it begins, counting from 1; a row of another file is
// its index, counting from 0. Several problems of one file are Problems.
package tabular
