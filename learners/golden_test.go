package learners_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/learners"
)

// golden holds what an independent implementation of the methods computed on an 8 × 6
// grid with random edge costs.
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
