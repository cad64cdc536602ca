// Package safefile opens the files that users name, and writes CSV that spreadsheets open without harm.
//
// Open and ReadFile accept ordinary files only. A named pipe would make a reader wait for ever, and a device such
// as /dev/zero would fill the memory. The programs open every file that a user names with this package.
//
// OpenUnpacked opens a file that may be compressed with gzip. The content decides, not the name: a file that begins
// with gzip's magic number is unpacked. No format that is read with this package begins with these bytes.
//
// CSVWriter writes CSV. A spreadsheet would execute a name such as =HYPERLINK(…) as a formula. So a text that begins
// with =, +, - or @ is written with an apostrophe before it, which makes it plain text. DecodeField removes the
// apostrophe again. If such a text already has apostrophes before it, one more is added. Numbers such as -1.5 are left
// unchanged.
package safefile
