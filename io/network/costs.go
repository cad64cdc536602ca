package network

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

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

// leastConfidence is the least c that a formula takes: an edge without an end of its cost could not be taken. leastCost
// is the least cost that is made of confidences, where their mean is 1: along edges that cost nearly nothing forests
// jump past the size that is asked for.
const (
	leastConfidence = 0.01
	leastCost       = 0.5
)

var confidenceFormulas = map[Formula]func(c float64) float64{
	OneMinus: func(c float64) float64 { return 1 - c },
	Log:      func(c float64) float64 { return -math.Log(max(c, leastConfidence)) },
	Inverse:  func(c float64) float64 { return 1 / max(c, leastConfidence) },
}

// check refuses a formula that there is not, or not for these edges.
func (f Formula) check(confidence string) error {
	_, ofConfidence := confidenceFormulas[f]
	switch {
	case f == "" || f == Degree || ofConfidence && confidence != "":
		return nil
	case ofConfidence:
		return wanted("cost = %q is made of a column of confidences, which --confidence names", string(f))
	}
	return wanted("cost = %q, want %s, %s or %s with --confidence, or %s", string(f), OneMinus, Log, Inverse, Degree)
}

// costs returns what gives the cost of edge i in a row of the file.
func (f Formula) costs(l *EdgeList, edges []graph.Edge, nodes int) func(i, row int) float64 {
	switch {
	case f == Degree && l.request.Confidence == "":
		costs := degreeCosts(edges, nodes)
		return func(i, _ int) float64 { return costs[i] }
	case l.values == nil:
		return func(int, int) float64 { return 1 }
	case l.request.Confidence == "":
		return func(_, row int) float64 { return l.values[row] }
	}
	if f == "" || f == Degree {
		f = OneMinus
	}
	full := 1.0
	for full < slices.Max(l.values) {
		full *= 10
	}
	return func(_, row int) float64 { return confidenceFormulas[f](l.values[row] / full) }
}

// finish makes costs of those that a formula has made of confidences: 1 on average and at least leastCost, times
// those of degrees if the formula is Degree.
func (f Formula) finish(costs []float64, edges []graph.Edge, nodes int) {
	center(costs)
	for i, c := range costs {
		costs[i] = max(c, leastCost)
	}
	if f == Degree {
		floats.Mul(costs, degreeCosts(edges, nodes))
	}
	center(costs)
}

// center divides costs by their mean, if that is not 0.
func center(costs []float64) {
	if sum := floats.Sum(costs); sum > 0 {
		floats.Scale(float64(len(costs))/sum, costs)
	}
}

// degreeCosts returns a cost for each edge, 1 on average.
func degreeCosts(edges []graph.Edge, nodes int) []float64 {
	degree := make([]float64, nodes)
	for _, e := range edges {
		degree[e.U]++
		degree[e.V]++
	}
	costs := make([]float64, len(edges))
	for i, e := range edges {
		costs[i] = math.Sqrt(degree[e.U] * degree[e.V])
	}
	center(costs)
	return costs
}
