package explaining

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/dataframe"
	"graphda/io/model"
	"graphda/io/network"
	"graphda/io/samples"
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
	nodes := must1(dataframe.Open(filepath.Join(dir, "nodes.tsv"), dataframe.Options{}))
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
		read := must1(must1(network.ReadEdges(network.EdgeRequest{Path: filepath.Join(dir, name)})).Among(features))
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
		jobstest.WantText(t, b.String(), fmt.Sprintf(`id="n%d"`, s.Nodes[i].Feature))
	}
	if strings.Contains(b.String(), `id="n5"`) {
		t.Error("what is not selected is drawn")
	}
	jobstest.WantText(t, b.String(), "a: weight 1, selected in 100 % of the splits", "c: no weight, connects others, selected in 25 %",
		">no weight, connects others</text>", `>raises the odds of &#34;1&#34;</text>`)
	if marks := strings.Count(b.String(), `<circle class="mark"`); marks != len(s.Nodes) {
		t.Errorf("%d marks for %d nodes", marks, len(s.Nodes))
	}
}

// Odds ratios are of calibrated log-odds of standardised features alone, and what is said of weights names the class.
func TestEffects(t *testing.T) {
	m := example(t, "graphda")
	if !math.IsNaN(Ratio(m, 0)) {
		t.Error("an odds ratio of the last iterate, which is not calibrated")
	}
	m.Weights[0].Name = model.Ridge
	if !math.IsNaN(Ratio(m, 0)) {
		t.Error("an odds ratio of a standard deviation that is not known")
	}
	m.Scaling = &samples.Scaling{}
	if got := Ratio(m, 1); math.Abs(got-math.Exp(-2)) > 1e-15 {
		t.Errorf("odds ratio %v of weight −2", got)
	}
	m.Positive = "tumour"
	s := must1(Select(m))
	if got := s.Effects(); got != `3 features raising and 2 lowering the odds of "tumour"` {
		t.Error(got)
	}
	for i := range s.Nodes { // a connector has neither
		if n := &s.Nodes[i]; math.IsNaN(n.Ratio) != n.Connects || (Effect(n.Weight) == "") != n.Connects {
			t.Errorf("%s: odds ratio %v, effect %q", n.Name, n.Ratio, Effect(n.Weight))
		}
	}
	if m.Loss = "least_squares"; !math.IsNaN(Ratio(m, 0)) || Outcome(m.Loss, m.Positive) != `the score of "tumour"` ||
		Outcome(m.Loss, "") != "the predicted value" {
		t.Error("scores under least squares are taken for log-odds")
	}
}

// Fewer than ten samples of the rarer class for each weight are warned of, and covariates have weights too.
func TestEvents(t *testing.T) {
	m := example(t, "graphda")
	if got := Events(50, "sample", "ill", m); got != `50 samples of "ill" make 10.0 for each selected feature.` {
		t.Error(got)
	}
	m.Covariates = &model.Covariates{Ridge: []float64{1, 1}}
	got := Events(50, "patient", "", m)
	if !strings.HasPrefix(got, "50 patients make 7.1 for each selected feature and number of a covariate. That is fewer than 10: ") {
		t.Error(got)
	}
	if m.Covariates, m.Weights[0].W = nil, make([]float64, 8); Events(50, "sample", "ill", m) != "" {
		t.Error("a model without weights has events for each")
	}
}

// The style is about attributes and roles that the network has, its sizes end at the largest weight, and it is XML.
func TestStyle(t *testing.T) {
	s := must1(Select(example(t, "graphda")))
	var b strings.Builder
	must(t, s.style(&b))
	names, roles := map[string]string{}, []string{}
	for _, k := range (&Subgraph{Ratio: "odds"}).keys() {
		names[k.Name] = map[string]string{"string": "string", "double": "float"}[k.Type]
	}
	for i := range s.Nodes {
		roles = append(roles, s.Nodes[i].Role())
	}
	d := xml.NewDecoder(strings.NewReader(b.String()))
	mapped := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		must(t, err)
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		of := map[string]string{}
		for _, a := range e.Attr {
			of[a.Name.Local] = a.Value
		}
		if name, ok := of["attributeName"]; ok {
			if mapped++; names[name] != of["attributeType"] {
				t.Errorf("%s: attribute %q of type %q, the network's is %q", e.Name.Local, name, of["attributeType"], names[name])
			}
		}
		if role, ok := of["attributeValue"]; ok && !slices.Contains(roles, role) {
			t.Errorf("no node has the role %q", role)
		}
	}
	if mapped != 4 || !strings.Contains(b.String(), `attrValue="-2"`) || !strings.Contains(b.String(), `attrValue="2"`) {
		t.Errorf("%d attributes are mapped: %s", mapped, &b)
	}
}

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
	sets, why, err := must1(Select(m)).Sets(m, path, dataframe.Options{})
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
	if _, _, err := s.Sets(m, groupsFile(t, [][]int32{{500}}), dataframe.Options{}); err == nil || !strings.Contains(err.Error(), "names no feature") {
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
