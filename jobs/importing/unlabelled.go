package importing

import (
	"context"
	"slices"

	"graphda/io/plain"
	"graphda/io/tabular"
	"graphda/jobs/usage"
)

// Unlabelled are samples to predict.
type Unlabelled struct {
	Path     string    // of their table
	ID       string    // column of their ids; "" for an index column, if there is one, or their numbers
	Features []string  // names of the columns that are read
	Fill     []float64 // by feature, its value in every sample if the table lacks it; nil: it must not
}

// Read calls visit for every sample in the order of the table, with its id and its features in the order
// of their names; x is overwritten by the next. It returns which features are absent.
func (u *Unlabelled) Read(ctx context.Context, visit func(id string, x []float64) error) (absent []string, err error) {
	t, err := open(u.Path, nil)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	id, err := (&Request{Samples: u.Path, ID: u.ID, Drop: u.Features}).idColumn(t)
	if err != nil {
		return nil, err
	}
	columns := make([]int, len(u.Features))
	for j, name := range u.Features {
		if columns[j], err = t.Find(name); err != nil {
			return nil, err
		}
		if columns[j] < 0 {
			absent = append(absent, name)
		}
	}
	switch {
	case len(absent) == len(u.Features) && len(absent) > 0:
		return nil, usage.Errorf("%s: has none of the %s asked for, such as %q; its columns are %s", u.Path,
			plain.Count(len(absent), "feature"), absent[0], tabular.Some(t.Columns()))
	case len(absent) > 0 && u.Fill == nil:
		return nil, usage.Errorf("%s: lacks %d of %s: %s; its columns are %s", u.Path, len(absent),
			plain.Count(len(u.Features), "feature"), tabular.Some(absent), tabular.Some(t.Columns()))
	}
	ids := newIDs(t, id)
	x := make([]float64, len(columns))
	for t.Next() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := ids.add(); err != nil {
			return nil, err
		}
		for j, i := range columns {
			if i < 0 {
				x[j] = u.Fill[j]
				continue
			}
			if x[j], err = t.Number(i); err != nil {
				if field := t.Text(i); missing(field) {
					return nil, t.Bad(i, "is %q: a missing value; fill it in, or leave out the row", field)
				}
				return nil, err
			}
		}
		if err := visit(ids.list[len(ids.list)-1], slices.Clip(x)); err != nil {
			return nil, err
		}
	}
	if err := t.Err(); err != nil {
		return nil, err
	}
	if len(ids.list) == 0 {
		return nil, t.Wrong(-1, "has no rows, want one for each sample")
	}
	return absent, nil
}
