// Package table holds finished tables and lays them out as text, Markdown, LaTeX, CSV and
// JSON; package page shows them in HTML.
//
// A Cell is a word or a Number, and a Number carries what is known of it (its deviation,
// interval and count of trials) to the last step: each format decides what it shows of it,
// and none reads a number back out of a text. Text, Markdown and LaTeX print a value as its
// Number says; CSV and JSON hold it in full, with its deviation and interval in columns of
// their own.
//
//  1. Make a Table. If each row shows one thing of a list, describe the columns as a list of Field with WordField,
//     NumberField and CountField, and call Fill. Otherwise set Columns and Rows; Word, Of, Count and Label make cells.
//  2. Print it in a format that the user names with Print, or row by row with Table.Grow. Formats lists the names.
//  3. Or write it to a file with a checksum: Table.Sealed gives the function that seal.Write needs, for each of
//     FileFormats.
//
// The main types are:
//
//   - Table has a title, headings (Column), rows of cells (Cell) and notes.
//   - Cell is a word or a Number.
//   - Number is a value with its standard deviation, confidence interval and count of trials.
//   - Format is a way to write tables. A new format is a file with a Format and one line in the list formats.
//
// A Number keeps its full precision up to the last step. Each format decides what it shows, and no format reads a
// number back from a text. Text, Markdown and LaTeX round a value as its Number says. Data files hold the value in
// full, and the deviation and interval in columns of their own. A value that is not defined (NaN) prints as "–" and is
// empty or null in data files. Names come from users' files, so printed formats drop control characters and escape
// markup.
//
// This package has no HTML: package page shows tables on a report's page. Tables are tested in tables_test.go, format
// by format, to the letter.
package table
