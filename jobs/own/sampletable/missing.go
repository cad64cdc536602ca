package sampletable

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/probes"
	"graphda/jobs/own/coding"
	"graphda/jobs/userinput"
)

// A Missing is a way to treat missing values.
type Missing string

// A mean or median is computed from each trial's training samples.
const (
	MissingError    Missing = "error"         // refuse the file
	MissingSamples  Missing = "drop-samples"  // drop samples with a missing value
	MissingFeatures Missing = "drop-features" // drop features with a missing value
	MissingMean     Missing = "mean"
	MissingMedian   Missing = "median"
)

var Missings = []Missing{MissingError, MissingSamples, MissingFeatures, MissingMean, MissingMedian}

// Gaps returns the number of missing values in d.X.
func (d *Data) Gaps() int { return coding.CountGaps(len(d.Names), d.X).Count }

// resolveMissing treats missing values as the user asked, but leaves means and medians to each trial.
func (in *reader) resolveMissing() error {
	r, d := in.asked, in.data
	g := coding.CountGaps(len(d.Names), d.X)
	switch r.Missing {
	case MissingSamples:
		if g.Rows == len(d.X) {
			err := errors.New("every sample has a missing value; --missing mean fills them in")
			return &dataframe.Error{Path: r.Samples, Err: err}
		}
		return in.leaveOut(func(i int) bool { return slices.ContainsFunc(d.X[i], math.IsNaN) }, "missing drop-samples",
			"with missing values")
	case MissingFeatures:
		in.dropFeatures(g)
	case MissingMean, MissingMedian:
		if j := slices.Index(g.Of, len(d.X)); j >= 0 {
			err := fmt.Errorf("has no values; --drop %q leaves it out", d.Names[j])
			return &dataframe.Error{Path: r.Samples, Column: d.Names[j], Err: err}
		}
		if g.Count > 0 {
			in.notes.Add("%s; each is replaced by the %s of its feature over the trial's training samples", g.Shares(d.Names),
				r.Missing)
		}
	default:
		if i := slices.IndexFunc(in.gaps, func(f field) bool { return f.column != "" }); i >= 0 {
			return in.gaps[i].wrong(r.Samples, "is %q: a missing value. %s; --missing drop-samples, drop-features, mean or "+
				"median says what to do with them", in.gaps[i].text, g.Shares(d.Names))
		}
	}
	if len(d.Names) == 0 {
		err := errors.New("every feature has a missing value; --missing mean fills them in")
		return &dataframe.Error{Path: r.Samples, Err: err}
	}
	return nil
}

// dropUnlabelled is the value of Table.Unlabelled that drops samples without a label.
const dropUnlabelled = "drop"

func (in *reader) resolveUnlabelled() error {
	others, positive, negative := map[string]bool{}, in.asked.Positive, "none" // others: all labels that occur
	for _, told := range in.told {
		if text := told[theLabel].text; !dataframe.IsMissing(text) {
			others[text] = true
		}
	}
	if in.asked.Rest {
		negative = model.Rest(positive)
	} else if len(others) > 1 {
		negative = ""
	}
	unlabelled := func(i int) bool {
		text, classes := in.told[i][theLabel].text, in.asked.Task == Classification
		return dataframe.IsMissing(text) && !(classes && model.IsClass(text, positive, negative))
	}
	if in.asked.Unlabelled == dropUnlabelled {
		bad, what := unlabelled, "without a "+in.asked.labelFlag()
		if in.asked.Task == Survival {
			bad = func(i int) bool { return unlabelled(i) || model.MissesEvent(in.told[i][theEvent].text) }
			what += " or an event"
		}
		return in.leaveOut(bad, "unlabelled "+dropUnlabelled, what)
	}
	var places []string
	alike, class := "", ""
	for i, told := range in.told {
		switch f := told[theLabel]; {
		case unlabelled(i) && f.column == "": // the labels' file lacks the sample
			places = append(places, in.data.IDs[i])
		case unlabelled(i):
			places = append(places, fmt.Sprintf("%s (%v)", in.data.IDs[i], f.row))
			if f.text != "" {
				places[len(places)-1] = fmt.Sprintf("%s (%v, %q)", in.data.IDs[i], f.row, f.text)
				if in.asked.Task == Classification {
					class = fmt.Sprintf("; if %q is a class, --positive names it", f.text)
				}
			}
		}
	}
	if len(places) == 0 {
		return nil
	}
	if in.joined != nil {
		alike = in.joined.alike
	}
	err := fmt.Errorf("has no %s for %s of %s: %s%s; --unlabelled %s leaves such samples out%s", in.asked.labelFlag(),
		message.Number(len(places)), message.Count(len(in.told), "sample"), dataframe.Some(places), alike, dropUnlabelled,
		class)
	return &dataframe.Error{Path: in.path(theLabel), Column: in.labelColumn(), Err: err}
}

// leaveOut drops the bad samples. It refuses to drop more than a tenth of the samples, unless the user forces it.
func (in *reader) leaveOut(isBad func(i int) bool, flag, why string) error {
	var gone []string
	total := len(in.data.X)
	for i := range total {
		if isBad(i) {
			gone = append(gone, in.data.IDs[i])
		}
	}
	switch {
	case len(gone) == 0:
		return nil
	case len(gone) == total:
		return &dataframe.Error{Path: in.asked.Samples, Err: fmt.Errorf("--%s leaves out every sample", flag)}
	case 10*len(gone) > total && !in.asked.Force:
		return userinput.Errorf("--%s leaves out %s of the %s of %s (%s %%): %s; to leave out more than a tenth, "+
			"add --force", flag, message.Number(len(gone)), message.Count(total, "sample"), in.asked.Samples,
			message.Percent(len(gone), total), dataframe.Some(gone))
	}
	in.keep(func(i int) bool { return !isBad(i) })
	in.notes.Add("left out %s of %s %s (%s %%): %s", message.Count(len(gone), "sample"), in.asked.Samples, why,
		message.Percent(len(gone), total), dataframe.Some(gone))
	return nil
}

func (in *reader) dropFeatures(g coding.Gaps) {
	d := in.data
	var gone, names []string
	var kept []int
	var columns probes.Columns
	for j, name := range d.Names {
		if g.Of[j] > 0 {
			gone = append(gone, name)
			continue
		}
		if kept, names = append(kept, j), append(names, name); d.Probes != nil {
			columns = append(columns, d.Probes[j])
		}
	}
	if len(gone) == 0 {
		return
	}
	in.notes.Add("left out %s of %s with missing values (%s %%): %s", message.Count(len(gone), "feature"),
		in.asked.Samples, message.Percent(len(gone), len(d.Names)), dataframe.Some(gone))
	for i, x := range d.X {
		d.X[i] = make([]float64, len(kept))
		for k, j := range kept {
			d.X[i][k] = x[j]
		}
	}
	d.Names, d.Probes = names, columns
}
