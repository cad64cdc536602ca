package experiment

import (
	"cmp"
	"fmt"
)

// A Halving stops settings early: of those of a method on a trial, only the best share 1/Eta goes on after each
// rung, as the experiment's first selection rule ranks them there (successive halving: Jamieson and Talwalkar,
// AISTATS 2016).
type Halving struct {
	Eta   int     `yaml:"eta" json:"eta"`     // 0: 2
	Rungs Samples `yaml:"rungs" json:"rungs"` // checkpoints; none: a quarter and half of the last one's samples
	Least int     `yaml:"least" json:"least"` // so many settings go on at least; 0: 8
}

// For returns the halving with all that it leaves out, for passes that end at a checkpoint.
func (h *Halving) For(last int) Halving {
	full := Halving{cmp.Or(h.Eta, 2), h.Rungs, cmp.Or(h.Least, 8)}
	if len(full.Rungs) == 0 {
		for _, rung := range []int{last / 4, last / 2} {
			if more := append(full.Rungs, rung); AscendingFromOne(more) { // else there are very few samples
				full.Rungs = more
			}
		}
	}
	return full
}

// Keep returns how many of n settings go on after a rung.
func (h *Halving) Keep(n int) int { return min(n, max(h.Least, (n+h.Eta-1)/h.Eta)) }

// Share is the part of all passes of n settings that is learned, to a last checkpoint.
func (h *Halving) Share(n, last int) float64 {
	learned, from, going := 0, 0, n
	for _, rung := range h.Rungs {
		learned, from, going = learned+going*(rung-from), rung, h.Keep(going)
	}
	return float64(learned+going*(last-from)) / float64(n*last)
}

// String says in words what stops when.
func (h *Halving) String() string {
	return fmt.Sprintf("after %s samples 1/%d of the settings of a method in a trial go on, at least %d",
		Numbers(h.Rungs), h.Eta, h.Least)
}

// check finds the faults of what is set.
func (h *Halving) check(found *faults) {
	switch {
	case h == nil:
	case h.Eta != 0 && h.Eta < 2:
		found.add("$.halving.eta", "halving: eta = %d, want at least 2: 1/eta of the settings go on", h.Eta)
	case h.Least < 0:
		found.add("$.halving.least", "halving: least = %d, want at least 1", h.Least)
	case !AscendingFromOne(h.Rungs):
		found.add("$.halving.rungs", "halving: rungs %s, want ascending numbers of samples from 1", Numbers(h.Rungs))
	}
}
