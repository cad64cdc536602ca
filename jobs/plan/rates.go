package plan

import (
	"math"
	"math/rand/v2"
	"time"

	"graphda/graph"
	"graphda/learners"
)

// Rates are what this machine takes for the two kinds of work of a cell, in CPU seconds.
type Rates struct {
	Entry float64 // a round's work for one feature
	Edge  float64 // a Steiner forest's work for one edge
}

// solvesPerSample is how many Steiner forests a graph method solves for a sample, by its
// search, as found on the benchmark: most are of tail searches that jump over their window.
var solvesPerSample = map[string]float64{"paper": 18, "warm": 6, "lazy": 2}

// Seconds estimates one pass of a method over the samples.
func (r Rates) Seconds(s learners.Settings, rows, features, edges int) float64 {
	if s.Method.Takes.Seconds > 0 {
		return s.Method.Takes.Seconds
	}
	perSample := r.Entry * float64(features)
	if s.Method.Needs&learners.NeedsGraph != 0 {
		perSample += solvesPerSample[s.Word("search")] * r.Edge * float64(edges)
	}
	return float64(rows) * perSample
}

// Calibrate measures this machine's rates in about a second.
func Calibrate() Rates {
	const side, rows = 33, 40
	g := graph.Grid(side, side)
	pr := &learners.Problem{P: side * side, Graph: g}
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float64, rows*pr.P)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	r := Rates{Entry: secondsPerSample(pr, x, "l1-rda", Param{"lambda", "0.01"}, Param{"gamma", "10"},
		Param{"rho", "0"}) / float64(pr.P)}
	perSample := secondsPerSample(pr, x, "graphda", Param{"gamma", "10"}, Param{"s", "30"})
	r.Edge = max(0, perSample-r.Entry*float64(pr.P)) / (solvesPerSample["paper"] * float64(g.NumEdges()))
	return r
}

// secondsPerSample returns the least seconds per sample of several passes within half a second.
func secondsPerSample(pr *learners.Problem, x []float64, method string, params ...Param) float64 {
	settings, err := Settings(method, params)
	if err != nil {
		panic(err)
	}
	ws := learners.NewWorkspace(pr)
	least := math.Inf(1)
	for start := time.Now(); time.Since(start) < 500*time.Millisecond; {
		l, err := ws.NewLearner(settings, learners.Logistic{})
		if err != nil {
			panic(err)
		}
		rows := len(x) / pr.P
		begin := time.Now()
		for i := range rows {
			if err := l.Learn(x[i*pr.P:(i+1)*pr.P], float64(1-i%2*2)); err != nil {
				panic(err)
			}
		}
		least = min(least, time.Since(begin).Seconds()/float64(rows))
	}
	return least
}
