// Package table formats finished tables as text, Markdown, LaTeX, CSV and JSON. The typical steps are:
//
//  1. Make a Table. For a table with a row for each item of a list, describe the columns with WordField, NumberField
//     and CountField, and call Fill. Otherwise set Columns and Rows. Word, Of, Count and Label make cells.
//  2. Print the table with Print, or row by row with Table.Grow, in one of Formats.
//  3. A command that answers a question prints an Answer: the verdict, notes and tables, on one screen.
//  4. To write a table to a file, pass the function that Table.As returns to seal.Write. FileFormats lists the formats.
//
// The main types are:
//
//   - Table has a title, headings (Column), rows of cells (Cell) and notes.
//   - Cell is a word or a Number.
//   - Number is a value with its standard deviation, confidence interval and count of trials.
//   - Format is a way to write tables. A new format needs a file with a Format, and one line in the list formats.
//
// Text, Markdown and LaTeX round a value as its Number says. Data files have the full value. The deviation and the
// interval have columns of their own. An undefined value (NaN) prints as "–" and is empty or null in data files. Names
// come from users' files, so printed formats drop control characters and escape markup.
//
// Package page shows tables in HTML. tables_test.go tests the formats, and answer_test.go tests answers on a screen.
package table
