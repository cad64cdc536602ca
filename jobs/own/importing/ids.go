package importing

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"graphda/io/tabular"
	"graphda/jobs/usage"
)

// Names of columns that hold what R, pandas and polars call row names or an index, and names that
// people give to a first column of ids, in small letters.
var (
	indexNames = []string{"", "unnamed: 0", "__index_level_0__"}
	idNames    = []string{"id", "ids", "index", "sample", "sample_id", "sampleid", "sample id", "patient", "patient_id",
		"patientid", "subject", "subject_id", "case_id", "barcode", "row.names", "rownames"}
)

// idColumn returns the column of the samples' ids, −1 if there is none: the one that is asked
// for, a first column with a name of ids, be it behind an index, or an index.
func (r *Request) idColumn(t *tabular.Table) (int, error) {
	head := t.Columns()
	if r.Text.Transpose {
		return 0, nil
	}
	if r.ID != "" {
		i, err := t.Find(r.ID)
		if i >= 0 || err != nil {
			return i, err
		}
		if r.Labels == "" {
			err = usage.Errorf("id = %q, which is no column of %s; its columns are %s", r.ID, r.Samples, tabular.Some(head))
			return i, err
		}
	}
	free := func(name string) bool {
		return name != r.Label && (name == "" || name != r.Patient) && !slices.Contains(r.Drop, name)
	}
	first := 0
	if isIndex(head[0]) && len(head) > 1 {
		first = 1
	}
	if slices.Contains(idNames, strings.ToLower(head[first])) && free(head[first]) {
		return first, nil
	}
	for i, name := range head {
		if isIndex(name) && (name != "" || i == 0) && free(name) {
			return i, nil
		}
	}
	return -1, nil
}

func isIndex(name string) bool { return slices.Contains(indexNames, strings.ToLower(name)) }

// IDs are the samples' names, which differ: those of a column, else the numbers of the rows,
// counting from 1.
type ids struct {
	table   *tabular.Table
	column  int  // −1 if samples are numbered
	guessed bool // by what stands in the column
	patient bool // another column has the patients, or nobody can say which
	list    []string
	first   map[string]tabular.Row
}

func newIDs(t *tabular.Table, column int) *ids {
	return &ids{table: t, column: column, patient: true, first: map[string]tabular.Row{}}
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
