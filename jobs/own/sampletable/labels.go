package sampletable

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/network"
	"graphda/jobs/own/coding"
	"graphda/jobs/userinput"
)

// A labelFile is a file of labels, with the ids of the samples. It may also hold splits, patients and covariates.
type labelFile struct {
	path    string
	column  string // name of the column of labels
	columns []int  // by role: index of the column; −1 if this file has none
	ids     *ids
	told    [][]field // by row, then role
	alike   string    // likely reason why samples have no label; "" if unknown
}

func noIDs(path, other string) error {
	return userinput.Errorf("%s has no column of ids, so its samples cannot be joined with %s; --id names the column. "+
		"If there is none, put the labels into a column of the samples' file and leave out --labels", path, other)
}

// openLabels reads a file of labels. find chooses the columns, and take returns a row's texts.
func openLabels(search *idSearch, samples string, force bool, find func(t *dataframe.Table, f *labelFile) error,
	take func(t *dataframe.Table, columns []int) []field) (*labelFile, error) {
	t, err := dataframe.Open(search.path, dataframe.Options{Force: force})
	if err != nil {
		return nil, Asked(err)
	}
	defer t.Close()
	all, err := newIDs(t, search)
	if err != nil {
		return nil, err
	}
	f := &labelFile{path: search.path, ids: all}
	if err := find(t, f); err != nil {
		return nil, err
	}
	if len(all.columns) == 0 {
		return nil, noIDs(search.path, samples)
	}
	for t.Next() {
		all.add(t)
		f.told = append(f.told, take(t, f.columns))
	}
	if t.Err() == nil && len(f.told) == 0 {
		return nil, t.Wrong(-1, "has no rows, want one for each sample")
	}
	return f, t.Err()
}

func (r *Table) readLabels() (*labelFile, error) {
	find := func(t *dataframe.Table, f *labelFile) (err error) {
		f.columns = r.nowhere()
		for role, name := range r.named() {
			if name != "" && role != theLabel && err == nil {
				f.columns[role], err = t.Find(name)
			}
		}
		if err == nil {
			f.columns[theLabel], err = r.labelFileColumn(t, f.ids)
		}
		if err != nil {
			return err
		}
		f.column = t.Columns()[f.columns[theLabel]]
		f.ids.leave(f.columns[theLabel])
		return r.checkSplit(f.columns[theSplit], r.Labels)
	}
	return openLabels(r.idSearch(r.Labels, true), r.Samples, r.Force, find, fields)
}

// labelFileColumn returns the column of labels: the requested column, or the only column besides the ids.
func (r *Table) labelFileColumn(t *dataframe.Table, all *ids) (int, error) {
	head := t.Columns()
	i, err := t.Find(r.Label)
	switch {
	case err != nil || i >= 0:
		return i, err
	case r.Label == DefaultLabel && len(head) == 2 && len(all.columns) > 0:
		return 1 - all.columns[0].at, nil
	}
	return 0, userinput.Errorf("%w%s", noColumn(r.labelFlag(), r.Label, r.Labels, t), r.outcomes(r.Labels, head))
}

// tell copies this file's texts to the samples, for each role whose index in columns is −1: the samples' file lacks it.
// It refuses a file that lacks most samples, or has a sample twice.
func (f *labelFile) tell(of *ids, told [][]field, columns []int, features []string, notes *Notes) error {
	rows, again := map[string]int{}, map[string]int{}
	for i, id := range f.ids.list() {
		if _, twice := rows[id]; !twice {
			rows[id] = i
		} else if again[id] == 0 {
			again[id] = i
		}
	}
	var problems dataframe.Problems
	var without []string
	unused := maps.Clone(rows)
	for n, id := range of.list() {
		i, known := rows[id]
		if delete(unused, id); !known {
			without = append(without, id)
			continue
		}
		if k := again[id]; k > 0 {
			problems.Add(f.path, f.twice(i, k))
		}
		for role, theirs := range f.told[i] {
			if columns[role] < 0 {
				told[n][role] = theirs
			}
		}
	}
	if err := problems.Err(); err != nil {
		return err
	}
	total, used, others := len(told), len(rows)-len(unused), slices.Sorted(maps.Keys(unused))
	why, examples := network.Alike(without, others)
	if examples != "" {
		why += " (" + examples + ")"
	}
	ends := slices.Sorted(slices.Values(slices.Concat(without, others)))
	off := len(without) == 1 && slices.Equal(ends, []string{"0", strconv.Itoa(total)})
	if off {
		why = fmt.Sprintf("one file numbers its rows from 0 and the other from 1: %q has no label, and %q has no sample",
			without[0], others[0])
	}
	if why != "" && len(without) > 0 {
		f.alike = ". Perhaps " + why
	}
	if !off && 2*used >= min(total, len(rows)) && used > 0 {
		if len(others) > 0 {
			notes.Add("left out %s of %s, because %s has no such samples", message.Count(len(others), "label"), f.path, of.path)
		}
		if f.alike != "" {
			notes.Add("%s no label in %s%s", message.Have(len(without), "sample"), f.path, f.alike)
		}
		return nil
	}
	turned := slices.ContainsFunc(others, func(id string) bool { return slices.Contains(features, id) })
	err := fmt.Errorf("has labels for %s of the %s of %s; its ids are like %s; the samples' ids are like %s%s",
		message.Number(used), message.Count(total, "sample"), of.path, dataframe.Some(others), dataframe.Some(without),
		of.hint(f.alike, turned))
	return &dataframe.Error{Path: f.path, Err: err}
}

// hint returns the likely reason why ids do not match. `turned` is set if the other file has names of
// features instead of ids.
func (s *ids) hint(alike string, turned bool) string {
	switch {
	case turned && s.turned:
		return ". The labels' ids are rows of the samples' file: leave out --transpose"
	case turned:
		return ". The labels' ids are columns of the samples' file: add --transpose"
	case s.unused:
		return alike + `. If the names of the samples' rows are ids, not numbers of rows, add --id ""`
	}
	return cmp.Or(alike, ". If another column has the ids, --id names it")
}

func (f *labelFile) twice(i, k int) error {
	ids := f.ids.columns[f.ids.at].fields
	for role, now := range f.told[k] {
		if first := f.told[i][role]; now.text != first.text {
			return now.wrong(f.path, "is %q for sample %q, but %q in %v", now.text, ids[k].text, first.text, first.row)
		}
	}
	return ids[k].wrong(f.path, "is %q, as in %v; labels are joined by it, so values must differ", ids[k].text, ids[i].row)
}

func (in *reader) readClasses() error {
	switch in.asked.Task {
	case Classification:
		return in.classify()
	case Survival:
		return in.readTimes()
	}
	path := in.path(theLabel)
	var problems dataframe.Problems
	for _, told := range in.told {
		f := told[theLabel]
		x, err := dataframe.Number(f.text)
		if err != nil {
			problems.Add(path, f.wrong(path, "%w", err))
		}
		in.data.Y = append(in.data.Y, x)
	}
	return problems.Err()
}

func (in *reader) classify() error {
	r, path, d := in.asked, in.path(theLabel), in.data
	var labels []string
	for _, told := range in.told {
		f := told[theLabel]
		if !utf8.ValidString(f.text) {
			return f.wrong(path, "is %q, which is not UTF-8", f.text)
		}
		labels = append(labels, f.text)
	}
	column := in.told[0][theLabel].column
	if in.joined != nil || !r.Text.Transpose {
		column = in.labelColumn()
	}
	classes, err := coding.ClassesOf(labels, r.Positive, r.Rest, column, path)
	if err != nil {
		return err
	}
	if d.Positive, d.Negative = classes.Positive, classes.Negative; r.Rest {
		in.notes.Add("the class %q has the labels %s", d.Negative, dataframe.Some(classes.Others))
	}
	for _, label := range labels {
		y := -1.0
		if label == d.Positive {
			y = 1
		}
		d.Y = append(d.Y, y)
	}
	if both := coding.Both(d.Patients, d.Y); len(both) > 0 {
		in.notes.Add("%s samples of both classes: %s. This is right for pairs such as tumour and normal; otherwise correct "+
			"the labels or the patients", message.Have(len(both), "patient"), dataframe.Some(both))
	}
	return nil
}

func (in *reader) labelColumn() string {
	if in.joined != nil {
		return in.joined.column
	}
	return in.asked.Label
}
