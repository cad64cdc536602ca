package learners_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/learners"
	"graphda/learners/learnertest"
)

// A fixedRule returns given models one after the other.
type fixedRule struct{ models []learners.Model }

func (r *fixedRule) Step(m *learners.Model, _ learners.Gradient, t int) error {
	if t > len(r.models) {
		return errors.New("no more models")
	}
	*m = r.models[t-1]
	return nil
}

func (r *fixedRule) Remember(*learners.Memory) {}

// TestRuleFails checks that a rule's error ends the pass. Package learnertest compares accounts with a plain driver.
func TestRuleFails(t *testing.T) {
	l := learners.NewLearner(&fixedRule{}, learners.Logistic{}, 2)
	if err := l.Learn([]float64{0, 0}, 1); err == nil || err.Error() != "sample 1: no more models" {
		t.Errorf("error %v, want that of the rule at sample 1", err)
	}
}

func TestAverageBeforeTheFirstSample(t *testing.T) {
	l := learners.NewLearner(&fixedRule{}, learners.Logistic{}, 2)
	average := learners.Model{W: []float64{7, 7, 7}, Intercept: 7, Support: []int32{1}, Sparse: true}
	l.Average(&average)
	if !slices.Equal(average.W, []float64{0, 0}) || average.Intercept != 0 || average.Sparse {
		t.Errorf("w̄ = %+v, want zeros", average)
	}
}

func TestCheckFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, m := range []learners.Model{{W: []float64{1, bad}}, {W: []float64{1, 2}, Intercept: bad}} {
			l := learners.NewLearner(&fixedRule{models: []learners.Model{m}}, learners.Logistic{}, 2)
			must(t, l.CheckFinite())
			must(t, l.Learn([]float64{0, 0}, 1))
			err := l.CheckFinite()
			if !errors.Is(err, learners.ErrDiverged) || !strings.HasPrefix(err.Error(), "sample 1: ") {
				t.Errorf("%+v: error %v", m, err)
			}
			if err := l.Learn([]float64{1, 1}, 1); !errors.Is(err, learners.ErrDiverged) || !strings.HasPrefix(err.Error(), "sample 2: ") {
				t.Errorf("%+v: error %v at the next sample", m, err)
			}
		}
	}
}

// TestCheckFiniteOfLargeModels tests finite weights whose sum is not finite, and finite models whose average is not.
func TestCheckFiniteOfLargeModels(t *testing.T) {
	large := learners.Model{W: []float64{math.MaxFloat64, math.MaxFloat64}}
	l := learners.NewLearner(&fixedRule{models: []learners.Model{large, large}}, learners.Logistic{}, 2)
	must(t, l.Learn([]float64{0, 0}, 1))
	if err := l.CheckFinite(); err != nil {
		t.Errorf("a model of large finite weights: %v", err)
	}
	must(t, l.Learn([]float64{0, 0}, 1))
	if err := l.CheckFinite(); !errors.Is(err, learners.ErrDiverged) {
		t.Errorf("a sum of models that overflows: %v", err)
	}
}

// TestDivergence checks which methods diverge at a far too high rate: all methods with unbounded steps.
func TestDivergence(t *testing.T) {
	bounded := []string{"adam", "adagrad", "marginal"}
	r := rand.New(rand.NewPCG(5, 7))
	pr := &learners.Problem{P: 12, Graph: graph.Grid(4, 3), Groups: [][]int32{{0, 1}}, Truth: []int32{1, 2}}
	d := newData(r, pr, learners.LeastSquares{}, 100)
	high := map[string]float64{"gamma": 1e-9, "eta": 1e9, "alpha": 1e9, "lambda": 0, "rho": 0, "s": 3, "q": 0.1}
	for _, m := range learners.Methods {
		l := newLearner(t, learners.NewWorkspace(pr), m.Name, "least_squares", among(m, high))
		var err error
		for k := 0; k < len(d.x) && err == nil; k++ {
			err = l.Learn(d.x[k], d.y[k])
		}
		if diverged := errors.Is(err, learners.ErrDiverged); diverged == slices.Contains(bounded, m.Name) {
			t.Errorf("%s after %d samples: %v", m.Name, l.Samples(), err)
		}
	}
}

// TestDescendIsAStepWithoutIntercept checks that Descend takes the same step as Learn with the same gradient, bit
// for bit, and leaves the intercept at 0. With least squares and a target of −1, a learner's first sample has the
// gradient x.
func TestDescendIsAStepWithoutIntercept(t *testing.T) {
	problem := &learners.Problem{P: 12, Graph: graph.Grid(3, 4), Groups: [][]int32{{0, 1, 2}, {3, 4, 5, 6}}}
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, problem.P)
	for j := range x {
		x[j] = rng.NormFloat64()
	}
	for name, given := range map[string]map[string]float64{
		"graphda": {"gamma": 2, "s": 4}, "da-iht": {"gamma": 2, "s": 4},
		"l1-rda": {"gamma": 2, "lambda": 0.3, "rho": 0}, "da-gl": {"gamma": 2, "lambda": 0.2},
	} {
		online := newLearner(t, learners.NewWorkspace(problem), name, "least_squares", given)
		dense := newLearner(t, learners.NewWorkspace(problem), name, "least_squares", given)
		must(t, online.Learn(x, -1))
		must(t, dense.Descend(x))
		if a, b := online.Model(), dense.Model(); !slices.Equal(a.W, b.W) || b.Nonzeros() == 0 {
			t.Errorf("%s: a sample gives %v, a gradient %v", name, a.W, b.W)
		} else if a.Intercept == 0 || b.Intercept != 0 {
			t.Errorf("%s: intercept %v of a sample, %v of a gradient", name, a.Intercept, b.Intercept)
		}
		var average learners.Model
		if dense.Average(&average); !slices.Equal(average.W, dense.Model().W) || dense.Samples() != 1 {
			t.Errorf("%s: the average of one round is %v of %d rounds", name, average.W, dense.Samples())
		}
	}
}

// With every = k, GraphDA's support changes only after each k-th sample, and its weights after each sample. If a
// learner is restored in between, it continues to the same bits.
func TestEvery(t *testing.T) {
	const k, n = 4, 14
	problem := &learners.Problem{P: 20, Graph: graph.Grid(4, 5)}
	given := map[string]float64{"gamma": 2, "s": 4, "every": k}
	fresh := func() *learners.Learner {
		return newLearner(t, learners.NewWorkspace(problem), "graphda", "logistic", given)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	l, restored, changed := fresh(), fresh(), 0
	for round := 1; round <= n; round++ {
		x := make([]float64, problem.P)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		before := slices.Clone(l.Model().Support)
		must(t, l.Learn(x, 1-2*float64(round%2)))
		if same := slices.Equal(before, l.Model().Support); !same && round%k != 0 {
			t.Errorf("round %d: support %v after %v", round, l.Model().Support, before)
		} else if !same {
			changed++
		}
		sum := l.Snapshot().Vectors["gradients"]
		for j, w := range l.Model().W {
			want := -sum[j] / (2 * math.Sqrt(float64(round)))
			if !slices.Contains(l.Model().Support, int32(j)) {
				want = 0
			}
			if math.Abs(w-want) > 1e-12 {
				t.Errorf("round %d: weight %d is %v, want %v", round, j, w, want)
			}
		}
		if round == 6 {
			must(t, restored.Restore(l.Snapshot()))
		} else if round > 6 {
			must(t, restored.Learn(x, 1-2*float64(round%2)))
		}
	}
	if changed < 2 || !slices.Equal(l.Model().W, restored.Model().W) {
		t.Errorf("%d changes; %v, restored %v", changed, l.Model().W, restored.Model().W)
	}
}

func TestMethods(t *testing.T) {
	for _, m := range learners.Methods {
		t.Run(m.Name, func(t *testing.T) { learnertest.Check(t, m) })
	}
}

// TestMarginalLevel tests noise with a few true features. The mean share of false selections must be q·(1 −
// true/p), and nearly all true features must be found. A feature that is constant, or constant in each class, must
// not be selected.
func TestMarginalLevel(t *testing.T) {
	const p, n, truths, draws = 200, 120, 20, 40
	r := rand.New(rand.NewPCG(8, 7))
	for _, loss := range []string{"logistic", "least_squares"} {
		share, found := 0.0, 0
		for range draws {
			l := newLearner(t, learners.NewWorkspace(&learners.Problem{P: p}), "marginal", loss, map[string]float64{"q": 0.2})
			for k := range n {
				x, y := make([]float64, p), float64(1-k%2*2)
				for i := range x {
					if x[i] = r.NormFloat64(); i < truths {
						x[i] += 0.45 * y
					}
				}
				x[p-1], x[p-2] = 3, y
				must(t, l.Learn(x, y))
			}
			all, false := 0.0, 0.0
			for i, w := range l.Model().W[:p-2] {
				if w != 0 {
					all++
					if i >= truths {
						false++
					} else {
						found++
					}
				}
			}
			if w := l.Model().W[p-1]; w != 0 {
				t.Errorf("%s: weight %v of a constant", loss, w)
			}
			if w := l.Model().W[p-2]; loss == "logistic" && w != 0 {
				t.Errorf("weight %v of a feature that is constant in each class", w)
			}
			share += false / max(all, 1) / draws
		}
		if share < 0.13 || share > 0.24 { // expected 0.18, standard error 0.01
			t.Errorf("%s: share of false features %.3f, want about 0.18", loss, share)
		}
		if found < draws*truths*9/10 {
			t.Errorf("%s: %d of %d true features found", loss, found, draws*truths)
		}
	}
}

// golden holds the results of an independent implementation of the methods on an 8 × 6 grid with random edge costs.
type golden struct {
	Width, Height int
	Edges         [][2]int32
	Costs         []float64
	Groups        [][]int32
	Truth         []float64
	Data          map[string]struct {
		X [][]float64
		Y []float64
	}
	Cases []goldenCase
}

type goldenCase struct {
	Loss, Method string
	Params       map[string]float64
	Samples      int
	W, Wbar      []float64 // the intercept last
	Mistakes     int
	MistakesBar  int `json:"mistakes_bar"`
}

func readGolden(t testing.TB) *golden {
	t.Helper()
	f := must1(os.Open("testdata/learners.json.gz"))
	defer f.Close()
	z := must1(gzip.NewReader(f))
	var g golden
	must(t, json.NewDecoder(z).Decode(&g))
	return &g
}

func (g *golden) problem(t testing.TB) *learners.Problem {
	t.Helper()
	edges := make([]graph.Edge, len(g.Edges))
	for i, e := range g.Edges {
		edges[i] = graph.Edge{U: e[0], V: e[1]}
	}
	p := g.Width * g.Height
	pr := &learners.Problem{P: p, Graph: must1(graph.New(p, edges, g.Costs)), Groups: g.Groups}
	for i, w := range g.Truth {
		if w != 0 {
			pr.Truth = append(pr.Truth, int32(i))
		}
	}
	return pr
}

func TestGolden(t *testing.T) {
	g := readGolden(t)
	if len(g.Cases) != 162 {
		t.Fatalf("%d golden cases, want 162", len(g.Cases))
	}
	ws := learners.NewWorkspace(g.problem(t))
	for i, c := range g.Cases {
		t.Run(fmt.Sprintf("%03d-%s-%s", i, c.Loss, c.Method), func(t *testing.T) {
			l := newLearner(t, ws, c.Method, c.Loss, c.Params)
			data := g.Data[c.Loss]
			for j := range c.Samples {
				must(t, l.Learn(data.X[j], data.Y[j]))
			}
			compare(t, "w", l.Model(), c.W)
			var average learners.Model
			l.Average(&average)
			compare(t, "w̄", &average, c.Wbar)
			if c.Loss == "logistic" {
				if got := l.Account().Mistakes; got != c.Mistakes {
					t.Errorf("%d mistakes of w, want %d", got, c.Mistakes)
				}
				if got := l.AccountBar().Mistakes; got != c.MistakesBar {
					t.Errorf("%d mistakes of w̄, want %d", got, c.MistakesBar)
				}
			}
		})
	}
}

func newLearner(t testing.TB, ws *learners.Workspace, method, loss string, params map[string]float64) *learners.Learner {
	t.Helper()
	m := lookup(t, method)
	settings := learners.Settings{Method: m, Values: must1(m.Fill(params))}
	return must1(ws.NewLearner(settings, must1(learners.LookupLoss(loss))))
}

func compare(t *testing.T, name string, m *learners.Model, want []float64) {
	t.Helper()
	if got := append(slices.Clone(m.W), m.Intercept); !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }) {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

// lattice returns a side × side grid whose nodes have 20 neighbours, about ten edges per node, with costs in [½, 1½).
func lattice(b *testing.B, side int) *graph.Graph {
	r := rand.New(rand.NewPCG(8, 1))
	near := [][2]int{{0, 1}, {0, 2}, {1, -2}, {1, -1}, {1, 0}, {1, 1}, {1, 2}, {2, -1}, {2, 0}, {2, 1}}
	edges := make([]graph.Edge, 0, len(near)*side*side)
	for row := range side {
		for col := range side {
			for _, d := range near {
				if v, w := row+d[0], col+d[1]; v < side && 0 <= w && w < side {
					edges = append(edges, graph.Edge{U: int32(row*side + col), V: int32(v*side + w)})
				}
			}
		}
	}
	costs := make([]float64, len(edges))
	for e := range costs {
		costs[e] = 0.5 + r.Float64()
	}
	return must1(graph.New(side*side, edges, costs))
}

// BenchmarkScale builds a solver and runs one round of GraphDA, a head and a tail projection, on graphs of ten
// thousand and of a million nodes. It reports the memory that graph, solver and learner occupy.
func BenchmarkScale(b *testing.B) {
	for _, side := range []int{100, 1000} {
		if testing.Short() && side > 100 {
			continue
		}
		b.Run(fmt.Sprintf("nodes=%d", side*side), func(b *testing.B) {
			before := heap()
			g := lattice(b, side)
			n, m := g.NumNodes(), float64(g.NumEdges())
			ws := learners.NewWorkspace(&learners.Problem{P: n, Graph: g})
			r := rand.New(rand.NewPCG(8, 2))
			x := make([]float64, n)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			var l *learners.Learner
			round := func() {
				l = newLearner(b, ws, "graphda", "logistic", map[string]float64{"gamma": 100, "s": float64(n / 40)})
				must(b, l.Learn(x, 1))
			}
			round()
			kept := heap() - before
			solves, rounds := 0, 0
			for b.Loop() {
				round()
				solves += l.Searches().Solves
				rounds++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(solves)/m, "ns/edge/solve")
			b.ReportMetric(float64(solves)/float64(rounds), "solves")
			b.ReportMetric(float64(kept)/m, "B/edge")
		})
	}
}

// heap returns the bytes in use after a garbage collection.
func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
