package importing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"graphda/io/message"
	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/userinput"
)

// A draw is one trial: the samples of each split, in their order.
type draw [3][]int

// ownDraw is the draw of samples that say themselves what they are for.
func ownDraw(d *sampletable.Data) draw {
	var own draw
	for i, s := range d.Split {
		own[s] = append(own[s], i)
	}
	return own
}

// assigned puts all samples into splits, in a random order: assign tells the split of each patient. Patients come to it
// in a random order, the same if each sample is one, in classification those of each class apart.
func assigned(d *sampletable.Data, rng *rand.Rand,
	assign func(classes [][]int, splitOf []samples.Split)) (drawn draw) {
	of, classes := units(d)
	order := rng.Perm(len(of))
	k := len(classes[0]) + len(classes[1])
	units := order
	if k < len(of) {
		units = rng.Perm(k)
	}
	place := make([]int, k)
	for i, u := range units {
		place[u] = i
	}
	for _, class := range classes {
		slices.SortFunc(class, func(a, b int) int { return place[a] - place[b] })
	}
	splitOf := make([]samples.Split, k)
	assign(classes, splitOf)
	for _, i := range order {
		s := splitOf[of[i]]
		drawn[s] = append(drawn[s], i)
	}
	return drawn
}

// parts are those of the samples for training, validation and test.
var parts = [3]float64{0.6, 0.2, 0.2}

// randomDraw cuts a random order of all patients into the splits. In classification each
// class is cut on its own, so that every trial has as many of a class in a split.
func randomDraw(d *sampletable.Data, rng *rand.Rand) draw {
	return assigned(d, rng, func(classes [][]int, splitOf []samples.Split) {
		for _, class := range classes {
			for s, size := range apportion(len(class)) {
				for _, u := range class[:size] {
					splitOf[u] = samples.Split(s)
				}
				class = class[size:]
			}
		}
	})
}

// units returns the patient of each sample, by numbers in the order of the samples, and the patients that are negative
// and those that are positive, at least half of whose samples are. Without patients each sample is one.
func units(d *sampletable.Data) (of []int32, classes [][]int) {
	if of = samples.Number(d.Patients); of == nil {
		of = samples.Number(d.IDs) // which differ
	}
	balance := make([]int, int(slices.Max(of))+1)
	for i, u := range of {
		if isPositive(d, i) {
			balance[u]++
		} else {
			balance[u]--
		}
	}
	classes = make([][]int, 2)
	for u, b := range balance {
		class := 0
		if b >= 0 {
			class = 1
		}
		classes[class] = append(classes[class], u)
	}
	return of, classes
}

// foldDraw deals a random order of all patients to folds, in classification each class on its own, so
// that folds have as many of a class and of all, give or take one. Of a fold's trial the fold is for
// testing, the next one for validation, and the others are for training, in the random order.
func foldDraw(d *sampletable.Data, rng *rand.Rand, folds, fold int) draw {
	return assigned(d, rng, func(classes [][]int, splitOf []samples.Split) {
		for dealt, u := range slices.Concat(classes...) {
			switch dealt % folds {
			case fold:
				splitOf[u] = samples.Test
			case (fold + 1) % folds:
				splitOf[u] = samples.Valid
			}
		}
	})
}

// isPositive tells whether a sample is of the positive class, or of an event.
func isPositive(d *sampletable.Data, i int) bool { return d.Positive != "" && d.Y[i] > 0 }

// apportion cuts n samples into the parts, by the largest remainders. Of three or more, every split gets one.
func apportion(n int) [3]int {
	var sizes [3]int
	var rest [3]float64
	left := n
	for s, fraction := range parts {
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
func drawable(d *sampletable.Data, r *Request) error {
	least, each := len(draw{}), "split"
	if r.Folds > 0 {
		least, each = r.Folds, "fold"
	}
	what := "row"
	if d.Patients != nil {
		what = "patient"
	}
	_, classes := units(d)
	names := []string{d.Negative, d.Positive}
	for i, class := range classes {
		switch n := len(class); {
		case d.Positive == "" && i == 0 && n < least:
			return fmt.Errorf("%s: has %s, want at least %d, one for each %s", r.Samples, message.Count(n, what), least, each)
		case d.Times && i == 0:
			continue
		case d.Times && n < least:
			return fmt.Errorf("%s: has %s with an event, want at least %d, one for each %s", r.Samples,
				message.Count(n, what), least, each)
		case d.Positive != "" && n < least:
			return fmt.Errorf("%s: has %s of class %q, want at least %d, one for each %s", r.Samples, message.Count(n, what),
				names[i], least, each)
		}
	}
	return nil
}

// noSplit is the error of a file with splits, if the samples are to be drawn.
func (r *Request) noSplit(path string) error {
	asked, why := "", ""
	switch {
	case r.Folds > 0:
		asked = fmt.Sprintf("folds = %d", r.Folds)
	case r.Trials > 1:
		asked, why = fmt.Sprintf("trials = %d", r.Trials), ": all trials would be alike"
	default:
		return nil
	}
	return userinput.Errorf("%s is for samples without a column %q, which %s has%s; --drop %[2]s leaves that column out",
		asked, sampletable.SplitColumn, path, why)
}

// noteSplits tells what a split of the file's own lacks: a class, an event, or an order of its training samples in
// which not all of one class stand before all of the other.
func noteSplits(d *sampletable.Data, path string, notes *sampletable.Notes) {
	if d.Split == nil || d.Positive == "" {
		return
	}
	changes, last, has := 0, 0.0, map[samples.Split]map[float64]bool{0: {}, 1: {}, 2: {}}
	for i, s := range d.Split {
		class := math.Copysign(1, d.Y[i])
		has[s][class] = true
		if s == samples.Train && class != last {
			changes++
			last = class
		}
	}
	if changes == 2 && len(d.Y) > 4 && !d.Times {
		notes.Add("the training samples of %s stand sorted by label, and online methods learn in that order; "+
			"shuffle the rows", path)
	}
	for s := samples.Train; s <= samples.Test; s++ {
		if d.Times && !has[s][1] {
			notes.Add("%s: no %v sample has an event", path, s)
		}
		for i, class := range []string{d.Positive, d.Negative} {
			if !has[s][float64(1-2*i)] && !d.Times {
				notes.Add("%s: no %v sample is %q", path, s, class)
			}
		}
	}
}
