package dataframe

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A Matrix has at least one row and one column, and finite values.
type Matrix struct {
	Rows, Cols int
	Data       []float64 // row by row
	Names      []string  // of the columns; nil if the file has none
}

// Row returns row i. The slice is the matrix's own.
func (m *Matrix) Row(i int) []float64 { return m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols] }

// ReadMatrix reads a file whose name ends with .npy, .csv or .csv.gz. A CSV file may have a line of column names:
// the first line, if none of its fields is a number.
func ReadMatrix(path string) (*Matrix, error) {
	switch name := strings.ToLower(path); {
	case strings.HasSuffix(name, ".npy"):
		return readNPY(path)
	case strings.HasSuffix(name, ".csv"), strings.HasSuffix(name, ".csv.gz"):
		return readCSV(path)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s: %w; want a name that ends with .npy, .csv or .csv.gz", path, ErrFormat)
}

func readCSV(path string) (*Matrix, error) {
	rows, err := OpenRows(path, Options{})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	m := &Matrix{}
	for rows.Next() {
		record := rows.Record()
		if m.Cols == 0 {
			m.Cols = len(record)
			if !slices.ContainsFunc(record, isNumber) {
				m.Names = slices.Clone(record)
				continue
			}
		}
		for j, field := range record {
			x, err := rows.Number(field)
			if err != nil {
				return nil, &Error{Path: path, Row: rows.Row(), Column: m.column(j), Err: err}
			}
			m.Data = append(m.Data, x)
		}
		m.Rows++
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if m.Rows == 0 {
		return nil, &Error{Path: path, Err: errors.New("has no row of numbers, want one at least")}
	}
	return m, nil
}

// isNumber tells whether a field of the first line is a number, and not a column's name.
// Not finite ones are, so that they are refused and not taken for names.
func isNumber(field string) bool {
	_, err := strconv.ParseFloat(field, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// column returns the name of column j, or its number, counting from 1.
func (m *Matrix) column(j int) string {
	if m.Names != nil {
		return m.Names[j]
	}
	return strconv.Itoa(j + 1)
}
