package importing

import (
	"fmt"

	"graphda/io/samples"
)

// lacking names the classes that a split of the file's own lacks.
func (d *data) lacking() []string {
	var gaps []string
	for s := samples.Train; s <= samples.Test && d.split != nil && d.positive != ""; s++ {
		has := map[float64]bool{}
		for i, split := range d.split {
			if split == s {
				has[d.y[i]] = true
			}
		}
		if !has[1] {
			gaps = append(gaps, fmt.Sprintf("no %v sample is %q", s, d.positive))
		}
		if !has[-1] {
			gaps = append(gaps, fmt.Sprintf("no %v sample is %q", s, d.negative))
		}
	}
	return gaps
}

// sorted tells whether the training samples of a file's own split have all of one class
// before all of the other.
func (d *data) sorted() bool {
	changes, last := 0, 0.0
	for i, s := range d.split {
		if s == samples.Train && d.y[i] != last {
			changes++
			last = d.y[i]
		}
	}
	return d.positive != "" && changes == 2 && len(d.y) > 4
}
