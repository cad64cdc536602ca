package matrix

import (
	"errors"
	"slices"
	"strconv"

	"graphda/io/tabular"
)

func readCSV(path string) (*Matrix, error) {
	rows, err := tabular.OpenRows(path, tabular.Options{})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return decodeCSV(path, rows)
}

func decodeCSV(path string, rows *tabular.Rows) (*Matrix, error) {
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
				return nil, &tabular.Error{Path: path, Row: rows.Row(), Column: m.column(j), Err: err}
			}
			m.Data = append(m.Data, x)
		}
		m.Rows++
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if m.Rows == 0 {
		return nil, &tabular.Error{Path: path, Err: errors.New("has no row of numbers, want one at least")}
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
