package jobs

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

// solvesPerSample is how many Steiner forests a graph method solves for a sample, as
// found on the benchmark: two searches, of which about half spend all their solves.
const solvesPerSample = 18

// Seconds estimates one pass of a method over the samples.
func (r Rates) Seconds(m *learners.Method, rows, features, edges int) float64 {
	perSample := r.Entry * float64(features)
	if m.Needs&learners.NeedsGraph != 0 {
		perSample += solvesPerSample * r.Edge * float64(edges)
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
	r := Rates{Entry: calibrate(pr, x, "l1-rda", map[string]float64{"lambda": 0.01, "gamma": 10,
		"rho": 0}) / float64(pr.P)}
	perSample := calibrate(pr, x, "graphda", map[string]float64{"gamma": 10, "s": 30})
	r.Edge = max(0, perSample-r.Entry*float64(pr.P)) / (solvesPerSample * float64(g.NumEdges()))
	return r
}

// calibrate returns the least seconds per sample of several passes within half a second.
func calibrate(pr *learners.Problem, x []float64, method string, params map[string]float64) float64 {
	m, err := learners.Lookup(method)
	if err != nil {
		panic(err)
	}
	values, err := m.Fill(params)
	if err != nil {
		panic(err)
	}
	ws := learners.NewWorkspace(pr)
	least := math.Inf(1)
	for start := time.Now(); time.Since(start) < 500*time.Millisecond; {
		l, err := ws.NewLearner(learners.Settings{Method: m, Values: values}, learners.Logistic{})
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

// memoryClass returns the memory, in GiB, that a task on the dataset asks for: 30 % above
// its samples and graph, and 64 MiB, rounded up to a power of two.
func memoryClass(d *Dataset) int { return RoundMemory(taskBytes(d)) }

func taskBytes(d *Dataset) float64 {
	return 1.3*(float64(d.Rows)*float64(d.Features)*8+250*float64(d.Edges)) + 64<<20
}

// RoundMemory rounds bytes up to a power of two, in GiB.
func RoundMemory(bytes float64) int {
	const gib = 1 << 30
	class := 1
	for float64(class)*gib < bytes {
		class *= 2
	}
	return class
}
