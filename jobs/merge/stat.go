package merge

import (
	"math"
	"slices"
)

// A Stat sums up a measure over the trials in which it is defined.
type Stat struct {
	Mean float64
	Std  float64 // of the population, as in the paper
	N    int     // trials; Mean and Std are NaN if there is none
}

// statOf sums up the values that are not NaN, in their order.
func statOf(values []float64) Stat {
	values = slices.DeleteFunc(values, math.IsNaN)
	if len(values) == 0 {
		return Stat{Mean: math.NaN(), Std: math.NaN()}
	}
	if slices.Min(values) == slices.Max(values) { // no spread, however their sum would round
		return Stat{Mean: values[0], N: len(values)}
	}
	n := float64(len(values))
	var sum, squares float64
	for _, v := range values {
		sum += v
	}
	mean := sum / n
	for _, v := range values {
		d := v - mean
		squares += float64(d * d) // float64(): no FMA, same bits on arm64
	}
	return Stat{Mean: mean, Std: math.Sqrt(squares / n), N: len(values)}
}
