package tabular

import (
	"errors"
	"slices"
)

var text = Format{Extensions: []string{".csv", ".tsv", ".csv.gz", ".tsv.gz"}, Open: openText}

// A textSource is a text file whose first row names the columns.
type textSource struct {
	*Rows
	head []string
}

func openText(path string, o Options) (Source, error) {
	rows, err := OpenRows(path, o)
	if err != nil {
		return nil, err
	}
	s, err := newTextSource(rows)
	if err != nil {
		rows.Close()
	}
	return s, err
}

func newTextSource(rows *Rows) (Source, error) {
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return nil, err
		}
		return nil, &Error{Path: rows.path, Err: errors.New("is empty, want a row of column names")}
	}
	return &textSource{rows, slices.Clone(rows.Record())}, nil
}

func (s *textSource) Columns() []string { return s.head }

func (s *textSource) Next() error {
	s.Rows.Next()
	return s.Rows.err
}

func (s *textSource) Text(i int) string             { return s.record[i] }
func (s *textSource) Number(i int) (float64, error) { return s.Rows.Number(s.record[i]) }
func (s *textSource) Real(int) bool                 { return false }
