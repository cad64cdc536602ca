package samples

import "graphda/io/columnar"

// A Scaling is how samples were standardised: by the mean and the population standard deviation
// of each feature over some samples, in the units of measurement. It stands in the columns mean
// and deviation of the features file. A deviation of 0 is that of a feature that is constant over
// those samples, and 0 in all standardised ones.
type Scaling struct {
	Mean, Deviation []float64 // by feature
}

// Apply standardises x, a sample as it was measured, into dst. Whoever applies the scaling of a
// dataset to the values that it was made of gets the dataset's bits.
func (s *Scaling) Apply(dst, x []float64) {
	for j, v := range x {
		dst[j] = 0
		if s.Deviation[j] > 0 {
			dst[j] = (v - s.Mean[j]) * (1 / s.Deviation[j])
		}
	}
}

// columns are the names and values of the two columns.
func (s *Scaling) columns() []NumberColumn {
	return []NumberColumn{{"mean", &s.Mean}, {"deviation", &s.Deviation}}
}

// readScaling reads both columns, or neither.
func readScaling(f *columnar.File) (*Scaling, error) {
	s := &Scaling{}
	for _, c := range s.columns() {
		var err error
		if *c.Values, err = readOptional(f, c.Name); err != nil {
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
