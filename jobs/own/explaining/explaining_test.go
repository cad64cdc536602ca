package explaining

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/model"
	"graphda/io/network"
	"graphda/io/tabular"
	"graphda/jobs/jobstest"
	"graphda/jobs/reports/figures"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// example selects a, b, d, e and g of a path a–b–c–d–e with f apart from it and from g, where c has no weight;
// h touches a alone.
func example(t *testing.T, method string) *model.Model {
	t.Helper()
	edges := []graph.Edge{{U: 1, V: 0}, {U: 1, V: 2}, {U: 3, V: 2}, {U: 3, V: 4}, {U: 5, V: 7}, {U: 7, V: 0}}
	g := must1(graph.New(8, edges, []float64{1, 0.5, 1.0 / 3, 2, 1, 1}))
	return &model.Model{
		Features: []string{"a", "b\tb", "c", "d<&\"", "e", "f", "g", "h"}, Loss: "logistic", Positive: "1", Negative: "-1",
		Weights:   []model.Weights{{Name: model.W, W: []float64{1, -2, 0, 0.5, 1.0 / 3, 0, -1, 0}}},
		Frequency: []float64{1, 0.5, 0.25, 1, 0, 0, 0.75, 0},
		State:     &model.State{Method: method, Scale: 1, Graph: g},
	}
}

func names(nodes []Node) (list []string) {
	for i := range nodes {
		list = append(list, fmt.Sprintf("%s %s %d", nodes[i].Name, nodes[i].Role(), nodes[i].Part))
	}
	return list
}

// A connector joins the parts of a method on the network, and is none of one that does not know it.
func TestSelect(t *testing.T) {
	for method, want := range map[string][]string{
		"graphda": {"b\tb lowers 1", "a raises 1", "d<&\" raises 1", "e raises 1", "c connector 1", "g lowers 2"},
		"l1-rda":  {"b\tb lowers 1", "a raises 1", "d<&\" raises 2", "e raises 2", "g lowers 3"},
	} {
		s := must1(Select(example(t, method)))
		if got := names(s.Nodes); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", method, got, want)
		}
	}
	m := example(t, "graphda")
	m.State.Graph, m.Frequency = nil, nil
	s, err := Select(m)
	if err != nil || s.Parts != 5 || len(s.Edges) != 0 || !math.IsNaN(s.Nodes[0].Frequency) {
		t.Errorf("without a network: %+v, %v", s, err)
	}
	m.State = nil
	if _, err := Select(m); err == nil {
		t.Error("a model without a state is explained")
	}
}

// Of the nodes that join parts, the one that joins most is taken, and no more than are needed.
func TestConnectors(t *testing.T) {
	// 6 joins 0, 1 and 2; 7 joins 1 and 2 and is not needed then; 8 joins 3 and 4; 5 is alone.
	var edges []graph.Edge
	for _, e := range [][2]int32{{7, 1}, {7, 2}, {6, 0}, {6, 1}, {6, 2}, {8, 3}, {8, 4}, {5, 9}} {
		edges = append(edges, graph.Edge{U: e[0], V: e[1]})
	}
	g := must1(graph.New(10, edges, nil))
	if got, err := connectors(g, []int32{0, 1, 2, 3, 4, 5}); err != nil || !slices.Equal(got, []int32{6, 8}) {
		t.Errorf("connectors %v, %v, want 6 and 8", got, err)
	}
	part, count, err := Parts(g, []int32{3, 5, 6, 7, 8, 9})
	must(t, err)
	if want := map[int32]int{3: 1, 8: 1, 5: 2, 9: 2, 6: 3, 7: 4}; count != 4 || fmt.Sprint(part) != fmt.Sprint(want) {
		t.Errorf("parts %v, want %v", part, want)
	}
}

// What is written is read back by the readers of this program: the same nodes and edges, whatever their names.
func TestReadBack(t *testing.T) {
	s := must1(Select(example(t, "graphda")))
	dir := t.TempDir()
	for _, f := range s.Files() {
		var b bytes.Buffer
		must(t, f.Fill(&b))
		must(t, os.WriteFile(filepath.Join(dir, f.Name), b.Bytes(), 0o666))
	}
	nodes := must1(tabular.Open(filepath.Join(dir, "nodes.tsv"), tabular.Options{}))
	defer nodes.Close()
	var features []string
	for i := 0; nodes.Next(); i++ {
		n := s.Nodes[i]
		weight, err := nodes.Number(2)
		if err != nil || nodes.Text(0) != n.Name || nodes.Text(1) != n.Role() || weight != n.Weight || nodes.Text(4) != fmt.Sprint(n.Part) {
			t.Errorf("node %d is read as %q %q %v", i, nodes.Text(0), nodes.Text(1), weight)
		}
		features = append(features, n.Name)
	}
	if len(features) != len(s.Nodes) || nodes.Err() != nil {
		t.Fatalf("%d of %d nodes, %v", len(features), len(s.Nodes), nodes.Err())
	}
	for _, name := range []string{"edges.tsv", "subgraph.graphml"} {
		list := must1(network.ReadEdges(network.EdgeRequest{Path: filepath.Join(dir, name)}))
		read := must1(list.Among(features))
		if read.Graph.NumEdges() != len(s.Edges) || read.Matched+len(read.Isolated) != len(features) {
			t.Errorf("%s: %d edges of %d, %d nodes of %d", name, read.Graph.NumEdges(), len(s.Edges), read.Matched, len(features))
		}
		got := map[[2]int]float64{}
		for i, e := range read.Graph.Edges() {
			got[[2]int{int(min(e.U, e.V)), int(max(e.U, e.V))}] = read.Graph.Costs()[i]
		}
		for _, want := range s.Edges {
			if c, ok := got[[2]int{min(want.Source, want.Target), max(want.Source, want.Target)}]; !ok || c != want.Cost {
				t.Errorf("%s: edge %v has cost %v, %v", name, want, c, ok)
			}
		}
	}
}

// Every node has its place in the picture, with its name and what is known of it; each part has a panel, and
// what stands alone one together.
func TestPicture(t *testing.T) {
	s := must1(Select(example(t, "graphda")))
	f := s.Figure()
	if len(f.Cells) != 1 || len(f.Cells[0]) != 2 || f.Cells[0][0].Note != "part 1: 4 features, 1 connector" ||
		f.Cells[0][1].Note != "part 2: 1 feature" {
		t.Errorf("panels %+v", f.Cells)
	}
	var b bytes.Buffer
	must(t, figures.Draw(&b, f, "svg"))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if !strings.Contains(b.String(), fmt.Sprintf(`id="n%d"`, n.Feature)) {
			t.Errorf("%s is not drawn", n.Name)
		}
	}
	if strings.Contains(b.String(), `id="n5"`) {
		t.Error("what is not selected is drawn")
	}
	for _, want := range []string{"a: weight 1, selected in 100 % of the splits", "c: no weight, connects others, selected in 25 %",
		">no weight, connects others</text>", `>raises the odds of &#34;1&#34;</text>`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	marks := regexp.MustCompile(`<circle class="mark"`).FindAllString(b.String(), -1)
	if len(marks) != len(s.Nodes) {
		t.Errorf("%d marks for %d nodes", len(marks), len(s.Nodes))
	}
}
