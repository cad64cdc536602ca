package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
)

// A Distances measures how far new samples are from a model's training samples, in standard deviations of the training
// samples. If new samples have another unit or platform, features are many deviations away.
type Distances struct {
	names   []string
	moments [][4]float64 // for each column: number of values, number of far values, sum, sum of squares
}

const (
	far            = 4  // a value is far if it is more than this many standard deviations from the mean
	leastRecentred = 10 // smallest number of samples that can be recentred
)

// NewDistances returns empty distances for columns with the given names.
func NewDistances(names []string) *Distances {
	return &Distances{names: names, moments: make([][4]float64, len(names))}
}

// Add adds a sample and reports whether the sample as a whole is far. It compares the root mean square of the sample's
// values with a limit, which is higher for few values. If missing is nil, no value is missing.
func (d *Distances) Add(z []float64, missing []bool) bool {
	squares, n := 0.0, 0.0
	for j, v := range z {
		if missing != nil && missing[j] {
			continue
		}
		squares, n = squares+v*v, n+1
		m := &d.moments[j]
		m[0], m[2], m[3] = m[0]+1, m[2]+v, m[3]+v*v
		if math.Abs(v) > far {
			m[1]++
		}
	}
	return math.Sqrt(squares/n) > 3+2/math.Sqrt(n)
}

// Note names the columns that are far in most samples, or returns "". It appends the hint if recentring would bring all
// these columns near. If recentred is set, Note names only the columns that are far even after recentring.
func (d *Distances) Note(recentred bool, hint string) string {
	read, mean := 0, func(j int) float64 { return d.moments[j][2] / d.moments[j][0] }
	spread := func(j int) float64 { return math.Sqrt(max(0, d.moments[j][3]/d.moments[j][0]-mean(j)*mean(j))) }
	var all []int
	for j, m := range d.moments {
		if m[0] > 0 {
			read++
		}
		near := spread(j) <= far // whether column j is near after recentring
		if m[1] <= m[0]/2 || recentred && near {
			continue
		}
		if all = append(all, j); !near || m[0] < leastRecentred {
			hint = ""
		}
	}
	if len(all) == 0 {
		return ""
	}
	value, one, text := mean, "%s (%+.3g)", "%s of %s of the model are more than %d standard deviations from the "+
		"training mean in most samples; mean distances: %s; is this another unit or platform?%s"
	if recentred {
		value, one, hint = spread, "%s (%.3g)", ""
		text = "%s of %s of the model vary more than %d times as much as in the training samples: %s; is this another unit " +
			"or platform? Recentring does not help%s"
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(math.Abs(value(b)), math.Abs(value(a))) })
	var texts []string
	for _, j := range all {
		texts = append(texts, fmt.Sprintf(one, message.Text(d.names[j]), value(j)))
	}
	return fmt.Sprintf(text, message.Number(len(all)), message.Count(read, "column"), far, dataframe.Some(texts), hint)
}
