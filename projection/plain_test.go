package projection

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/io/seal/sealtest"
	"graphda/projection/pcst"
)

// A plain search follows the pseudo-code step by step. It does not scale the squares, it stores every forest, and
// searches share nothing.
type plain struct {
	t       *testing.T
	g       *graph.Graph
	prizes  []float64
	window  Window
	opt     Options
	forests map[float64]*pcst.Forest // by scale
	doubled int                      // doublings of the upper end
}

// plainProject returns the support and status of w's projection.
func plainProject(t *testing.T, g *graph.Graph, w []float64, window Window, opt Options) (*plain, []int32, Status) {
	t.Helper()
	p := &plain{t: t, g: g, prizes: squared(w), window: window, opt: opt, forests: map[float64]*pcst.Forest{}}
	largest := slices.Max(p.prizes)
	if largest == 0 {
		return p, nil, Zero
	}
	nodes, status := p.search(largest)
	return p, nodes, status
}

func (p *plain) search(largest float64) ([]int32, Status) {
	low, high, met := p.bisect(0, largest)
	if met {
		return p.solve(high).Nodes, Bracketed
	}
	if final := p.solve(high); high == largest && len(final.Nodes) > p.window.High && p.meanCost(final) < 0.5 {
		for size := len(final.Nodes); size > p.window.High; size = len(p.solve(high).Nodes) {
			if p.doubled == 60 {
				return p.solve(high).Nodes, Unreachable
			}
			low, high = high, 2*high
			p.doubled++
		}
		if !p.window.Contains(len(p.solve(high).Nodes)) {
			_, high, _ = p.bisect(low, high)
		}
	}
	nodes := p.solve(high).Nodes
	if p.window.Contains(len(nodes)) {
		return nodes, Bracketed
	}
	return nodes, Exhausted
}

// bisect returns the last interval, and true if its upper end is a scale that met the window.
func (p *plain) bisect(low, high float64) (float64, float64, bool) {
	for range p.opt.MaxIter + 1 {
		scale := (low + high) / 2
		switch size := len(p.solve(scale).Nodes); {
		case size > p.window.High:
			low = scale
		case size < p.window.Low:
			high = scale
		default:
			return low, scale, true
		}
	}
	return low, high, false
}

func (p *plain) solve(scale float64) *pcst.Forest {
	if f := p.forests[scale]; f != nil {
		return f
	}
	f := new(pcst.Forest)
	must(p.t, pcst.NewSolver(p.g).Solve(f, p.prizes, scale,
		p.opt.solverOptions()))
	p.forests[scale] = f
	return f
}

// meanCost returns the forest's mean edge cost, or 1, the default cost, for a forest without edges.
func (p *plain) meanCost(f *pcst.Forest) float64 {
	if len(f.Edges) == 0 {
		return 1
	}
	total := 0.0
	for _, e := range f.Edges {
		total += p.g.Costs()[e]
	}
	return total / float64(len(f.Edges))
}

func squared(w []float64) []float64 { return floats.MulTo(make([]float64, len(w)), w, w) }

var must = sealtest.Must

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }

// needed returns how many of the forests had to be solved. The others are known to be too small in advance: their
// largest prize lives longer than any cluster can in a forest of Low or more nodes.
func (p *plain) needed() int {
	if p.opt.Root > 0 {
		return len(p.forests)
	}
	minCost := 0.0
	if costs := p.g.Costs(); len(costs) > 0 {
		minCost = slices.Min(costs)
	}
	prizes := slices.Clone(p.prizes)
	slices.SortFunc(prizes, func(a, b float64) int { return cmp.Compare(b, a) })
	n := 0
	for scale, f := range p.forests {
		longest, sum := math.Inf(-1), 0.0
		for i, x := range prizes {
			sum += x
			if k := i + 1; k >= p.window.Low {
				longest = max(longest, sum-float64(k-p.opt.Clusters)*scale*minCost/2)
			}
		}
		if prizes[0] <= longest*(1+1e-6) || p.window.Low <= p.opt.Clusters {
			n++
		} else if len(f.Nodes) >= p.window.Low {
			p.t.Errorf("a forest of %d nodes at scale %v, which should have fewer than %d", len(f.Nodes), scale, p.window.Low)
		}
	}
	return n
}
