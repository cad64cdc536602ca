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

// randomDraw cuts a random order of all samples into the splits. In classification each
// class is cut on its own, so that every trial has as many of a class in a split.
func (d *data) randomDraw(rng *rand.Rand, f Fractions) draw {
	quotas := map[bool][3]int{} // by whether the sample is positive
	for _, positive := range []bool{false, true} {
		quotas[positive] = f.apportion(d.size(positive))
	}
	var drawn draw
	var next [2]struct{ split, taken int }
	for _, i := range rng.Perm(len(d.y)) {
		positive := d.isPositive(i)
		at := &next[0]
		if positive {
			at = &next[1]
		}
		for at.taken == quotas[positive][at.split] {
			at.split, at.taken = at.split+1, 0
		}
		at.taken++
		drawn[at.split] = append(drawn[at.split], i)
	}
	return drawn
}

// foldDraw deals a random order of all samples to folds, in classification each class on its own, so
// that folds have as many of a class and of all, give or take one. Of a fold's trial the fold is for
// testing, the next one for validation, and the others are for training, in the random order.
func (d *data) foldDraw(rng *rand.Rand, folds, fold int) draw {
	order := rng.Perm(len(d.y))
	foldOf, dealt := make([]int, len(d.y)), 0
	for _, positive := range []bool{false, true} {
		for _, i := range order {
			if d.isPositive(i) == positive {
				foldOf[i] = dealt % folds
				dealt++
			}
		}
	}
	var drawn draw
	for _, i := range order {
		s := samples.Train
		switch foldOf[i] {
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

// size returns how many samples a class has. In regression all are in one.
func (d *data) size(positive bool) int {
	n := 0
	for i := range d.y {
		if d.isPositive(i) == positive {
			n++
		}
	}
	return n
}

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
	if d.positive == "" {
		if n := len(d.y); n < least {
			return fmt.Errorf("%s: has %d rows, want at least %d, one for each %s", r.Samples, n, least, each)
		}
		return nil
	}
	for i, class := range []string{d.negative, d.positive} {
		if n := d.size(i == 1); n < least {
			return fmt.Errorf("%s: has %d rows of class %q, want at least %d, one for each %s", r.Samples, n, class, least, each)
		}
	}
	return nil
}
