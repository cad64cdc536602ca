package projection

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/graph"
)

// TestKeptAgainstAllSupports follows small vectors that change a little each time, and compares
// what is kept with the best of all supports of at most as many entries.
func TestKeptAgainstAllSupports(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 14))
	statuses := map[Status]int{}
	for range 60 {
		n := 4 + r.IntN(8)
		g := randomGraph(t, r, n, func(r *rand.Rand) float64 { return 0.5 + r.Float64() })
		search, w := NewSearch(g), make([]float64, n)
		kept := Kept{Least: 0.8 + 0.19*r.Float64()}
		opt := Options{Clusters: 1, MaxIter: 20, Kept: &kept}
		var got Result
		found := 0.0 // the share when the support was found
		for range 30 {
			for i := range w {
				w[i] += r.NormFloat64() * 0.1
			}
			before := slices.Clone(got.Nodes)
			must(t, search.Project(&got, w, HeadWindow(n, 0.1), opt))
			statuses[got.Status]++
			if got.Status == Certified {
				if got.Solves != 0 || !slices.Equal(got.Nodes, before) || got.Share < kept.Least*found {
					t.Fatalf("kept %+v after %v, of share %v", got, before, found)
				}
			} else {
				found = got.Share
			}
			if best, own := largestShare(w, got.Nodes); !(own >= got.Share*best*(1-1e-12)) || got.Share <= 0 {
				t.Fatalf("nodes %v of %v have %v, want %v of %v", got.Nodes, w, own, got.Share, best)
			}
		}
	}
	t.Log(statuses)
	if all := statuses[Bracketed] + statuses[Exhausted]; statuses[Certified] < 300 || all < 300 {
		t.Errorf("searches ended %v, want many of both kinds", statuses)
	}
}

// largestShare returns the largest sum of squares of as many entries as a support has, of all
// sets of entries, and the support's own.
func largestShare(w []float64, support []int32) (best, own float64) {
	for set := range 1 << len(w) {
		if bits.OnesCount(uint(set)) > len(support) {
			continue
		}
		total := 0.0
		for i, x := range w {
			if set>>i&1 != 0 {
				total += x * x
			}
		}
		best = max(best, total)
	}
	for _, i := range support {
		own += w[i] * w[i]
	}
	return best, own
}

// TestKeptScales keeps a support of vectors that differ only in size.
func TestKeptScales(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 15))
	g := graph.Grid(12, 12)
	search, w := NewSearch(g), randomVector(r, 144, false)
	opt := Options{Clusters: 1, MaxIter: 20, Kept: &Kept{Least: 0.999}}
	var first, again Result
	must(t, search.Project(&first, w, HeadWindow(144, 0.1), opt))
	for _, factor := range []float64{1, -3, 1e-9, 1e12} {
		must(t, search.Project(&again, scaled(w, factor), HeadWindow(144, 0.1), opt))
		if again.Status != Certified || !slices.Equal(again.Nodes, first.Nodes) {
			t.Errorf("times %v: %v %v, want the kept %v", factor, again.Status, again.Nodes, first.Nodes)
		}
	}
	slices.Reverse(w)
	must(t, search.Project(&again, w, HeadWindow(144, 0.1), opt))
	if again.Status == Certified {
		t.Error("the support of another vector is kept")
	}
}
