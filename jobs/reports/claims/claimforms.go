package claims

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"graphda/io/results"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/paper"
	"graphda/jobs/reports/source"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
	"graphda/learners"
)

// A condition is a combination of a dataset, a checkpoint, a model and a method.
type condition struct {
	dataset    string
	checkpoint int
	model      selection.Model
	method     string
}

// A sample has the values of one method, one for each trial.
type sample struct {
	name, label string          // name in data files, label in printed tables
	variant     string          // the method's variant; "" if the method has no variants
	values      map[int]float64 // values by trial; nil if the run has no results of the method
}

type claimTest struct {
	condition
	own, other   sample
	ours, theirs float64 // what claimForm.shown returns for each sample
	Trials       int
	Mean         float64 // mean margin over the trials; a positive mean supports the claim
	P            float64 // two-sided p-value of a paired t-test
	Holm         float64 // p-value with Holm's correction for the claim's number of tests
}

// A claimForm is a kind of comparison. claims.yaml explains each form.
type claimForm struct {
	// others returns the samples to compare with the method's own sample.
	others func(e *evidence, own sample) []sample
	// margins returns a margin for each trial. A positive margin supports the claim.
	margins func(e *evidence, a, b []float64) []float64
	// shown returns the number for tables, for example the mean of the values.
	shown func(values []float64) float64
}

var claimForms = map[string]claimForm{
	"best":     {rivals, ahead, mean},
	"peak":     {otherValues, ahead, mean},
	"rises":    {beginnings, ahead, mean},
	"steadier": {rivals, steadier, deviation},
	"about":    {expected, near, mean},
	"alike":    {rivals, near, mean},
}

// evidence holds a claim's comparisons, and the results that they use.
type evidence struct {
	*paper.Claim
	summary *merge.Summary
	slices  []sliced // results for each value of the claim's parameter
	measure *metrics.Measure
	// ofModel has the measure of each chosen row if the claim's measure is a modelMeasure.
	ofModel map[results.Key]*float64
	at      condition
	tests   []claimTest
	wanted  int
}

// A sliced has the results of the cells with one value of a parameter.
type sliced struct {
	value   string
	summary *merge.Summary
}

// evidenceOf makes all comparisons of the claim c for which the run has results.
func evidenceOf(src *source.Source, c *paper.Claim, from *merge.Summary) (*evidence, error) {
	e := &evidence{Claim: c, summary: from, measure: claimMeasure(c.Measure)}
	var err error
	if e.ofModel, err = ofModels(src, c, from); err != nil {
		return nil, err
	}
	if c.Parameter != "" {
		if slice(src, e); e.slices == nil {
			return e, nil
		}
	}
	for _, dataset := range c.Datasets {
		for _, checkpoint := range c.Checkpoints {
			for _, model := range experiment.ShownModels(e.Models) {
				for _, method := range c.Methods {
					e.at = condition{dataset, checkpoint, model, method}
					e.compare()
				}
			}
		}
	}
	correct(e.tests)
	return e, nil
}

// slice fills e.slices if a report of the experiment is about the claim's parameter.
func slice(src *source.Source, e *evidence) {
	about := slices.ContainsFunc(src.Run.Plan.Experiment.AllReports(), func(r experiment.Report) bool {
		return r.Kind == "parameter" && r.Parameter == e.Parameter
	})
	if !about {
		return
	}
	for _, s := range src.Grid.Slices(e.Parameter) {
		e.slices = append(e.slices, sliced{strconv.FormatFloat(s.Value, 'g', -1, 64), s.Grid.Summarize(e.summary.Rule)})
	}
}

func (e *evidence) compare() {
	form := claimForms[e.Form]
	for _, own := range e.own() {
		for _, other := range form.others(e, own) {
			e.wanted++
			var a, b []float64
			for _, trial := range source.Common(own.values, other.values) {
				a, b = append(a, own.values[trial]), append(b, other.values[trial])
			}
			if len(a) == 0 {
				continue
			}
			t := claimTest{condition: e.at, own: own, other: other, ours: form.shown(a), theirs: form.shown(b)}
			t.test(form.margins(e, a, b), e.summary.Grid.Dataset(e.at.dataset).Overlap())
			e.tests = append(e.tests, t)
		}
	}
}

// own returns the samples of the current condition's method, or only the samples with the claim's parameter value.
func (e *evidence) own() []sample {
	if e.Parameter == "" {
		return e.samples(e.summary, e.at)
	}
	value := e.Values[e.at.dataset].String()
	i := slices.IndexFunc(e.slices, func(s sliced) bool { return s.value == value })
	if i < 0 {
		return []sample{{name: e.at.method}}
	}
	return e.named(e.samples(e.slices[i].summary, e.at), value)
}

func (e *evidence) named(of []sample, value string) []sample {
	for i := range of {
		of[i].name += " " + e.Parameter + "=" + value
		of[i].label += " " + e.Parameter + "=" + value
	}
	return of
}

// samples returns a sample for each variant of a method. Without results, it returns one sample without values.
func (e *evidence) samples(from *merge.Summary, at condition) []sample {
	label := at.method
	if m, err := learners.Lookup(at.method); err == nil {
		label = m.Label
	}
	var found []sample
	for _, g := range from.Variants(at.dataset, at.checkpoint, at.method) {
		variant := source.Without(g.Variant, e.Parameter)
		found = append(found, sample{name: strings.TrimSpace(at.method + " " + variant),
			label: strings.TrimSpace(label + " " + variant), variant: variant,
			values: source.ByTrial(g, e.valuesOf(g, at.model))})
	}
	if found == nil {
		return []sample{{name: at.method}}
	}
	return found
}

// alike returns the sample with the same variant as own, or a sample without values.
func (e *evidence) alike(from *merge.Summary, at condition, own sample) sample {
	of := e.samples(from, at)
	if i := slices.IndexFunc(of, func(s sample) bool { return s.variant == own.variant }); i >= 0 {
		return of[i]
	}
	return sample{}
}

// rivals returns the samples of the methods in Claim.Against.
func rivals(e *evidence, _ sample) []sample {
	var others []sample
	at := e.at
	for _, rival := range e.Against {
		if rival == e.at.method {
			continue
		}
		at.method = rival
		others = append(others, e.samples(e.summary, at)...)
	}
	return others
}

// otherValues returns samples of own's method with other values of the claim's parameter.
func otherValues(e *evidence, own sample) []sample {
	if own.values == nil {
		return []sample{{}}
	}
	var others []sample
	for _, s := range e.slices {
		other := e.alike(s.summary, e.at, own)
		if s.value != e.Values[e.at.dataset].String() && other.values != nil { // the grid has this value
			others = append(others, e.named([]sample{other}, s.value)...)
		}
	}
	return others
}

// beginnings returns samples of own's method at the claim's first checkpoint. If the claim has a single checkpoint, it
// returns samples on the claim's first dataset.
func beginnings(e *evidence, own sample) []sample {
	first, last := e.at, e.at
	first.checkpoint, last.checkpoint = e.Checkpoints[0], e.Checkpoints[len(e.Checkpoints)-1]
	name := fmt.Sprintf("at %d", first.checkpoint)
	if len(e.Checkpoints) == 1 {
		first.dataset, last.dataset = e.Datasets[0], e.Datasets[len(e.Datasets)-1]
		name = "on " + source.DatasetLabel(first.dataset)
	}
	if e.at != last {
		return nil
	}
	other := e.alike(e.summary, first, own)
	other.name, other.label = name, name
	return []sample{other}
}

// expected returns a sample with the paper's number as the value of every trial.
func expected(e *evidence, own sample) []sample {
	published := e.Values[e.at.dataset]
	values := map[int]float64{}
	for trial := range own.values {
		values[trial] = published.Value
	}
	return []sample{{name: published.String(), label: "published", values: values}}
}

// ahead returns by how much a is better than b in each trial.
func ahead(e *evidence, a, b []float64) []float64 {
	margins := make([]float64, len(a))
	for i := range a {
		margins[i] = float64(e.measure.Better) * (a[i] - b[i])
	}
	return margins
}

// steadier returns margins whose mean is the variance of b minus the variance of a. A trial's margin is the squared
// deviation of b minus the squared deviation of a.
func steadier(_ *evidence, a, b []float64) []float64 {
	margins, meanA, meanB := make([]float64, len(a)), mean(a), mean(b)
	for i := range a {
		margins[i] = (b[i]-meanB)*(b[i]-meanB) - (a[i]-meanA)*(a[i]-meanA)
	}
	return margins
}

// near returns margins with a positive mean if the means of a and b differ by less than a tolerance. The tolerance is
// half a unit of the published value's last digit, or 0 without a published value.
func near(e *evidence, a, b []float64) []float64 {
	tolerance := 0.0
	if published, ok := e.Values[e.at.dataset]; ok {
		tolerance = published.Unit() / 2
	}
	margins, sign := make([]float64, len(a)), math.Copysign(1, mean(a)-mean(b))
	for i := range a {
		margins[i] = tolerance - sign*(a[i]-b[i])
	}
	return margins
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }

// deviation returns the population standard deviation, as in the paper.
func deviation(values []float64) float64 {
	_, std := stat.PopMeanStdDev(values, nil)
	return std
}

func (t *claimTest) test(margins []float64, overlap float64) {
	sum, alike := 0.0, true
	for _, m := range margins {
		sum += m
		alike = alike && m == margins[0]
	}
	t.Trials, t.Mean = len(margins), sum/float64(len(margins))
	t.P = stats.PairedSplits(margins, make([]float64, len(margins)), overlap)
	if alike && len(margins) > 1 && t.Mean != 0 { // margins that are all equal leave no doubt about their mean
		t.P = 0
	}
}

func correct(tests []claimTest) {
	p := make([]float64, len(tests))
	for i := range tests {
		p[i] = tests[i].P
	}
	for i, corrected := range stats.Holm(p) {
		tests[i].Holm = corrected
	}
}

// valuesOf returns the claim's measure for each trial of the group g.
func (e *evidence) valuesOf(g *merge.Group, m selection.Model) []float64 {
	if modelMeasureOf(e.Measure) == nil {
		return g.Values(e.Measure, m)
	}
	values := make([]float64, len(g.Choices))
	for i := range g.Choices {
		values[i] = math.NaN()
		if row := g.Choices[i].W; row != nil && e.ofModel[row.Key()] != nil {
			values[i] = *e.ofModel[row.Key()]
		}
	}
	return values
}
