package samples

import (
	"math"
	"slices"

	"graphda/io/columnar"
)

// A Scaling is how samples were standardised: by the mean and the population standard deviation
// of each feature over some samples, in the units of measurement. It stands in the columns mean
// and deviation of the features file. A deviation of 0 is that of a feature that is constant over
// those samples, and 0 in all standardised ones.
type Scaling struct {
	Mean, Deviation []float64 // by feature
}

// NewScaling returns the scaling of n samples, one at least, of p features. The deviation of a feature
// whose values are too large is infinite.
func NewScaling(p, n int, row func(i int) []float64) *Scaling {
	s := &Scaling{Mean: make([]float64, p), Deviation: make([]float64, p)}
	first, varies := row(0), make([]bool, p)
	for i := range n {
		for j, v := range row(i) {
			s.Mean[j] += v / float64(n)
			varies[j] = varies[j] || v != first[j]
		}
	}
	for i := range n {
		for j, v := range row(i) {
			s.Deviation[j] += (v - s.Mean[j]) * (v - s.Mean[j]) / float64(n) // σ² so far
		}
	}
	for j, variance := range s.Deviation {
		if s.Deviation[j] = math.Sqrt(variance); !varies[j] {
			s.Deviation[j] = 0 // whatever rounding made of it
		}
	}
	return s
}

// Medians returns the median of each of p features over n samples, one at least.
func Medians(p, n int, row func(i int) []float64) []float64 {
	medians, values := make([]float64, p), make([]float64, n)
	for j := range medians {
		for i := range values {
			values[i] = row(i)[j]
		}
		slices.Sort(values)
		medians[j] = values[(n-1)/2]/2 + values[n/2]/2
	}
	return medians
}

// Apply standardises x, a sample as it was measured, into dst. The scaling of a dataset, applied to the values that it
// was made of, gives the dataset's bits.
func (s *Scaling) Apply(dst, x []float64) {
	for j, v := range x {
		dst[j] = 0
		if s.Deviation[j] > 0 {
			dst[j] = (v - s.Mean[j]) * (1 / s.Deviation[j])
		}
	}
}

// Undo turns x, a standardised sample, into dst, as it was measured up to rounding. What was constant is at its
// mean: Apply keeps no more of it.
func (s *Scaling) Undo(dst, x []float64) {
	for j, v := range x {
		dst[j] = s.Mean[j] + s.Deviation[j]*v
	}
}

// Columns are the two columns that a scaling is written in.
func (s *Scaling) Columns() []NumberColumn {
	return []NumberColumn{{"mean", &s.Mean}, {"deviation", &s.Deviation}}
}

// ReadScaling reads both columns, or neither: then it is nil.
func ReadScaling(f *columnar.File) (*Scaling, error) {
	s := &Scaling{}
	for _, c := range s.Columns() {
		var err error
		if *c.Values, err = f.OptionalFloats(c.Name); err != nil {
			return nil, err
		}
	}
	switch {
	case s.Mean == nil && s.Deviation == nil:
		return nil, nil
	case s.Mean == nil || s.Deviation == nil:
		return nil, f.Bad("", "has one of the columns mean and deviation without the other")
	}
	for row, d := range s.Deviation {
		if d < 0 {
			return nil, columnar.Locate(columnar.AtRow(row, "is %v, want at least 0", d), f.Path, "deviation")
		}
	}
	return s, nil
}
