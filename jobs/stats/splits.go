package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Trials that are random splits of the same samples are not independent. If each learns from
// n₁ of them and tests on n₂, Nadeau and Bengio take the correlation of two trials to be
// n₂/(n₁ + n₂), the share of samples that a split tests on, and so the variance of the mean of
// J trials to be (1/J + n₂/n₁)·s², where independent ones have s²/J. The overlap of trials is
// that n₂/n₁, and 0 of independent ones.

// StandardError returns the standard error of the mean of n values that have a standard
// deviation, of the population, and are from trials of an overlap.
func StandardError(std float64, n int, overlap float64) float64 {
	return std / math.Sqrt(float64(n-1)/(1+float64(n)*overlap))
}

// AreaInterval returns the interval of the mean behind areas under the ROC curve of trials of an overlap. It is
// MeanInterval's, but at least as wide as chance makes the areas vary: of few samples of a class they go in steps,
// and their own deviation is often too small. chance is the AreaVariance of one trial. The variance of an area a is
// taken to be 4a(1 − a) times as large, which gives the interval of Wilson (1927).
func AreaInterval(areas []float64, overlap, chance float64) Interval {
	own, mean := MeanInterval(areas, overlap), stat.Mean(areas, nil)
	z := distuv.UnitNormal.Quantile((1 + confidence) / 2)
	k := 4 * z * z * (1/float64(len(areas)) + overlap) * chance
	middle, half := (mean+k/2)/(1+k), math.Sqrt(k*(k/4+mean*(1-mean)))/(1+k)
	return Interval{min(own.Low, middle-half), max(own.High, middle+half)}
}

// MeanError returns the standard error of the mean of values of trials of an overlap. It is StandardError's, but at
// least what follows from a variance that a trial has by chance; of one value that is all there is.
func MeanError(values []float64, overlap, chance float64) float64 {
	least := math.Sqrt((1/float64(len(values)) + overlap) * chance)
	if len(values) < 2 {
		return least
	}
	return max(least, StandardError(stat.PopStdDev(values, nil), len(values), overlap))
}

// AreaVariance is the variance of the area under the ROC curve of n samples where scores say nothing,
// (n₊ + n₋ + 1)/(12·n₊·n₋) (Mann and Whitney 1947).
func AreaVariance(n, positive float64) float64 { return (n + 1) / (12 * positive * (n - positive)) }

// PairedSplits tests whether the paired values a[i] and b[i] of trials that are splits of the
// same samples have the same mean, by Nadeau and Bengio's corrected t-test: it returns the
// two-sided p-value. That is 1 if no pair differs, and NaN if nothing can be tested: of fewer
// than two pairs, of a value or an overlap that is NaN, and of differences that are all the
// same and so have no variance. The slices must be of one length.
func PairedSplits(a, b []float64, overlap float64) (p float64) {
	mustPair(a, b)
	differences, differ, alike := make([]float64, len(a)), false, true
	for i := range a {
		differences[i] = a[i] - b[i]
		slack := rounding * (math.Abs(a[i]) + math.Abs(b[i]))
		differ = differ || math.Abs(differences[i]) > slack
		alike = alike && math.Abs(differences[i]-differences[0]) <= slack
	}
	mean, std := stat.PopMeanStdDev(differences, nil)
	switch {
	case len(a) < 2 || math.IsNaN(mean) || math.IsNaN(overlap):
		return math.NaN()
	case !differ:
		return 1
	case alike:
		return math.NaN()
	}
	t := mean / StandardError(std, len(a), overlap)
	return 2 * student(len(a)).Survival(math.Abs(t))
}

// student is the distribution of a mean of n values in estimated standard errors.
func student(n int) distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)} }

// MeanInterval returns the interval of the mean behind values of trials of an overlap. It is
// Student's t of fewer than BootstrapFrom values and wherever trials overlap, else a bootstrap's,
// which follows their skewness. Both ends are NaN for fewer than two
// values, an overlap that is not known, or where a value, or a sum of them, is not finite. The
// order of the values does not matter.
func MeanInterval(values []float64, overlap float64) Interval {
	if len(values) < 2 || math.IsNaN(overlap) || !summable(values) {
		return Interval{math.NaN(), math.NaN()}
	}
	values = slices.Sorted(slices.Values(values))
	out := student(len(values)).Quantile((1 + confidence) / 2) // how many standard errors the ends lie from the mean
	switch {
	case values[0] == values[len(values)-1]:
		return Interval{values[0], values[0]}
	case overlap == 0 && len(values) >= BootstrapFrom:
		n := float64(len(values))
		return bootstrap(values, out*math.Sqrt(n/(n-1)))
	}
	mean, std := stat.PopMeanStdDev(values, nil)
	half := out * StandardError(std, len(values), overlap)
	return Interval{mean - half, mean + half}
}
