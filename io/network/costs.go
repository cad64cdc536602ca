package network

import (
	"math"
	"slices"

	"graphda/graph"
)

// A Formula says how the costs of edges are made.
type Formula string

// The formulas. c is a confidence divided by the least power of ten, of at least 1, that no
// confidence exceeds: 1 where they end at 1, 1000 where they end at 999, as those of STRING do.
const (
	OneMinus Formula = "one-minus" // 1 − c, the default
	Log      Formula = "log"       // −ln c
	Inverse  Formula = "inverse"   // 1/c
	Degree   Formula = "degree"    // √(d(u)·d(v)) of the ends' degrees, divided by its mean: against hubs
)

// leastCost is the least cost of an edge that a formula makes of a confidence, and the least c that
// it takes: an edge without a cost could not be left out, one without an end could not be taken.
const leastCost = 0.01

var confidenceFormulas = map[Formula]func(c float64) float64{
	OneMinus: func(c float64) float64 { return max(1-c, leastCost) },
	Log:      func(c float64) float64 { return max(-math.Log(max(c, leastCost)), leastCost) },
	Inverse:  func(c float64) float64 { return 1 / max(c, leastCost) },
}

// check refuses a formula that there is not, or not for these edges.
func (f Formula) check(confidence string) error {
	_, ofConfidence := confidenceFormulas[f]
	switch {
	case f == "" || f == Degree && confidence == "" || ofConfidence && confidence != "":
		return nil
	case f == Degree:
		return wanted("cost = %q, which takes no --confidence", string(f))
	case ofConfidence:
		return wanted("cost = %q is made of a column of confidences, which --confidence names", string(f))
	}
	return wanted("cost = %q, want %s, %s or %s with --confidence, or %s", string(f), OneMinus, Log, Inverse, Degree)
}

// costs returns what gives the cost of edge i in a row of the file.
func (f Formula) costs(l *EdgeList, edges []graph.Edge, nodes int) func(i, row int) float64 {
	switch {
	case f == Degree:
		costs := degreeCosts(edges, nodes)
		return func(i, _ int) float64 { return costs[i] }
	case l.values == nil:
		return func(int, int) float64 { return 1 }
	case l.request.Confidence == "":
		return func(_, row int) float64 { return l.values[row] }
	}
	if f == "" {
		f = OneMinus
	}
	full := 1.0
	for full < slices.Max(l.values) {
		full *= 10
	}
	return func(_, row int) float64 { return confidenceFormulas[f](l.values[row] / full) }
}

// degreeCosts returns a cost for each edge, 1 on average.
func degreeCosts(edges []graph.Edge, nodes int) []float64 {
	degree := make([]float64, nodes)
	for _, e := range edges {
		degree[e.U]++
		degree[e.V]++
	}
	costs, sum := make([]float64, len(edges)), 0.0
	for i, e := range edges {
		costs[i] = math.Sqrt(degree[e.U] * degree[e.V])
		sum += costs[i]
	}
	for i := range costs {
		costs[i] *= float64(len(edges)) / sum
	}
	return costs
}
