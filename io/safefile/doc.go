// Package safefile opens the files that users name, and writes CSV that spreadsheets open without harm.
//
// Open and ReadFile accept ordinary files only. A named pipe would make a reader wait for ever, and a device such as
// /dev/zero would fill the memory.
//
// OpenUnpacked opens a file that may be compressed with gzip, as its magic number says.
//
// NewText converts text to UTF-8, and refuses files of other kinds by name.
//
// CSVWriter writes CSV. A spreadsheet would execute a name such as =HYPERLINK(…) as a formula. So CSVWriter puts an
// apostrophe before a text that begins with =, +, - or @, even after other apostrophes. DecodeField removes the
// apostrophe again. Numbers such as -1.5 stay unchanged.
package safefile
