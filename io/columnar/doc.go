// Package columnar reads the columns of Parquet and Arrow IPC files of many shapes and makers.
// Who imports it reads such files with package tabular too.
//
// A file is read into memory and checked against its seal before it is parsed. Files
// without a seal are parsed defensively: pages and lengths are checked before Arrow sees
// them, in the caller's goroutine, and Arrow's panics become errors. Damage to plain
// values of such a file cannot be noticed. A file may not have more columns, or deeper ones,
// rows or values than its size accounts for: a description of a few bytes can ask for more
// memory than any machine has. A stream must end with the mark of its end.
//
// Any numeric type whose values the type asked for holds is read, decimals, strings and
// dictionaries, and lists of them. Nulls are refused. Errors are those of package tabular.
package columnar
