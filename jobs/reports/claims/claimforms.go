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

// A condition is what a claim is tested under.
type condition struct {
	dataset    string
	checkpoint int
	model      selection.Model
	method     string
}

// A sample is the values of one method, by trial. A claim compares two of them.
type sample struct {
	name, label string          // in data files and in print
	variant     string          // of a method; mostly empty
	values      map[int]float64 // by trial; nil: the run does not have them
}

// A claimTest is one of the comparisons that a claim makes.
type claimTest struct {
	condition
	own, other   sample
	ours, theirs float64 // as the claim's form shows them
	Trials       int
	Mean         float64 // of the trials' margins: positive if it is as claimed
	P            float64 // of the paired t-test of the margins, two-sided
	Holm         float64 // P, corrected over the tests of the claim
}

// A claimForm is a kind of test that claims have. claims.yaml says what each tests.
type claimForm struct {
	// others are the samples that a method's own is compared with under the condition at hand, whether the
	// run has them or not.
	others func(e *evidence, own sample) []sample
	// margins tell, trial by trial, how far the values a are ahead of b as is claimed; not at all
	// where they are negative.
	margins func(e *evidence, a, b []float64) []float64
	// shown is what of the values is printed.
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

// evidence is what a claim finds in a summary.
type evidence struct {
	*paper.Claim
	summary *merge.Summary
	slices  []sliced // along the claim's parameter
	measure *metrics.Measure
	ofModel map[results.Key]*float64 // of a measure that no row has, by the row chosen for the model
	at      condition                // of the comparison at hand
	tests   []claimTest
	wanted  int
}

// A sliced summary is of the cells that have one value of a parameter.
type sliced struct {
	value   string
	summary *merge.Summary
}

// evidenceOf makes all comparisons of a claim that a summary has the results for.
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

// slice cuts the results along the claim's parameter, if the experiment is about it: it has a
// report over that parameter.
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

// compare makes the comparisons under the condition at hand.
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

// own returns what the claim is about under the condition at hand.
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

// named adds the value of the claim's parameter to the names of samples.
func (e *evidence) named(of []sample, value string) []sample {
	for i := range of {
		of[i].name += " " + e.Parameter + "=" + value
		of[i].label += " " + e.Parameter + "=" + value
	}
	return of
}

// samples returns the values under a condition, of each variant; one without values if there are none.
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

// alike returns the values under a condition of the variant of a sample.
func (e *evidence) alike(from *merge.Summary, at condition, own sample) sample {
	of := e.samples(from, at)
	if i := slices.IndexFunc(of, func(s sample) bool { return s.variant == own.variant }); i >= 0 {
		return of[i]
	}
	return sample{}
}

// rivals are the methods that the claim's are against.
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

// otherValues are the method itself at other values of the claim's parameter.
func otherValues(e *evidence, own sample) []sample {
	if own.values == nil {
		return []sample{{}}
	}
	var others []sample
	for _, s := range e.slices {
		other := e.alike(s.summary, e.at, own)
		if s.value != e.Values[e.at.dataset].String() && other.values != nil { // it is in the dataset's grid
			others = append(others, e.named([]sample{other}, s.value)...)
		}
	}
	return others
}

// beginnings are the method at the claim's first checkpoint; if that is the only one, on its
// first dataset.
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

// expected is the value that the paper prints, in every trial.
func expected(e *evidence, own sample) []sample {
	published := e.Values[e.at.dataset]
	values := map[int]float64{}
	for trial := range own.values {
		values[trial] = published.Value
	}
	return []sample{{name: published.String(), label: "published", values: values}}
}

// ahead is by how much values are better than others.
func ahead(e *evidence, a, b []float64) []float64 {
	margins := make([]float64, len(a))
	for i := range a {
		margins[i] = float64(e.measure.Better) * (a[i] - b[i])
	}
	return margins
}

// steadier is by how much values are nearer to their mean than others to theirs, in squares: the
// mean of these margins is the difference of the variances.
func steadier(_ *evidence, a, b []float64) []float64 {
	margins, meanA, meanB := make([]float64, len(a)), mean(a), mean(b)
	for i := range a {
		margins[i] = (b[i]-meanB)*(b[i]-meanB) - (a[i]-meanA)*(a[i]-meanA)
	}
	return margins
}

// near is what the mean difference of values leaves of half a unit of the last digit of the published
// value; of nothing where none is published.
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

// deviation is the standard deviation of the population, as in the paper.
func deviation(values []float64) float64 {
	_, std := stat.PopMeanStdDev(values, nil)
	return std
}

// test fills in what the margins of a test's trials tell, of an overlap.
func (t *claimTest) test(margins []float64, overlap float64) {
	sum, alike := 0.0, true
	for _, m := range margins {
		sum += m
		alike = alike && m == margins[0]
	}
	t.Trials, t.Mean = len(margins), sum/float64(len(margins))
	t.P = stats.PairedSplits(margins, make([]float64, len(margins)), overlap)
	if alike && len(margins) > 1 && t.Mean != 0 { // in every trial the same: no chance is in it
		t.P = 0
	}
}

// correct corrects the tests of a claim.
func correct(tests []claimTest) {
	p := make([]float64, len(tests))
	for i := range tests {
		p[i] = tests[i].P
	}
	for i, corrected := range stats.Holm(p) {
		tests[i].Holm = corrected
	}
}

// valuesOf returns the claim's measure of a model in every trial of a group.
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
