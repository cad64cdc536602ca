package importing

import (
	"fmt"
	"math"
	"regexp"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/io/dataframe"
	"graphda/io/message"
)

// suspects holds samples in memory. Features and Mistakes find likely mistakes in them: features that are spoilt,
// constant or of other scales, columns that are hardly features, raw counts, and samples that hardly come from
// different patients.
type suspects struct {
	Names    []string    // of the features
	IDs      []string    // of the samples
	Patients []string    // by sample; nil if each is of a patient of its own
	X        [][]float64 // by sample; NaN where a value is missing

	columns []column
	notes   []string
}

func (d *suspects) add(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// A column is what is known of the values of a feature over all samples.
type column struct {
	whole, binary             bool // all values are whole numbers, and all 0 or 1
	least, most               float64
	mean, variance, deviation float64
	n                         float64 // values that are not missing
}

// look looks at all values once, by Welford's updates.
func (d *suspects) look() {
	all := make([]column, len(d.Names))
	for j := range all {
		all[j] = column{whole: true, binary: true, least: math.Inf(1), most: math.Inf(-1)}
	}
	for _, x := range d.X {
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
	d.columns = all
}

// dateName is how a spreadsheet writes the genes MARCH1, SEPT2 and DEC1.
var dateName = regexp.MustCompile(`(?i)^([0-9]{1,2}-(mar|sep|dec|oct|apr)|(mar|sep|dec|oct|apr)-[0-9]{1,2})$`)

// maxRatio is how many times the deviation of one feature may be that of another before learning
// with one step for all of them gives models of chance level.
const maxRatio = 100

// Features names features that a spreadsheet has spoilt and, where they are not standardised, those that tell nothing
// or that differ too much in scale.
func (d *suspects) Features(standardise bool) []string {
	d.look()
	d.noteFeatures(standardise)
	return d.notes
}

func (d *suspects) noteFeatures(standardise bool) {
	columns := d.columns
	var dates, constant []string
	low, high := -1, -1 // the features of the least and the largest deviation above 0
	for j, c := range columns {
		if dateName.MatchString(d.Names[j]) {
			dates = append(dates, d.Names[j])
		}
		if c.least == c.most {
			constant = append(constant, d.Names[j])
		}
		if c.deviation > 0 && (low < 0 || c.deviation < columns[low].deviation) {
			low = j
		}
		if c.deviation > 0 && (high < 0 || c.deviation > columns[high].deviation) {
			high = j
		}
	}
	if len(dates) > 0 {
		d.add("%s named like dates, as a spreadsheet makes them of genes such as MARCH1: %s",
			message.Are(len(dates), "feature"), dataframe.Some(dates))
	}
	if standardise {
		return
	}
	if len(constant) > 0 {
		d.add("%s constant, which tells nothing: %s", message.Are(len(constant), "feature"), dataframe.Some(constant))
	}
	if low < 0 || math.IsInf(columns[high].variance, 0) { // a variance out of range: learning will tell
		return
	}
	if least, most := columns[low].deviation, columns[high].deviation; most > maxRatio*least {
		d.add("the features differ in scale by a factor of %.3g (deviation %.3g of %s, %.3g of %s), and most "+
			"methods then learn next to nothing; --standardise gives all the same scale",
			most/least, most, d.Names[high], least, d.Names[low])
	}
}

// Mistakes says what seems to be a mistake, after Features: columns that are hardly features of a network, by the
// degree of each, counts that are not in logarithms, and samples that are hardly of different patients. Where no
// patients are told, alike is how many of these there are; "": none.
func (d *suspects) Mistakes(degree func(feature int32) int) (notes []string, alike string) {
	d.notes = nil
	d.noteUnlike(degree)
	d.noteCounts()
	alike = d.noteAlike()
	return d.notes, alike
}

// fewUnlike is the largest share of the features, in percent, at which those of whole numbers are not like the others.
const fewUnlike = 10

// noteUnlike names features of whole numbers beside real ones that the network does not have.
func (d *suspects) noteUnlike(degree func(feature int32) int) {
	columns := d.columns
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
		if degree(int32(j)) > 0 {
			continue
		}
		has := "whole numbers"
		if columns[j].binary {
			has = "0 and 1"
		}
		d.add("column %q is taken for a feature, but it has %s where the others have fractions, and no edge: if it is "+
			"none, --drop %[1]q leaves it out", d.Names[j], has)
	}
}

// noteCounts tells counts by their being whole, at least 0, and more scattered than Poisson's.
func (d *suspects) noteCounts() {
	columns := d.columns
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
		d.add("THE VALUES LOOK LIKE RAW COUNTS: whole numbers, with a variance above the mean in %s of %s. The largest "+
			"samples and features then count for most; normalise for the size of samples and take logarithms first, such "+
			"as log2(counts per million + 1)", message.Number(scattered), message.Count(len(columns), "feature"))
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
func (d *suspects) noteAlike() (without string) {
	columns := d.columns
	if len(d.Names) < alikeFeatures {
		return ""
	}
	z, inverse := make([]float64, len(d.Names)), make([]float64, len(d.Names)) // of deviations; 0: constant
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
	mean, scale := make([]float64, len(d.X)), make([]float64, len(d.X)) // which make a unit vector of a sample
	for i, x := range d.X {
		for j, v := range x {
			z[j] = standardised(j, v)
		}
		mean[i] = stat.Mean(z, nil)
		floats.AddConst(-mean[i], z)
		scale[i] = 1 / floats.Norm(z, 2)
	}
	count, work, example, closest := 0, 0, "", alike
	most := max(alikeLeast, alikeWork*len(d.X)*len(d.Names))
	for apart := 1; apart < len(d.X) && work < most; apart++ {
		for i := range len(d.X) - apart {
			k := i + apart
			if d.Patients != nil && d.Patients[i] == d.Patients[k] {
				continue
			}
			square, x := 0.0, d.X[k]
			for j, v := range d.X[i] {
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
				example, closest = fmt.Sprintf("%s and %s (r = %.4f)", d.IDs[i], d.IDs[k], r), r
			}
		}
	}
	if count == 0 {
		return ""
	}
	return d.addAlike(count, example)
}

// addAlike tells how many pairs of samples are alike, with the closest for an example.
func (d *suspects) addAlike(count int, example string) (without string) {
	pairs, why := fmt.Sprintf("%s of samples correlate above %v", message.Count(count, "pair"), alike),
		"several samples of one patient? --patient COLUMN keeps them on one side of each split"
	without = pairs
	if d.Patients != nil {
		without, why = "", "they are said to be of different patients"
	}
	d.add("%s, as %s: %s", pairs, example, why)
	return without
}
