package simulate

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/io/samples"
)

// rowsOf yields the y and x of each sample. The argument x has the samples' values, row by row.
func rowsOf(y, x []float64) iter.Seq2[float64, []float64] {
	return func(yield func(float64, []float64) bool) {
		p := len(x) / len(y)
		for i, v := range y {
			if !yield(v, x[i*p:(i+1)*p]) {
				return
			}
		}
	}
}

func fillNormal(rng *rand.Rand, x []float64) {
	for i := range x {
		x[i] = rng.NormFloat64()
	}
}

// shuffledLabels returns n labels, half −1 and half +1, in random order. Before the shuffle, the
// first half are `first`.
func shuffledLabels(rng *rand.Rand, first float64, n int) []float64 {
	y := slices.Concat(slices.Repeat([]float64{first}, n/2), slices.Repeat([]float64{-first}, n-n/2))
	rng.Shuffle(n, func(i, j int) { y[i], y[j] = y[j], y[i] })
	return y
}

// standardise gives the p columns of the matrix x mean 0 and population standard deviation 1. A constant column becomes
// 0.
func standardise(x []float64, p int) {
	column := make([]float64, len(x)/p)
	for j := range p {
		for i := range column {
			column[i] = x[i*p+j]
		}
		mean, variance := columnMoments(column)
		scale := 0.0
		if variance > 0 {
			scale = 1 / math.Sqrt(variance)
		}
		for i, v := range column {
			x[i*p+j] = (v - mean) * scale
		}
	}
}

// columnMoments returns the mean and population variance of a column. For a constant column, the variance is exactly 0.
func columnMoments(column []float64) (mean, variance float64) {
	if slices.Min(column) == slices.Max(column) {
		return column[0], 0
	}
	return stat.PopMeanVariance(column, nil)
}

// gridFeatures returns the features of a side × side grid, row by row, with names and places. Groups are squares. The
// truth is zero.
func gridFeatures(side, groupSide int) *samples.Features {
	p, across := side*side, side/groupSide
	f := &samples.Features{
		Names: make([]string, p), Truth: make([]float64, p),
		Row: make([]float64, p), Col: make([]float64, p),
		Groups: make([][]int32, across*across),
	}
	for i := range p {
		row, col := i/side, i%side
		f.Names[i] = fmt.Sprintf("r%02dc%02d", row, col)
		f.Row[i], f.Col[i] = float64(row), float64(col)
		k := row/groupSide*across + col/groupSide
		f.Groups[k] = append(f.Groups[k], int32(i))
	}
	return f
}
