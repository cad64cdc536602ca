package confidence

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/jobs/own/learning"
)

const (
	alike = 0.5  // neighbours with at least this absolute correlation share a module
	loose = 0.35 // an edge with a correlation from loose to alike is loose: by chance it may not join a module
	most  = 0.3  // above this share of loose edges, --fdr promises nothing (docs/confidence.md)
)

// modules returns each feature's module, as a number from 0. Edges between correlated features connect the features of
// a module. A feature without such an edge is its own module.
func modules(sp *learning.Split) (module []int32, count int, looseEdges float64, err error) {
	g, p := sp.Problem.Graph, int32(sp.Problem.P)
	if g.NumNodes() > int(p) { // connectors have no values, and so no correlation
		measured := make([]int32, p)
		for j := range measured {
			measured[j] = int32(j)
		}
		if g, _, err = g.Induced(measured); err != nil {
			return nil, 0, 0, err
		}
	}
	correlation := make([]float64, g.NumEdges())
	for i := range sp.Train.Rows() {
		x := sp.Train.Row(i) // the features are standardised
		for e, edge := range g.Edges() {
			correlation[e] += x[edge.U] * x[edge.V] / float64(sp.Train.Rows())
		}
	}
	var edges []graph.Edge
	for e, r := range correlation {
		if math.Abs(r) >= alike {
			edges = append(edges, g.Edges()[e])
		} else if math.Abs(r) >= loose {
			looseEdges += 1 / float64(g.NumEdges())
		}
	}
	joined, err := graph.New(g.NumNodes(), edges, make([]float64, len(edges)))
	if err != nil {
		return nil, 0, 0, err
	}
	module, count = joined.Components()
	return module, count, looseEdges, nil
}

// An association computes each feature's absolute correlation with the labels, up to a common factor.
type association struct {
	whole *learning.Split
	rest  []float64 // labels minus the predictions by covariates or, without covariates, minus their mean
}

func newAssociation(whole *learning.Split) *association {
	if whole.Alone != nil || learning.OutcomeOf(whole.Loss) == learning.Times {
		return &association{whole, whole.Rest()}
	}
	a := &association{whole, slices.Clone(whole.Train.Y)}
	floats.AddConst(-stat.Mean(a.rest, whole.Train.Weight), a.rest)
	for i := range a.rest {
		a.rest[i] *= whole.Train.WeightOf(i)
	}
	return a
}

// of returns each feature's association after sample i got the features of sample from[i]. If from is nil, samples have
// their own features.
func (a *association) of(from []int) []float64 {
	weights := make([]float64, len(a.whole.Train.Y))
	for i, rest := range a.rest {
		k := i
		if from != nil {
			k = from[i]
		}
		weights[k] += rest
	}
	sizes := make([]float64, a.whole.Problem.P)
	for k, w := range weights {
		floats.AddScaled(sizes, w, a.whole.Train.Row(k))
	}
	for j, v := range sizes {
		sizes[j] = math.Abs(v)
	}
	return sizes
}

// both returns, for each feature, the larger of its own and its decoy's association.
func (a *association) both(from, decoy []int) []float64 {
	through := slices.Clone(decoy)
	for i, k := range from {
		through[i] = decoy[k]
	}
	largest := a.of(from)
	for j, v := range a.of(through) {
		largest[j] = max(largest[j], v)
	}
	return largest
}

const (
	permutations = 999  // largest number of permutations
	helps        = 0.05 // largest p-value at which related features count as neighbours in the network
)

// sequential returns the p-value of a result. The function `reaches` reports whether a random draw is at least as large
// as the result. After 10 such draws, sequential stops (Besag and Clifford, Sequential Monte Carlo p-values, Biometrika
// 1991).
func sequential(reaches func() bool) float64 {
	const enough = 10
	count := 0
	for k := 1; k <= permutations; k++ {
		if reaches() {
			if count++; count == enough {
				return float64(count) / float64(k)
			}
		}
	}
	return float64(count+1) / float64(permutations+1)
}

// networkP tests whether features that are related to the label are neighbours. It returns the larger of two
// p-values. The first test permutes names among nodes of similar degree. The second test permutes samples, because
// correlated neighbours have similar associations even with a random label. sizes returns the associations, as
// association.of does.
func (f *finder) networkP(rng *rand.Rand, sizes func(from []int) []float64) float64 {
	g := f.whole.Problem.Graph
	statistic := func(sizes []float64, name []int) float64 {
		sum := 0.0
		for _, e := range g.Edges() {
			if int(max(e.U, e.V)) >= len(name) {
				continue // a connector
			}
			both := sizes[name[e.U]] * sizes[name[e.V]]
			sum += both * both
		}
		return sum
	}
	var like [bits.UintSize][]int // nodes by the number of binary digits of their degrees
	name := make([]int, len(f.module))
	for j := range name {
		name[j] = j
		digits := bits.Len(uint(g.Degree(int32(j))))
		like[digits] = append(like[digits], j)
	}
	real := sizes(nil)
	reached := statistic(real, name)
	permuted := slices.Clone(name)
	p := sequential(func() bool {
		for _, nodes := range like {
			rng.Shuffle(len(nodes), func(i, j int) {
				permuted[nodes[i]], permuted[nodes[j]] = permuted[nodes[j]], permuted[nodes[i]]
			})
		}
		return statistic(real, permuted) >= reached
	})
	if p > helps {
		return p // the second test cannot lower p
	}
	return max(p, sequential(func() bool { return statistic(sizes(f.patients.permute(rng)), name) >= reached }))
}

// alone chooses the modules to keep by their associations, without the network. A feature's contrast is its association
// minus the best value of a dropped module. It has the unit of contrasts on the network: the largest association counts
// like a feature that all half-samples select.
//
// A module's value is the largest association of its features. A module is kept if its value reaches a limit, which
// permuted samples determine: with them, at most False/2 modules reach the limit on average. So at most False/2 false
// modules are expected, even if features are correlated. It is half of False, because a false module has a second
// chance on the network. With FDR = q, at most a share q of the kept modules may reach the limit by chance, or q/4 if
// any draw uses the network.
func (f *finder) alone() (kept []int, contrasts []float64) {
	rng, a := f.random("alone"), newAssociation(f.whole)
	contrasts = a.of(nil)
	largest := f.largest(contrasts)
	order := bySize(largest)
	falling := make([]float64, len(order))
	for k, m := range order {
		falling[k] = -largest[m]
	}
	// reached[k] counts the values under permutation between the values of modules order[k] and order[k−1].
	reached := make([]int, len(order)+1)
	for range permutations {
		for _, v := range f.largest(a.of(f.patients.permute(rng))) {
			k, _ := slices.BinarySearch(falling, -v)
			reached[k]++
		}
	}
	count, sum := 0, 0
	for k := range order {
		sum += reached[k]
		chance := float64(sum+k+1) / (permutations + 1) // + 1 for the original order of the samples
		if chance <= max(f.found.share()*float64(k+1), float64(f.found.False)/2) {
			count = k + 1
		}
	}
	limit := 0.0
	if count < len(order) {
		limit = largest[order[count]]
	}
	floats.AddConst(-limit, contrasts)
	if most := largest[order[0]]; most > 0 {
		floats.Scale(2*decoyPairs/most, contrasts)
	}
	return order[:count], contrasts
}

// share returns the share of false modules that finder.alone may keep.
func (c *Confidence) share() float64 {
	if c.OnNetwork > 0 {
		return c.FDR / 4
	}
	return c.FDR
}

func (f *finder) largest(values []float64) []float64 {
	largest := make([]float64, f.found.Modules)
	for j, v := range values {
		largest[f.module[j]] = max(largest[f.module[j]], v)
	}
	return largest
}
