package importing

import (
	"fmt"
	"math"
	"regexp"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/io/plain"
	"graphda/io/samples"
	"graphda/io/tabular"
)

// Notes are what a user should know about the files.
type notes []string

func (n *notes) add(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }

// A column is what is known of the values of a feature over all samples.
type column struct {
	whole, binary             bool // all values are whole numbers, and all 0 or 1
	least, most               float64
	mean, variance, deviation float64
	n                         float64 // values that are not missing
}

// columns looks at all values once, by Welford's updates.
func (d *data) columns() []column {
	all := make([]column, len(d.names))
	for j := range all {
		all[j] = column{whole: true, binary: true, least: math.Inf(1), most: math.Inf(-1)}
	}
	for _, x := range d.x {
		for j, v := range x {
			if v != v {
				continue
			}
			c := &all[j]
			c.whole, c.binary = c.whole && v == math.Trunc(v), c.binary && (v == 0 || v == 1)
			c.least, c.most = min(c.least, v), max(c.most, v)
			c.n++
			change := v - c.mean
			c.mean += change / c.n
			c.variance += change * (v - c.mean)
		}
	}
	for j := range all {
		all[j].variance /= all[j].n
		all[j].deviation = math.Sqrt(all[j].variance)
	}
	return all
}

// dateName is how a spreadsheet writes the genes MARCH1, SEPT2 and DEC1.
var dateName = regexp.MustCompile(`(?i)^([0-9]{1,2}-(mar|sep|dec|oct|apr)|(mar|sep|dec|oct|apr)-[0-9]{1,2})$`)

// maxRatio is how many times the deviation of one feature may be that of another before learning
// with one step for all of them gives models of chance level.
const maxRatio = 100

// noteFeatures names features that a spreadsheet has spoilt and, where they are not standardised, those that tell
// nothing or that differ too much in scale.
func (d *data) noteFeatures(columns []column, standardise bool, notes *notes) {
	var dates, constant []string
	low, high := -1, -1 // the features of the least and the largest deviation above 0
	for j, c := range columns {
		if dateName.MatchString(d.names[j]) {
			dates = append(dates, d.names[j])
		}
		if c.least == c.most {
			constant = append(constant, d.names[j])
		}
		if c.deviation > 0 && (low < 0 || c.deviation < columns[low].deviation) {
			low = j
		}
		if c.deviation > 0 && (high < 0 || c.deviation > columns[high].deviation) {
			high = j
		}
	}
	if len(dates) > 0 {
		notes.add("%s named like dates, as a spreadsheet makes them of genes such as MARCH1: %s",
			plain.Are(len(dates), "feature"), tabular.Some(dates))
	}
	if standardise {
		return
	}
	if len(constant) > 0 {
		notes.add("%s constant, which tells nothing: %s", plain.Are(len(constant), "feature"), tabular.Some(constant))
	}
	if low < 0 || math.IsInf(columns[high].variance, 0) { // a variance out of range: learning will tell
		return
	}
	if least, most := columns[low].deviation, columns[high].deviation; most > maxRatio*least {
		notes.add("the features differ in scale by a factor of %.3g (deviation %.3g of %s, %.3g of %s), and most "+
			"methods then learn next to nothing; --standardise gives all the same scale",
			most/least, most, d.names[high], least, d.names[low])
	}
}

// noteSplits tells what a split of the file's own lacks: a class, or an order of its training samples in which not all
// of one class stand before all of the other.
func (d *data) noteSplits(path string, notes *notes) {
	if d.split == nil || d.positive == "" {
		return
	}
	changes, last, has := 0, 0.0, map[samples.Split]map[float64]bool{0: {}, 1: {}, 2: {}}
	for i, s := range d.split {
		has[s][d.y[i]] = true
		if s == samples.Train && d.y[i] != last {
			changes++
			last = d.y[i]
		}
	}
	if changes == 2 && len(d.y) > 4 {
		notes.add("the training samples of %s stand sorted by label, and online methods learn in that order; "+
			"shuffle the rows", path)
	}
	for s := samples.Train; s <= samples.Test; s++ {
		for i, class := range []string{d.positive, d.negative} {
			if !has[s][float64(1-2*i)] {
				notes.add("%s: no %v sample is %q", path, s, class)
			}
		}
	}
}

// oddities says what seems to be a mistake in samples that can be read: columns that are hardly features, counts that
// are not in logarithms, and samples that are hardly of different patients.
func (s *dataset) oddities(columns []column) notes {
	var found notes
	s.noteUnlike(columns, &found)
	s.noteCounts(columns, &found)
	s.data.noteAlike(columns, &found)
	return found
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

// From alike on samples are named. With few features samples are alike by chance.
const (
	alike         = 0.99
	alikeFeatures = 10
	alikeWork     = 4          // how often a value of the samples is compared at most, on average …
	alikeLeast    = 20_000_000 // … where that is more than so many comparisons
)

// noteAlike names samples that correlate above alike, with each feature standardised over all samples: neighbours in
// the list first. As unit vectors such samples are √(2 − 2·alike) apart at most, and others are farther apart in few
// of their features already.
func (d *data) noteAlike(columns []column, notes *notes) {
	if len(d.names) < alikeFeatures {
		return
	}
	z, inverse := make([]float64, len(d.names)), make([]float64, len(d.names)) // of deviations; 0: constant
	for j := range columns {
		if columns[j].deviation > 0 {
			inverse[j] = 1 / columns[j].deviation
		}
	}
	standardised := func(j int, v float64) float64 { // 0 of what is missing
		if v != v {
			return 0
		}
		return (v - columns[j].mean) * inverse[j]
	}
	mean, scale := make([]float64, len(d.x)), make([]float64, len(d.x)) // which make a unit vector of a sample
	for i, x := range d.x {
		for j, v := range x {
			z[j] = standardised(j, v)
		}
		mean[i] = stat.Mean(z, nil)
		floats.AddConst(-mean[i], z)
		scale[i] = 1 / floats.Norm(z, 2)
	}
	count, work, example, closest := 0, 0, "", alike
	most := max(alikeLeast, alikeWork*len(d.x)*len(d.names))
	for apart := 1; apart < len(d.x) && work < most; apart++ {
		for i := range len(d.x) - apart {
			k := i + apart
			if d.patients != nil && d.patients[i] == d.patients[k] {
				continue
			}
			square, x := 0.0, d.x[k]
			for j, v := range d.x[i] {
				difference := (standardised(j, v)-mean[i])*scale[i] - (standardised(j, x[j])-mean[k])*scale[k]
				if square += difference * difference; !(square < 2-2*alike) {
					work += j + 1
					break
				}
			}
			r := 1 - square/2
			if r > alike {
				work += len(x)
				count++
			}
			if r > closest {
				example, closest = fmt.Sprintf("%s and %s (r = %.4f)", d.ids[i], d.ids[k], r), r
			}
		}
	}
	if count > 0 {
		d.addAlike(count, example, notes)
	}
}

// addAlike tells how many pairs of samples are alike, with the closest for an example.
func (d *data) addAlike(count int, example string, notes *notes) {
	pairs, why := fmt.Sprintf("%s of samples correlate above %v", plain.Count(count, "pair"), alike),
		"several samples of one patient? --patient COLUMN keeps them on one side of each split"
	if d.patients == nil {
		d.alike = pairs
	} else {
		why = "they are said to be of different patients"
	}
	notes.add("%s, as %s: %s", pairs, example, why)
}
