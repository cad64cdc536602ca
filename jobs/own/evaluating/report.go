package evaluating

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/io/table"
	"graphda/jobs/metrics"
	"graphda/jobs/own/explaining"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
	"graphda/jobs/stats"
)

// Verdict says whether the model works on the cohort. If gdrun tune did not find anything, it says so first.
func (r *Result) Verdict() string {
	first, print, value := &r.Measures[0], table.Fixed(2), table.Share(2)
	name := strings.Replace(first.Name, "Gain", "gain", 1)
	if first.ID == gain {
		print, value = table.Fixed(3), table.Fixed(3)
	}
	interval := func(m *Measure) string {
		return fmt.Sprintf("%s (%s to %s)", value(m.Value), print(m.Low), print(m.High))
	}
	before := ""
	if found, known := r.Model.Made[model.Found]; known && !strings.HasPrefix(found, "Found") {
		before = fmt.Sprintf("About this model gdrun tune said %s. On this cohort: ", found)
	}
	how, mean, low, high := "", 0.0, 0.0, 0.0
	n, _ := fmt.Sscan(r.Model.Made[model.Expected], &mean, &low, &high)
	expected := n == 3 && low <= mean && mean <= high && r.Weights.Name == r.Model.Weights[0].Name
	switch {
	case !r.Decided():
		return before + r.undecided(name, value(first.Value))
	case r.withoutInterval() && r.times():
		return before + fmt.Sprintf("NOT DECIDED: the %s has no interval, because too few samples can be compared", name)
	case r.withoutInterval():
		return before + fmt.Sprintf("NOT DECIDED: the %s has no interval, because nearly all labels are the same", name)
	case !r.above():
		text := fmt.Sprintf("NOT SHOWN TO CARRY OVER: the 95 %% interval of the %s, %s to %s, is not above %s", name,
			print(first.Low), print(first.High), table.Shortest(first.Guess))
		if first.Guess == 0.5 && first.High < 0.5 {
			text += "; it is below: check that the labels are not swapped"
		}
		return before + text
	case r.nothing():
		return before + fmt.Sprintf("%s %s is above %s, but gdrun tune found nothing that could carry over", name,
			interval(first), table.Shortest(first.Guess))
	case expected && r.whyIncomparable() == "" && mean-first.Value > math.Hypot(mean-low, first.High-first.Value):
		how = ", but is weaker than expected"
	}
	text := fmt.Sprintf("%sThe model carries over%s%s: %s %s", before, how, r.unless(), name, interval(first))
	if expected {
		text += " here; gdrun tune expected " + interval(&Measure{Value: mean, Low: low, High: high})
	}
	if first.ID != gain {
		text += fmt.Sprintf(", guessing has %s", table.Shortest(first.Guess))
	}
	if expected {
		text += r.whyIncomparable()
	}
	if m := r.named("log_loss"); m.Low > m.Guess {
		text += fmt.Sprintf("; its probabilities do not: log-loss %s, guessing has %s", interval(m), print(m.Guess))
	}
	return text
}

// unless returns the condition under which the verdict holds, or "".
func (r *Result) unless() string {
	switch state := r.Model.State; {
	case state != nil && state.Learned > 0:
		return fmt.Sprintf(", unless gdrun learn has learned from these samples (it does not record the %s it learned from)",
			message.Count(state.Learned, "sample"))
	case 2*r.repeated > r.Samples:
		return fmt.Sprintf(", unless %s of %s are training samples (same id, other values)",
			message.Number(r.repeated), message.Count(r.Samples, "sample"))
	}
	return ""
}

// undecided returns the verdict on a cohort that is too small.
func (r *Result) undecided(name, value string) string {
	unit := "sample"
	if r.Patients > 0 {
		unit = "patient"
	}
	of := ""
	if r.classes() {
		of = " of the smaller class"
	} else if r.times() {
		of = " with an event"
	}
	few := message.Count(r.Least, unit) + of
	if p, known := r.chance(); known && p <= level {
		return fmt.Sprintf("NOT DECIDED: %s are too few for an interval, %d are enough; but %s (%s %s, one-sided "+
			"p = %.1g by an exact test of ranks)", few, stats.LeastUnits, r.agrees(), name, value, p)
	}
	text := fmt.Sprintf("NOT DECIDED: with only %s it cannot be said whether the model carries over; "+
		"%d are enough", few, stats.LeastUnits)
	swapped := *r
	swapped.labels = floats.ScaleTo(make([]float64, len(r.labels)), -1, r.labels)
	if p, known := swapped.chance(); r.classes() && known && p <= level {
		text += fmt.Sprintf("; the %s of %s is far below 0.5: check that the labels are not swapped", name, value)
	}
	return text
}

// whyIncomparable says why the cohort's first measure differs in kind from the number that gdrun tune expected. It
// returns "" if both are the same measure.
func (r *Result) whyIncomparable() string {
	why := ""
	if s := r.Model.Survival; s != nil && s.Strata != "" && r.strata == nil {
		why = fmt.Sprintf("compared times only within each %q", message.Text(s.Strata))
	} else if by := r.Model.Made[model.Weight]; by != "" {
		why = fmt.Sprintf("weighted samples by %q", message.Text(by))
	} else if c := r.Model.Covariates; c != nil && !r.Batches {
		if i := slices.IndexFunc(c.Terms, func(t samples.Term) bool { return t.Batch }); i >= 0 {
			why = fmt.Sprintf("used each sample's %q", message.Text(c.Terms[i].Name))
		}
	}
	if why == "" {
		return ""
	}
	return fmt.Sprintf("; gdrun tune %s, so the two numbers are different measures", why)
}

// agrees describes scores whose order agrees with the labels.
func (r *Result) agrees() string {
	switch {
	case r.times():
		return "higher scores have earlier events"
	case r.classes():
		return "the scores separate the classes"
	}
	return "higher scores have higher labels"
}

// named returns the measure with the given id, or a measure with NaN values.
func (r *Result) named(id string) *Measure {
	if i := slices.IndexFunc(r.Measures, func(m Measure) bool { return m.ID == id }); i >= 0 {
		return &r.Measures[i]
	}
	return &Measure{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
}

func (r *Result) nothing() bool { return strings.HasPrefix(r.Model.Made[model.Found], model.Nothing) }

func (r *Result) above() bool { return r.Measures[0].Low > r.Measures[0].Guess }

// withoutInterval reports whether enough samples have too few different outcomes for an interval.
func (r *Result) withoutInterval() bool {
	return r.Decided() && math.IsNaN(r.Measures[0].Low)
}

// Shifted reports whether recentring may help: predictions are too high or too low on average, and features have moved.
func (r *Result) Shifted() bool {
	large, loss, slope := r.named(largeID), r.named("log_loss"), r.named("calibration_slope")
	order, off := r.above() || slope.Low > 0, large.Low > 0 || large.High < 0 || loss.Low > loss.Guess
	if !r.Decided() && loss.Value > loss.Guess { // without intervals
		p, known := r.chance()
		order, off = known && p <= level, true
	}
	return !r.Recentre && order && off &&
		slices.ContainsFunc(r.Features, func(f Feature) bool { return math.Abs(f.Errors) > moved })
}

// Carries reports whether the results show that the model works on the cohort.
func (r *Result) Carries() bool { return r.above() && !r.nothing() }

// Printed returns the answer for printing.
func (r *Result) Printed() *table.Answer {
	printed := &table.Answer{Verdict: r.Verdict(), Notes: append([]string{r.cohort()}, r.Notes...), Tables: r.tables()}
	if carries := r.Carries(); r.Decided() && !r.withoutInterval() {
		printed.Found = &carries
	}
	return printed
}

func (r *Result) cohort() string {
	text := fmt.Sprintf("%s of %s", message.Count(r.Samples, "sample"), message.Text(r.Request.Samples))
	if r.Patients > 0 {
		text += " of " + message.Count(r.Patients, "patient")
	}
	var unknown []string
	for k, n := range r.Unknown {
		if n > 0 {
			unknown = append(unknown, fmt.Sprintf("%s more without a value of %q", message.Number(n), r.Words[k]))
		}
	}
	if unknown != nil {
		text += " (" + strings.Join(unknown, ", ") + ")"
	}
	if r.classes() {
		text += fmt.Sprintf(", %s of them %q", message.Number(r.Positives), r.Model.Positive)
	} else if r.times() {
		text += fmt.Sprintf(", %s of them with an event (%q) and %s censored", message.Number(r.Positives),
			message.Text(r.Model.Survival.Event), message.Number(r.Samples-r.Positives))
	}
	text += fmt.Sprintf(", by %s of %s", r.Weights.Name, message.Text(r.Request.Model))
	if r.Recentre {
		text += ", recentred"
	}
	if text += "."; r.classes() {
		text += fmt.Sprintf("\nA sample with a score of at least %.6g is called %q.", r.Weights.Threshold, r.Model.Positive)
	}
	return text
}

// tables returns the table of measures, and a table of features that moved or lack values.
func (r *Result) tables() []*table.Table {
	all := []*table.Table{r.measures(), r.features()}
	if len(r.Features) == 0 {
		all[0].Notes = append(all[0].Notes, fmt.Sprintf("No feature of the model lacks values, and none of the %d compared "+
			"features moved by more than %d standard errors.", r.Compared, moved))
		return all[:1]
	}
	return all
}

func (r *Result) measures() *table.Table {
	t := &table.Table{Name: "evaluation", Title: "How the model does on this cohort"}
	if r.Decided() {
		what := "samples"
		if r.Patients > 0 {
			what = "patients, with all their samples"
		}
		t.Notes = append(t.Notes, fmt.Sprintf("Low, high: ends of the 95 %% interval. They are percentiles over %d cohorts "+
			"that were drawn from the %s.", r.resamples(), what))
		if r.classes() || r.times() {
			area := "AUC"
			if r.times() {
				area = "C-index"
			}
			t.Notes[0] += fmt.Sprintf(" The interval of the %s is computed from the standard deviation over these cohorts, on "+
				"the scale of log-odds. It is at least as wide as for random scores.", area)
		}
		if r.classes() {
			t.Notes[0] += " A share that is 0 or 1 in all these cohorts gets the exact interval for the smaller class."
		}
	}
	if r.probable() {
		t.Notes = append(t.Notes, "Calibration in the large: what should be added to all log-odds. Calibration slope: if "+
			"it is below 1, probabilities are too close to 0 and 1; if it is above 1, they are too close to each other.")
		if r.Recentre {
			t.Notes = append(t.Notes, "Calibration in the large is not shown, because recentring sets it.")
		}
	}
	print, value := table.Fixed(3), table.Share(3)
	if !r.classes() && !r.times() {
		print, value = table.Significant, table.Significant
	}
	if r.times() {
		t.Notes = append(t.Notes, explaining.CIndexNote+r.pairs())
	}
	fields := []table.Field[Measure]{
		{Column: table.Column{Key: "measure", Head: "Measure", Words: true},
			Cell: func(m *Measure) table.Cell { return table.Label(m.Name, m.ID) }},
		table.NumberField("value", "Value", value, func(m *Measure) float64 { return m.Value }),
		table.NumberField("low", "Low", print, func(m *Measure) float64 { return m.Low }),
		table.NumberField("high", "High", print, func(m *Measure) float64 { return m.High }),
		table.NumberField("guessing", "Guessing", print, func(m *Measure) float64 { return m.Guess }),
		table.NumberField("ideal", "Ideal", table.Shortest, func(m *Measure) float64 { return m.Ideal }),
	}
	if r.alone != nil {
		fields = append(fields,
			table.NumberField("covariates", "Covariates alone", print, func(m *Measure) float64 { return m.Alone }))
		by := ", with labels by the same threshold."
		if r.times() {
			by = "."
		}
		t.Notes = append(t.Notes, "Covariates alone: the measures of scores without features, from "+
			r.Model.Covariates.Terms.Names()+by)
	}
	table.Fill(t, r.Measures, fields)
	return t
}

// pairs says which pairs the C-index compares if the model has strata.
func (r *Result) pairs() string {
	switch s := message.Text(r.Model.Survival.Strata); {
	case s == "":
		return ""
	case r.strata == nil:
		return fmt.Sprintf(" All pairs are compared, because the cohort has no values of %q.", s)
	default:
		return fmt.Sprintf(" Pairs are compared only within each %q.", s)
	}
}

func (r *Result) features() *table.Table {
	t := &table.Table{Name: "features", Title: "What differs from the training samples"}
	fields := []table.Field[Feature]{
		table.WordField("feature", "Feature", func(f *Feature) string { return f.Name }),
		table.NumberField("mean", "Mean", table.Significant, func(f *Feature) float64 { return f.Mean }),
		table.NumberField("before", "Before", table.Significant, func(f *Feature) float64 { return f.Before }),
		table.NumberField("moved", "Moved", table.Fixed(2), func(f *Feature) float64 { return f.Moved }),
		table.NumberField("errors", "Std. errors", table.Fixed(1), func(f *Feature) float64 { return f.Errors }),
	}
	missing := func(key, head string, class int) {
		fields = append(fields,
			table.NumberField(key, head, table.Fixed(2), func(f *Feature) float64 { return f.Missing[class] }))
	}
	if r.classes() {
		missing("missing_negative", "Missing, "+r.Model.Negative, 0)
		missing("missing_positive", "Missing, "+r.Model.Positive, 1)
	} else {
		missing("missing", "Missing", 0)
	}
	table.Fill(t, r.Features, fields)
	far := 0
	for i := range r.Features {
		if math.Abs(r.Features[i].Errors) > moved {
			far++
		}
	}
	const chance = 0.0027 // probability that chance moves a mean by more than three standard errors
	t.Subtitle = fmt.Sprintf("%s of %s moved by more than %d standard errors; by chance %.2f would",
		message.Number(far), message.Count(r.Compared, "feature"), moved, chance*float64(r.Compared))
	if r.Compared == 0 {
		t.Subtitle = "the model does not know the means of its training samples, so only missing values are shown"
	}
	t.Notes = append(t.Notes, "Moved: the mean here minus the mean of the training samples, in standard deviations of "+
		"the training samples. If a cohort has other shares of the classes, features that differ between the classes move.")
	return t
}

// FileNames lists the names of files that Files may return.
var FileNames = []string{"report.html", "evaluation.csv", "features.csv", "roc.csv", "scores.csv", "calibration.csv",
	"decisions.csv", "survival.csv"}

// Files returns the page, and the data of its tables and figures. It digests the input files again.
func (r *Result) Files() (files []seal.Named, err error) {
	origin, err := r.origin()
	if err != nil {
		return nil, err
	}
	const listed = 60
	section, printed := page.Section{ID: "answer", Title: "The answer"}, r.Printed()
	for _, t := range printed.Tables {
		section.Tables = append(section.Tables, page.Table{Table: t.First(listed, t.Name+".csv")})
	}
	files = append(files, seal.Named{Name: "evaluation.csv", Fill: printed.CSV(printed.Tables[0])},
		seal.Named{Name: "features.csv", Fill: printed.CSV(r.features())})
	for _, c := range r.curves() {
		section.Figures = append(section.Figures, page.Draw(c))
		write := func(w io.Writer) error { return figures.WriteCSV(w, c) }
		files = append(files, seal.Named{Name: c.Name + ".csv", Fill: write})
	}
	lead := strings.Split(printed.Lead(), "\n")
	p := &page.Page{Title: "A model on another cohort", Subtitle: "gdrun evaluate", Answer: printed.Verdict,
		Negative: !r.Carries(), Lead: lead[0], Made: page.Made("gdrun evaluate", origin),
		Sections: []page.Section{section},
		Facts:    []page.Fact{{Name: "seed", Value: fmt.Sprint(r.Seed)}}}
	for _, note := range lead[1:] {
		p.Warnings = append(p.Warnings, page.Warning{Text: note})
	}
	return append(files, seal.Named{Name: "report.html", Fill: p.Write}), nil
}

// curves returns the figures. For classes, these are the ROC curve and the scores by class, and with probabilities also
// the calibration and the decision curve. For numbers, there is a figure of labels over predictions. For times, it
// shows survival by thirds of the score.
func (r *Result) curves() []*figures.Chart {
	chart := func(name, title, caption string, panel figures.Panel) *figures.Chart {
		return &figures.Chart{Info: figures.Info{Name: name, Title: title, Caption: caption}, Panels: []figures.Panel{panel}}
	}
	if r.times() {
		return []*figures.Chart{chart("survival", "Survival by thirds of the score", explaining.ThirdsCaption+
			" The curves are e to the minus Nelson and Aalen's estimate. Below the times: how many samples of each third are "+
			"still observed.",
			explaining.Survival(r.scores, r.labels, r.Label))}
	}
	if !r.classes() {
		return []*figures.Chart{chart("calibration", "Labels over predictions", explaining.TenthsCaption,
			explaining.Tenths(r.scores, r.labels, "prediction", "label",
				func(z, y float64) (float64, float64) { return z, y }))}
	}
	all := []*figures.Chart{
		chart("roc", "ROC curve", explaining.ROCCaption, explaining.ROC(r.scores, r.labels)),
		chart("scores", "Scores by class", "Share of each class in each interval of scores. The dotted line is the model's "+
			"threshold.", explaining.Histograms(r.scores, r.labels, r.Model.Negative, r.Model.Positive,
			r.Weights.Threshold)),
	}
	if r.probable() {
		all = append(all,
			chart("calibration", "Calibration", "Predicted probability and true share of the positive class. "+
				explaining.TenthsCaption, explaining.Tenths(r.scores, r.labels, "probability",
				fmt.Sprintf("share of %q", r.Model.Positive),
				func(z, y float64) (float64, float64) { return metrics.Probability(z), (1 + y) / 2 })),
			chart("decisions", "Decision curve", "Net benefit of treating everybody whose probability is above a threshold: "+
				"true positives per sample, minus false positives per sample times the odds of the threshold (Vickers and Elkin, "+
				"Medical Decision Making 26, 2006). The model is useful where it lies above both treating everybody and treating "+
				"nobody. Values below the axis are in the data.",
				r.decisions()))
	}
	return all
}

// decisions draws the decision curve: the net benefit over the probability from which one acts.
func (r *Result) decisions() figures.Panel {
	lines := []figures.Line{{Key: "best", Label: "model"}, {Key: "median", Label: "treat everybody"},
		{Key: "worst", Label: "treat nobody"}}
	n := float64(r.Samples)
	for k := 1; k < 20; k++ {
		p := float64(k) / 20
		odds, benefit := p/(1-p), 0.0
		for i, z := range r.scores {
			if metrics.Probability(z) >= p && r.labels[i] > 0 {
				benefit += 1 / n
			} else if metrics.Probability(z) >= p {
				benefit -= odds / n
			}
		}
		positive := float64(r.Positives) / n
		for l, v := range []float64{benefit, positive - odds*(1-positive), 0} {
			lines[l].Points = append(lines[l].Points, figures.Point{X: p, Y: v})
		}
	}
	return figures.Panel{XLabel: "threshold of the probability", YLabel: "net benefit", Lines: lines,
		YLeast: -float64(r.Positives) / n / 2}
}
