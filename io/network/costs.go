package network

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
)

// A Formula says how the costs of edges are computed.
type Formula string

// In the formulas, c is a confidence divided by the smallest power of ten that makes every c at most 1. For confidences
// up to 999, as in STRING, this is 1000.
const (
	OneMinus Formula = "one-minus" // 1 − c, the default
	Log      Formula = "log"       // −ln c
	Inverse  Formula = "inverse"   // 1/c
	Degree   Formula = "degree"    // √(d(u)·d(v)) divided by its mean, with degrees d
)

// leastConfidence replaces every smaller c in a formula, because an edge of infinite cost could never be selected.
// leastCost replaces every smaller cost after division by the mean cost. Otherwise many edges would cost almost
// nothing, and a small change of the scale would change the forest's size by many nodes.
const (
	leastConfidence = 0.01
	leastCost       = 0.5
)

var confidenceFormulas = map[Formula]func(c float64) float64{
	OneMinus: func(c float64) float64 { return 1 - c },
	Log:      func(c float64) float64 { return -math.Log(max(c, leastConfidence)) },
	Inverse:  func(c float64) float64 { return 1 / max(c, leastConfidence) },
}

func (f Formula) check(confidence string) error {
	_, ofConfidence := confidenceFormulas[f]
	switch {
	case f == "" || f == Degree || ofConfidence && confidence != "":
		return nil
	case ofConfidence:
		return wanted("cost = %q needs a column of confidences; name it with --confidence", string(f))
	}
	return wanted("cost = %q, want %s, %s or %s with --confidence, or %s", string(f), OneMinus, Log, Inverse, Degree)
}

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
	const rounding = 1e-6 // by which a confidence such as a correlation of float32 numbers may exceed 1
	full := 1.0
	for full*(1+rounding) < slices.Max(l.values) {
		full *= 10
	}
	return func(_, row int) float64 { return confidenceFormulas[f](min(1, l.values[row]/full)) }
}

// finish adjusts costs that were computed from confidences. It raises small costs to leastCost, multiplies by
// degreeCosts if the formula is Degree, and divides by the mean.
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

func center(costs []float64) {
	if sum := floats.Sum(costs); sum > 0 {
		floats.Scale(float64(len(costs))/sum, costs)
	}
}

// degreeCosts returns costs as in the formula Degree. Their mean is 1.
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
