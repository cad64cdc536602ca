package explaining

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/seal"
	"graphda/jobs/stats"
	"graphda/learners"
)

// A Set is a group of features of which a model selects some.
type Set struct {
	Name     string
	Size     int      // features of the dataset that are in it
	Selected []string // those of them that the model selects
	P, Q     float64  // see stats.Overlap and stats.FalseShares; NaN if nothing is tested
}

const (
	leastSelected = 5    // features that a test can be made of
	leastMembers  = 5    // of a set
	leastQ        = 0.05 // of sets that are over-represented
)

// Sets are the groups of a table that have at least leastMembers of the dataset's features, and at most half of them,
// with the selected ones. They are tested against all features, the least p first; why says where that means nothing.
func (s *Subgraph) Sets(m *model.Model, path string, o dataframe.Options) (sets []Set, why string, err error) {
	selected, p := map[string]bool{}, []float64{}
	for i := range s.Nodes {
		if !s.Nodes[i].Connects {
			selected[s.Nodes[i].Name] = true
		}
	}
	groups, err := readGroups(m.Features, path, o)
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		set := Set{Name: name, Size: len(groups[name])}
		if set.Size < leastMembers || 2*set.Size > len(m.Features) {
			continue
		}
		set.Selected = slices.DeleteFunc(groups[name], func(f string) bool { return !selected[f] })
		set.P = stats.Overlap(len(set.Selected), len(selected), set.Size, len(m.Features))
		sets = append(sets, set)
	}
	slices.SortStableFunc(sets, func(a, b Set) int { return cmp.Compare(a.P, b.P) })
	for i := range sets {
		p = append(p, sets[i].P)
	}
	why = untestable(m, len(selected), len(sets))
	for i, q := range stats.FalseShares(p) {
		if sets[i].Q = q; why != "" {
			sets[i].P, sets[i].Q = math.NaN(), math.NaN()
		}
	}
	return sets, why, err
}

// untestable says why a test of sets would mean nothing, "" if it means something. Methods on the network select
// neighbours, which share sets: TestConnectedSelections counts how often sets are over-represented by chance then.
func untestable(m *model.Model, selected, sets int) string {
	method, err := learners.Lookup(m.State.Method)
	switch {
	case !strings.HasPrefix(m.Made[model.Found], "Found"):
		return "gdrun tune has not found that the features tell anything"
	case selected < leastSelected:
		return fmt.Sprintf("%s cannot tell, at least %d can", message.Count(selected, "selected feature"), leastSelected)
	case sets == 0:
		return fmt.Sprintf("none has at least %d of the features, and at most half of them", leastMembers)
	case err != nil || method.Needs&learners.NeedsGraph != 0:
		return m.State.Method + " selects neighbours, which share sets: in nearly any connected selection some set would " +
			"seem over-represented"
	}
	return ""
}

// readGroups reads which features are in which group.
func readGroups(features []string, path string, o dataframe.Options) (groups map[string][]string, err error) {
	t, err := dataframe.Open(path, o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	feature, err := t.NeedAny(dataframe.MemberColumns)
	if err != nil {
		return nil, err
	}
	group, err := t.NeedAny(dataframe.GroupColumns)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, name := range features {
		known[name] = true
	}
	groups = map[string][]string{}
	for t.Next() {
		to, name := t.Text(group), t.Text(feature)
		if known[name] && !slices.Contains(groups[to], name) {
			groups[to] = append(groups[to], name)
		}
	}
	if len(groups) == 0 && t.Err() == nil {
		return nil, t.Wrong(feature, "names no feature; features are named like %s", dataframe.Some(features))
	}
	return groups, t.Err()
}

// SetsFile has a row for each set.
func SetsFile(sets []Set) seal.Named {
	rows := [][]string{{"set", "size", "selected", "p", "q", "features"}}
	for _, s := range sets {
		rows = append(rows, []string{s.Name, strconv.Itoa(s.Size), strconv.Itoa(len(s.Selected)), exact(s.P), exact(s.Q),
			strings.Join(s.Selected, " ")})
	}
	return seal.Named{Name: "sets.tsv", Fill: func(w io.Writer) error { return writeTSV(w, rows) }}
}

// Over lists the over-represented sets of those tested.
func Over(sets []Set) string {
	over := []string{}
	for _, s := range sets {
		if s.Q <= leastQ {
			over = append(over, fmt.Sprintf("%s (%d of %d, q %.2g)", message.Text(s.Name), len(s.Selected), s.Size, s.Q))
		}
	}
	if len(over) == 0 {
		return fmt.Sprintf("none of %s is over-represented", message.Count(len(sets), "set"))
	}
	return fmt.Sprintf("%d of %s over-represented, of which %g %% may be false: %s", len(over),
		message.Count(len(sets), "set"), 100*leastQ, dataframe.Some(over))
}
