package metrics

import "math"

// Support compares selected features with true features.
type Support struct {
	Nonzeros              float64 // number of selected features, |S|
	Precision, Recall, F1 float64 // NaN if the truth is unknown
}

// SupportOf compares the nonzeros of w with the nonzeros of truth. truth is nil if unknown. SupportOf panics if the
// lengths differ.
func SupportOf(w, truth []float64) Support {
	if truth != nil && len(w) != len(truth) {
		panic("metrics: model and truth differ in length")
	}
	var hits, selected, relevant int
	for i, v := range w {
		isTrue := truth != nil && truth[i] != 0
		if v != 0 {
			selected++
			if isTrue {
				hits++
			}
		}
		if isTrue {
			relevant++
		}
	}
	s := Support{
		Nonzeros:  float64(selected),
		Precision: ratio(hits, selected),
		Recall:    ratio(hits, relevant),
		F1:        ratio(2*hits, selected+relevant),
	}
	if truth == nil {
		s.Precision, s.Recall, s.F1 = math.NaN(), math.NaN(), math.NaN()
	}
	return s
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
