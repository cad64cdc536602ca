package sampletable

import (
	"context"
	"math"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/jobs/userinput"
)

// Unlabelled are samples to predict.
type Unlabelled struct {
	Path     string            // of their table
	Text     dataframe.Options // how it is read
	ID       string            // column of their ids; "" for an index column, if there is one, or their numbers
	Features []string          // names of the columns that are read
	Words    []string          // names of columns that are read as texts, such as that of the labels
	Gaps     bool              // a missing value, or a feature that the table lacks, is NaN; else it is refused

	// Covariates are names of columns that are read after the words, as a dataset has them: "" is a missing one.
	Covariates []string
}

// Read calls visit for every sample in the order of the table, with its features and its words in the order of their
// names; both are overwritten by the next. It returns the samples' ids, and which features are absent.
func (u *Unlabelled) Read(ctx context.Context, visit func(x []float64, words []string) error) (ids, absent []string,
	err error) {
	text := u.Text
	text.Unended = func(err error) error { return err }
	t, err := dataframe.Open(u.Path, text)
	if err != nil {
		return nil, nil, Asked(err)
	}
	defer t.Close()
	columns, absent, err := u.columns(t)
	if err != nil {
		return nil, nil, err
	}
	id, err := (&Table{Samples: u.Path, Text: u.Text, ID: u.ID, Drop: u.Features}).idColumn(t)
	if err != nil {
		return nil, nil, err
	}
	texts, words := make([]int, len(u.Words)+len(u.Covariates)), make([]string, len(u.Words)+len(u.Covariates))
	for k, name := range slices.Concat(u.Words, u.Covariates) {
		if texts[k], err = t.Find(name); err == nil && texts[k] < 0 {
			err = userinput.Errorf("%s: has no column %q; its columns are %s", u.Path, name, dataframe.Some(t.Columns()))
		}
		if err != nil {
			return nil, nil, err
		}
	}
	names, x := newIDs(t, id), make([]float64, len(columns))
	for t.Next() {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err := names.add(); err != nil {
			return nil, nil, err
		}
		if err := u.values(t, columns, x); err != nil {
			return nil, nil, err
		}
		for k, i := range texts {
			if words[k] = t.Text(i); k >= len(u.Words) {
				words[k] = covariateText(t, i)
			}
		}
		if err := visit(x, words); err != nil {
			return nil, nil, err
		}
	}
	if err := t.Err(); err != nil {
		return nil, nil, err
	}
	if len(names.list) == 0 {
		return nil, nil, t.Wrong(-1, "has no rows, want one for each sample")
	}
	return names.list, absent, nil
}

// columns finds the columns of the features, −1 for those that are absent.
func (u *Unlabelled) columns(t *dataframe.Table) (columns []int, absent []string, err error) {
	columns = make([]int, len(u.Features))
	for j, name := range u.Features {
		if columns[j], err = t.Find(name); err != nil {
			return nil, nil, err
		}
		if columns[j] < 0 {
			absent = append(absent, name)
		}
	}
	switch {
	case len(absent) == len(u.Features) && len(absent) > 0:
		return nil, nil, userinput.Errorf("%s: has none of the %s asked for, such as %q; its columns are %s", u.Path,
			message.Count(len(absent), "feature"), absent[0], dataframe.Some(t.Columns()))
	case len(absent) > 0 && !u.Gaps:
		return nil, nil, userinput.Errorf("%s: lacks %d of %s: %s; its columns are %s", u.Path, len(absent),
			message.Count(len(u.Features), "feature"), dataframe.Some(absent), dataframe.Some(t.Columns()))
	}
	return columns, absent, nil
}

// values reads the features of the row that t stands at.
func (u *Unlabelled) values(t *dataframe.Table, columns []int, x []float64) error {
	for j, i := range columns {
		if i < 0 {
			x[j] = math.NaN()
			continue
		}
		v, err := t.Number(i)
		text := t.Text(i)
		switch missing := err != nil && dataframe.IsMissing(text); {
		case missing && u.Gaps:
			v, err = math.NaN(), nil
		case missing:
			return t.Bad(i, "is %q: a missing value; fill it in, or leave out the row", text)
		}
		if err != nil {
			return err
		}
		x[j] = v
	}
	return nil
}
