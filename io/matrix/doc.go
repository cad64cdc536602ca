// Package matrix reads dense matrices of finite numbers from the files that other programs
// write:
//
//	.npy            NumPy, version 1 or 2: float32 or float64, two dimensions, C or Fortran
//	                order, little or big endian
//	.csv, .csv.gz   a line for each row, with or without a line of column names
//
// The first line of a CSV file is taken for column names if none of its fields is a number.
// Names that are numbers, such as 0, 1, 2, would be taken for a row.
//
// A file's size is checked against its shape before any memory is asked for.
package matrix
