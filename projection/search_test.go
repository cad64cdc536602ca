package projection

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
)

// graphKinds are the graphs that searches are tested on. Costs have no ties unless the name says so.
var graphKinds = []struct {
	name string
	cost func(r *rand.Rand) float64
}{
	{"ordinary costs", func(r *rand.Rand) float64 { return 0.5 + r.Float64() }},
	{"unit costs", func(r *rand.Rand) float64 { return 1 }},
	{"wide costs", func(r *rand.Rand) float64 { return math.Exp(2 * r.NormFloat64()) }},
	{"cheap costs", func(r *rand.Rand) float64 { return 0.01 * (0.5 + r.Float64()) }},
	{"some free edges", func(r *rand.Rand) float64 { return r.Float64() * float64(min(1, r.IntN(4))) }},
	{"free edges", func(r *rand.Rand) float64 { return 0 }},
}

// randomGraph returns a graph of n nodes. The number of edges varies from none to several per node.
func randomGraph(tb testing.TB, r *rand.Rand, n int, cost func(r *rand.Rand) float64) *graph.Graph {
	tb.Helper()
	seen := map[graph.Edge]bool{}
	var edges []graph.Edge
	costs := []float64{}
	for range r.IntN(4 * n) {
		u, v := int32(r.IntN(n)), int32(r.IntN(n))
		if e := (graph.Edge{U: min(u, v), V: max(u, v)}); u != v && !seen[e] {
			seen[e] = true
			edges = append(edges, e)
			costs = append(costs, cost(r))
		}
	}
	return newGraph(tb, n, edges, costs)
}

func newGraph(tb testing.TB, n int, edges []graph.Edge, costs []float64) *graph.Graph {
	tb.Helper()
	return must1(graph.New(n, edges, costs))
}

// randomVector returns normal entries; about half are zero if sparse is set.
func randomVector(r *rand.Rand, n int, sparse bool) []float64 {
	w := make([]float64, n)
	for i := range w {
		if !sparse || r.IntN(2) == 0 {
			w[i] = r.NormFloat64()
		}
	}
	return w
}

// A searchCase is one random projection to test.
type searchCase struct {
	g      *graph.Graph
	w      []float64
	window Window
	opt    Options
}

func (c *searchCase) String() string {
	return fmt.Sprintf("%v with %+v of %v on %v with costs %v", c.window, c.opt, c.w, c.g.Edges(), c.g.Costs())
}

func randomCase(tb testing.TB, r *rand.Rand, cost func(r *rand.Rand) float64) *searchCase {
	n := 1 + r.IntN(50)
	c := &searchCase{
		g:   randomGraph(tb, r, n, cost),
		w:   randomVector(r, n, r.IntN(2) == 0),
		opt: Options{Clusters: 1 + r.IntN(3), MaxIter: r.IntN(1 + r.IntN(31))},
	}
	if c.opt.Clusters == 1 && r.IntN(2) == 0 {
		c.opt.Root = 1 + r.IntN(n)
	}
	switch r.IntN(3) {
	case 0:
		c.window = HeadWindow(n, 0.1)
	case 1:
		c.window = TailWindow(1+r.IntN(n), 0.1)
	case 2:
		c.window.Low = 1 + r.IntN(n)
		c.window.High = c.window.Low + r.IntN(n)
	}
	return c
}

// TestProjectAgainstPlain compares searches with the plain search, and checks what every result must satisfy.
func TestProjectAgainstPlain(t *testing.T) {
	for _, kind := range graphKinds {
		t.Run(kind.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 4))
			seen := map[Status]int{}
			var got Result
			for range 300 {
				c := randomCase(t, r, kind.cost)
				must(t, NewSearch(c.g).Project(&got, c.w, c.window, c.opt))
				p, nodes, status := plainProject(t, c.g, c.w, c.window, c.opt)
				if !slices.Equal(got.Nodes, nodes) || got.Status != status {
					t.Fatalf("%v: %v %v, want %v %v", c, got.Status, got.Nodes, status, nodes)
				}
				least, most := p.needed(), len(p.forests)
				if len(nodes) < c.window.Low { // the search may have ended this solve early, and solved again
					most++
				}
				if got.Solves < least || got.Solves > most {
					t.Errorf("%v: %d solves, want %d to %d", c, got.Solves, least, most)
				}
				checkResult(t, c, &got, p.doubled)
				seen[status]++
			}
			t.Log(seen)
			if seen[Bracketed] < 50 {
				t.Errorf("%d of 300 searches met their window, want a fair share of both outcomes: %v", seen[Bracketed], seen)
			}
		})
	}
}

func checkResult(t *testing.T, c *searchCase, got *Result, doubled int) {
	t.Helper()
	size := len(got.Nodes)
	if met := c.window.Contains(size); (got.Status == Bracketed) != met && got.Status != Zero {
		t.Errorf("%v: %v with %d nodes", c, got.Status, size)
	}
	if doubled == 0 && got.Solves > c.opt.MaxIter+2 {
		t.Errorf("%v: %d solves", c, got.Solves)
	}
	for i, u := range got.Nodes {
		if u < 0 || int(u) >= len(c.w) || i > 0 && got.Nodes[i-1] >= u {
			t.Fatalf("%v: nodes %v are not ascending nodes of the graph", c, got.Nodes)
		}
	}
	if c.opt.Root > 0 && got.Status != Zero && !slices.Contains(got.Nodes, int32(c.opt.Root-1)) {
		t.Errorf("%v: nodes %v lack the root", c, got.Nodes)
	}
	sub, _, err := c.g.Induced(got.Nodes)
	must(t, err)
	if _, count := sub.Components(); count > c.opt.Clusters {
		t.Errorf("%v: nodes %v fall into %d components", c, got.Nodes, count)
	}
	if got.Status != Zero && !(got.Scale > 0) {
		t.Errorf("%v: scale %v", c, got.Scale)
	}
}

// TestProjectAgainstPlainOnGrid repeats the comparison at the size of the paper's grids.
func TestProjectAgainstPlainOnGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	g := graph.Grid(33, 33)
	search := NewSearch(g)
	var got Result
	for i := range 12 {
		w := randomVector(r, 1089, i%2 == 1)
		window := []Window{HeadWindow(1089, 0.1), TailWindow(26, 0.1), TailWindow(132, 0.1)}[i%3]
		c := &searchCase{g: g, w: w, window: window, opt: Options{Clusters: 1, MaxIter: 20}}
		must(t, search.Project(&got, w, window, c.opt))
		_, nodes, status := plainProject(t, g, w, window, c.opt)
		if !slices.Equal(got.Nodes, nodes) || got.Status != status {
			t.Errorf("search %d: %v %d nodes, want %v %d", i, got.Status, len(got.Nodes), status, len(nodes))
		}
		checkResult(t, c, &got, 0)
	}
}

// TestProjectScales checks that multiples of a vector have the same support. It tries powers of two, which round
// alike, and multiples whose squares would over- or underflow.
func TestProjectScales(t *testing.T) {
	exponents := []int{-1000, -510, -1, 2, 511, 1000}
	factors := []float64{1e-200, -1, 3, 1e200}
	for k, kind := range graphKinds {
		t.Run(kind.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(k), 5))
			for range 40 {
				c := randomCase(t, r, kind.cost)
				s := NewSearch(c.g)
				var want Result
				must(t, s.Project(&want, c.w, c.window, c.opt))
				for _, e := range exponents {
					got := checkMultiple(t, s, c, math.Ldexp(1, e), &want)
					if scale := math.Ldexp(want.Scale, 2*e); got.Scale != scale {
						t.Errorf("%v times 2^%d: scale %v, want %v", c, e, got.Scale, scale)
					}
				}
				for _, f := range factors {
					checkMultiple(t, s, c, f, &want)
				}
			}
		})
	}
}

func checkMultiple(t *testing.T, s *Search, c *searchCase, factor float64, want *Result) *Result {
	t.Helper()
	var got Result
	must(t, s.Project(&got, scaled(c.w, factor), c.window, c.opt))
	if !slices.Equal(got.Nodes, want.Nodes) || got.Status != want.Status || got.Solves != want.Solves {
		t.Fatalf("%v times %v: %+v, want %+v", c, factor, got, *want)
	}
	return &got
}

func scaled(w []float64, factor float64) []float64 {
	return floats.ScaleTo(make([]float64, len(w)), factor, w)
}

// TestProjectExtremes projects vectors whose largest entry is near the limits of float64.
func TestProjectExtremes(t *testing.T) {
	s := NewSearch(graph.Grid(4, 1))
	var r Result
	for _, largest := range []float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64} {
		must(t, s.Project(&r, []float64{0, largest, 0, 0}, Window{1, 1}, Options{Clusters: 1, MaxIter: 20}))
		if !slices.Equal(r.Nodes, []int32{1}) || r.Status != Bracketed {
			t.Errorf("largest %v: %v", largest, r)
		}
	}
}

func TestProjectRefuses(t *testing.T) {
	s := NewSearch(graph.Grid(3, 1))
	good := Options{Clusters: 1, MaxIter: 20}
	inf := math.Inf(1)
	tests := []struct {
		w     []float64
		opt   Options
		want  string
		entry bool // whether the fault is an entry that is not finite
	}{
		{[]float64{1, math.NaN(), 2}, good, "projection: entry 1 is NaN", true},
		{[]float64{1, 2, inf}, good, "projection: entry 2 is +Inf", true},
		{[]float64{-inf, 2, inf}, good, "projection: entry 0 is -Inf", true},
		{[]float64{1, 2, 3}, Options{MaxIter: 20}, "projection: 0 clusters", false},
		{[]float64{1, 2, 3}, Options{Clusters: 1, MaxIter: -1}, "projection: 1 clusters and max_iter -1", false},
		{[]float64{1, 2, 3}, Options{Clusters: 1, MaxIter: 20, Cut: 0.5}, "projection: cut 0.5", false},
	}
	for _, test := range tests {
		r := Result{Nodes: []int32{1}}
		err := s.Project(&r, test.w, Window{1, 1}, test.opt)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || errors.Is(err, ErrNotFinite) != test.entry || len(r.Nodes) != 0 {
			t.Errorf("error %v, nodes %v, want %q and no nodes; an entry is not finite: %v", err, r.Nodes, test.want, test.entry)
		}
	}
}

func TestProjectPanicsOnWrongLength(t *testing.T) {
	for _, n := range []int{0, 2, 4} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a vector of %d on 3 nodes does not panic", n)
				}
			}()
			_ = NewSearch(graph.Grid(3, 1)).Project(new(Result), make([]float64, n), Window{1, 1}, Options{Clusters: 1})
		}()
	}
}

// TestProjectLeavesInput checks that a search neither changes its vector nor remembers it.
func TestProjectLeavesInput(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 4))
	c := randomCase(t, r, graphKinds[0].cost)
	other := randomVector(r, len(c.w), false)
	s := NewSearch(c.g)
	kept := slices.Clone(c.w)
	var first, again Result
	must(t, s.Project(&first, c.w, c.window, c.opt))
	must(t, s.Project(&again, other, c.window, c.opt))
	must(t, s.Project(&again, c.w, c.window, c.opt))
	if !slices.Equal(c.w, kept) {
		t.Error("Project changes its vector")
	}
	if !slices.Equal(first.Nodes, again.Nodes) || first.Scale != again.Scale || first.Solves != again.Solves {
		t.Errorf("a search depends on the one before: %v, then %v", first, again)
	}
}

func TestStatusString(t *testing.T) {
	for status, want := range map[Status]string{Bracketed: "bracketed", Exhausted: "exhausted", Unreachable: "unreachable", Zero: "zero",
		Certified: "certified"} {
		if got := status.String(); got != want {
			t.Errorf("%d is %q, want %q", status, got, want)
		}
	}
}

func TestProjectDoesNotAllocate(t *testing.T) {
	s := NewSearch(graph.Grid(20, 20))
	var dst Result
	opt := Options{Clusters: 1, MaxIter: 20}
	vectors := drawVectors(rand.New(rand.NewPCG(11, 4)), 10, 400, true)
	n := testing.AllocsPerRun(1, func() { // AllocsPerRun makes a first call that it does not count
		for _, w := range vectors {
			must(t, s.Project(&dst, w, TailWindow(20, 0.1), opt))
			must(t, s.Project(&dst, w, HeadWindow(400, 0.1), opt))
			must(t, s.Project(&dst, w, TailWindow(390, 0.1), opt))
		}
	})
	if n != 0 {
		t.Errorf("30 projections: %v allocations after warm-up, want 0", n)
	}
}

// drawVectors draws vectors of n entries. If sparse is set, half of the entries of every second vector are zero.
func drawVectors(r *rand.Rand, count, n int, sparse bool) [][]float64 {
	vectors := make([][]float64, count)
	for i := range vectors {
		vectors[i] = randomVector(r, n, sparse && i%2 == 0)
	}
	return vectors
}

func TestWindows(t *testing.T) {
	tests := []struct {
		name      string
		got, want Window
	}{
		{"tail without tolerance", TailWindow(7, 0), Window{7, 7}},
		{"tail with tolerance 1", TailWindow(7, 1), Window{7, 14}},
		{"tail with a boundless tolerance", TailWindow(7, 1e300), Window{7, math.MaxInt32}},
		{"head of 1089", HeadWindow(1089, 0.1), Window{544, 598}},
		{"head of 784", HeadWindow(784, 0.1), Window{392, 431}},
		{"head of 1", HeadWindow(1, 0.1), Window{0, 0}},
		{"head of 3", HeadWindow(3, 0.1), Window{1, 1}},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
}

// TestTailWindowIsExact compares ⌊(1+ω)s⌋ with rational arithmetic on the decimal ω.
func TestTailWindowIsExact(t *testing.T) {
	for _, omega := range []string{"0.1", "0.05", "0.2", "0.3", "0.7", "0.15", "0.01", "0.001", "1.9"} {
		factor, _ := new(big.Rat).SetString(omega)
		value, _ := factor.Float64()
		factor.Add(factor, big.NewRat(1, 1))
		for s := range 2001 {
			x := new(big.Rat).Mul(factor, big.NewRat(int64(s), 1))
			want := int(new(big.Int).Quo(x.Num(), x.Denom()).Int64())
			if got := TailWindow(s, value); got != (Window{s, want}) {
				t.Errorf("TailWindow(%d, %s) = %v, want {%d %d}", s, omega, got, s, want)
			}
		}
	}
}
