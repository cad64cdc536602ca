// Package dataframe reads a user's table with named columns row by row, from CSV, TSV and other formats.
//
// Samples, edges, weights, groups, genes and pathways come in such files. The typical steps are:
//
//  1. Open the file with Open. If the names of the columns are fixed, use OpenColumns.
//  2. Find columns by name with Table.Need, Table.NeedAny or Table.Find.
//  3. Call Table.Next until it returns false. In each row read values with Table.Text and Table.Number. Report a bad
//     value with Table.Bad: the error names the file, the row and the column.
//  4. Check Table.Err, and close the table.
//
// Rows reads the records of a text file that may have no column names.
//
// The main types are:
//
//   - Table is an open file, used like a bufio.Scanner.
//   - Options say how a file is read: its separator, decimal commas, whether to transpose it, which columns to skip.
//   - Format is a kind of file, and a Source is the content of one file. Both are needed only to add a format.
//   - Error says where a file is bad and what is expected there. Problems are several errors about one file.
//
// # Formats
//
// The end of a file's name decides its format. Upper and lower case are alike. This package knows
//
//	.csv .tsv .txt             text; see below
//	.gct                       expressions: a row for each gene, read with a row for each sample
//	.sif .graphml              networks
//	.edgelist .edges .ncol     networks without column names
//	.gmt                       groups: feature, group, description
//
// and each of them compressed with gzip, which is recognised by the content. Other packages add formats with Register:
// io/columnar adds Parquet and Arrow, and io/matrix adds NumPy. A program reads these formats if it imports the
// package.
//
// # Text
//
// The first row of a text file names the columns. All rows have as many fields as the first one. They may have one
// field more, the row's name, as R writes it. Fields may be quoted. White space at the ends of a field and lines
// without content are ignored. Where tabs separate the fields, a quotation mark within a field has no meaning. A first
// line such as sep=; of Excel tells the separator. Text is in UTF-8, or in UTF-16, which is recognised.
//
// The separator is the one in Options. If Options has none, Separator finds it. Numbers are finite and decimal. Where
// semicolons separate the fields, numbers may have a decimal comma. A file has either commas or points, not both.
//
// # Tests
//
// dataframe_test.go tests text files, and FuzzRows feeds random text. foreign_test.go tests the other formats. A test
// compares Number with strconv.ParseFloat to the bit.
package dataframe
