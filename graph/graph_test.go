package graph

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func mustNew(tb testing.TB, n int, edges []Edge, costs []float64) *Graph {
	tb.Helper()
	g, err := New(n, edges, costs)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// randomGraph returns a graph of at most 40 nodes with random costs. Its density varies; there are often isolated
// nodes or no edges at all.
func randomGraph(tb testing.TB, r *rand.Rand) *Graph {
	tb.Helper()
	n := r.IntN(41)
	density := r.Float64() * r.Float64()
	var edges []Edge
	costs := []float64{}
	for u := range int32(n) {
		for v := range u {
			if r.Float64() < density {
				e := Edge{U: u, V: v}
				if r.IntN(2) == 0 {
					e = Edge{U: v, V: u}
				}
				edges = append(edges, e)
				costs = append(costs, r.ExpFloat64())
			}
		}
	}
	r.Shuffle(len(edges), func(i, j int) {
		edges[i], edges[j] = edges[j], edges[i]
		costs[i], costs[j] = costs[j], costs[i]
	})
	return mustNew(tb, n, edges, costs)
}

func TestNewRefuses(t *testing.T) {
	ones := []float64{1, 1, 1}
	tests := []struct {
		name  string
		n     int
		edges []Edge
		costs []float64
		edge  int // the edge named by the error; -1 if New must succeed
		want  string
	}{
		{"negative n", -1, nil, nil, -1, "graph: -1 nodes"},
		{"too few costs", 3, []Edge{{0, 1}, {1, 2}}, []float64{1}, -1, "graph: 1 costs for 2 edges"},
		{"too many costs", 3, []Edge{{0, 1}}, []float64{1, 2}, -1, "graph: 2 costs for 1 edges"},
		{"costs that are empty but not nil", 3, []Edge{{0, 1}}, []float64{}, -1, "graph: 0 costs for 1 edges"},
		{"self-loop", 3, []Edge{{0, 1}, {2, 2}}, nil, 1, "graph: edge 1: is a self-loop at node 2"},
		{"negative node", 3, []Edge{{0, -1}}, nil, 0, "graph: edge 0: node -1 does not exist"},
		{"node n", 3, []Edge{{0, 1}, {3, 1}}, nil, 1, "graph: edge 1: node 3 does not exist; the graph has nodes 0 to 2"},
		{"edge without nodes", 0, []Edge{{0, 1}}, nil, 0, "graph: edge 0: node 0 does not exist"},
		{"negative cost", 3, []Edge{{0, 1}}, []float64{-0.5}, 0, "graph: edge 0: has cost -0.5"},
		{"NaN cost", 3, []Edge{{0, 1}, {1, 2}}, []float64{0, math.NaN()}, 1, "graph: edge 1: has cost NaN"},
		{"infinite cost", 3, []Edge{{0, 1}}, []float64{math.Inf(1)}, 0, "graph: edge 0: has cost +Inf"},
		{"duplicate", 3, []Edge{{0, 1}, {1, 2}, {0, 1}}, ones, 2, "graph: edge 2: repeats edge 0: both join nodes 0 and 1"},
		{"reversed duplicate", 3, []Edge{{0, 1}, {1, 2}, {2, 1}}, ones, 2, "graph: edge 2: repeats edge 1: both join nodes 2 and 1"},
		{"three times", 2, []Edge{{0, 1}, {1, 0}, {0, 1}}, ones, 1, "graph: edge 1: repeats edge 0: both join nodes 1 and 0"},
		{"two duplicates", 4, []Edge{{0, 1}, {2, 3}, {3, 2}, {1, 0}}, nil, 2, "graph: edge 2: repeats edge 1: both join nodes 3 and 2"},
		{"duplicate before a self-loop", 2, []Edge{{0, 1}, {1, 0}, {1, 1}}, nil, 1, "graph: edge 1: repeats edge 0: both join nodes 1 and 0"},
		{"self-loop before a duplicate", 2, []Edge{{0, 1}, {1, 1}, {1, 0}}, nil, 1, "graph: edge 1: is a self-loop at node 1"},
		{"duplicate with a bad cost", 2, []Edge{{0, 1}, {1, 0}}, []float64{1, -1}, 1, "graph: edge 1: has cost -1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g, err := New(test.n, test.edges, test.costs)
			if err == nil || g != nil {
				t.Fatalf("New = %v, %v, want an error", g, err)
			}
			if !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %q, want %q", err, test.want)
			}
			var edge *EdgeError
			switch found := errors.As(err, &edge); {
			case found != (test.edge >= 0):
				t.Errorf("the error is a %T", err)
			case found && (edge.Edge != test.edge || errors.Unwrap(edge) == nil):
				t.Errorf("the error names edge %d for %v, want %d", edge.Edge, edge.Err, test.edge)
			}
		})
	}
}

// TestNewNamesLowestDuplicate plants duplicates in random graphs.
func TestNewNamesLowestDuplicate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		g := randomGraph(t, r)
		if g.NumEdges() == 0 {
			continue
		}
		edges := slices.Clone(g.Edges())
		for range 1 + r.IntN(4) {
			e := edges[r.IntN(len(edges))]
			if r.IntN(2) == 0 {
				e.U, e.V = e.V, e.U
			}
			edges = slices.Insert(edges, r.IntN(len(edges)+1), e)
		}
		want := plainFault(g.NumNodes(), edges, nil)
		_, err := New(g.NumNodes(), edges, nil)
		var edge *EdgeError
		if !errors.As(err, &edge) || edge.Edge != want {
			t.Fatalf("New(%v): %v, want edge %d refused", edges, err, want)
		}
	}
}

// plainFault returns the lowest edge that New must refuse, or -1.
func plainFault(n int, edges []Edge, costs []float64) int {
	seen := map[Edge]bool{}
	for i, e := range edges {
		cost := 1.0
		if costs != nil {
			cost = costs[i]
		}
		u, v := min(e.U, e.V), max(e.U, e.V)
		if u < 0 || int(v) >= n || u == v || seen[Edge{u, v}] || math.IsNaN(cost) || math.IsInf(cost, 0) || cost < 0 {
			return i
		}
		seen[Edge{u, v}] = true
	}
	return -1
}

func TestNewCopies(t *testing.T) {
	edges, costs := []Edge{{0, 1}, {1, 2}}, []float64{3, 4}
	g := mustNew(t, 3, edges, costs)
	edges[0], costs[1] = Edge{2, 0}, -1
	if g.Edges()[0] != (Edge{0, 1}) || g.Costs()[1] != 4 || g.Arcs(0)[0] != (Arc{Node: 1, Edge: 0}) {
		t.Error("the graph follows changes of the slices given to New")
	}
}

// TestArcs compares the arcs of random graphs with their edge lists.
func TestArcs(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 500 {
		checkArcs(t, randomGraph(t, r))
	}
}

func checkArcs(t *testing.T, g *Graph) {
	t.Helper()
	want := make([][]Arc, g.NumNodes())
	for i, e := range g.Edges() {
		want[e.U] = append(want[e.U], Arc{Node: e.V, Edge: int32(i)})
		want[e.V] = append(want[e.V], Arc{Node: e.U, Edge: int32(i)})
	}
	for u := range int32(g.NumNodes()) {
		if !slices.Equal(g.Arcs(u), want[u]) {
			t.Fatalf("node %d of %v has the arcs %v, want %v", u, g.Edges(), g.Arcs(u), want[u])
		}
		if g.Degree(u) != len(want[u]) {
			t.Fatalf("node %d has degree %d, want %d", u, g.Degree(u), len(want[u]))
		}
	}
}

func TestEmptyGraphs(t *testing.T) {
	for _, n := range []int{0, 1, 5} {
		g := mustNew(t, n, nil, nil)
		if g.NumNodes() != n || g.NumEdges() != 0 || len(g.Edges()) != 0 || len(g.Costs()) != 0 {
			t.Errorf("%d isolated nodes: %d nodes, %d edges", n, g.NumNodes(), g.NumEdges())
		}
		checkArcs(t, g)
		label, count := g.Components()
		if count != n || len(label) != n {
			t.Errorf("%d isolated nodes: %d components of %d nodes", n, count, len(label))
		}
	}
}

// The 3 × 2 grid, drawn by hand:
//
//	0 - 1 - 2
//	|   |   |
//	3 - 4 - 5
func TestGridEdgeOrder(t *testing.T) {
	want := []Edge{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {4, 5}}
	if g := Grid(3, 2); !slices.Equal(g.Edges(), want) {
		t.Errorf("edges %v, want %v", g.Edges(), want)
	}
}

func TestGridSizes(t *testing.T) {
	tests := []struct{ width, height, nodes, edges int }{
		{1, 1, 1, 0},
		{1, 4, 4, 3},
		{4, 1, 4, 3},
		{28, 28, 784, 1512},
		{33, 33, 1089, 2112},
		{5, 3, 15, 22},
	}
	for _, test := range tests {
		g := Grid(test.width, test.height)
		if g.NumNodes() != test.nodes || g.NumEdges() != test.edges {
			t.Errorf("Grid(%d, %d) has %d nodes and %d edges, want %d and %d",
				test.width, test.height, g.NumNodes(), g.NumEdges(), test.nodes, test.edges)
		}
		if _, count := g.Components(); count != 1 {
			t.Errorf("Grid(%d, %d) has %d components", test.width, test.height, count)
		}
		for i, c := range g.Costs() {
			if c != 1 {
				t.Errorf("Grid(%d, %d): edge %d costs %v", test.width, test.height, i, c)
			}
		}
	}
}

func TestGridRefuses(t *testing.T) {
	for _, side := range [][2]int{{0, 3}, {3, 0}, {-1, -1}, {1 << 16, 1 << 16}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Grid(%d, %d) does not panic", side[0], side[1])
				}
			}()
			Grid(side[0], side[1])
		}()
	}
}

// plainComponents labels nodes by passing the lower label along every edge until nothing changes.
func plainComponents(g *Graph) (label []int32, count int) {
	label = make([]int32, g.NumNodes())
	for u := range label {
		label[u] = int32(u)
	}
	for changed := true; changed; {
		changed = false
		for _, e := range g.Edges() {
			if low := min(label[e.U], label[e.V]); label[e.U] != low || label[e.V] != low {
				label[e.U], label[e.V], changed = low, low, true
			}
		}
	}
	number := map[int32]int32{}
	for u, root := range label {
		if int(root) == u {
			number[root] = int32(len(number))
		}
		label[u] = number[root]
	}
	return label, len(number)
}

func TestComponents(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 1000 {
		g := randomGraph(t, r)
		label, count := g.Components()
		wantLabel, wantCount := plainComponents(g)
		if count != wantCount || !slices.Equal(label, wantLabel) {
			t.Fatalf("components of %v: %v, want %v", g.Edges(), label, wantLabel)
		}
	}
}

func TestInduced(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 1000 {
		g := randomGraph(t, r)
		nodes := make([]int32, g.NumNodes())
		for i, u := range r.Perm(len(nodes)) {
			nodes[i] = int32(u)
		}
		nodes = nodes[:r.IntN(len(nodes)+1)]
		checkInduced(t, g, nodes)
	}
}

func checkInduced(t *testing.T, g *Graph, nodes []int32) {
	t.Helper()
	sub, kept, err := g.Induced(nodes)
	if err != nil {
		t.Fatal(err)
	}
	var edges []Edge
	var costs []float64
	var wantKept []int32
	for i, e := range g.Edges() {
		u, v := slices.Index(nodes, e.U), slices.Index(nodes, e.V)
		if u >= 0 && v >= 0 {
			edges = append(edges, Edge{U: int32(u), V: int32(v)})
			costs = append(costs, g.Costs()[i])
			wantKept = append(wantKept, int32(i))
		}
	}
	if sub.NumNodes() != len(nodes) || !slices.Equal(sub.Edges(), edges) || !slices.Equal(sub.Costs(), costs) {
		t.Fatalf("%v induce %v with costs %v, want %v with %v", nodes, sub.Edges(), sub.Costs(), edges, costs)
	}
	if !slices.Equal(kept, wantKept) {
		t.Fatalf("%v keep the edges %v, want %v", nodes, kept, wantKept)
	}
	checkArcs(t, sub)
}

func TestInducedRefuses(t *testing.T) {
	g := Grid(3, 1)
	tests := []struct {
		nodes []int32
		want  string
	}{
		{[]int32{0, 3}, "graph: node 3 does not exist; the graph has nodes 0 to 2"},
		{[]int32{-1}, "graph: node -1 does not exist; the graph has nodes 0 to 2"},
		{[]int32{2, 0, 2}, "graph: node 2 is given twice"},
	}
	for _, test := range tests {
		if _, _, err := g.Induced(test.nodes); err == nil || err.Error() != test.want {
			t.Errorf("Induced(%v): %v, want %q", test.nodes, err, test.want)
		}
	}
}

// FuzzNew reads a graph from bytes, eleven an edge: two nodes, a byte with their signs, and a cost. New must
// refuse exactly the lowest fault that plainFault finds.
func FuzzNew(f *testing.F) {
	edge := func(u, v byte, cost float64) []byte {
		return binary.LittleEndian.AppendUint64([]byte{u, v, 0}, math.Float64bits(cost))
	}
	join := func(edges ...[]byte) (all []byte) {
		for _, e := range edges {
			all = append(all, e...)
		}
		return all
	}
	f.Add(uint8(3), join(edge(0, 1, 1), edge(1, 2, 0.5)))
	f.Add(uint8(3), join(edge(0, 1, 1), edge(1, 0, 1), edge(2, 2, 1)))
	f.Add(uint8(2), join(edge(0, 1, math.NaN())))
	f.Add(uint8(2), join(edge(0, 2, 1)))
	f.Add(uint8(0), []byte(nil))
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		var edges []Edge
		costs := []float64{}
		for ; len(data) >= 11; data = data[11:] {
			e := Edge{U: int32(data[0]), V: int32(data[1])}
			if data[2]&1 != 0 {
				e.U = -e.U
			}
			if data[2]&2 != 0 {
				e.V = -e.V
			}
			edges = append(edges, e)
			costs = append(costs, math.Float64frombits(binary.LittleEndian.Uint64(data[3:])))
		}
		g, err := New(int(n), edges, costs)
		want := plainFault(int(n), edges, costs)
		if want < 0 {
			if err != nil {
				t.Fatalf("New refuses a good graph: %v", err)
			}
			checkArcs(t, g)
			return
		}
		var edge *EdgeError
		if !errors.As(err, &edge) || edge.Edge != want {
			t.Fatalf("New: %v, want edge %d refused", err, want)
		}
	})
}
