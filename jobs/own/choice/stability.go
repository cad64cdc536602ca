package choice

import "math"

// MeanSize returns the mean number of features in a support.
func MeanSize(supports [][]int32) (mean float64) {
	for _, s := range supports {
		mean += float64(len(s)) / float64(len(supports))
	}
	return mean
}

// Stability returns the stability (Nogueira, Sechidis and Brown 2018) of selections among p features. It is 1 if all
// selections are equal, and 0 on average if they are random subsets of `reach` features. It is NaN if there are fewer
// than two selections, all are empty, or all have `reach` features.
func Stability(supports [][]int32, p, reach int) float64 {
	m, of := float64(len(supports)), float64(reach)
	counts, size := make([]float64, p), MeanSize(supports)
	for _, s := range supports {
		for _, j := range s {
			counts[j]++
		}
	}
	chance := size / of * (1 - size/of)
	if m < 2 || chance <= 0 {
		return math.NaN()
	}
	variance := 0.0
	for _, c := range counts {
		variance += m / (m - 1) * (c / m) * (1 - c/m) / of
	}
	return 1 - variance/chance
}
