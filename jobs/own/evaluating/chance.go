package evaluating

import (
	"maps"
	"math/rand/v2"
	"slices"

	"graphda/jobs/metrics"
	"graphda/jobs/stats"
)

const (
	leastRanked = 5    // number of patients in the smaller class, or with an event, that the test needs
	level       = 0.01 // level of the one-sided test, stricter than an interval's 0.025
)

// chance tests whether the scores agree with the labels better than scores in random order, and returns the p-value. It
// uses one sample of each patient, because samples must be independent. For classes the test is exact (stats.RankSum).
// For times and numbers it permutes the scores within strata. `known` is false if there are too few samples. It is
// false with covariates too, because scores must then beat the covariates alone.
func (r *Result) chance() (p float64, known bool) {
	if r.Least < leastRanked || r.alone != nil {
		return 1, false
	}
	var scores, labels []float64
	var strata []string
	within := map[string][]int{} // by stratum: indices in scores
	for i, unit := range r.units {
		scores, labels = append(scores, r.scores[unit[0]]), append(labels, r.labels[unit[0]])
		of := ""
		if r.strata != nil {
			of = r.strata[unit[0]]
			strata = append(strata, of)
		}
		within[of] = append(within[of], i)
	}
	if r.classes() {
		return separation(scores, labels), true
	}
	if !r.times() { // the largest number becomes the earliest time
		top := slices.Max(labels)
		for i, y := range labels {
			labels[i] = 1 + top - y
		}
	}
	random := rand.New(rand.NewPCG(r.Seed, uint64(r.Samples)))
	observed, _ := metrics.Concordance(scores, labels, strata)
	as, n := 1.0, r.resamples()
	for range n {
		for _, of := range slices.Sorted(maps.Keys(within)) {
			all := within[of]
			random.Shuffle(len(all), func(i, j int) { scores[all[i]], scores[all[j]] = scores[all[j]], scores[all[i]] })
		}
		if c, _ := metrics.Concordance(scores, labels, strata); c >= observed-1e-12 {
			as++
		}
	}
	return as / float64(n+1), true
}

// separation returns the p-value of a one-sided test that scores are higher for labels above 0.
func separation(scores, labels []float64) float64 {
	var of [2][]float64
	for i, y := range labels {
		class := 0
		if y > 0 {
			class = 1
		}
		of[class] = append(of[class], scores[i])
	}
	wins := 0
	for _, above := range of[1] {
		for _, below := range of[0] {
			if above > below {
				wins++
			}
		}
	}
	m, n := len(of[0]), len(of[1])
	return stats.RankSum(wins, min(m, n), max(m, n))
}
