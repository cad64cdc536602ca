package pcst

import (
	"math/rand/v2"

	"graphda/graph"
	"graphda/projection/pcst/pcsttest"
)

// An instance is one of pcsttest, with the solver's options.
type instance struct {
	g      *graph.Graph
	prizes []float64
	scale  float64
	opt    Options
	tied   bool
}

func newInstance(r *rand.Rand, size int) instance {
	in := pcsttest.New(r, size)
	opt := Options{Clusters: in.Clusters, Root: in.Root, Pruning: Pruning(in.Pruning)}
	return instance{in.Graph, in.Prizes, in.Scale, opt, in.Tied}
}

// costs returns the costs of the edges, scaled.
func (in *instance) costs() []float64 {
	costs := make([]float64, in.g.NumEdges())
	for e, c := range in.g.Costs() {
		costs[e] = in.scale * c
	}
	return costs
}
