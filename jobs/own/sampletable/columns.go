package sampletable

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"graphda/io/dataframe"
	"graphda/io/probes"
	"graphda/jobs/own/coding"
	"graphda/jobs/userinput"
)

// SplitColumn is the name of the column that assigns samples to splits.
const SplitColumn = "split"

// A layout says what each column of a table of samples contains.
type layout struct {
	told     []int // by role: index of the column; −1 if this file has none
	ids      *ids
	index    []string // names of the columns that look like ids
	features []int
	names    []string
	unnamed  []int // columns without a name, which must be empty
}

// Roles of columns that are not features. Covariate k has the role roles + k.
const (
	theLabel = iota
	theSplit
	thePatient
	theEvent
	roles
)

// A field is the text of a cell, with the cell's position in the file.
type field struct {
	text   string
	row    dataframe.Row
	column string
}

func fieldOf(t *dataframe.Table, i int) field {
	row, column := t.Place(i)
	return field{t.Text(i), row, column}
}

// fields returns the row's text for each role, or "" if the role has no column. The labels 1 and 1.0 become the same
// text.
func fields(t *dataframe.Table, columns []int) []field {
	told := make([]field, len(columns))
	for role, i := range columns {
		if i < 0 {
			continue
		}
		told[role] = fieldOf(t, i)
		switch {
		case role == thePatient:
			told[role].text = dataframe.NameText(told[role].text)
		case role == theLabel || role == theEvent || role >= roles:
			told[role].text = asWord(t, i)
		}
	}
	return told
}

// named returns, by role, the name of the requested column, or "".
func (r *Table) named() []string {
	all := []string{r.Label, SplitColumn, r.Patient, r.Event}
	for _, c := range r.covariates() {
		all = append(all, c.Name)
	}
	return all
}

// idSearch says where to look for ids in the file at path. labels is true for the file of labels.
func (r *Table) idSearch(path string, labels bool) *idSearch {
	s := &idSearch{path: path, id: r.ID, rowNames: r.RowNames, turned: r.Text.Transpose && !labels, labels: labels,
		joined: r.Labels != "", taken: slices.DeleteFunc(r.named(), func(s string) bool { return s == "" })}
	if !labels {
		s.taken = append(s.taken, r.Drop...)
	}
	return s
}

// asWord returns the text of column i in the current row, in the form of dataframe.Word.
func asWord(t *dataframe.Table, i int) string {
	if x, err := t.Number(i); err == nil {
		return dataframe.FormatNumber(x)
	}
	return dataframe.Word(t.Text(i))
}

func (r *Table) layout(t *dataframe.Table, problems *dataframe.Problems) (l *layout, err error) {
	l, head := &layout{}, t.Columns()
	if l.ids, err = newIDs(t, r.idSearch(r.Samples, false)); err != nil {
		return nil, err
	}
	l.ids.joined, l.ids.patients = r.Labels != "", r.Patient != "" || r.Text.Transpose
	if l.told, err = r.tellers(t); err == nil {
		err = r.checkDrop(t, nil)
	}
	if err != nil {
		return nil, err
	}
	seen, first := map[string]int{}, map[string]bool{}
	for i, name := range head {
		switch {
		case slices.Contains(l.told, i) || slices.Contains(r.Drop, name):
			continue
		case !r.Text.Transpose && (t.IsIndex(i) || coding.NamesSamples(name)) && name != SplitColumn,
			slices.ContainsFunc(l.ids.columns, func(c idColumn) bool { return c.at == i }):
			l.index = append(l.index, name)
			continue
		case name == "":
			l.unnamed = append(l.unnamed, i)
			continue
		case !utf8.ValidString(name):
			problems.Add(r.Samples, t.Wrong(i, "has a name that is not UTF-8; save the file as UTF-8"))
			continue
		case t.Check(i) != nil:
			problems.Add(r.Samples, fmt.Errorf("%w; --drop %q leaves the column out", t.Check(i), name))
			continue
		case seen[name] > 0 && r.Probes == "":
			if seen[name]++; seen[name] == 2 && r.Text.Transpose {
				problems.Add(r.Samples, t.Wrong(-1, "has two rows %q; --probes mean or max-variance makes one feature of them",
					name))
			} else if seen[name] == 2 {
				problems.Add(r.Samples, t.Wrong(i, "occurs twice in the file; --probes mean or max-variance makes one feature of "+
					"both"))
			}
			continue
		}
		seen[name]++
		if name == SplitColumn {
			l.told[theSplit] = i
			continue
		}
		name = probes.Numbered(name, seen[name]-1)
		if first[name] && r.Probes != "" {
			problems.Add(r.Samples, t.Wrong(i, "would be named %q, but another column has this name; rename one of them", name))
		}
		first[name] = true
		l.features, l.names = append(l.features, i), append(l.names, name)
	}
	if err := problems.Err(); err != nil && len(l.names) == 0 {
		return nil, err
	}
	if len(l.names) == 0 {
		return nil, t.Wrong(-1, "has no feature, only the columns %s%s", dataframe.Some(head), r.hint(head))
	}
	return l, r.checkSplit(l.told[theSplit], r.Samples)
}

// tellers returns the columns of the label, patient, event and covariates, by role.
func (r *Table) tellers(t *dataframe.Table) (told []int, err error) {
	told = r.nowhere()
	if !slices.Contains(r.Drop, r.Label) {
		if told[theLabel], err = t.Find(r.Label); err != nil {
			return told, err
		}
	}
	if err = r.checkLabelColumn(t, told[theLabel]); err != nil {
		return told, err
	}
	for _, c := range r.asked() {
		if told[c.role], err = t.Find(c.name); err == nil && told[c.role] < 0 && r.Labels == "" {
			err = noColumn(c.flag, c.name, r.Samples, t)
		}
		if err != nil {
			return told, err
		}
	}
	return told, nil
}

// A role is a requested column that may be in either file.
type role struct {
	role       int
	flag, name string
}

// asked returns the columns that the user named, except label and split.
func (r *Table) asked() (all []role) {
	for k, c := range r.covariates() {
		all = append(all, role{roles + k, c.Flag(), c.Name})
	}
	for _, c := range []role{{thePatient, "patient", r.Patient}, {theEvent, "event", r.Event}} {
		if c.name != "" {
			all = append(all, c)
		}
	}
	return all
}

const ownFile = "; --labels FILE reads the column from another file"

func noColumn(flag, name, path string, t *dataframe.Table) error {
	return userinput.Errorf("%s = %q is not a column of %s; %w", flag, name, path,
		&dataframe.NoColumn{Name: name, Columns: t.Columns()})
}

func (r *Table) checkLabelColumn(t *dataframe.Table, column int) error {
	switch {
	case r.Labels == "" && column < 0:
		return userinput.Errorf("%w%s%s%s", noColumn(r.labelFlag(), r.Label, r.Samples, t), r.hint(t.Columns()),
			r.outcomes(r.Samples, t.Columns()), ownFile)
	case r.Labels != "" && column >= 0:
		return userinput.Errorf("column %q is in %s, but --labels %s has the labels; --drop %[1]q leaves the column out",
			r.Label, r.Samples, r.Labels)
	}
	return nil
}

// checkSplit returns r.NoSplit's error if column >= 0: the file has a column of splits.
func (r *Table) checkSplit(column int, path string) error {
	if column < 0 || r.NoSplit == nil {
		return nil
	}
	return r.NoSplit(path)
}

func (r *Table) hint(head []string) string {
	o := r.Text
	o.Force, o.Transpose = r.Force, !o.Transpose
	return coding.Hint(head, r.Text.Transpose, r.Labels == "" && coding.HasColumn(r.Samples, o, r.Label))
}

// checkDrop refuses a name in --drop that the file does not have. For a transposed table, dropped has the names of the
// dropped rows, or is nil before Read has read the rows.
func (r *Table) checkDrop(t *dataframe.Table, dropped map[string]bool) error {
	for _, name := range r.Drop {
		if !slices.Contains(t.Columns(), name) && !dropped[name] && (!r.Text.Transpose || dropped != nil) &&
			!slices.Contains(t.Index(), name) {
			return noColumn("drop", name, r.Samples, t)
		}
	}
	return nil
}
