package sampletable

import (
	"strconv"
	"unicode/utf8"

	"graphda/io/dataframe"
)

// IDs are the samples' names, which differ: those of a column, else the numbers of the rows,
// counting from 1.
type ids struct {
	table   *dataframe.Table
	column  int  // −1 if samples are numbered
	guessed bool // by what stands in the column
	patient bool // another column has the patients, or nobody can say which
	list    []string
	first   map[string]dataframe.Row
}

func newIDs(t *dataframe.Table, column int) *ids {
	return &ids{table: t, column: column, patient: true, first: map[string]dataframe.Row{}}
}

// add takes the id of the row that the table stands at.
func (s *ids) add() error {
	if s.column < 0 {
		s.list = append(s.list, strconv.Itoa(len(s.list)+1))
		return nil
	}
	id := s.table.Text(s.column)
	first, again := s.first[id]
	switch {
	case again && isIndex(s.table.Columns()[s.column]): // of tables put below each other
		s.column = -1
		for i := range s.list {
			s.list[i] = strconv.Itoa(i + 1)
		}
		return s.add()
	case again && !s.patient:
		column := s.table.Columns()[s.column]
		return s.table.Bad(s.column, "is %q, as in %v; each sample has an id of its own. Several samples of one patient? "+
			"--patient %q says so; --drop %[3]q leaves the column out", id, first, column)
	case again && s.guessed:
		return s.table.Bad(s.column, "is %q, as in %v; want ids that differ, or a number; a column that is neither is left "+
			"out by --drop %q", id, first, s.table.Columns()[s.column])
	case again:
		return s.table.Bad(s.column, "is %q, as in %v; each sample has an id of its own", id, first)
	case id == "":
		return s.table.Bad(s.column, "is empty, want the id of a sample")
	case !utf8.ValidString(id):
		return s.table.Bad(s.column, "is %q, which is not UTF-8", id)
	}
	s.first[id] = s.table.Row()
	s.list = append(s.list, id)
	return nil
}
