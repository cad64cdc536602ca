package importing

import (
	"io"
	"slices"

	"graphda/io/dataframe"
)

func init() { dataframe.Register(dataframe.Format{Extensions: []string{".toy"}, Open: openToy}) }

// A toy is a table of a format that only these tests know: text with the columns' names in the
// last row.
type toy struct {
	records [][]string
	row     int
}

func openToy(path string, o dataframe.Options) (dataframe.Source, error) {
	rows, err := dataframe.OpenRows(path, o)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t := &toy{row: -1}
	for rows.Next() {
		t.records = append(t.records, slices.Clone(rows.Record()))
	}
	return t, rows.Err()
}

func (t *toy) Columns() []string             { return t.records[len(t.records)-1] }
func (t *toy) Row() dataframe.Row            { return dataframe.Index(t.row) }
func (t *toy) Text(i int) string             { return t.records[t.row][i] }
func (t *toy) Number(i int) (float64, error) { return dataframe.Number(t.Text(i)) }
func (t *toy) Real(int) bool                 { return false }
func (t *toy) Close() error                  { return nil }

func (t *toy) Next() error {
	if t.row++; t.row == len(t.records)-1 {
		return io.EOF
	}
	return nil
}
