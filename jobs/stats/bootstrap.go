package stats

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Of MeanInterval.
const (
	confidence = 0.95
	resamples  = 10_000
)

// EnoughTrials is the number of trials from which reports test, judge and decide claims. Of fewer a mean and its
// deviation are rough, and reports say so.
const EnoughTrials = 5

// LeastUnits is the number of samples of each class, or of patients where they are told, from which intervals of own
// data have the width that they should have.
const LeastUnits = 20

// BootstrapFrom is the number of independent values from which MeanInterval is a bootstrap's.
const BootstrapFrom = 20

// An Interval holds a quantity with probability Confidence.
type Interval struct {
	Low, High float64
}

// bootstrap returns the bias-corrected and accelerated interval (BCa) of sorted values that
// differ, with ends z standard errors out. Resamples of n values vary as the population's
// deviation, and their means are taken as normal: with Student's t of the sample's deviation for
// z (Hesterberg 2015) intervals of 20 normal values cover .95, with the normal quantile .925.
func bootstrap(values []float64, z float64) Interval {
	mean := stat.Mean(values, nil)
	means := resampledMeans(values)
	bias := distuv.UnitNormal.Quantile(shareBelow(means, mean))
	skew := acceleration(values, mean)
	end := func(z float64) float64 {
		z += bias
		p := distuv.UnitNormal.CDF(bias + z/(1-skew*z)) // |skew| ≤ 1/6 and |z| < 6
		return stat.Quantile(p, stat.LinInterp, means, nil)
	}
	return Interval{end(-z), end(z)}
}

// summable tells whether every sum of as many of the values is finite.
func summable(values []float64) bool {
	largest := floats.Norm(values, math.Inf(1)) // NaN stays
	return !math.IsNaN(largest) && !math.IsInf(2*largest*float64(len(values)), 0)
}

// resampledMeans draws resamples samples of the values with replacement and returns their
// means, ascending.
func resampledMeans(values []float64) []float64 {
	rng := rand.New(rand.NewPCG(seedOf(values)))
	n := uint32(len(values))
	means := make([]float64, resamples)
	for k := range means {
		sum := 0.0
		for range values {
			sum += values[rng.Uint32N(n)]
		}
		means[k] = sum / float64(n)
	}
	slices.Sort(means)
	return means
}

// seedOf makes seeds of the values' bits.
func seedOf(values []float64) (uint64, uint64) {
	h := fnv.New128a()
	binary.Write(h, binary.LittleEndian, values) // a hash takes every byte
	sum := h.Sum(nil)
	return binary.LittleEndian.Uint64(sum), binary.LittleEndian.Uint64(sum[8:])
}

// shareBelow is the share of the sorted values below v, those equal to it but for rounding
// counted half. It is never 0 or 1.
func shareBelow(sorted []float64, v float64) float64 {
	const rounding = 0x1p-44
	n := float64(len(sorted))
	slack := rounding * max(math.Abs(sorted[0]), math.Abs(sorted[len(sorted)-1]))
	from, _ := slices.BinarySearch(sorted, v-slack)
	to, _ := slices.BinarySearch(sorted, v+slack)
	return min(max((float64(from)+float64(to))/(2*n), 0.5/n), 1-0.5/n)
}

// acceleration is how fast the mean's standard error changes with the mean, by the
// jackknife. The values are sorted and differ.
func acceleration(values []float64, mean float64) float64 {
	scale := max(mean-values[0], values[len(values)-1]-mean) // so that no cube overflows
	var squares, cubes float64
	for _, v := range values {
		d := (v - mean) / scale // the mean of the other values is d·scale/(n−1) below that of all
		squares += d * d
		cubes += d * d * d
	}
	return cubes / (6 * math.Pow(squares, 1.5))
}
