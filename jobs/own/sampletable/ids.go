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
	at     int // index of the column in the table
	name   string
	index  bool
	named  bool    // set if pandas gave the index a name
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
		s.columns = append(s.columns, idColumn{at: i, name: name, index: t.IsIndex(i), named: named})
	}
	return s, nil
}

func (s *ids) leave(column int) {
	s.columns = slices.DeleteFunc(s.columns, func(c idColumn) bool { return c.at == column })
}

// If no column looks like ids, guess chooses the first column, provided that its first value is a text.
func (s *ids) guess(t *dataframe.Table) bool {
	if _, err := t.Number(0); len(s.columns) == 0 && !dataframe.IsMissing(t.Text(0)) && err != nil {
		s.guessed, s.columns = true, []idColumn{{name: t.Columns()[0]}}
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
		f := fieldOf(t, s.columns[k].at)
		f.text = dataframe.NameText(f.text)
		s.columns[k].fields = append(s.columns[k].fields, f)
	}
	s.rows++
}

func (s *ids) named() bool { return s.at < len(s.columns) }

func (s *ids) column() string {
	if name := s.columns[s.at].name; name != "" {
		return fmt.Sprintf("column %q", name)
	}
	return "the names of its rows"
}

func (s *ids) list() []string {
	all := make([]string, s.rows)
	for i := range all {
		if s.named() {
			all[i] = s.columns[s.at].fields[i].text
		} else {
			all[i] = strconv.Itoa(i + 1)
		}
	}
	return all
}

// counts tells whether the column is an index that numbers the rows from 0 or 1.
func (c *idColumn) counts() bool {
	from := slices.Index([]string{"0", "1"}, c.fields[0].text)
	for i := range c.fields {
		if from < 0 || c.fields[i].text != strconv.Itoa(from+i) {
			return false
		}
	}
	return c.index
}

// mayCount tells whether the column is an unnamed index of whole numbers. The numbers may be ids, or row numbers of a
// table that was sorted or filtered.
func (c *idColumn) mayCount() bool {
	return c.index && !c.named && !slices.ContainsFunc(c.fields, func(f field) bool { return !whole(f.text) })
}

func whole(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

func (c *idColumn) repeats() bool {
	seen := map[string]bool{}
	for _, f := range c.fields {
		seen[f.text] = true
	}
	return len(seen) < len(c.fields)
}

// An idPair is a pair of columns, one of each table.
type idPair struct {
	at, other int
	matches   float64 // number of rows of the first table whose id is in the second
	words     bool    // whether a matching id is not a whole number
}

// join chooses the pair of columns with the most matching rows. An index that numbers the rows is the last choice. An
// index for which mayCount is true never wins if both tables have other columns of ids. Otherwise it wins only if it
// matches more than twice as many rows as the best other pair, and this pair matches no words.
func (s *ids) join(other *ids) {
	name := func(s *ids) int {
		return slices.IndexFunc(s.columns, func(c idColumn) bool { return !c.mayCount() })
	}
	var ids, numbers idPair
	named, named2 := name(s), name(other)
	for b := range other.columns {
		known := map[string]bool{}
		for _, f := range other.columns[b].fields {
			known[f.text] = true
		}
		for a := range s.columns {
			p, one, two := idPair{at: a, other: b}, &s.columns[a], &other.columns[b]
			for _, f := range one.fields {
				if known[f.text] {
					p.matches++
					p.words = p.words || !whole(f.text)
				}
			}
			best := &ids
			if one.mayCount() || two.mayCount() {
				best = &numbers
			}
			if one.counts() || two.counts() {
				p.matches /= float64(s.rows + 1)
			}
			if named >= 0 && one.counts() || named2 >= 0 && two.counts() ||
				min(named, named2) >= 0 && one.mayCount() && two.mayCount() {
				s.unused = s.unused || p.matches >= 1
			} else if p.matches > best.matches || p.matches == best.matches && one.name == two.name {
				*best = p // a tie goes to a pair of columns with one name
			}
		}
	}
	if !ids.words && numbers.matches > 2*ids.matches {
		ids = numbers
	}
	if s.at, other.at = max(named, 0), max(named2, 0); ids.matches > 0 {
		s.at, other.at = ids.at, ids.other
	}
}

// check reports wrong ids. If the chosen index repeats ids, or may only number the rows, check first looks for a column
// with better ids. If there is none and an index repeats an id, as in concatenated tables, check numbers the rows. A
// repeated id is an error if the ids join two tables, or if the table is transposed.
func (s *ids) check(problems *dataframe.Problems, notes *Notes) {
	if !s.named() {
		return
	}
	if c := &s.columns[s.at]; !s.joined && c.index && (c.repeats() || c.mayCount()) {
		k := slices.IndexFunc(s.columns, func(c idColumn) bool { return !c.repeats() && !c.mayCount() })
		if k < 0 && c.repeats() {
			k = slices.IndexFunc(s.columns, func(c idColumn) bool { return !c.repeats() })
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
			c.name)
	case s.guessed:
		why = fmt.Sprintf("; want different ids, or numbers; if the column is neither, add --drop %q", c.name)
	}
	for _, f := range c.fields {
		wrong := "is empty, want the id of a sample"
		switch row, again := first[f.text]; {
		case again && !s.joined && !turned && (s.repeat && s.guessed || !s.repeat && c.index):
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
