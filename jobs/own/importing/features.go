package importing

import (
	"fmt"
	"slices"
	"strings"

	"graphda/io/plain"
	"graphda/io/samples"
	"graphda/io/tabular"
	"graphda/jobs/usage"
)

// features puts together what is known about the features of d: their names, and the
// tables of the request.
func (r *Request) features(d *data, notes *notes) (*samples.Features, error) {
	f := &samples.Features{Names: d.names}
	b := &annotation{features: f, force: r.Force, index: make(map[string]int, len(d.names)), groups: map[string]int{}}
	for i, name := range d.names {
		b.index[name] = i
	}
	if r.Features != "" {
		if err := b.readFeatures(r.Features, notes); err != nil {
			return nil, err
		}
	}
	if r.Groups != "" {
		if b.grouped {
			return nil, usage.Errorf("%s has a column \"group\" already, and %s groups as well; want one of them", r.Features,
				r.Groups)
		}
		if err := b.readGroups(r.Groups, notes); err != nil {
			return nil, err
		}
	}
	f.Groups = b.members
	for g, m := range f.Groups {
		slices.Sort(m)
		f.Groups[g] = slices.Compact(m)
	}
	return f, nil
}

// An annotation adds to the features what tables tell about them.
type annotation struct {
	features *samples.Features
	force    bool           // as in Request
	index    map[string]int // of a feature's name
	grouped  bool           // a table has told groups
	groups   map[string]int // by name: places in members, in the order in which they are met
	members  [][]int32
}

// join puts a feature into a group, perhaps once more.
func (b *annotation) join(feature int, group string) {
	g, ok := b.groups[group]
	if !ok {
		g = len(b.members)
		b.groups[group] = g
		b.members = append(b.members, nil)
	}
	b.members[g] = append(b.members[g], int32(feature))
}

// An attribute is a column of numbers of a features table.
type attribute struct {
	samples.NumberColumn
	column int
	given  []bool // by feature
}

// readFeatures reads names with what else the file has of truth, group and places. A
// feature may have several rows that differ in their group alone.
func (b *annotation) readFeatures(path string, notes *notes) error {
	wanted := append([]string{"group"}, tabular.NameColumns...)
	for _, c := range b.features.NumberColumns() {
		wanted = append(wanted, c.Name)
	}
	t, err := b.open(path, func(name string) bool { return slices.Contains(wanted, name) })
	if err != nil {
		return err
	}
	defer t.Close()
	name, err := t.NeedAny(tabular.NameColumns)
	if err != nil {
		return err
	}
	group, err := t.Find("group")
	if err != nil {
		return err
	}
	b.grouped = group >= 0
	present, err := b.attributes(t)
	if err != nil {
		return err
	}
	known, strangers := make([]bool, len(b.features.Names)), newStrangers()
	for t.Next() {
		j, ok := b.index[t.Text(name)]
		if !ok {
			strangers.add(t.Text(name))
			continue
		}
		if known[j] && group < 0 {
			return t.Bad(name, "is %q a second time; a feature has several rows only in a table with a column \"group\"",
				t.Text(name))
		}
		known[j] = true
		for _, a := range present {
			if err := a.set(t, j); err != nil {
				return err
			}
		}
		if group >= 0 {
			for _, g := range strings.Split(t.Text(group), ";") {
				if g = strings.TrimSpace(g); !tabular.IsMissing(g) {
					b.join(j, g)
				}
			}
		}
	}
	if err := t.Err(); err != nil {
		return err
	}
	strangers.note(notes, path)
	return b.complete(t, present, known, notes, path)
}

// attributes returns the columns of numbers that the table has, and makes room for them. A
// table without groups must have one, and no coordinate without the other.
func (b *annotation) attributes(t *tabular.Table) (present []attribute, err error) {
	f := b.features
	for _, c := range f.NumberColumns() {
		a := attribute{NumberColumn: c, given: make([]bool, len(f.Names))}
		if a.column, err = t.Find(c.Name); err != nil {
			return nil, err
		}
		if a.column >= 0 {
			*c.Values = make([]float64, len(f.Names))
			present = append(present, a)
		}
	}
	if !b.grouped && present == nil {
		return nil, t.Wrong(-1, "has none of the columns truth, group, row, col, x and y beside name; its columns are %s",
			tabular.Some(t.Columns()))
	}
	if (f.Row == nil) != (f.Col == nil) || (f.X == nil) != (f.Y == nil) {
		return nil, t.Wrong(-1, "has one of row and col, or of x and y, without the other")
	}
	return present, nil
}

// set takes an attribute of a feature from the row.
func (a *attribute) set(t *tabular.Table, feature int) error {
	x, err := t.Number(a.column)
	if err != nil {
		return err
	}
	if a.given[feature] && x != (*a.Values)[feature] {
		return t.Bad(a.column, "is %v, but was %v in another row of the same feature", x, (*a.Values)[feature])
	}
	(*a.Values)[feature], a.given[feature] = x, true
	return nil
}

// complete says what becomes of features without a row.
func (b *annotation) complete(t *tabular.Table, present []attribute, known []bool, notes *notes, path string) error {
	var without []string
	for j, ok := range known {
		if !ok {
			without = append(without, b.features.Names[j])
		}
	}
	if len(without) == 0 {
		return nil
	}
	if len(without) == len(known) {
		return t.Wrong(-1, "has no row for any feature; features are named like %s", tabular.Some(b.features.Names))
	}
	for _, a := range present {
		if a.Name != "truth" {
			return t.Wrong(a.column, "is needed for every feature or none; there is no row for %s", tabular.Some(without))
		}
		notes.add("%s have no row in %s and truth 0: %s", plain.Count(len(without), "feature"), path,
			tabular.Some(without))
	}
	return nil
}

// Columns of groups, by the names that people give them.
var (
	memberColumns = append([]string{"feature"}, tabular.NameColumns...)
	groupColumns  = []string{"group", "pathway", "pathway_id", "gene_set", "geneset", "set", "term", "module"}
)

// readGroups reads a row for each feature of each group.
func (b *annotation) readGroups(path string, notes *notes) error {
	t, err := b.open(path, func(name string) bool {
		return slices.Contains(memberColumns, name) || slices.Contains(groupColumns, name)
	})
	if err != nil {
		return err
	}
	defer t.Close()
	feature, err := t.NeedAny(memberColumns)
	if err != nil {
		return err
	}
	group, err := t.NeedAny(groupColumns)
	if err != nil {
		return err
	}
	strangers := newStrangers()
	for t.Next() {
		if tabular.IsMissing(t.Text(group)) {
			return t.Bad(group, "is %q, want a group", t.Text(group))
		}
		if j, ok := b.index[t.Text(feature)]; ok {
			b.join(j, t.Text(group))
		} else {
			strangers.add(t.Text(feature))
		}
	}
	if err := t.Err(); err != nil {
		return err
	}
	if len(b.members) == 0 {
		return t.Wrong(feature, "names no feature; features are named like %s", tabular.Some(b.features.Names))
	}
	strangers.note(notes, path)
	return nil
}

// open opens a table of which some columns are wanted.
func (b *annotation) open(path string, wanted func(name string) bool) (*tabular.Table, error) {
	t, err := tabular.Open(path, tabular.Options{Force: b.force, Wanted: wanted})
	return t, asked(err)
}

// Strangers are names in a table that are no features.
type strangers struct {
	rows  int
	names []string
	seen  map[string]bool
}

func newStrangers() *strangers { return &strangers{seen: map[string]bool{}} }

func (s *strangers) add(name string) {
	s.rows++
	if !s.seen[name] {
		s.seen[name] = true
		s.names = append(s.names, name)
	}
}

func (s *strangers) note(notes *notes, path string) {
	if s.rows > 0 {
		notes.add("%s of %s left out, on what is no feature: %s", plain.Count(s.rows, "row"), path,
			tabular.Some(s.names))
	}
}

// Notes are what a user should know about the files.
type notes []string

func (n *notes) add(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }
