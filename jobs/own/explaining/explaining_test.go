package explaining

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
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

// example selects a, b, d, e and g. The path a–b–c–d–e has no weight at c. f is apart from the path and from g. h
// touches only a.
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

func names(s *Subgraph) (list []string) {
	for i := range s.Nodes {
		list = append(list, fmt.Sprintf("%s %s %d", s.Nodes[i].Name, s.role(&s.Nodes[i]), s.Nodes[i].Part))
	}
	return list
}

// Methods on the network have connectors that join their parts. Other methods have none.
func TestSelect(t *testing.T) {
	for method, want := range map[string][]string{
		"graphda": {"b\tb lowers 1", "a raises 1", "d<&\" raises 1", "e raises 1", "c connector 1", "g lowers 2"},
		"l1-rda":  {"b\tb lowers 1", "a raises 1", "d<&\" raises 2", "e raises 2", "g lowers 3"},
	} {
		s := must1(Select(example(t, method)))
		if got := names(s); !slices.Equal(got, want) {
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

// The node that joins the most parts becomes a connector first, and no more connectors are added than needed.
func TestConnectors(t *testing.T) {
	// 6 joins 0, 1 and 2. 7 joins 1 and 2, so it is not needed. 8 joins 3 and 4. 5 is alone.
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

// This program's readers read back what Files writes: the same nodes and edges, whatever their names.
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
		if err != nil || nodes.Text(0) != n.Name || nodes.Text(1) != s.role(&n) || weight != n.Weight || nodes.Text(4) != fmt.Sprint(n.Part) {
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

// The picture has every node with its name and facts. Each part has a panel, and single nodes share a panel.
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

// Only calibrated log-odds of standardised features have odds ratios. Texts about weights name the class.
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
	one := &Subgraph{Nodes: []Node{{Weight: -1}}, Outcome: s.Outcome}
	m.Made = map[string]string{model.Found: model.Nothing + ": the 95 % interval contains 0.5"}
	for of, want := range map[*Subgraph]string{
		s:                `3 features raising and 2 lowering the odds of "tumour", given the others`,
		one:              `0 features raising and 1 lowering the odds of "tumour"`,
		must1(Select(m)): `5 features selected, without evidence of what raises or lowers the odds of "tumour"`,
	} {
		if got := of.Effects(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	nothing := must1(Select(m))
	for i := range s.Nodes { // a connector has neither, and without a finding no sign is evidence
		n := &s.Nodes[i]
		if math.IsNaN(n.Ratio) != n.Connects || (s.Effect(n.Weight) == "") != n.Connects ||
			nothing.role(n) != map[bool]string{true: "connector"}[n.Connects] {
			t.Errorf("%s: odds ratio %v, role %q or %q", n.Name, n.Ratio, s.role(n), nothing.role(n))
		}
	}
	if m.Loss = "least_squares"; !math.IsNaN(Ratio(m, 0)) || Outcome(m.Loss, m.Positive) != `the score of "tumour"` ||
		Outcome(m.Loss, "") != "the predicted value" {
		t.Error("scores under least squares are taken for log-odds")
	}
}

// A warning appears if there are fewer than ten samples of the rarer class for each weight.
// Covariates have weights too.
func TestEvents(t *testing.T) {
	m := example(t, "graphda")
	if got := Events(50, "sample", "ill", m); got != `50 samples of "ill" make 10.0 for each selected feature.` {
		t.Error(got)
	}
	m.Covariates = &model.Covariates{Ridge: []float64{1, 1}}
	got := Events(50, "patient", "", m)
	if !strings.HasPrefix(got, "50 patients make 7.1 for each weight of a feature or covariate: too few for reliable weights.\n") {
		t.Error(got)
	}
	if m.Covariates, m.Weights[0].W = nil, make([]float64, 8); Events(50, "sample", "ill", m) != "" {
		t.Error("a model without weights has events for each")
	}
}

// The style is valid XML. It uses attributes and roles that the network has, and its largest size belongs to the
// largest weight.
func TestStyle(t *testing.T) {
	s := must1(Select(example(t, "graphda")))
	var b strings.Builder
	must(t, s.style(&b))
	names, roles := map[string]string{}, []string{}
	for _, k := range (&Subgraph{Ratio: "odds"}).keys() {
		names[k.Name] = map[string]string{"string": "string", "double": "float"}[k.Type]
	}
	for i := range s.Nodes {
		roles = append(roles, s.role(&s.Nodes[i]))
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

// Groups are listed by their number of selected features. Names that are not features are left out.
func TestSets(t *testing.T) {
	m := &model.Model{State: &model.State{Method: "l1-rda", Graph: graph.Grid(10, 10)},
		Weights: []model.Weights{{Name: model.Ridge, W: make([]float64, 100)}}}
	for j := range 100 {
		m.Features = append(m.Features, fmt.Sprintf("f%d", j))
	}
	for _, j := range []int{10, 11, 12, 90} {
		m.Weights[0].W[j] = 1
	}
	s := must1(Select(m))
	path := groupsFile(t, [][]int32{{50, 51}, {90, 91, 92, 500, 91}, {10, 11, 13}, {90, 10, 20, 30}, {90}})
	sets, all, _, err := s.Sets(m.Features, path, dataframe.Options{})
	if err != nil || all != 5 {
		t.Errorf("%d groups, error %v", all, err)
	}
	var b strings.Builder
	must(t, SetsFile(sets).Fill(&b))
	const want = "set\tsize\tselected\tfeatures\nS2\t3\t2\tf10 f11\nS3\t4\t2\tf90 f10\nS4\t1\t1\tf90\nS1\t3\t1\tf90\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if _, _, _, err := s.Sets(m.Features, groupsFile(t, [][]int32{{500}}), dataframe.Options{}); err == nil || !strings.Contains(err.Error(), "names no feature") {
		t.Error(err)
	}
	path = filepath.Join(t.TempDir(), "g.gmt")
	must(t, os.WriteFile(path, []byte("#1\tna\tf10\nA\tna\tf10\tx\n"), 0o666))
	_, all, notes, err := s.Sets(m.Features, path, dataframe.Options{})
	if want := []string{path + ": lines that begin with # or % are not read, such as " + `"#1\tna\tf10"`,
		"left out 1 row of " + path + ", whose names are not among the features: x"}; err != nil || all != 1 || !slices.Equal(notes, want) {
		t.Errorf("%d groups, notes %q, error %v", all, notes, err)
	}
	for text, want := range map[string]string{"A\tna\tx\n": "names no feature, only x; features have names like f0", "A\tna\tf1\nNA\tna\tx\n": "is \"NA\", want the name of a group",
		"A\xfc\tna\tf1\n": "is \"A\\xfc\", which is not UTF-8", "A\tf1\tf10\nB\tf2\tf11\n": "has a feature in the second field of each line", "A\tf1\tf10\nB\tna\tf11\n": ""} {
		must(t, os.WriteFile(path, []byte(text), 0o666))
		if _, _, _, err := s.Sets(m.Features, path, dataframe.Options{}); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
