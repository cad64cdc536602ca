package merge

import (
	"math"
	"slices"
)

// A Stat is the mean and the standard deviation of a measure over the trials in which the measure is defined.
type Stat struct {
	Mean float64
	Std  float64 // population standard deviation, as in the paper
	N    int     // number of trials; Mean and Std are NaN if it is 0
}

// statOf returns the Stat of all values except NaN.
func statOf(values []float64) Stat {
	values = slices.DeleteFunc(values, math.IsNaN)
	if len(values) == 0 {
		return Stat{Mean: math.NaN(), Std: math.NaN()}
	}
	if slices.Min(values) == slices.Max(values) { // Std must be exactly 0
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
		squares += float64(d * d) // float64() prevents a fused multiply-add, for the same bits on arm64
	}
	return Stat{Mean: mean, Std: math.Sqrt(squares / n), N: len(values)}
}

// A Constant predicts the same value for all samples. It is a baseline for regression.
type Constant struct {
	Name, Label string
	MSE         []float64 // mean squared error on the test split, by trial
}

// Constants returns the constant predictions at a checkpoint, or nil if the error of any trial is unknown.
func (g *Grid) Constants(dataset string, checkpoint int) []Constant {
	zero, mean := Constant{Name: "zero", Label: "Always 0"}, Constant{Name: "training-mean", Label: "Train mean"}
	k := slices.Index(g.checkpoints, checkpoint)
	for _, t := range g.Dataset(dataset).Trials {
		if k < 0 || k >= len(t.MeanMSE) {
			return nil
		}
		zero.MSE, mean.MSE = append(zero.MSE, t.ZeroMSE), append(mean.MSE, t.MeanMSE[k])
	}
	if len(zero.MSE) == 0 {
		return nil
	}
	return []Constant{zero, mean}
}

// Stat returns the Stat of the constant's error over the trials.
func (c *Constant) Stat() Stat { return statOf(slices.Clone(c.MSE)) }
