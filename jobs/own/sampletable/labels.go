package sampletable

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/network"
	"graphda/jobs/userinput"
)

// A labelFile holds labels, and perhaps splits, by id.
type labelFile struct {
	column  string // of the labels
	columns []int  // by role; −1 if there is none
	told    map[string][]field
	used    map[string]bool
}

// readLabels reads a file of labels.
func (r *Table) readLabels() (*labelFile, error) {
	t, err := dataframe.Open(r.Labels, dataframe.Options{Force: r.Force})
	if err != nil {
		return nil, Asked(err)
	}
	defer t.Close()
	f := &labelFile{columns: r.nowhere(), told: map[string][]field{}, used: map[string]bool{}}
	id, err := r.labelFileID(t)
	if err != nil {
		return nil, err
	}
	label, err := r.labelFileColumn(t, id)
	if err != nil {
		return nil, err
	}
	f.column, f.columns[theLabel] = t.Columns()[label], label
	if f.columns[theSplit], err = t.Find(SplitColumn); err != nil {
		return nil, err
	}
	if err := r.checkSplit(f.columns[theSplit], r.Labels); err != nil {
		return nil, err
	}
	for _, c := range r.columnsBeside() {
		if f.columns[c.role], err = t.Find(c.name); err != nil {
			return nil, err
		}
	}
	for k, c := range r.covariates() {
		if f.columns[roles+k], err = t.Find(c.Name); err != nil {
			return nil, err
		}
	}
	var problems dataframe.Problems
	for t.Next() {
		key, told := t.Text(id), fields(t, f.columns)
		if first, again := f.told[key]; again && first[theLabel].text != told[theLabel].text {
			problems.Add(r.Labels, t.Bad(label, "is %q for %q, which has %q in %v", told[theLabel].text, key,
				first[theLabel].text, first[theLabel].row))
		}
		f.told[key] = told
	}
	if err := t.Err(); err != nil {
		return nil, err
	}
	return f, problems.Err()
}

// labelFileID returns the column of ids: that which is asked for, or that of a known name, or the
// first.
func (r *Table) labelFileID(t *dataframe.Table) (int, error) {
	if r.ID != "" {
		if i, err := t.Find(r.ID); i >= 0 || err != nil {
			return i, err
		}
	}
	head := t.Columns()
	isID := func(name string) bool { return slices.Contains(idNames, strings.ToLower(name)) }
	return max(0, slices.IndexFunc(head, isID)), nil
}

// labelFileColumn returns the column of labels: the one asked for, or the only other one.
func (r *Table) labelFileColumn(t *dataframe.Table, id int) (int, error) {
	head := t.Columns()
	i, err := t.Find(r.Label)
	switch {
	case err != nil || i >= 0:
		return i, err
	case r.Label == DefaultLabel && len(head) == 2:
		return 1 - id, nil
	}
	return 0, noColumn(r.labelFlag(), r.Label, r.Labels, t)
}

// find returns what is told of an id, nil if it is nothing.
func (f *labelFile) find(id string) []field {
	told, ok := f.told[id]
	if ok {
		f.used[id] = true
	}
	return told
}

// checkJoined refuses a file of labels that has few of the samples.
func (in *reader) checkJoined() error {
	r, f := in.asked, in.joined
	if f == nil {
		return nil
	}
	var without []string
	for _, id := range in.data.IDs {
		if !f.used[id] {
			without = append(without, id)
		}
	}
	total := len(in.data.IDs)
	if 2*len(f.used) < min(total, len(f.told)) || len(f.used) == 0 {
		reason := fmt.Sprintf("has labels of %d of the %d samples of %s", len(f.used), total, r.Samples)
		others := slices.Sorted(maps.Keys(f.told))
		if turned := func(id string) bool { return slices.Contains(in.names, id) }; slices.ContainsFunc(others, turned) {
			reason += ". Its ids are names of columns there: --transpose"
		} else if why := network.Mismatch(without, others); why != "" {
			reason += ". Perhaps " + why
		}
		return &dataframe.Error{Path: r.Labels, Err: fmt.Errorf("%s; its ids are like %s; those of samples are like %s", reason,
			dataframe.Some(others), dataframe.Some(without))}
	}
	if n := len(f.told) - len(f.used); n > 0 {
		in.notes.Add("%s of %s left out, of what is no sample of %s", message.Count(n, "label"), r.Labels, r.Samples)
	}
	return nil
}

// readClasses makes numbers of the labels.
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

// classify makes −1 and +1 of two classes.
func (in *reader) classify() error {
	r, path, d := in.asked, in.path(theLabel), in.data
	count := map[string]int{}
	var values []string // in the order in which they are met
	for _, told := range in.told {
		f := told[theLabel]
		if !utf8.ValidString(f.text) {
			return f.wrong(path, "is %q, which is not UTF-8", f.text)
		}
		if count[f.text] == 0 {
			values = append(values, f.text)
		}
		count[f.text]++
	}
	column := in.told[0][theLabel].column
	if in.joined != nil || !r.Text.Transpose {
		column = in.labelColumn()
	}
	wrong := func(format string, args ...any) error {
		return &dataframe.Error{Path: path, Column: column, Err: fmt.Errorf(format, args...)}
	}
	if len(values) < 2 {
		return wrong("is %q in every row, want two classes", values[0])
	}
	if len(values) > 2 && !r.Rest {
		return wrong("%w", classCounts(values, count))
	}
	positive, err := r.positive(values, column, path)
	if err != nil {
		return err
	}
	if d.Positive = values[positive]; r.Rest {
		for _, v := range values {
			if v != d.Positive && strings.EqualFold(v, d.Positive) {
				return wrong("has %q (%d) and %q (%d); write one class in one way", d.Positive, count[d.Positive], v, count[v])
			}
		}
		d.Negative = model.Rest(d.Positive)
		in.notes.Add("%q are %s", d.Negative, dataframe.Some(counted(slices.Delete(values, positive, positive+1), count)))
	} else {
		d.Negative = values[1-positive]
	}
	for _, told := range in.told {
		y := -1.0
		if told[theLabel].text == d.Positive {
			y = 1
		}
		d.Y = append(d.Y, y)
	}
	in.noteBoth()
	return nil
}

// noteBoth tells of patients with samples of both classes.
func (in *reader) noteBoth() {
	class, both := map[string]float64{}, map[string]int{}
	for i, patient := range in.data.Patients {
		if y, again := class[patient]; again && y != in.data.Y[i] {
			both[patient]++
		}
		class[patient] = in.data.Y[i]
	}
	if len(both) > 0 {
		in.notes.Add("%s with samples of both classes: %s. A label is wrong, if it does not change with time",
			message.Count(len(both), "patient"), dataframe.Some(slices.Sorted(maps.Keys(both))))
	}
}

// labelColumn returns the name of the column of labels.
func (in *reader) labelColumn() string {
	if in.joined != nil {
		return in.joined.column
	}
	return in.asked.Label
}

// classCounts is the error of more than two classes.
func classCounts(values []string, count map[string]int) error {
	numbers := 0
	for _, v := range values {
		if _, err := dataframe.Number(v); err == nil {
			numbers++
		}
	}
	all := counted(values, count)
	if numbers == len(values) {
		return fmt.Errorf("has %d values, %s; want two classes, or --task regression", len(values), dataframe.Some(all))
	}
	return fmt.Errorf("has %d classes, %s; want two: correct them, leave their rows out, or set class A against all "+
		"others by --positive A --rest", len(values), dataframe.Some(all))
}

// counted sorts the classes, and returns each with how many samples have it.
func counted(values []string, count map[string]int) (all []string) {
	slices.Sort(values)
	for _, v := range values {
		all = append(all, fmt.Sprintf("%q (%d)", v, count[v]))
	}
	return all
}

// positive returns which of the classes, two but with Rest, is +1.
func (r *Table) positive(values []string, column, path string) (int, error) {
	if r.Positive != "" {
		wanted := strings.TrimSpace(r.Positive)
		if x, err := dataframe.Number(wanted); err == nil {
			wanted = dataframe.FormatNumber(x)
		}
		if i := slices.Index(values, wanted); i >= 0 {
			return i, nil
		}
		var all []string
		for _, v := range values {
			all = append(all, strconv.Quote(v))
		}
		return 0, userinput.Errorf("positive = %q, but column %q of %s has %s", r.Positive, column, path, dataframe.Some(all))
	}
	for i, v := range values {
		if understood(values[1-i], v) {
			return i, nil
		}
	}
	return 0, userinput.Errorf("column %q of %s has the values %q and %q; which of them is +1 is told by "+
		"--positive %[3]q or --positive %[4]q", column, path, values[0], values[1])
}

// opposites are pairs of classes whose second is plainly the positive one, in small letters.
var opposites = [][2]string{
	{"0", "1"}, {"-1", "1"}, {"no", "yes"}, {"n", "y"}, {"false", "true"}, {"f", "t"}, {"negative", "positive"},
	{"control", "case"}, {"normal", "tumor"}, {"normal", "tumour"}, {"healthy", "diseased"},
}

// understood tells whether it goes without saying which of two classes is positive.
func understood(negative, positive string) bool {
	return slices.Contains(opposites, [2]string{strings.ToLower(negative), strings.ToLower(positive)})
}
