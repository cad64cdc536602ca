package importing

import (
	"math"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
)

// filled returns x with missing values filled in. It also returns each feature's fill value, or nil if no value is
// missing. The fill value comes from the training samples, or from all samples if the training samples have no value.
func filled(d *sampletable.Data, how sampletable.Missing, train []int) (x [][]float64, fill []float64) {
	isGap := func(x []float64) bool { return slices.ContainsFunc(x, math.IsNaN) }
	fills := how == sampletable.MissingMean || how == sampletable.MissingMedian // else Read left no missing value
	if !fills || !slices.ContainsFunc(d.X, isGap) {
		return d.X, nil
	}
	fill = make([]float64, len(d.Names))
	everywhere := make([]int, len(d.X))
	for i := range everywhere {
		everywhere[i] = i
	}
	weights := weightsOf(d, everywhere)
	present := func(rows []int, j int) (values, of []float64) { // of: the values' weights, or nil
		for _, i := range rows {
			if v := d.X[i][j]; v == v {
				values = append(values, v)
				if weights != nil {
					of = append(of, weights[i])
				}
			}
		}
		return values, of
	}
	for j := range fill {
		values, of := present(train, j)
		if values == nil {
			values, of = present(everywhere, j)
		}
		fill[j] = center(how, values, of)
	}
	x = slices.Clone(d.X)
	for i := range x {
		if !isGap(x[i]) {
			continue
		}
		x[i] = slices.Clone(x[i])
		for j, v := range x[i] {
			if v != v {
				x[i][j] = fill[j]
			}
		}
	}
	return x, fill
}

// center returns the weighted mean or median of the values, which must not be empty.
func center(how sampletable.Missing, values, weights []float64) float64 {
	if how == sampletable.MissingMedian {
		return samples.Median(values, weights)
	}
	return samples.NewScaling(1, len(values), func(i int) []float64 { return values[i : i+1] }, weights).Mean[0]
}

func weightsOf(d *sampletable.Data, rows []int) (weights []float64) {
	k := slices.IndexFunc(d.Covariates, func(c samples.Covariate) bool { return c.Weight })
	if k < 0 {
		return nil
	}
	for _, i := range rows {
		w, _ := dataframe.Number(d.Told[i][k])
		weights = append(weights, w)
	}
	return weights
}
