package sampletable

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/jobs/own/coding"
	"graphda/jobs/userinput"
)

// An idSearch says where to look for the ids of a table's rows.
type idSearch struct {
	path     string
	id       string   // the requested column; "" if there is none
	rowNames bool     // take the ids from an index (row names), even if other columns look like ids
	turned   bool     // the table was transposed, so its first column has the ids
	joined   bool     // the requested column may be in a file that is joined with the table
	labels   bool     // the table is the file of labels
	taken    []string // names of columns that have other roles
}

// columns returns the indices of the columns that may have the ids, the most likely column first.
func (s *idSearch) columns(t *dataframe.Table) (all []int, err error) {
	head := t.Columns()
	if s.turned {
		return []int{0}, nil
	}
	if s.id != "" {
		if i, err := t.Find(s.id); i >= 0 || err != nil {
			return []int{i}, err
		}
		if !s.joined {
			return nil, noColumn("id", s.id, s.path, t)
		}
	}
	add := func(is func(i int) bool) {
		for i, name := range head {
			if is(i) && !slices.Contains(all, i) && !slices.Contains(s.taken, name) {
				all = append(all, i)
			}
		}
	}
	index := func(i int) bool { return t.IsIndex(i) || s.rowNames && head[i] == "" }
	if add(index); s.rowNames && (len(all) > 0 || s.labels) {
		return all, nil
	} else if s.rowNames {
		return nil, userinput.Errorf("id = %q asks for the names of rows, but %s has none; its columns are %s", "", s.path,
			dataframe.Some(head))
	}
	all = nil
	first := 0
	for first < len(head)-1 && index(first) {
		first++
	}
	add(func(i int) bool { return slices.Contains(t.Index(), head[i]) && !dataframe.IsIndexName(head[i]) })
	add(func(i int) bool { return i == first && coding.NamesIDs(head[i]) })
	add(index)
	add(func(i int) bool { return coding.NamesSamples(head[i]) || s.labels && coding.NamesIDs(head[i]) })
	add(func(i int) bool { return s.labels && i == 0 })
	return all, nil
}

// ids are the ids of a table's rows: the texts of a column, or the row numbers from 1.
type ids struct {
	path    string
	columns []idColumn // columns that may have the ids, the most likely column first
	rows    int
	at      int  // index of the chosen column in columns; len(columns) means row numbers
	guessed bool // set if the method guess chose the first column
	unused  bool // set if the names of rows match, but join did not choose them

	turned   bool // set if the table was transposed
	joined   bool // set if the table is joined with another table
	repeat   bool // set if several rows may share an id
	patients bool // set if messages must not suggest --patient
}

type idColumn struct {
	*coding.IDColumn
	at     int     // index of the column in the table
	fields []field // one for each row
}

func newIDs(t *dataframe.Table, search *idSearch) (*ids, error) {
	columns, err := search.columns(t)
	if err != nil {
		return nil, err
	}
	s := &ids{path: search.path, turned: search.turned}
	for _, i := range columns {
		name := t.Columns()[i]
		named := slices.Contains(t.Index(), name) && !dataframe.IsIndexName(name)
		c := &coding.IDColumn{Name: name, Index: t.IsIndex(i), Named: named}
		s.columns = append(s.columns, idColumn{IDColumn: c, at: i})
	}
	return s, nil
}

func (s *ids) leave(column int) {
	s.columns = slices.DeleteFunc(s.columns, func(c idColumn) bool { return c.at == column })
}

// If no column looks like ids, guess chooses the first column, provided that its first value is a text.
func (s *ids) guess(t *dataframe.Table) bool {
	if _, err := t.Number(0); len(s.columns) == 0 && !dataframe.IsMissing(t.Text(0)) && err != nil {
		s.guessed, s.columns = true, []idColumn{{IDColumn: &coding.IDColumn{Name: t.Columns()[0]}}}
	}
	return s.guessed
}

// note suggests columns for the ids of numbered rows: columns not in taken, with a word in the first row.
func (s *ids) note(t *dataframe.Table, taken []string, notes *Notes) {
	var words []string
	for i := 0; i < len(t.Columns()) && s.rows == 0 && len(s.columns) == 0; i++ {
		if t.Check(i) != nil {
			continue
		}
		text, name := t.Text(i), t.Columns()[i]
		_, err := dataframe.Number(strings.Replace(text, ",", ".", 1))
		_, err = new(dataframe.Truths).Number(0, 0, err, text)
		if err != nil && !dataframe.IsMissing(text) && !slices.Contains(taken, name) {
			words = append(words, strconv.Quote(name))
		}
	}
	if words != nil {
		notes.Add("the samples of %s are numbered in file order; if one of these columns has their names, name it with "+
			"--id: %s", s.path, dataframe.Some(words))
	}
}

func (s *ids) add(t *dataframe.Table) {
	for k := range s.columns {
		c, f := &s.columns[k], fieldOf(t, s.columns[k].at)
		f.text = dataframe.NameText(f.text)
		c.fields, c.IDs = append(c.fields, f), append(c.IDs, f.text)
	}
	s.rows++
}

func (s *ids) named() bool { return s.at < len(s.columns) }

func (s *ids) column() string {
	if name := s.columns[s.at].Name; name != "" {
		return fmt.Sprintf("column %q", name)
	}
	return "the names of its rows"
}

func (s *ids) list() []string {
	if s.named() {
		return s.columns[s.at].IDs
	}
	all := make([]string, s.rows)
	for i := range all {
		all[i] = strconv.Itoa(i + 1)
	}
	return all
}

// join chooses the columns by which both tables are joined.
func (s *ids) join(other *ids) error {
	columns := func(s *ids) (all []*coding.IDColumn) {
		for _, c := range s.columns {
			all = append(all, c.IDColumn)
		}
		return all
	}
	j := coding.JoinIDs(columns(s), columns(other))
	if s.at, other.at, s.unused = j.At, j.Other, j.Unused; j.Rival == "" {
		return nil
	}
	return userinput.Errorf("samples of %s match rows of %s by the columns %s, but other rows by the columns %s; --id "+
		"names the right column", s.path, other.path, j.Names, j.Rival)
}

// check reports wrong ids. If the chosen index repeats ids, or may only number the rows, check first looks for a column
// with better ids. If there is none and an index repeats an id, as in concatenated tables, check numbers the rows. A
// repeated id is an error if the ids join two tables, or if the table is transposed.
func (s *ids) check(problems *dataframe.Problems, notes *Notes) {
	if !s.named() {
		return
	}
	if c := &s.columns[s.at]; !s.joined && c.Index && (c.Repeats() || c.MayCount()) {
		k := slices.IndexFunc(s.columns, func(c idColumn) bool { return !c.Repeats() && !c.MayCount() })
		if k < 0 && c.Repeats() {
			k = slices.IndexFunc(s.columns, func(c idColumn) bool { return !c.Repeats() })
		}
		s.at = max(s.at, k)
	}
	c, first := &s.columns[s.at], map[string]dataframe.Row{}
	turned := c.fields[0].row == 0
	why := "; each sample needs its own id"
	switch {
	case s.joined:
		if why += ", by which labels are joined"; !turned {
			why += "; --id names another column"
		}
	case !s.patients && !turned:
		why += fmt.Sprintf(". If these are several samples of one patient, use --patient %q; --drop %[1]q leaves the "+
			"column out",
			c.Name)
	case s.guessed:
		why = fmt.Sprintf("; want different ids, or numbers; if the column is neither, add --drop %q", c.Name)
	}
	for _, f := range c.fields {
		wrong := "is empty, want the id of a sample"
		switch row, again := first[f.text]; {
		case again && !s.joined && !turned && (s.repeat && s.guessed || !s.repeat && c.Index):
			if s.at = len(s.columns); !s.guessed {
				notes.Add("the index of %s has %q in %v and in %v; samples are numbered instead", s.path, f.text, row, f.row)
			}
			return
		case again && !s.joined && !turned && s.repeat:
			notes.Add("%s: several samples have the id %q; rows keep the order of the file", s.path, message.Text(f.text))
			return
		case again && turned:
			wrong = fmt.Sprintf("is %q, as another column is%s", f.text, why)
		case again:
			wrong = fmt.Sprintf("is %q, as in %v%s", f.text, row, why)
		case !utf8.ValidString(f.text):
			wrong = fmt.Sprintf("is %q, which is not UTF-8", f.text)
		case f.text != "":
			first[f.text] = f.row
			continue
		}
		problems.Add(s.path, f.wrong(s.path, "%s", wrong))
	}
}
