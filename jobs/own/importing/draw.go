package importing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"graphda/io/samples"
)

// A draw is one trial: the samples of each split, in their order.
type draw [3][]int

// ownDraw is the draw of samples that say themselves what they are for.
func (d *data) ownDraw() draw {
	var own draw
	for i, s := range d.split {
		own[s] = append(own[s], i)
	}
	return own
}

// randomDraw cuts a random order of all patients into the splits. In classification each
// class is cut on its own, so that every trial has as many of a class in a split.
func (d *data) randomDraw(rng *rand.Rand, f Fractions) draw {
	of, positive := d.units()
	quotas := map[bool][3]int{} // by whether the patient is positive
	for _, class := range []bool{false, true} {
		quotas[class] = f.apportion(count(positive, class))
	}
	order, units := orders(rng, of, len(positive))
	splitOf := make([]int, len(positive))
	var next [2]struct{ split, taken int }
	for _, u := range units {
		at := &next[0]
		if positive[u] {
			at = &next[1]
		}
		for at.taken == quotas[positive[u]][at.split] {
			at.split, at.taken = at.split+1, 0
		}
		at.taken++
		splitOf[u] = at.split
	}
	var drawn draw
	for _, i := range order {
		drawn[splitOf[of[i]]] = append(drawn[splitOf[of[i]]], i)
	}
	return drawn
}

// units returns the patient of each sample, by numbers in the order of the samples, and which patients are positive:
// those with at least half of their samples positive. Without patients each sample is one.
func (d *data) units() (of []int32, positive []bool) {
	if of = samples.Number(d.patients); of == nil {
		of = samples.Number(d.ids) // which differ
	}
	balance := make([]int, int(slices.Max(of))+1)
	for i, u := range of {
		if d.isPositive(i) {
			balance[u]++
		} else {
			balance[u]--
		}
	}
	for _, b := range balance {
		positive = append(positive, b >= 0)
	}
	return of, positive
}

// orders returns a random order of the samples, and one of k patients: the same if each sample is one.
func orders(rng *rand.Rand, of []int32, k int) (order, units []int) {
	order = rng.Perm(len(of))
	if k == len(of) {
		return order, order
	}
	return order, rng.Perm(k)
}

// count returns how many patients are of a class.
func count(positive []bool, class bool) int {
	n := 0
	for _, p := range positive {
		if p == class {
			n++
		}
	}
	return n
}

// foldDraw deals a random order of all patients to folds, in classification each class on its own, so
// that folds have as many of a class and of all, give or take one. Of a fold's trial the fold is for
// testing, the next one for validation, and the others are for training, in the random order.
func (d *data) foldDraw(rng *rand.Rand, folds, fold int) draw {
	of, positive := d.units()
	order, units := orders(rng, of, len(positive))
	foldOf, dealt := make([]int, len(positive)), 0
	for _, class := range []bool{false, true} {
		for _, u := range units {
			if positive[u] == class {
				foldOf[u] = dealt % folds
				dealt++
			}
		}
	}
	var drawn draw
	for _, i := range order {
		s := samples.Train
		switch foldOf[of[i]] {
		case fold:
			s = samples.Test
		case (fold + 1) % folds:
			s = samples.Valid
		}
		drawn[s] = append(drawn[s], i)
	}
	return drawn
}

func (d *data) isPositive(i int) bool { return d.positive != "" && d.y[i] == 1 }

// apportion cuts n samples, by the largest remainders of their fractions. Of three or more,
// every split gets one.
func (f Fractions) apportion(n int) [3]int {
	var sizes [3]int
	var rest [3]float64
	left := n
	for s, fraction := range f {
		whole := math.Floor(fraction * float64(n))
		sizes[s], rest[s] = int(whole), fraction*float64(n)-whole
		left -= sizes[s]
	}
	for ; left > 0; left-- {
		s := slices.Index(rest[:], slices.Max(rest[:]))
		sizes[s]++
		rest[s] = -1
	}
	for s := range sizes {
		if sizes[s] == 0 && n >= len(sizes) {
			most := slices.Index(sizes[:], slices.Max(sizes[:]))
			sizes[most]--
			sizes[s]++
		}
	}
	return sizes
}

// drawable refuses samples too few to be cut into splits, or into folds.
func (d *data) drawable(r *Request) error {
	least, each := len(draw{}), "split"
	if r.Folds > 0 {
		least, each = r.Folds, "fold"
	}
	what := "rows"
	if d.patients != nil {
		what = "patients"
	}
	_, positive := d.units()
	if d.positive == "" {
		if n := len(positive); n < least {
			return fmt.Errorf("%s: has %d %s, want at least %d, one for each %s", r.Samples, n, what, least, each)
		}
		return nil
	}
	for i, class := range []string{d.negative, d.positive} {
		if n := count(positive, i == 1); n < least {
			return fmt.Errorf("%s: has %d %s of class %q, want at least %d, one for each %s", r.Samples, n, what, class, least,
				each)
		}
	}
	return nil
}
