package importing

import (
	"fmt"
	"math"

	"graphda/io/samples"
)

// newScaling returns the scaling of the given rows of x, and the features that are constant over
// them. Names are those of the features.
func newScaling(names []string, x [][]float64, rows []int) (s *samples.Scaling, constant []int, err error) {
	s = samples.NewScaling(len(x[0]), len(rows), func(i int) []float64 { return x[rows[i]] })
	for j, deviation := range s.Deviation {
		if math.IsInf(deviation, 0) {
			return nil, nil, fmt.Errorf("column %q: is too large to standardise: its variance is out of range", names[j])
		}
		if deviation == 0 {
			constant = append(constant, j)
		}
	}
	return s, constant, nil
}

// maxRatio is how many times the deviation of one feature may be that of another before learning
// with one step for all of them gives models of chance level.
const maxRatio = 100

// warnOfScales notes features whose deviations, over all samples, differ too much.
func (d *data) warnOfScales(how Missing, notes *notes) {
	all := make([]int, len(d.x))
	for i := range all {
		all[i] = i
	}
	x, _ := d.filled(how, all)
	s, _, err := newScaling(d.names, x, all)
	if err != nil {
		return // a variance out of range: learning will tell
	}
	low, high := -1, -1
	for j, v := range s.Deviation {
		if v > 0 && (low < 0 || v < s.Deviation[low]) {
			low = j
		}
		if v > 0 && (high < 0 || v > s.Deviation[high]) {
			high = j
		}
	}
	if low >= 0 && s.Deviation[high] > maxRatio*s.Deviation[low] {
		notes.add("the features differ in scale by a factor of %.3g (deviation %.3g of %s, %.3g of %s), and most "+
			"methods then learn next to nothing; --standardise gives all the same scale",
			s.Deviation[high]/s.Deviation[low], s.Deviation[high], d.names[high], s.Deviation[low], d.names[low])
	}
}
