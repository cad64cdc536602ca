package importing

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/io/plain"
	"graphda/io/tabular"
)

// Missing says what becomes of missing values.
type Missing string

// What may become of missing values. Means and medians are those of a trial's training samples.
const (
	MissingError    Missing = "error"         // the file is refused
	MissingSamples  Missing = "drop-samples"  // samples without a value or a label are left out
	MissingFeatures Missing = "drop-features" // features without a value are left out
	MissingMean     Missing = "mean"
	MissingMedian   Missing = "median"
)

var allMissing = []Missing{MissingError, MissingSamples, MissingFeatures, MissingMean, MissingMedian}

// gaps count what is missing.
type gaps struct {
	count int
	of    []int // by feature
	rows  int
}

func (d *data) gaps() gaps {
	g := gaps{of: make([]int, len(d.names))}
	for _, x := range d.x {
		before := g.count
		for j, v := range x {
			if v != v {
				g.of[j]++
				g.count++
			}
		}
		if g.count > before {
			g.rows++
		}
	}
	return g
}

// resolveMissing leaves out samples or features, or refuses what is missing. What is filled in
// depends on the trial.
func (in *reader) resolveMissing(notes *notes) error {
	r, d, path := in.request, in.data, in.labelPath()
	unlabelled := func(i int) bool { return tabular.IsMissing(in.labels[i].text) }
	for i := range d.x {
		if unlabelled(i) && r.Missing != MissingSamples {
			return in.labels[i].wrong(path, "is %q: a missing label; leave out the row, or give --missing %s",
				in.labels[i].text, MissingSamples)
		}
	}
	g := d.gaps()
	isBad := func(i int) bool {
		return unlabelled(i) || slices.ContainsFunc(d.x[i], math.IsNaN)
	}
	switch r.Missing {
	case MissingSamples:
		return in.dropSamples(isBad, notes)
	case MissingFeatures:
		in.dropFeatures(g, notes)
	case MissingMean, MissingMedian:
		if j := slices.Index(g.of, len(d.x)); j >= 0 {
			err := fmt.Errorf("has no value at all; --drop %q leaves it out", d.names[j])
			return &tabular.Error{Path: r.Samples, Column: d.names[j], Err: err}
		}
		if g.count > 0 {
			notes.add("%s; each is filled with the %s of its feature over the trial's training samples", g.shares(d),
				r.Missing)
		}
	default:
		if i := slices.IndexFunc(in.gaps, func(f field) bool { return f.column != "" }); i >= 0 {
			return in.gaps[i].wrong(r.Samples, "is %q: a missing value. %s; --missing drop-samples, drop-features, mean or "+
				"median says what becomes of them", in.gaps[i].text, g.shares(d))
		}
	}
	if len(d.names) == 0 {
		err := errors.New("every feature has a missing value; --missing mean fills them in")
		return &tabular.Error{Path: r.Samples, Err: err}
	}
	return nil
}

// shares says how much is missing.
func (g gaps) shares(d *data) string {
	var features []int
	for j, n := range g.of {
		if n > 0 {
			features = append(features, j)
		}
	}
	slices.SortStableFunc(features, func(a, b int) int { return g.of[b] - g.of[a] })
	var most []string
	for _, j := range features {
		most = append(most, fmt.Sprintf("%s (%s %%)", d.names[j], percent(g.of[j], len(d.x))))
	}
	total := len(d.x) * len(d.names)
	return fmt.Sprintf("%s of %s are missing (%s %%), in %s and %s: %s", plain.Number(g.count),
		plain.Count(total, "value"), percent(g.count, total), plain.Count(g.rows, "sample"),
		plain.Count(len(features), "feature"), tabular.Some(most))
}

// dropSamples leaves samples out.
func (in *reader) dropSamples(isBad func(i int) bool, notes *notes) error {
	var gone []string
	total := len(in.data.x)
	bad := make([]bool, total)
	for i := range bad {
		if bad[i] = isBad(i); bad[i] {
			gone = append(gone, in.data.ids[i])
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if len(gone) == total {
		err := errors.New("every sample has a missing value; --missing mean fills them in")
		return &tabular.Error{Path: in.request.Samples, Err: err}
	}
	in.keep(func(i int) bool { return !bad[i] })
	notes.add("%s of %s left out for missing values (%s %%): %s", plain.Count(len(gone), "sample"), in.request.Samples,
		percent(len(gone), total), tabular.Some(gone))
	return nil
}

// dropFeatures leaves features out that lack a value.
func (in *reader) dropFeatures(g gaps, notes *notes) {
	d := in.data
	var gone, names []string
	var kept []int
	for j, name := range d.names {
		if g.of[j] > 0 {
			gone = append(gone, name)
		} else {
			kept, names = append(kept, j), append(names, name)
		}
	}
	if len(gone) == 0 {
		return
	}
	notes.add("%s of %s left out for missing values (%s %%): %s", plain.Count(len(gone), "feature"), in.request.Samples,
		percent(len(gone), len(d.names)), tabular.Some(gone))
	for i, x := range d.x {
		d.x[i] = make([]float64, len(kept))
		for k, j := range kept {
			d.x[i][k] = x[j]
		}
	}
	d.names = names
}

// filled returns x with missing values filled in by those of the training samples, or of all
// samples where no training sample has one.
func (d *data) filled(how Missing, train []int) [][]float64 {
	isGap := func(x []float64) bool { return slices.ContainsFunc(x, math.IsNaN) }
	if !slices.ContainsFunc(d.x, isGap) {
		return d.x
	}
	all := make([]int, len(d.x))
	for i := range all {
		all[i] = i
	}
	fill := make([]float64, len(d.names))
	for j := range fill {
		values := d.present(j, train)
		if len(values) == 0 {
			values = d.present(j, all)
		}
		fill[j] = center(how, values)
	}
	x := slices.Clone(d.x)
	for i := range x {
		if !isGap(x[i]) {
			continue
		}
		x[i] = slices.Clone(x[i])
		for j, v := range x[i] {
			if v != v {
				x[i][j] = fill[j]
			}
		}
	}
	return x
}

// present returns the values of a feature that some samples have.
func (d *data) present(feature int, rows []int) (values []float64) {
	for _, i := range rows {
		if v := d.x[i][feature]; v == v {
			values = append(values, v)
		}
	}
	return values
}

// center returns the mean or the median of values, of which there is one at least.
func center(how Missing, values []float64) float64 {
	if how == MissingMedian {
		slices.Sort(values)
		n := len(values)
		return values[(n-1)/2]/2 + values[n/2]/2
	}
	sum := 0.0
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}
