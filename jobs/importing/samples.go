package importing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"graphda/io/samples"
	"graphda/io/tabular"
	"graphda/jobs/usage"
)

// splitColumn is the column that tells which samples are for what.
const splitColumn = "split"

// Data are the samples' table in memory.
type data struct {
	names    []string        // of the features
	ids      []string        // by sample
	x        [][]float64     // by sample
	y        []float64       // by sample
	split    []samples.Split // by sample; nil if the file does not say
	positive string          // what the classes are called; empty in regression
	negative string
}

// A layout is where a samples table has what.
type layout struct {
	label, split int // −1 if there is no split
	id           int // −1 if samples are numbered
	features     []int
	names        []string
}

// readData reads the samples of a request.
func readData(ctx context.Context, r *Request) (*data, error) {
	t, err := open(r.Samples, func(name string) bool { return !slices.Contains(r.Drop, name) })
	if err != nil {
		return nil, err
	}
	defer t.Close()
	l, err := r.layout(t)
	if err != nil {
		return nil, err
	}
	d := &data{names: l.names}
	c := &classes{table: t, column: l.label, request: r}
	ids := newIDs(t, l.id)
	for t.Next() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := d.add(t, l, c); err != nil {
			return nil, err
		}
		if err := ids.add(); err != nil {
			return nil, err
		}
	}
	if err := t.Err(); err != nil {
		return nil, err
	}
	if len(d.x) == 0 {
		return nil, t.Wrong(-1, "has no rows, want one for each sample")
	}
	d.ids = ids.list
	if r.Task == Classification {
		if err := c.sign(d); err != nil {
			return nil, err
		}
	}
	return d, d.checkSplits(t, l)
}

// open opens a table of which some columns are wanted.
func open(path string, wanted func(name string) bool) (*tabular.Table, error) {
	t, err := tabular.Open(path, tabular.Options{Wanted: wanted})
	return t, asked(err)
}

// missing tells whether a field is what programs write for a value that is not there.
func missing(field string) bool {
	switch strings.ToLower(field) {
	case "", "na", "<na>", "n/a", "#n/a", "nan":
		return true
	}
	return false
}

// layout finds the columns.
func (r *Request) layout(t *tabular.Table) (*layout, error) {
	head := t.Columns()
	for _, name := range r.Drop {
		if !slices.Contains(head, name) {
			return nil, usage.Errorf("drop = %q, which is no column of %s; its columns are %s", name, r.Samples,
				tabular.Some(head))
		}
	}
	l := &layout{split: -1}
	var err error
	if l.id, err = r.idColumn(t); err != nil {
		return nil, err
	}
	if l.label, err = t.Find(r.Label); err != nil {
		return nil, err
	}
	if l.label < 0 {
		return nil, usage.Errorf("label = %q, which is no column of %s; its columns are %s", r.Label, r.Samples,
			tabular.Some(head))
	}
	seen := map[string]bool{}
	for i, name := range head {
		switch {
		case i == l.label || i == l.id || slices.Contains(r.Drop, name):
			continue
		case name == "":
			return nil, t.Wrong(-1, "column %d has no name", i+1)
		case !utf8.ValidString(name):
			return nil, t.Wrong(i, "has a name that is not UTF-8")
		case seen[name]:
			return nil, t.Wrong(i, "stands twice in the file")
		}
		seen[name] = true
		if name == splitColumn {
			l.split = i
			continue
		}
		l.features, l.names = append(l.features, i), append(l.names, name)
	}
	if len(l.names) == 0 {
		return nil, t.Wrong(-1, "has no column for a feature, only %s", tabular.Some(head))
	}
	if l.split >= 0 && r.Split != nil {
		return nil, usage.Errorf("split = %v is for samples without a column %q, which %s has; "+
			"--drop %[2]s leaves that column out", r.Split, splitColumn, r.Samples)
	}
	if l.split >= 0 && r.Trials > 1 {
		return nil, usage.Errorf("trials = %d is for samples without a column %q, which %s has: all trials would be alike; "+
			"--drop %[2]s leaves that column out", r.Trials, splitColumn, r.Samples)
	}
	return l, nil
}

// add takes the row that t stands at.
func (d *data) add(t *tabular.Table, l *layout, c *classes) error {
	x := make([]float64, len(l.features))
	for j, i := range l.features {
		var err error
		if x[j], err = t.Number(i); err == nil {
			continue
		}
		if field := t.Text(i); missing(field) {
			return t.Bad(i, "is %q: a missing value; fill it in, or leave out the row or (--drop) the column", field)
		}
		return t.Bad(i, "%w; a column that is no feature is left out by --drop %q", errors.Unwrap(err), t.Columns()[i])
	}
	d.x = append(d.x, x)
	y, err := c.value()
	if err != nil {
		return err
	}
	d.y = append(d.y, y)
	if l.split < 0 {
		return nil
	}
	for s := samples.Train; s <= samples.Test; s++ {
		if t.Text(l.split) == s.String() {
			d.split = append(d.split, s)
			return nil
		}
	}
	return t.Bad(l.split, "is %q, want train, valid or test", t.Text(l.split))
}

// checkSplits refuses a split without samples.
func (d *data) checkSplits(t *tabular.Table, l *layout) error {
	for s := samples.Train; s <= samples.Test && d.split != nil; s++ {
		if !slices.Contains(d.split, s) {
			return t.Wrong(l.split, "no row is %q; train, valid and test need one at least", s)
		}
	}
	return nil
}

// gaps names the classes that a split of the file's own lacks.
func (d *data) gaps() []string {
	var gaps []string
	for s := samples.Train; s <= samples.Test && d.split != nil && d.positive != ""; s++ {
		has := map[float64]bool{}
		for i, split := range d.split {
			if split == s {
				has[d.y[i]] = true
			}
		}
		if !has[1] {
			gaps = append(gaps, fmt.Sprintf("no %v sample is %q", s, d.positive))
		}
		if !has[-1] {
			gaps = append(gaps, fmt.Sprintf("no %v sample is %q", s, d.negative))
		}
	}
	return gaps
}

// sorted tells whether the training samples of a file's own split have all of one class
// before all of the other.
func (d *data) sorted() bool {
	changes, last := 0, 0.0
	for i, s := range d.split {
		if s == samples.Train && d.y[i] != last {
			changes++
			last = d.y[i]
		}
	}
	return d.positive != "" && changes == 2 && len(d.y) > 4
}
