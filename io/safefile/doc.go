// Package safefile opens the files that users name, and writes CSV that spreadsheets open without harm.
//
// Open and ReadFile take ordinary files only. A named pipe would make a reader wait for ever, and a device such as
// /dev/zero would fill the memory. Every file that a user names is opened here.
//
// OpenUnpacked opens a file that may be compressed with gzip. The content decides, not the name: a file that begins
// with gzip's magic number is read through gzip. No format that is read with this package begins with these bytes.
//
// CSVWriter writes CSV. Names come from anywhere, and a spreadsheet takes a name such as =HYPERLINK(…) for a formula.
// A text that begins with =, +, - or @ is written with an apostrophe before it, which makes it a text. DecodeField
// removes the apostrophe again. A text that already has apostrophes there gets one more. A text that is a number, such
// as -1.5, stays as it is.
package safefile
