package jobs

import (
	"math"

	"graphda/io/results"
	"graphda/learners"
)

var nan = math.NaN()

// spread returns settings by the columns of a layout, NaN where the method has no such
// parameter.
func spread(layout results.Layout, s learners.Settings) []float64 {
	out := make([]float64, len(layout))
	for k := range out {
		out[k] = nan
		for i := range s.Method.Params {
			if s.Method.Params[i].Name == layout[k].Name {
				out[k] = s.Values[i]
			}
		}
	}
	return out
}
