package metrics

import "math"

// Support holds the measures of a set of selected features against the true ones.
type Support struct {
	Nonzeros              float64 // |S|
	Precision, Recall, F1 float64 // NaN where the truth is unknown
}

// SupportOf compares the nonzeros of w with those of the truth, which has one entry per
// feature; a nil truth is unknown. It panics if the lengths differ.
func SupportOf(w, truth []float64) Support {
	if truth == nil {
		return unknownTruth(countNonzeros(w))
	}
	if len(w) != len(truth) {
		panic("metrics: model and truth differ in length")
	}
	var hits, selected, relevant int
	for i, v := range w {
		if v != 0 {
			selected++
			if truth[i] != 0 {
				hits++
			}
		}
		if truth[i] != 0 {
			relevant++
		}
	}
	return supportOfCounts(hits, selected, relevant)
}

// supportOfCounts returns the measures of |S∩S*|, |S| and |S*|. It serves models whose
// support is not that of a vector, such as sums of overlapping groups.
func supportOfCounts(hits, selected, relevant int) Support {
	return Support{
		Nonzeros:  float64(selected),
		Precision: ratio(hits, selected),
		Recall:    ratio(hits, relevant),
		F1:        ratio(2*hits, selected+relevant),
	}
}

// unknownTruth returns the measures of a number of selected features without a truth.
func unknownTruth(selected int) Support {
	nan := math.NaN()
	return Support{Nonzeros: float64(selected), Precision: nan, Recall: nan, F1: nan}
}

// countNonzeros returns the number of nonzero entries.
func countNonzeros(w []float64) (n int) {
	for _, v := range w {
		if v != 0 {
			n++
		}
	}
	return n
}

// ratio returns a/b, and 0 where b is 0.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
