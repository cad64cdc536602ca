package explaining

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/model"
	"graphda/io/tabular"
)

// groupsFile writes groups of features f0, f1, … by the name of the group.
func groupsFile(t *testing.T, groups [][]int32) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("gene,pathway\n")
	for k, g := range groups {
		for _, j := range g {
			fmt.Fprintf(&b, "f%d,S%d\n", j, k)
		}
	}
	path := filepath.Join(t.TempDir(), "groups.csv")
	must(t, os.WriteFile(path, []byte(b.String()), 0o666))
	return path
}

// selecting is a tuned model of a method that selects these features of as many as the graph has nodes.
func selecting(g *graph.Graph, method string, selected []int32) *model.Model {
	m := &model.Model{Made: map[string]string{model.Found: "Found: AUC 0.9"}, State: &model.State{Method: method, Graph: g},
		Weights: []model.Weights{{Name: model.Ridge, W: make([]float64, g.NumNodes())}}}
	for j := range g.NumNodes() {
		m.Features = append(m.Features, fmt.Sprintf("f%d", j))
	}
	for _, j := range selected {
		m.Weights[0].W[j] = 1
	}
	return m
}

func tested(t *testing.T, m *model.Model, path string) ([]Set, string) {
	t.Helper()
	sets, why, err := must1(Select(m)).Sets(m, path, tabular.Options{})
	must(t, err)
	return sets, why
}

// A group that is selected whole is over-represented against all features; small ones, those of nearly all features and
// what is no feature are left out. Where a test means nothing there is none, and the groups are listed all the same.
func TestSets(t *testing.T) {
	groups := [][]int32{{50, 51, 52, 53, 54, 55}, {10, 11, 12, 13, 14}, {1, 2, 3, 4}, {}, {70, 71, 72, 73, 74, 500, 74}}
	for j := range int32(60) {
		groups[3] = append(groups[3], j)
	}
	path := groupsFile(t, groups)
	selected := []int32{10, 11, 12, 13, 14, 90}
	m := selecting(graph.Grid(10, 10), "l1-rda", selected)
	sets, why := tested(t, m, path)
	if why != "" || len(sets) != 3 || sets[0].Name != "S1" || !slices.Equal(sets[0].Selected, []string{"f10", "f11", "f12", "f13", "f14"}) {
		t.Fatalf("%+v, %q", sets, why)
	}
	// C(95, 1) of the C(100, 6) selections have all five, and of three tests this is the first.
	if want := 95 / 1192052400.0; math.Abs(sets[0].P/want-1) > 1e-9 || math.Abs(sets[0].Q/want-3) > 1e-8 || sets[1].P < 0.999 {
		t.Errorf("p %v and q %v, want %v and 3 times that; the others have %v", sets[0].P, sets[0].Q, want, sets[1].P)
	}
	if got := Over(sets); got != "1 of 3 sets over-represented, of which 5 % may be false: S1 (5 of 5, q 2.4e-07)" {
		t.Error(got)
	}
	if got := Over(sets[1:]); got != "none of 2 sets is over-represented" {
		t.Error(got)
	}
	var b strings.Builder
	must(t, SetsFile(sets).Fill(&b))
	if !strings.HasPrefix(b.String(), "set\tsize\tselected\tp\tq\tfeatures\nS1\t5\t5\t7.96") {
		t.Error(b.String())
	}
	few := selecting(m.State.Graph, "l1-rda", selected[2:])
	few.Features[0] = "x"
	unknown := selecting(m.State.Graph, "l1-rda", selected)
	unknown.Made = nil
	for want, m := range map[string]*model.Model{"4 selected features cannot tell": few, "has not found": unknown,
		"graphda selects neighbours": selecting(m.State.Graph, "graphda", selected)} {
		if sets, why := tested(t, m, path); !strings.Contains(why, want) || len(sets) != 3 || sets[0].Name != "S1" || !math.IsNaN(sets[0].P) {
			t.Errorf("%+v, %q, want %q", sets, why, want)
		}
	}
	if _, why := tested(t, m, groupsFile(t, groups[2:3])); !strings.Contains(why, "none has at least 5") {
		t.Error(why)
	}
	s := must1(Select(m))
	if _, _, err := s.Sets(m, groupsFile(t, [][]int32{{500}}), tabular.Options{}); err == nil || !strings.Contains(err.Error(), "names no feature") {
		t.Error(err)
	}
}

// near returns the nodes that are nearest to one.
func near(g *graph.Graph, from int32, size int) []int32 {
	nodes, seen := []int32{from}, map[int32]bool{from: true}
	for k := 0; k < len(nodes) && len(nodes) < size; k++ {
		for _, a := range g.Arcs(nodes[k]) {
			if !seen[a.Node] && len(nodes) < size {
				seen[a.Node], nodes = true, append(nodes, a.Node)
			}
		}
	}
	return nodes
}

// Why selections of methods on the network are not tested: where groups are neighbourhoods, the test finds some in nearly
// all connected selections that have nothing to do with them, and hardly ever in scattered ones.
func TestConnectedSelections(t *testing.T) {
	r, g := rand.New(rand.NewPCG(1, 2)), graph.Grid(50, 50)
	var groups [][]int32
	for range 200 {
		groups = append(groups, near(g, int32(r.IntN(2500)), 15+r.IntN(40)))
	}
	path, draws, found := groupsFile(t, groups), 20, [2]int{}
	for range draws {
		scattered := make([]int32, 30)
		for i := range scattered {
			scattered[i] = int32(r.IntN(2500))
		}
		for k, selected := range [][]int32{near(g, int32(r.IntN(2500)), 30), scattered} {
			if sets, _ := tested(t, selecting(g, "l1-rda", selected), path); sets[0].Q <= leastQ {
				found[k]++
			}
		}
	}
	t.Logf("sets over-represented in %d of %d connected selections, %d of scattered ones", found[0], draws, found[1])
	if found[0] < draws*3/4 || found[1] > draws/8 {
		t.Errorf("sets in %d and %d of %d selections", found[0], found[1], draws)
	}
}
