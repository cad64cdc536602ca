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

// A draw holds, for each split of a trial, the indices of its samples in the order of learning.
type draw [3][]int

func ownDraw(d *sampletable.Data) draw {
	var own draw
	for i, s := range d.Split {
		own[s] = append(own[s], i)
	}
	return own
}

// assigned puts all samples into splits, in a random order. A side is a split or a fold. The function `assign` gets the
// patients of each stratum (see units) in a random order, and sets the side of each patient. splitOf returns the split
// of a side. The result does not depend on which class is positive.
func assigned(d *sampletable.Data, rng *rand.Rand, sides int, assign func(strata [][]int, sideOf []int),
	splitOf func(side int) samples.Split) (drawn draw) {
	of, strata := units(d)
	if a, b := strata[0], strata[1]; len(b) > 0 && (len(a) == 0 || b[0] < a[0]) {
		strata[0], strata[1] = b, a
	}
	order := rng.Perm(len(of))
	k := len(slices.Concat(strata...))
	units := order
	if k < len(of) {
		units = rng.Perm(k)
	}
	place := make([]int, k)
	for i, u := range units {
		place[u] = i
	}
	for _, stratum := range strata {
		slices.SortFunc(stratum, func(a, b int) int { return place[a] - place[b] })
	}
	sideOf := make([]int, k)
	assign(strata, sideOf)
	spread(strata, sideOf, sides)
	for _, i := range order {
		s := splitOf(sideOf[of[i]])
		drawn[s] = append(drawn[s], i)
	}
	return drawn
}

// spread moves patients to sides that lack a class, from sides with two or more patients of this class. Afterwards each
// side has both classes if each class has enough patients.
func spread(strata [][]int, sideOf []int, sides int) {
	for _, pure := range strata[:both] {
		have := slices.Concat(pure, strata[both]) // patients with samples of the class
		for side := range sides {
			count := make([]int, sides)
			for _, u := range have {
				count[sideOf[u]]++
			}
			i := slices.IndexFunc(have, func(u int) bool { return count[sideOf[u]] > 1 })
			if count[side] == 0 && i >= 0 {
				sideOf[have[i]] = side
			}
		}
	}
}

// parts are the shares of the splits in a random trial: training, validation and test.
var parts = [3]float64{0.6, 0.2, 0.2}

// randomDraw shuffles each stratum and cuts it into the splits. So a split has the same number of patients of each
// class in all trials.
func randomDraw(d *sampletable.Data, rng *rand.Rand) draw {
	return assigned(d, rng, len(parts), func(strata [][]int, sideOf []int) {
		for _, stratum := range strata {
			for s, size := range apportion(len(stratum)) {
				for _, u := range stratum[:size] {
					sideOf[u] = s
				}
				stratum = stratum[size:]
			}
		}
	}, func(side int) samples.Split { return samples.Split(side) })
}

// both is the index of the stratum of patients who have samples of both classes (see units).
const both = 2

// units returns each sample's patient, numbered in sample order. It also returns the patients in three strata: patients
// with negative samples, with positive samples, and with both. Without patients, each sample counts as a patient.
func units(d *sampletable.Data) (of []int32, strata [][]int) {
	if of = samples.Number(d.Patients); of == nil {
		of = samples.Number(d.IDs) // ids are unique, so every sample is a unit
	}
	has := make([][2]bool, int(slices.Max(of))+1)
	for i, u := range of {
		if isPositive(d, i) {
			has[u][1] = true
		} else {
			has[u][0] = true
		}
	}
	strata = make([][]int, both+1)
	for u, has := range has {
		stratum := both
		if !has[1] {
			stratum = 0
		} else if !has[0] {
			stratum = 1
		}
		strata[stratum] = append(strata[stratum], u)
	}
	return of, strata
}

// foldDraw deals the patients to folds in a random order, one stratum after another. So the folds, and each class in
// the folds, differ in size by at most one patient. The given fold is for test, the next fold for validation, and all
// other folds for training.
func foldDraw(d *sampletable.Data, rng *rand.Rand, folds, fold int) draw {
	return assigned(d, rng, folds, func(strata [][]int, sideOf []int) {
		for dealt, u := range slices.Concat(strata...) {
			sideOf[u] = dealt % folds
		}
	}, func(side int) samples.Split {
		switch side {
		case fold:
			return samples.Test
		case (fold + 1) % folds:
			return samples.Valid
		}
		return samples.Train
	})
}

func isPositive(d *sampletable.Data, i int) bool { return d.Positive != "" && d.Y[i] > 0 }

// apportion divides n samples among the splits in proportion to parts, by the method of largest remainders. If n is at
// least three, every split gets a sample.
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

func drawable(d *sampletable.Data, r *Request) error {
	least, each := len(draw{}), "split"
	if r.Folds > 0 {
		least, each = r.Folds, "fold (--folds)"
	}
	what := "row"
	if d.Patients != nil {
		what = "patient"
	}
	_, strata := units(d)
	names := []string{d.Negative, d.Positive}
	for i, pure := range strata[:both] {
		switch n := len(pure) + len(strata[both]); {
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

// noSplit returns an error for a file that assigns splits, if the user asks for random splits.
func (r *Request) noSplit(path string) error {
	asked, why := "", ""
	switch {
	case r.Folds > 0:
		asked = fmt.Sprintf("folds = %d", r.Folds)
	case r.Trials > 1:
		asked, why = fmt.Sprintf("trials = %d", r.Trials), ": all trials would be the same"
	default:
		return nil
	}
	return userinput.Errorf("%s is for samples without a column %q, but %s has one%s; --drop %[2]s leaves the column out",
		asked, sampletable.SplitColumn, path, why)
}

// noteSplits warns if an assigned split lacks a class or an event, or if training samples are sorted by label.
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
		notes.Add("the training samples of %s are sorted by label, and online methods learn in that order; shuffle the "+
			"rows", path)
	}
	for s := samples.Train; s <= samples.Test; s++ {
		if d.Times && !has[s][1] {
			notes.Add("%s: no %v sample has an event; each split needs one", path, s)
		}
		for i, class := range []string{d.Positive, d.Negative} {
			if !has[s][float64(1-2*i)] && !d.Times {
				notes.Add("%s: no %v sample is %q; each split needs samples of both classes", path, s, class)
			}
		}
	}
}
