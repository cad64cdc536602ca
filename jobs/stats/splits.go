package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Random splits of the same samples are not independent trials. If each trial learns from n₁ samples and tests on n₂
// samples, Nadeau and Bengio assume the correlation n₂/(n₁ + n₂) between two trials. The mean of J trials then has the
// variance (1/J + n₂/n₁)·s². Arguments named overlap are n₂/n₁, or 0 for independent trials.

// StandardError returns the standard error of the mean of n values from trials with the given overlap. std is the
// population standard deviation of the values.
func StandardError(std float64, n int, overlap float64) float64 {
	return std / math.Sqrt(float64(n-1)/(1+float64(n)*overlap))
}

// AreaInterval returns the interval of the mean area under the ROC curve, from the areas of trials with the given
// overlap. It covers both the result of MeanInterval and Wilson's interval (1927), because areas of few samples often
// vary too little. Wilson's interval assumes that an area a has the variance 4a(1 − a)·chance, where chance is the
// AreaVariance of one trial.
func AreaInterval(areas []float64, overlap, chance float64) Interval {
	own, mean := MeanInterval(areas, overlap), stat.Mean(areas, nil)
	z := distuv.UnitNormal.Quantile((1 + confidence) / 2)
	k := 4 * z * z * (1/float64(len(areas)) + overlap) * chance
	middle, half := (mean+k/2)/(1+k), math.Sqrt(k*(k/4+mean*(1-mean)))/(1+k)
	return Interval{min(own.Low, middle-half), max(own.High, middle+half)}
}

// MeanError returns the standard error of the mean of values from trials with the given overlap. It is at least the
// error that chance alone causes. `chance` is the variance that chance alone gives one trial's value.
func MeanError(values []float64, overlap, chance float64) float64 {
	least := math.Sqrt((1/float64(len(values)) + overlap) * chance)
	if len(values) < 2 {
		return least
	}
	return max(least, StandardError(stat.PopStdDev(values, nil), len(values), overlap))
}

// Growth predicts how much a measure gains from more to all samples. gain is the measured gain from few to more
// samples. Growth assumes that a model of n samples is c/n below the limit of the measure. If the gain is negative, or
// not few < more < all, it returns 0.
func Growth(gain float64, few, more, all int) float64 {
	if !(gain > 0 && 0 < few && few < more && more < all) {
		return 0
	}
	return gain * (1/float64(more) - 1/float64(all)) / (1/float64(few) - 1/float64(more))
}

// AreaVariance returns the variance of the area under the ROC curve of n samples with random scores (Mann and Whitney
// 1947).
func AreaVariance(n, positive float64) float64 { return (n + 1) / (12 * positive * (n - positive)) }

// PairedSplits tests whether the paired values a[i] and b[i] have the same mean. The trials may be splits of the same
// samples. It returns the two-sided p-value of Nadeau and Bengio's corrected t-test, or 1 if no pair differs. It
// returns NaN for fewer than two pairs, if a value is NaN, and if all differences are equal but not 0. The slices must
// have the same length.
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

func student(n int) distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)} }

// MeanInterval returns the confidence interval of the mean of values from trials with the given overlap. For at
// least BootstrapFrom independent values it uses the bootstrap, which allows for skewness. Otherwise it uses
// Student's t. Both ends are NaN if there are fewer than two values, if the overlap is NaN, or if the values or
// their sums are not all finite.
func MeanInterval(values []float64, overlap float64) Interval {
	if len(values) < 2 || math.IsNaN(overlap) || !summable(values) {
		return Interval{math.NaN(), math.NaN()}
	}
	values = slices.Sorted(slices.Values(values))
	out := student(len(values)).Quantile((1 + confidence) / 2) // distance from the mean to an end, in standard errors
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
