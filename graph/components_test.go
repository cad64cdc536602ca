package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// plainComponents labels nodes by passing the lower label along every edge until nothing
// changes.
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
		{[]int32{0, 3}, "graph: node 3 is outside the graph's 0 to 2"},
		{[]int32{-1}, "graph: node -1 is outside the graph's 0 to 2"},
		{[]int32{2, 0, 2}, "graph: node 2 is given twice"},
	}
	for _, test := range tests {
		if _, _, err := g.Induced(test.nodes); err == nil || err.Error() != test.want {
			t.Errorf("Induced(%v): %v, want %q", test.nodes, err, test.want)
		}
	}
}
