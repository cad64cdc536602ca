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
	if r.Features != "" {
		b := &annotation{features: f, notes: notes}
		if err := b.readFeatures(r.Features, dataframe.Options{Force: r.Force}); err != nil {
			return nil, sampletable.Asked(err)
		}
	}
	if r.Groups != "" {
		groups, about, err := coding.ReadGroups(r.Groups, dataframe.Options{Force: r.Force}, d.Names)
		if err != nil {
			return nil, sampletable.Asked(err)
		}
		*notes = append(*notes, about...)
		for _, g := range groups {
			slices.Sort(g.Members)
			f.Groups = append(f.Groups, g.Members)
		}
	}
	return f, nil
}

// An annotation reads tables about features into its field features.
type annotation struct {
	features *samples.Features
	notes    *sampletable.Notes
}

// readFeatures reads a table with a row for each feature: its name, and perhaps its true weight and place.
func (b *annotation) readFeatures(path string, o dataframe.Options) error {
	f := b.features
	t, err := dataframe.Open(path, o)
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
	about, err := coding.EachFeature(t, path, f.Names, append([]int{name}, places...), func(j int32) (err error) {
		if j < 0 {
			return nil
		}
		if without[j] == "" {
			return t.Bad(name, "has %q a second time; want one row for each feature", t.Text(name))
		}
		without[j] = ""
		for k, c := range present {
			if (*c.Values)[j], err = t.Feature(places[k]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	*b.notes = append(*b.notes, about...)
	without = slices.DeleteFunc(without, func(name string) bool { return name == "" })
	if len(without) == 0 {
		return nil
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
