package pcst

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/io/seal/sealtest"
)

// A goldenCase is one instance of testdata/pcst.json.gz with the forest that
// independent implementations of the published scheme found.
type goldenCase struct {
	Kind          string     `json:"kind"`
	Nodes         int        `json:"nodes"`
	Edges         [][2]int32 `json:"edges"`
	Costs         []float64  `json:"costs"`
	Prizes        []float64  `json:"prizes"`
	Root          int        `json:"root"`
	Clusters      int        `json:"clusters"`
	Pruning       string     `json:"pruning"`
	WantNodes     []int32    `json:"want_nodes"`
	WantEdges     []int32    `json:"want_edges"`
	WantObjective float64    `json:"want_objective"`
}

func TestGolden(t *testing.T) {
	for i, c := range goldenCases(t) {
		edges := make([]graph.Edge, len(c.Edges))
		for e, ends := range c.Edges {
			edges[e] = graph.Edge{U: ends[0], V: ends[1]}
		}
		g := must1(graph.New(c.Nodes, edges, c.Costs))
		pruning := must1(ParsePruning(c.Pruning))
		var f Forest
		must(t, NewSolver(g).Solve(&f, c.Prizes, 1, Options{Clusters: c.Clusters, Root: c.Root, Pruning: pruning}))
		if !slices.Equal(f.Nodes, c.WantNodes) || !slices.Equal(f.Edges, c.WantEdges) {
			t.Errorf("case %d (%s, root %d, %d clusters, %s):\n got %v %v\nwant %v %v",
				i, c.Kind, c.Root, c.Clusters, c.Pruning, f.Nodes, f.Edges, c.WantNodes, c.WantEdges)
		}
		if got := objective(g, &f, c.Prizes, 1); math.Abs(got-c.WantObjective) > 1e-9 {
			t.Errorf("case %d: objective %v, want %v", i, got, c.WantObjective)
		}
	}
}

func goldenCases(t *testing.T) (cases []goldenCase) {
	t.Helper()
	file := must1(os.Open("testdata/pcst.json.gz"))
	defer file.Close()
	must(t, json.NewDecoder(must1(gzip.NewReader(file))).Decode(&cases))
	if len(cases) != 150 {
		t.Fatalf("%d golden cases, want 150", len(cases))
	}
	return cases
}

// objective returns the costs of the edges taken plus the prizes of the nodes left out.
func objective(g *graph.Graph, f *Forest, prizes []float64, scale float64) (sum float64) {
	for _, e := range f.Edges {
		sum += scale * g.Costs()[e]
	}
	for u, p := range prizes {
		if _, in := slices.BinarySearch(f.Nodes, int32(u)); !in {
			sum += p
		}
	}
	return sum
}

var must = sealtest.Must

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }
