// Package csvfile writes CSV files that spreadsheets open without harm.
//
// Names come from anywhere, and a spreadsheet that opens a file takes a name such as
// =HYPERLINK(…) for a formula. A text that begins with =, +, - or @ is written with an
// apostrophe before it, which makes it a text, and is read without; one that has apostrophes
// there already gets one more. A text that is a number, such as -1.5, stays as it is.
package csvfile
