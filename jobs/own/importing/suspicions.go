package importing

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/jobs/own/coding"
	"graphda/jobs/own/sampletable"
)

// suspects looks for likely mistakes of the user, by the methods Features and Mistakes.
type suspects struct {
	*sampletable.Data
	Classes bool

	columns []column
	notes   []string
}

func (d *suspects) add(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// A column has statistics of a feature over all samples.
type column struct {
	whole, binary             bool // whether all values are whole numbers, and whether all are 0 or 1
	least, most               float64
	mean, variance, deviation float64
	n                         float64 // number of values that are not missing
}

// look computes the statistics of all columns in one pass, by Welford's algorithm.
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

// dateName matches dates, because a spreadsheet turns genes such as MARCH1, SEPT2 and DEC1 into dates.
var dateName = regexp.MustCompile(`(?i)^([0-9]{1,2}-(mar|sep|dec|oct|apr)|(mar|sep|dec|oct|apr)-[0-9]{1,2})$`)

// maxRatio is the largest harmless ratio of two features' standard deviations. With a larger ratio, methods that use
// one step size for all features do no better than chance.
const maxRatio = 100

// Features notes names that a spreadsheet has turned into dates. If standardise is false, it also notes constant
// features, and features whose scales differ too much.
func (d *suspects) Features(standardise bool) []string {
	d.look()
	d.noteFeatures(standardise)
	return d.notes
}

func (d *suspects) noteFeatures(standardise bool) {
	columns := d.columns
	var dates, constant []string
	low, high := -1, -1 // features with the smallest and the largest positive deviation
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
		d.add("%s named like dates, because spreadsheets turn genes such as MARCH1 into dates; restore the names in the "+
			"file: %s",
			message.Are(len(dates), "feature"), dataframe.Some(dates))
	}
	if standardise {
		return
	}
	if len(constant) > 0 {
		d.add("%s constant and thus useless: %s", message.Are(len(constant), "feature"), dataframe.Some(constant))
	}
	if low < 0 || math.IsInf(columns[high].variance, 0) { // learning reports an infinite variance
		return
	}
	if least, most := columns[low].deviation, columns[high].deviation; most > maxRatio*least {
		d.add("the features differ in scale by a factor of %.3g (standard deviations: %.3g of %s, %.3g of %s), so most "+
			"methods of a plan learn almost nothing without --standardise; gdrun tune and confidence standardise anyway",
			most/least, most, d.Names[high], least, d.Names[low])
	}
}

// Mistakes notes columns that are probably not features, raw counts, codes for missing values, samples that probably
// come from the same patient, and values that drift along the rows. `alike` says how many samples are nearly equal. It
// is "" if there are none, or if the table names patients. Call Features first.
func (d *suspects) Mistakes(degree func(feature int32) int) (notes []string, alike string) {
	d.notes = nil
	d.noteUnlike(degree)
	d.noteCounts()
	d.noteCodes()
	d.noteIDs()
	if alike = d.noteAlike(); alike == "" {
		d.noteDrift()
	}
	return d.notes, alike
}

// Whole numbers are suspicious if at most fewUnlike percent of the features have only whole numbers.
const fewUnlike = 10

// batchName matches names of columns of batches.
var batchName = regexp.MustCompile(`(?i)^(batch|plate|run|site|cent(er|re)|scanner|lane|chip|slide|lot|lab|platform)` +
	`([ _.-]?(id|no|nr|number))?$`)

// withLabel describes the correlation of column j with the label if it exceeds 4 standard errors. `stop` ends the
// previous sentence.
func (d *suspects) withLabel(j int, stop string) string {
	var x, y []float64
	for i, row := range d.X {
		if row[j] == row[j] {
			x, y = append(x, row[j]), append(y, d.Y[i])
		}
	}
	if r := stat.Correlation(x, y, nil); math.Abs(r)*math.Sqrt(float64(len(x))) > 4 {
		return fmt.Sprintf("%s It is correlated with the label (r = %.2f), so selected features may only "+
			"reflect this column.", stop, r)
	}
	return ""
}

// noteUnlike notes columns without an edge that are perhaps not features: their names suggest patients or batches, or
// they have whole numbers while other features have fractions.
func (d *suspects) noteUnlike(degree func(feature int32) int) {
	columns := d.columns
	var unlike []int
	for j, c := range columns {
		name, alone := d.Names[j], degree(int32(j)) == 0
		if alone && coding.NamesPatients(name) {
			d.add("column %q is read as a feature, but has a name for patients: --patient %[1]q keeps each patient's samples "+
				"on one side of each split", name)
		} else if alone && batchName.MatchString(name) {
			d.add("column %q is read as a feature, but has a name for batches: --batch %[1]q adjusts for them.%s", name,
				d.withLabel(j, ""))
		} else if c.whole {
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
		d.add("column %q is read as a feature, but it has %s where other features have fractions, and no edge: if it is no "+
			"feature, add --drop %[1]q%[3]s", d.Names[j], has, d.withLabel(j, "."))
	}
}

// replicateID matches ids of patients with several samples, such as P12_rep3 or P12-T.
var replicateID = regexp.MustCompile(`(?i)^(.*[0-9a-z])[ _.:-]+(` +
	`(replicate|rep|sample|visit|time|day|run|[rstvd])?[ _.-]?([0-9]{1,2}[a-z]?|[a-d])|tumou?r|normal|[tn])$`)

// noteSpellings notes two names of one column that are perhaps the same: two patients, or two words of a covariate.
func (d *suspects) noteSpellings(what string, names []string) {
	same := map[string]string{}
	for _, name := range names {
		key := strings.ToLower(strings.Join(strings.Fields(norm.NFKC.String(name)), ""))
		if other := cmp.Or(same[key], name); other != name {
			d.add("%s %q and %q differ only in case, spaces or Unicode characters: if they mean the same, write them the same "+
				"way", what, other, name)
			return
		}
		same[key] = name
	}
}

// noteIDs notes names that may be the same, and ids that suggest several samples for many patients.
func (d *suspects) noteIDs() {
	d.noteSpellings("patients", d.Patients)
	for k, c := range d.Covariates {
		var words []string
		for _, told := range d.Told {
			words = append(words, told[k])
		}
		d.noteSpellings(fmt.Sprintf("in column %q,", c.Name), words)
	}
	of, in, example := map[string][]string{}, 0, ""
	for _, id := range d.IDs {
		if m := replicateID.FindStringSubmatch(id); m != nil && d.Patients == nil {
			of[m[1]] = append(of[m[1]], id)
		}
	}
	for _, id := range d.IDs {
		if m := replicateID.FindStringSubmatch(id); m != nil && len(of[m[1]]) > 1 {
			if in++; example == "" {
				example = strings.Join(of[m[1]][:2], " and ")
			}
		}
	}
	if n := len(d.IDs); len(of) >= 5 && 10*len(of) >= n && 5*in >= n {
		d.add("ids such as %s look like several samples of one patient: --patient COLUMN names the column of the patients "+
			"and keeps each patient's samples on one side of each split", example)
	}
}

// noteDrift notes a table sorted by label whose values drift along the rows of each class: at most one of 199 shuffles
// of the rows drifts as much.
func (d *suspects) noteDrift() {
	if !d.Classes {
		return
	}
	rows, place := make([]int, len(d.X)), make([]float64, len(d.X))
	for i := range rows {
		if rows[i] = i; d.Row != nil {
			rows[d.Row[i]] = i
		}
	}
	change := 1
	for change < len(rows) && d.Y[rows[change]] == d.Y[rows[0]] {
		change++
	}
	classes := [][]int{rows[:change], rows[change:]}
	for _, class := range classes {
		for at, i := range class {
			if place[i] = float64(2*at+1-len(class)) / float64(len(class)); d.Y[i] != d.Y[class[0]] {
				return
			}
		}
	}
	z, farther := d.vectors(), 0
	far := func() float64 {
		sum := make([]float64, len(z[0]))
		for i := range z {
			floats.AddScaled(sum, place[i], z[i])
		}
		return floats.Norm(sum, 2)
	}
	rng := rand.New(rand.NewPCG(0, 0))
	for along, k := far(), 0; k < 199; k++ {
		for _, class := range classes {
			rng.Shuffle(len(class), func(a, b int) { place[class[a]], place[class[b]] = place[class[b]], place[class[a]] })
		}
		if far() >= along {
			farther++
		}
		if farther > 1 {
			return
		}
	}
	d.add("the samples are sorted by label, and values drift along the rows, also within each class: if the samples " +
		"were measured in this order, selected features may only reflect the order")
}

// noteCounts notes raw counts: nonnegative whole numbers with a larger variance than Poisson variables.
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
		d.add("THE VALUES LOOK LIKE RAW COUNTS: they are whole numbers, and the variance exceeds the mean in %s of %s. The "+
			"samples and features with the largest counts then dominate; normalise and take logarithms first, as in "+
			"log2(counts per million + 1)", message.Number(scattered), message.Count(len(columns), "feature"))
	}
}

// missingCode matches numbers by which tables mark missing values.
var missingCode = regexp.MustCompile(`^(-9|-?9{2,})$`)

// noteCodes notes features in which a missingCode is far from all other values.
func (d *suspects) noteCodes() {
	const far = 10 // in standard deviations of the other values
	var found []string
	for j, c := range d.columns {
		for _, code := range []float64{c.least, c.most} {
			if !missingCode.MatchString(dataframe.FormatNumber(code)) {
				continue
			}
			var others []float64
			for _, x := range d.X {
				if x[j] == x[j] && x[j] != code {
					others = append(others, x[j])
				}
			}
			if mean, deviation := stat.MeanStdDev(others, nil); len(others) > 2 && math.Abs(code-mean) > far*deviation {
				found = append(found, fmt.Sprintf("%v in %s", code, d.Names[j]))
			}
		}
	}
	if len(found) > 0 {
		d.add("numbers that may mean missing values are far from all others: %s. If so, leave these values empty, and add "+
			"--missing", dataframe.Some(found))
	}
}

// Two samples are nearly equal if their correlation exceeds `alike`, and if there are at least alikeFeatures features.
const (
	alike         = 0.99
	alikeFeatures = 10
	alikeSamples  = 1000        // largest number of samples to compare, the first in the order of ids
	alikeWork     = 500_000_000 // limit on multiplications; above it, vectors skips features
)

// A group of replicates has at most mostReplicates samples, because larger groups are batches. The gap around a group
// must be clearGap times as wide as usual. At least the share manyReplicated of the samples must be in groups.
const (
	mostReplicates = 6
	clearGap       = 4
	manyReplicated = 0.12
)

// vectors returns the first samples as unit vectors of standardised features. Missing values are 0. If there are too
// many features, it skips features evenly.
func (d *suspects) vectors() (all [][]float64) {
	n := min(len(d.X), alikeSamples)
	stride := 1 + n*n/2*len(d.Names)/alikeWork
	for _, x := range d.X[:n] {
		var z []float64
		for j := 0; j < len(x); j += stride {
			c, v := d.columns[j], 0.0
			if c.deviation > 0 && x[j] == x[j] {
				v = (x[j] - c.mean) / c.deviation
			}
			z = append(z, v)
		}
		floats.AddConst(-stat.Mean(z, nil), z)
		floats.Scale(1/floats.Norm(z, 2), z)
		all = append(all, z)
	}
	return all
}

// A neighbour of a sample is another sample; r is their correlation.
type neighbour struct {
	sample int
	r      float64
}

// neighbours returns each sample's neighbours among other patients, the nearest first.
func (d *suspects) neighbours() (near [][]neighbour) {
	z := d.vectors()
	near = make([][]neighbour, len(z))
	for i := range z {
		for k := range i {
			if d.Patients == nil || d.Patients[i] != d.Patients[k] {
				r := floats.Dot(z[i], z[k])
				near[i], near[k] = append(near[i], neighbour{k, r}), append(near[k], neighbour{i, r})
			}
		}
	}
	for i := range near { // ties are in the order of the samples
		slices.SortStableFunc(near[i], func(a, b neighbour) int { return cmp.Compare(b.r, a.r) })
	}
	return near
}

// gap returns k·log(d(k+1)/d(k)), where d(k) is the distance to the k-th neighbour. If all samples are of one kind, gap
// has the same exponential distribution for every k, and its mean is 1/(intrinsic dimension of the samples) (Levina and
// Bickel, Maximum likelihood estimation of intrinsic dimension, 2004).
func gap(near []neighbour, k int) float64 {
	distance := func(k int) float64 { return math.Sqrt(max(1e-12, 2-2*near[k].r)) }
	if k >= len(near) {
		return 0
	}
	return float64(k) * math.Log(distance(k)/distance(k-1))
}

// replicated returns the samples that are in groups of replicates. The samples of a group are nearer to each other than
// to all other samples, with a clear gap.
func replicated(near [][]neighbour) (in []int) {
	group := func(i, k int) []int { // sample i and its k nearest neighbours
		all := []int{i}
		for _, other := range near[i][:min(k, len(near[i]))] {
			all = append(all, other.sample)
		}
		slices.Sort(all)
		return all
	}
	usual := make([]float64, len(near))
	for i := range near {
		for k := mostReplicates; k < 2*mostReplicates; k++ {
			usual[i] += gap(near[i], k) / mostReplicates
		}
	}
	clear := clearGap * samples.Median(usual, nil)
	for i := range near {
		for k := 1; k < mostReplicates; k++ {
			all := group(i, k)
			apart := func(j int) bool { return gap(near[j], k) > clear && slices.Equal(group(j, k), all) }
			if !slices.ContainsFunc(all, func(j int) bool { return !apart(j) }) {
				in = append(in, i)
				break
			}
		}
	}
	return in
}

// noteAlike notes nearly equal samples or, if there are none, groups of replicates.
func (d *suspects) noteAlike() (without string) {
	if len(d.Names) < alikeFeatures {
		return ""
	}
	near, count, example, closest := d.neighbours(), 0, "", alike
	for i := range near {
		for _, other := range near[i] {
			if other.r > alike && i < other.sample {
				count++
			}
			if other.r > closest {
				example, closest = fmt.Sprintf("%s and %s (r = %.4f)", d.IDs[i], d.IDs[other.sample], other.r), other.r
			}
		}
	}
	if count > 0 {
		return d.addAlike(message.Count(count, "pair")+fmt.Sprintf(" of samples correlate above %v", alike), example, "")
	}
	in, least := replicated(near), max(mostReplicates, manyReplicated*float64(len(near)))
	if len(near) > 3*mostReplicates && float64(len(in)) >= least {
		i := in[0]
		return d.addAlike(fmt.Sprintf("%s of %s are much more similar to a few other samples than to the rest",
			message.Number(len(in)), message.Count(len(near), "sample")), fmt.Sprintf("%s and %s (r = %.2f)", d.IDs[i],
			d.IDs[near[i][0].sample], near[i][0].r), "Or are they small batches? --batch COLUMN adjusts for them.")
	}
	return ""
}

// addAlike notes which samples are alike, with an example. `other` is a sentence about another possible reason.
func (d *suspects) addAlike(which, example, other string) (without string) {
	without, why := which, "are they several samples of one patient? --patient COLUMN keeps them on one side of each split"
	if d.Patients != nil {
		without, why = "", "the table says that they belong to different patients"
	}
	if other != "" {
		why += ". " + other
	}
	d.add("%s, as %s: %s", which, example, why)
	return without
}
