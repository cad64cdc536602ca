package importing

import (
	"fmt"
	"math"
)

// A scaling gives every feature mean 0 and population standard deviation 1 over some
// samples. A feature that is constant over them becomes 0 everywhere. A nil scaling leaves
// samples as they are.
type scaling struct {
	mean     []float64 // by feature
	scale    []float64 // 1/σ, or 0
	constant []int
	row      []float64 // what apply returns
}

// newScaling returns the scaling of the given rows of x. Names are those of the features.
func newScaling(names []string, x [][]float64, rows []int) (*scaling, error) {
	p, n := len(x[0]), float64(len(rows))
	s := &scaling{mean: make([]float64, p), scale: make([]float64, p), row: make([]float64, p)}
	first, varies := x[rows[0]], make([]bool, p)
	for _, i := range rows {
		for j, v := range x[i] {
			s.mean[j] += v / n
			varies[j] = varies[j] || v != first[j]
		}
	}
	for _, i := range rows {
		for j, v := range x[i] {
			s.scale[j] += (v - s.mean[j]) * (v - s.mean[j]) / n // σ² so far
		}
	}
	for j, variance := range s.scale {
		if math.IsInf(variance, 0) {
			return nil, fmt.Errorf("column %q: is too large to standardise: its variance is out of range", names[j])
		}
		s.scale[j] = 1 / math.Sqrt(variance)
		if !varies[j] || variance == 0 {
			s.scale[j] = 0
			s.constant = append(s.constant, j)
		}
	}
	return s, nil
}

// apply returns a sample in the new units. The slice is valid until the next call.
func (s *scaling) apply(x []float64) []float64 {
	if s == nil {
		return x
	}
	for j, v := range x {
		s.row[j] = (v - s.mean[j]) * s.scale[j]
	}
	return s.row
}
