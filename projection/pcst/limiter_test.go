package pcst

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Size is exact up to the limit, and beyond it whenever the forest is. It ends many growths
// early, or the test shows nothing.
func TestLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	early := 0
	for i := range rounds(20000) {
		in := newInstance(r, 60)
		in.opt.Pruning = GWPruning
		s := NewSolver(in.g)
		want, err := s.Size(in.prizes, in.scale, in.opt, math.MaxInt)
		must(t, err)
		mergings := len(s.trees.log)
		high := 1 + r.IntN(len(in.prizes))
		got, err := s.Size(in.prizes, in.scale, in.opt, high)
		must(t, err)
		if got != want && (got <= high || want <= high) {
			t.Fatalf("instance %d, %+v: size %d with limit %d, want %d", i, in.opt, got, high, want)
		}
		if len(s.trees.log) < mergings {
			early++
			var f Forest
			if s.Extract(&f); len(f.Nodes)+len(f.Edges) > 0 {
				t.Fatalf("instance %d: Extract gave %v of a growth that ended early", i, f)
			}
		}
	}
	t.Logf("%d growths ended early", early)
	if early < rounds(20000)/50 {
		t.Errorf("%d growths ended early, want more", early)
	}
}

// Trees taken from a solver give the forest that it would have given, whatever it solves
// in between.
func TestKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for i := range rounds(500) {
		in := newInstance(r, 60)
		in.opt.Pruning = GWPruning
		s := NewSolver(in.g)
		var kept [3]Trees
		var want [3]Forest
		for range 4 {
			for k := range kept {
				prizes := draw(r, r.IntN(len(laws)), len(in.prizes))
				must(t, s.Solve(&want[k], prizes, in.scale, in.opt))
				s.Keep(&kept[k])
				var f Forest
				if s.Extract(&f); len(f.Nodes)+len(f.Edges) > 0 {
					t.Fatalf("instance %d: Extract gave %v after Keep", i, f)
				}
			}
			for k := range kept {
				var got Forest
				if s.ExtractKept(&got, &kept[k]); !got.equal(&want[k]) {
					t.Fatalf("instance %d, trees %d: %v, want %v", i, k, got, want[k])
				}
			}
		}
	}
}
