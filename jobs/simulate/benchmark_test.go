package simulate

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

func small() Benchmark {
	b := DefaultBenchmark()
	b.Trials, b.Train, b.Valid, b.Test = 2, 60, 20, 20
	return b
}

// The sizes are given in section 4.1 of the paper.
func TestSubgraphs(t *testing.T) {
	grid := graph.Grid(side, side)
	for k, want := range []int{26, 46, 92, 132} {
		nodes := Benchmark{Graph: k + 1}.Subgraph()
		if len(nodes) != want {
			t.Errorf("graph %d has %d nodes, want %d", k+1, len(nodes), want)
		}
		if !slices.IsSorted(nodes) || len(slices.Compact(slices.Clone(nodes))) != len(nodes) {
			t.Errorf("graph %d: the nodes do not ascend", k+1)
		}
		sub, _, err := grid.Induced(nodes)
		must(t, err)
		if _, components := sub.Components(); components != 1 {
			t.Errorf("graph %d has %d components on the grid, want 1", k+1, components)
		}
	}
}

func TestFeatures(t *testing.T) {
	b := Benchmark{Graph: 3, Mu: 0.7}
	f := b.Features()
	if len(f.Names) != 1089 || f.Names[0] != "r00c00" || f.Names[34] != "r01c01" || f.Names[1088] != "r32c32" {
		t.Errorf("%d names: %q …", len(f.Names), f.Names[:2])
	}
	for i, w := range f.Truth {
		if w != 0 && w != 0.7 {
			t.Errorf("truth %v at node %d, want μ", w, i)
		}
		if f.Row[i] != float64(i/33) || f.Col[i] != float64(i%33) {
			t.Errorf("node %d at (%v, %v)", i, f.Row[i], f.Col[i])
		}
	}
	if s := supportOf(f.Truth); !slices.Equal(s, b.Subgraph()) {
		t.Errorf("the truth is on %v, want the subgraph", s)
	}
	if len(f.Groups) != 121 {
		t.Fatalf("%d groups, want 121", len(f.Groups))
	}
	seen := make([]bool, 1089)
	for k, g := range f.Groups {
		if len(g) != 9 {
			t.Errorf("group %d has %d nodes, want 9", k, len(g))
		}
		for _, i := range g {
			if row, col := int(i)/33, int(i)%33; row/3 != k/11 || col/3 != k%11 {
				t.Errorf("node (%d, %d) is in group %d", row, col, k)
			}
			if seen[i] {
				t.Errorf("node %d is in two groups", i)
			}
			seen[i] = true
		}
	}
}

func TestDraw(t *testing.T) {
	b := DefaultBenchmark()
	b.Mu = 1
	x, y := b.Draw(0)
	n, p := 1800, 1089
	if len(y) != n || len(x) != n*p {
		t.Fatalf("%d labels and %d values", len(y), len(x))
	}
	positive, early := 0, 0
	for i, v := range y {
		switch v {
		case 1:
			positive++
			if i < n/2 {
				early++
			}
		case -1:
		default:
			t.Fatalf("label %v", v)
		}
	}
	if positive != n/2 {
		t.Errorf("%d positive samples of %d, want half", positive, n)
	}
	if early < n/4-100 || early > n/4+100 {
		t.Errorf("%d of the first %d samples are positive: they are not shuffled", early, n/2)
	}
	subgraph := b.Subgraph()
	gaps := [2][]float64{} // differences of class means, outside and inside the subgraph
	column := make([]float64, n)
	for j := range p {
		sums := [2]float64{}
		for i := range column {
			column[i] = x[i*p+j]
			sums[int(y[i]+1)/2] += column[i]
		}
		mean, variance := stat.PopMeanVariance(column, nil)
		if math.Abs(mean) > 1e-9 || math.Abs(variance-1) > 2e-9 {
			t.Errorf("column %d has mean %v and variance %v", j, mean, variance)
		}
		_, inside := slices.BinarySearch(subgraph, int32(j))
		k := 0
		if inside {
			k = 1
		}
		gaps[k] = append(gaps[k], (sums[1]-sums[0])/float64(n/2))
	}
	// Inside the subgraph, before standardising, the class means differ by μ = 1 and the variance is 1 + μ²/4.
	// Outside they differ by 0 with standard deviation √(4/n) = 0.047.
	if want, got := 1/math.Sqrt(1.25), stat.Mean(gaps[1], nil); math.Abs(got-want) > 0.04 {
		t.Errorf("raised by %v on average, want %v", got, want)
	}
	if got := slices.Min(gaps[1]); got < 0.7 {
		t.Errorf("a node of the subgraph is raised by %v", got)
	}
	for _, gap := range gaps[0] {
		if math.Abs(gap) > 0.25 {
			t.Errorf("a node outside the subgraph is raised by %v", gap)
		}
	}
	if got := stat.StdDev(gaps[0], nil); math.Abs(got-0.0471) > 0.005 {
		t.Errorf("outside, the difference of the classes' means has standard deviation %v, want 0.047", got)
	}
}

func TestWrite(t *testing.T) {
	b := small()
	metadata := map[string]string{"generator": "benchmark", "graph": "1", "mu": "0.3", "seed": "1"}
	checkWritten(t, b, sizes{60, 20, 20}, metadata, func(trial int, got *samples.Trial) {
		x, y := b.Draw(trial)
		checkDrawn(t, got, x, y)
		checkGrid(t, got.Graph, 33)
		if !slices.Equal(got.Features.Truth, b.Features().Truth) || len(got.Features.Groups) != 121 || !slices.Equal(got.Features.Col, b.Features().Col) {
			t.Error("the features are not those of the benchmark")
		}
	})
}

// checkGrid checks that a graph is a grid with unit costs.
func checkGrid(t *testing.T, g *graph.Graph, side int) {
	t.Helper()
	if grid := graph.Grid(side, side); !slices.Equal(g.Edges(), grid.Edges()) || !slices.Equal(g.Costs(), grid.Costs()) {
		t.Errorf("%d edges, want those of the grid at a cost of 1 each", g.NumEdges())
	}
}
