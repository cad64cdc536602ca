// Package dataframe reads a user's table with named columns row by row, from CSV, TSV and other formats.
//
// The typical steps are:
//
//  1. Open the file with Open. If the names of the columns are fixed, use OpenColumns.
//  2. Find columns by name with Table.Need, Table.NeedAny or Table.Find.
//  3. Call Table.Next until it returns false. In each row read values with Table.Text and Table.Number. Report a bad
//     value with Table.Bad, which names the file, the row and the column.
//  4. Check Table.Err, and close the table.
//
// To read a text file that may have no column names, use Rows. It reads one record after the other.
//
// The main types are:
//
//   - Table is an open file, used like a bufio.Scanner.
//   - Options say how a file is read: its separator, its decimal sign, and whether it is transposed.
//   - Format is a file format, and Source is the content of one file. You need them only to add a format.
//   - Error says where a file is bad and what is expected there. Problems holds several errors about one file.
//
// # Formats
//
// The extension of a file's name decides its format, in upper or lower case. This package reads
//
//	.csv .tsv .txt             text; see below
//	.gct                       expressions: a row for each gene, read with a row for each sample
//	.sif .graphml              networks
//	.edgelist .edges .ncol     networks without column names
//	.gmt                       groups: feature, group, description
//
// and all of these compressed with gzip. Compression is recognised by the content. A program that imports io/columnar
// also reads Parquet and Arrow, and with io/matrix NumPy.
//
// # Text
//
// The first row of a text file names the columns. All later rows have as many fields as the first row. In a file from
// R, all later rows may have one field more, the row's name. Fields may be quoted. White space at the ends of a field
// and lines without content are ignored. If tabs separate the fields, a quotation mark within a field is an ordinary
// character. A first line such as sep=;, which Excel writes, names the separator. Text may be UTF-8 or UTF-16.
//
// Options name the separator, or the function Separator infers it. Numbers must be finite and decimal. If
// semicolons separate the fields, numbers may have a decimal comma. A file that mixes decimal commas and
// decimal points is an error.
//
// dataframe_test.go tests texts and numbers, and foreign_test.go and graphml_test.go test other formats.
package dataframe
