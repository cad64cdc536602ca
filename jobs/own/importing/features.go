package importing

import (
	"cmp"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/jobs/own/coding"
	"graphda/jobs/own/sampletable"
)

// features returns the features of d, with the contents of the tables about features.
func (r *Request) features(d *sampletable.Data, notes *sampletable.Notes) (*samples.Features, error) {
	f := &samples.Features{Names: d.Names, Probes: d.Probes}
	b := &annotation{features: f, force: r.Force, notes: notes, index: make(map[string]int, len(d.Names))}
	for i, name := range d.Names {
		b.index[name] = i
	}
	if r.Features != "" {
		if err := b.readFeatures(r.Features); err != nil {
			return nil, err
		}
	}
	if r.Groups != "" {
		if err := b.readGroups(r.Groups); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// An annotation reads tables about features into its field features.
type annotation struct {
	features *samples.Features
	force    bool // as in Request
	notes    *sampletable.Notes
	index    map[string]int // index of each feature, by name
}

// readFeatures reads a table with a row for each feature: its name, and perhaps its true weight and place.
func (b *annotation) readFeatures(path string) error {
	f := b.features
	t, err := b.open(path)
	if err != nil {
		return err
	}
	defer t.Close()
	name, err := t.NeedAny(dataframe.NameColumns)
	if err != nil {
		return err
	}
	if i, err := t.Find(dataframe.GroupColumns[0]); err != nil || i >= 0 {
		return cmp.Or(err, t.Wrong(i, "has groups, which --groups reads; remove the column"))
	}
	present, places, err := b.numbers(t)
	if err != nil {
		return err
	}
	without := slices.Clone(f.Names)
	err = b.each(t, path, name, func(j int) (err error) {
		if j < 0 {
			return nil
		}
		if without[j] == "" {
			return t.Bad(name, "has %q a second time; want one row for each feature", t.Text(name))
		}
		without[j] = ""
		for k, c := range present {
			if (*c.Values)[j], err = t.Number(places[k]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	without = slices.DeleteFunc(without, func(name string) bool { return name == "" })
	switch {
	case len(without) == 0:
		return nil
	case len(without) == len(f.Names):
		return t.Wrong(-1, "has no row for any feature; features have names like %s", dataframe.Some(f.Names))
	}
	for k, c := range present {
		if c.Name != "truth" {
			return t.Wrong(places[k], "needs a value for each feature, but there is no row for %s; add these rows, or remove "+
				"the column", dataframe.Some(without))
		}
		b.notes.Add("%s no row in %s, which means truth 0: %s", message.Have(len(without), "feature"), path,
			dataframe.Some(without))
	}
	return nil
}

// numbers returns the columns of numbers in the table, with their positions. It refuses a table without such columns.
// The columns row and col, and the columns x and y, must come in pairs.
func (b *annotation) numbers(t *dataframe.Table) (present []samples.NumberColumn, places []int, err error) {
	f := b.features
	for _, c := range f.NumberColumns() {
		i, err := t.Find(c.Name)
		if err != nil {
			return nil, nil, err
		}
		if i >= 0 {
			*c.Values = make([]float64, len(f.Names))
			present, places = append(present, c), append(places, i)
		}
	}
	switch {
	case present == nil:
		err = t.Wrong(-1, "has none of the columns truth, row, col, x and y besides name; its columns are %s",
			dataframe.Some(t.Columns()))
	case (f.Row == nil) != (f.Col == nil) || (f.X == nil) != (f.Y == nil):
		err = t.Wrong(-1, "has only one of the columns row and col, or of x and y; want both or neither")
	}
	return present, places, err
}

func (b *annotation) readGroups(path string) error {
	t, err := b.open(path)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := coding.CheckDescriptions(path, dataframe.Options{Force: b.force}, b.features.Names); err != nil {
		return err
	}
	feature, err := t.NeedAny(dataframe.MemberColumns)
	if err != nil {
		return err
	}
	group, err := t.NeedAny(dataframe.GroupColumns)
	if err != nil {
		return err
	}
	f, place := b.features, map[string]int{} // number of each group by its name, in file order
	err = b.each(t, path, feature, func(j int) error {
		name := t.Text(group)
		if dataframe.IsMissing(name) {
			return t.Bad(group, "is %q, want the name of a group", name)
		}
		if j < 0 {
			return nil
		}
		g, known := place[name]
		if !known {
			g = len(f.Groups)
			place[name], f.Groups = g, append(f.Groups, nil)
		}
		f.Groups[g] = append(f.Groups[g], int32(j))
		return nil
	})
	if err != nil {
		return err
	}
	if len(f.Groups) == 0 {
		return t.Wrong(feature, "names no feature; features have names like %s", dataframe.Some(f.Names))
	}
	for g, members := range f.Groups {
		slices.Sort(members)
		f.Groups[g] = slices.Compact(members)
	}
	return nil
}

func (b *annotation) open(path string) (*dataframe.Table, error) {
	t, err := dataframe.Open(path, dataframe.Options{Force: b.force})
	return t, sampletable.Asked(err)
}

// each calls visit for every row of a table, with the index of the feature named in the given column. The index is −1
// for an unknown feature. A note counts these rows.
func (b *annotation) each(t *dataframe.Table, path string, column int, visit func(feature int) error) error {
	rows, names, seen := 0, []string{}, map[string]bool{}
	for t.Next() {
		name := t.Text(column)
		j, ok := b.index[name]
		if !ok {
			j = -1
			if rows++; !seen[name] {
				seen[name], names = true, append(names, name)
			}
		}
		if err := visit(j); err != nil {
			return err
		}
	}
	if rows > 0 {
		b.notes.Add("left out %s of %s, whose names are not among the features: %s", message.Count(rows, "row"), path,
			dataframe.Some(names))
	}
	return t.Err()
}
