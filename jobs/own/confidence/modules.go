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
	alike = 0.5  // least correlation, by its size, of neighbours in the network that are of one module
	loose = 0.35 // from here on to alike, modules fall apart by chance
	most  = 0.3  // share of such edges from which on no share of false modules is promised: docs/confidence.md
)

// modules numbers the modules that features are in: groups that are connected by edges whose ends are correlated in
// the samples, which can hardly tell their features apart. A feature without such an edge is a module of its own. It
// returns too the share of the edges that are loose.
func modules(sp *learning.Split) (module []int32, count int, looseEdges float64, err error) {
	g, p := sp.Problem.Graph, int32(sp.Problem.P)
	if g.NumNodes() > int(p) { // connectors have no correlation
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
		x := sp.Train.Row(i) // standardised
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

// An association tells how strongly labels go together with each feature: the size of their correlation, up to a
// factor that all features share.
type association struct {
	whole *learning.Split
	rest  []float64 // of the labels: what the covariates leave of them, or else their mean; of times always the former
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

// of returns the association of each feature if sample i had the features of sample from[i]; nil: its own.
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

// both returns, by feature, the larger of the associations of it and of its decoy: whichever of the two is the decoy.
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
	permutations = 999  // drawn at most of what comes by chance
	helps        = 0.05 // the largest p-value of a network that is said to help
)

// sequential returns the p-value of what chance reaches, by as many draws as it takes to reach it 10 times. Besag and
// Clifford, Sequential Monte Carlo p-values, Biometrika 1991.
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

// networkP returns the p-value of "features that go together with the label are neighbours": the larger one of two.
// Names are permuted among nodes of like degree; and samples, since correlated neighbours are associated alike with
// any label. sizes returns the associations if sample i had the features of sample from[i]; nil: its own.
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
	var like [bits.UintSize][]int // nodes, by number of binary digits of the degree
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
		return p // no larger one is needed to tell
	}
	return max(p, sequential(func() bool { return statistic(sizes(f.patients.permute(rng)), name) >= reached }))
}

// alone keeps modules without the network. It returns with them a contrast of each feature: by how much its
// association is above the largest one of the first module that is not kept.
//
// A module counts by its largest association. With samples permuted, False/2 modules reach the limit in the mean: no
// more false ones are expected to be kept, whatever is correlated with what. It is half because this is one way of two.
// With a share q, at most q of the modules that reach the limit do so by chance if no draw is on the network: this is
// then the only way. Else it is a quarter, because a share may come to it after the other way.
func (f *finder) alone() (kept []int, contrasts []float64) {
	rng, a := f.random("alone"), newAssociation(f.whole)
	contrasts = a.of(nil)
	largest := f.largest(contrasts)
	order := bySize(largest)
	falling := make([]float64, len(order))
	for k, m := range order {
		falling[k] = -largest[m]
	}
	reached := make([]int, len(order)+1) // by permuted modules that do not reach the module before
	for range permutations {
		for _, v := range f.largest(a.of(f.patients.permute(rng))) {
			k, _ := slices.BinarySearch(falling, -v)
			reached[k]++
		}
	}
	count, sum := 0, 0
	for k := range order {
		sum += reached[k]
		chance := float64(sum+k+1) / (permutations + 1) // with the samples as they are
		if chance <= max(f.found.share()*float64(k+1), float64(f.found.False)/2) {
			count = k + 1
		}
	}
	limit := 0.0
	if count < len(order) {
		limit = largest[order[count]]
	}
	for j := range contrasts {
		contrasts[j] -= limit
	}
	return order[:count], contrasts
}

// share is what alone keeps to of a share of false modules.
func (c *Confidence) share() float64 {
	if c.OnNetwork > 0 {
		return c.FDR / 4
	}
	return c.FDR
}

// largest returns the largest value of each module.
func (f *finder) largest(values []float64) []float64 {
	largest := make([]float64, f.found.Modules)
	for j, v := range values {
		largest[f.module[j]] = max(largest[f.module[j]], v)
	}
	return largest
}
