package sampletable

import (
	"context"
	"math"
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/network"
	"graphda/io/probes"
	"graphda/jobs/userinput"
)

// An Unlabelled says how to read samples for a model to predict.
type Unlabelled struct {
	Path     string // path of the samples' table
	Text     dataframe.Options
	ID       string // column of the samples' ids; "" means an index column or, without one, row numbers
	RowNames bool   // whether an index (row names) has the ids, even if other columns look like ids
	Labels   string // path of a table of words and covariates, joined by id; "" if the samples' table has them
	Features []string
	Probes   probes.Columns // by feature: the merged columns; nil if no columns are merged
	Words    []string       // names of columns to read as texts, such as the label
	Optional []string       // columns in Words that the files may lack; their texts are then ""
	Gaps     bool           // whether to read missing values and absent features as NaN, instead of refusing them
	// Covariates names further columns to read as texts. A missing value is "", as in datasets.
	Covariates []string
	Named      bool // set by Read if the ids come from a column
	Numbers    bool // set by Read if the ids may be row numbers of a table that was sorted, filtered or concatenated
}

// Read calls visit for every sample, in the order of the table: x has the values of Features, and words has the texts
// of Words and Covariates. The next call overwrites x. Read returns the samples' ids and the absent features. Ids may
// repeat unless they join the table with the file of labels.
func (u *Unlabelled) Read(ctx context.Context, notes *Notes, visit func(x []float64, words []string) error) (ids,
	absent []string, err error) {
	text := u.Text
	text.Words, text.Unended = u.Words, func(err error) error { return err }
	t, err := dataframe.Open(u.Path, text)
	if err != nil {
		return nil, nil, Asked(err)
	}
	defer t.Close()
	columns, absent, err := u.columns(t, notes)
	if err != nil {
		return nil, nil, err
	}
	columnNames, ends := u.Probes.Flat(u.Features)
	search := &idSearch{path: u.Path, id: u.ID, rowNames: u.RowNames, turned: u.Text.Transpose, joined: u.Labels != "",
		taken: slices.Concat(columnNames, u.Words, u.Covariates)}
	names, err := newIDs(t, search)
	if err != nil {
		return nil, nil, err
	}
	names.joined, names.repeat = u.Labels != "", true
	texts, joined, err := u.words(t, search)
	if err != nil {
		return nil, nil, err
	}
	x := make([]float64, len(ends))
	var waiting [][]float64 // samples that wait for their words until all ids are read
	var told [][]field      // words of the waiting samples, from the samples' table
	for t.Next() {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if names.rows == 0 && !slices.Contains(search.taken, t.Columns()[0]) {
			names.guess(t)
		}
		names.note(t, search.taken, notes)
		names.add(t)
		if err := u.values(t, columns, ends, x); err != nil {
			return nil, nil, err
		}
		row := u.fields(t, texts)
		if joined != nil {
			waiting, told = append(waiting, slices.Clone(x)), append(told, row)
		} else if err := visit(x, wordsOf(row)); err != nil {
			return nil, nil, err
		}
	}
	if err := t.Err(); err != nil {
		return nil, nil, err
	}
	if err := u.identify(t, names, joined, texts, told, notes); err != nil {
		return nil, nil, err
	}
	for i, x := range waiting {
		if err := visit(x, wordsOf(told[i])); err != nil {
			return nil, nil, err
		}
	}
	return names.list(), absent, nil
}

// identify finds the samples' ids, after all rows were read, and copies texts from the file of labels.
func (u *Unlabelled) identify(t *dataframe.Table, names *ids, joined *labelFile, texts []int, told [][]field,
	notes *Notes) error {
	switch {
	case names.rows == 0:
		return t.Wrong(-1, "has no rows, want one for each sample")
	case joined != nil && len(names.columns) == 0:
		return noIDs(u.Path, u.Labels)
	case joined != nil:
		if err := names.join(joined.ids); err != nil {
			return err
		}
	}
	var problems dataframe.Problems
	names.check(&problems, notes)
	u.Named = names.named()
	u.Numbers = u.Named && names.columns[names.at].MayCount()
	if err := problems.Err(); err != nil || joined == nil {
		return err
	}
	return joined.tell(names, told, texts, u.Features, notes)
}

// words finds the columns of words and covariates, and reads the file of labels. texts are the columns' indices in t,
// or −1 for a column that is in the file of labels, or that is Optional and missing.
func (u *Unlabelled) words(t *dataframe.Table, search *idSearch) (texts []int, joined *labelFile, err error) {
	find := func(labels *dataframe.Table, f *labelFile) error {
		for _, name := range slices.Concat(u.Words, u.Covariates) {
			own, err := t.Find(name)
			theirs := -1
			if err == nil && labels != nil {
				theirs, err = labels.Find(name)
			}
			switch {
			case err != nil:
				return err
			case own < 0 && theirs < 0 && slices.Contains(u.Optional, name):
			case own >= 0 && theirs >= 0:
				return userinput.Errorf("column %q is in both %s and %s; want it in only one of them", name, u.Path, u.Labels)
			case own < 0 && labels == nil:
				return userinput.Errorf("%s: has no column %q; %w%s", u.Path, name,
					&dataframe.NoColumn{Name: name, Columns: t.Columns()}, ownFile)
			case own < 0 && theirs < 0:
				return userinput.Errorf("neither %s nor %s has a column %q; %w", u.Path, u.Labels, name,
					&dataframe.NoColumn{Name: name, Path: u.Labels, Columns: labels.Columns()})
			}
			texts, f.columns = append(texts, own), append(f.columns, theirs)
		}
		return nil
	}
	if u.Labels == "" {
		err = find(nil, &labelFile{})
		return texts, nil, err
	}
	of := *search
	of.path, of.turned, of.labels = u.Labels, false, true
	joined, err = openLabels(&of, u.Path, u.Text.Force, find, u.fields)
	return texts, joined, err
}

// fields returns the texts of the given columns (words, then covariates) in the current row.
func (u *Unlabelled) fields(t *dataframe.Table, columns []int) []field {
	row := make([]field, len(columns))
	for k, i := range columns {
		if i < 0 {
			continue
		}
		row[k] = fieldOf(t, i)
		if k < len(u.Words) && !strings.Contains(row[k].text, ",") { // a comma may be the label's decimal sign
			row[k].text = dataframe.NameText(row[k].text)
		} else {
			row[k].text = asWord(t, i)
		}
	}
	return row
}

func wordsOf(row []field) (words []string) {
	for _, f := range row {
		words = append(words, f.text)
	}
	return words
}

// columns finds the columns of the features. If one column of a feature is missing, all its columns are −1.
func (u *Unlabelled) columns(t *dataframe.Table, notes *Notes) (columns []int, absent []string, err error) {
	find, first := t.Find, 0
	if u.Probes != nil {
		find = func(name string) (int, error) { return probes.Locate(t, name) }
	}
	names, ends := u.Probes.Flat(u.Features)
	for j, end := range ends {
		var own []int
		for _, name := range names[first:end] {
			i, err := find(name)
			if err != nil {
				return nil, nil, err
			}
			own = append(own, i)
		}
		if first = end; slices.Contains(own, -1) {
			absent, own = append(absent, u.Features[j]), slices.Repeat([]int{-1}, len(own))
		}
		columns = append(columns, own...)
	}
	switch {
	case len(absent) == len(u.Features) && len(absent) > 0:
		return nil, nil, userinput.Errorf("%s: has none of the %s, such as %q%s; its columns are %s", u.Path, message.Count(
			len(absent), "feature"), names[0], network.Missed(t, names, u.Text.Transpose), dataframe.Some(t.Columns()))
	case len(absent) > 0 && !u.Gaps:
		return nil, nil, userinput.Errorf("%s: lacks %s of %s: %s; its columns are %s", u.Path, message.Number(len(absent)),
			message.Count(len(u.Features), "feature"), dataframe.Some(absent), dataframe.Some(t.Columns()))
	}
	if names := probes.Ambiguous(t, columns); names != nil {
		notes.Add("columns with the same name are told apart by their order, so it must be the order of the training table: "+
			"%s", dataframe.Some(names))
	}
	if _, examples := network.Alike(absent, t.Columns()); examples != "" {
		notes.Add("similar columns may be the missing features: %s; rename them to the first name of each pair", examples)
	}
	return columns, absent, nil
}

// values reads the features of the current row into x. Feature j has the columns columns[ends[j-1]:ends[j]].
func (u *Unlabelled) values(t *dataframe.Table, columns, ends []int, x []float64) error {
	values, last := make([]float64, len(columns)), 0
	for k, i := range columns {
		if i < 0 {
			values[k] = math.NaN()
			continue
		}
		var err error
		if values[k], err = t.Feature(i); err != nil && dataframe.IsMissing(t.Text(i)) {
			values[k] = math.NaN()
		} else if err != nil {
			return err
		}
	}
	probes.Merge(x, values, ends)
	for j, end := range ends {
		if i := columns[last]; i >= 0 && math.IsNaN(x[j]) && !u.Gaps {
			return t.Bad(i, "is %q: a missing value; fill it in, or leave out the row", t.Text(i))
		}
		last = end
	}
	return nil
}
