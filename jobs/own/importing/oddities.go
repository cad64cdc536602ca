package importing

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"graphda/io/plain"
)

// oddities says what seems to be a mistake in samples that can be read: columns that are hardly features, counts that
// are not in logarithms, and samples that are hardly of different patients.
func (s *dataset) oddities() []string {
	columns := s.data.columns()
	var found notes
	s.noteUnlike(columns, &found)
	s.noteCounts(columns, &found)
	s.data.noteAlike(columns, &found)
	return found
}

// A column is what is known of the values of a feature over all samples.
type column struct {
	whole, binary  bool // all values are whole numbers, and all 0 or 1
	least          float64
	mean, variance float64
	n              float64 // values that are not missing
}

// columns looks at all values once, by Welford's updates.
func (d *data) columns() []column {
	all := make([]column, len(d.names))
	for j := range all {
		all[j] = column{whole: true, binary: true, least: math.Inf(1)}
	}
	for _, x := range d.x {
		for j, v := range x {
			if v != v {
				continue
			}
			c := &all[j]
			c.whole, c.binary = c.whole && v == math.Trunc(v), c.binary && (v == 0 || v == 1)
			c.least = min(c.least, v)
			c.n++
			change := v - c.mean
			c.mean += change / c.n
			c.variance += change * (v - c.mean)
		}
	}
	for j := range all {
		all[j].variance /= all[j].n
	}
	return all
}

// fewUnlike is the largest share of the features, in percent, at which those of whole numbers are not like the others.
const fewUnlike = 10

// noteUnlike names features of whole numbers beside real ones that the network does not have.
func (s *dataset) noteUnlike(columns []column, notes *notes) {
	var unlike []int
	for j, c := range columns {
		if c.whole {
			unlike = append(unlike, j)
		}
	}
	if 100*len(unlike) > fewUnlike*max(10, len(columns)) {
		return
	}
	for _, j := range unlike {
		if s.network.Graph.Degree(int32(j)) > 0 {
			continue
		}
		has := "whole numbers"
		if columns[j].binary {
			has = "0 and 1"
		}
		notes.add("column %q is taken for a feature, but it has %s where the others have fractions, and no edge: if it is "+
			"none, --drop %[1]q leaves it out", s.data.names[j], has)
	}
}

// noteCounts tells counts by their being whole, at least 0, and more scattered than Poisson's.
func (s *dataset) noteCounts(columns []column, notes *notes) {
	whole, scattered := 0, 0
	for _, c := range columns {
		if c.whole && c.least >= 0 && !c.binary {
			whole++
			if c.variance > c.mean {
				scattered++
			}
		}
	}
	if 10*whole > 9*len(columns) && 2*scattered > whole {
		notes.add("THE VALUES LOOK LIKE RAW COUNTS: whole numbers, with a variance above the mean in %s of %s. The largest "+
			"samples and features then count for most; normalise for the size of samples and take logarithms first, such "+
			"as log2(counts per million + 1)", plain.Number(scattered), plain.Count(len(columns), "feature"))
	}
}

// What noteAlike does at most, and where it is of use: with few features samples are alike by chance.
const (
	alike         = 0.99
	alikeFeatures = 10
	alikeSamples  = 20_000
	alikeChecks   = 100_000 // of pairs, over all features
	directions    = 12
)

// noteAlike names samples that correlate above alike, with each feature standardised over all samples. As unit
// vectors such samples differ by √(2 − 2·alike) at most. Along a random direction they hardly ever differ by four
// times as much: few other pairs pass that test, and only those are compared in full.
func (d *data) noteAlike(columns []column, notes *notes) {
	n, p := min(len(d.x), alikeSamples), len(d.names)
	if p < alikeFeatures {
		return
	}
	z, other, order := make([]float64, p), make([]float64, p), make([]int, n)
	along := d.project(columns, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(along[a][0], along[b][0]), a-b) })
	near := 4 * math.Sqrt(2-2*alike)
	count, checks, example, closest := 0, 0, "", alike
	for at, i := range order {
		unit(z, d.x[i], columns)
		for _, j := range order[at+1:] {
			if along[j][0]-along[i][0] > near || checks == alikeChecks {
				break
			}
			far := false
			for k := 1; k < directions && !far; k++ {
				far = math.Abs(along[i][k]-along[j][k]) > near
			}
			if far || d.patients != nil && d.patients[i] == d.patients[j] {
				continue
			}
			checks++
			unit(other, d.x[j], columns)
			r := floats.Dot(z, other)
			if r > alike {
				count++
			}
			if r > closest {
				example, closest = fmt.Sprintf("%s and %s (r = %.4f)", d.ids[min(i, j)], d.ids[max(i, j)], r), r
			}
		}
	}
	why := "several samples of one patient? --patient COLUMN keeps them on one side of each split"
	if d.patients != nil {
		why = "they are said to be of different patients"
	}
	if count > 0 {
		notes.add("%s of samples correlate above %v, as %s: %s", plain.Count(count, "pair"), alike, example, why)
	}
}

// project returns the places of the first n samples, as unit vectors, along random directions.
func (d *data) project(columns []column, n int) [][directions]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	signs := make([][]float64, directions)
	for k := range signs {
		for range d.names {
			signs[k] = append(signs[k], float64(2*rng.IntN(2)-1))
		}
	}
	z, along := make([]float64, len(d.names)), make([][directions]float64, n)
	for i := range along {
		unit(z, d.x[i], columns)
		for k := range signs {
			along[i][k] = floats.Dot(z, signs[k])
		}
	}
	return along
}

// unit makes a vector of length 1 and mean 0 of the standardised values of a sample; 0 of one without any.
func unit(z, x []float64, columns []column) {
	mean := 0.0
	for j, v := range x {
		z[j] = 0
		if c := &columns[j]; c.variance > 0 && v == v {
			z[j] = (v - c.mean) / math.Sqrt(c.variance)
		}
		mean += z[j] / float64(len(z))
	}
	floats.AddConst(-mean, z)
	if norm := floats.Norm(z, 2); norm > 0 {
		floats.Scale(1/norm, z)
	}
}
