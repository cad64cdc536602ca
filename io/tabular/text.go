package tabular

import (
	"errors"
	"slices"
)

var text = Format{
	Extensions: []string{".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"}, Open: openText,
}

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
	head := slices.Clone(rows.Record())
	if rows.hasRowNames() {
		head = slices.Insert(head, 0, "")
	}
	return &textSource{rows, head}, nil
}

func (s *textSource) Columns() []string { return s.head }

// Next passes over rows of which no field has anything, as spreadsheets leave them at the end.
func (s *textSource) Next() error {
	for s.Rows.Next() {
		if len(s.record) == 1 || slices.ContainsFunc(s.record, func(field string) bool { return field != "" }) {
			return nil
		}
	}
	return s.Rows.err
}

func (s *textSource) Text(i int) string             { return s.record[i] }
func (s *textSource) Number(i int) (float64, error) { return s.Rows.Number(s.record[i]) }
func (s *textSource) Real(int) bool                 { return false }
