package claims

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/graph"
	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/plan"
	"graphda/jobs/reports/reportstest"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/jobs/selection"
	"graphda/learners"
)

// Every claim has what its form needs, and uses only names that exist.
func TestClaimsAreSound(t *testing.T) {
	where, name := regexp.MustCompile(`^(5\.[345]|6|B\.[123])(, (Tab|Fig)\. [0-9]+((–|, )[0-9]+)?)?$`), regexp.MustCompile(`^[a-z0-9-]+$`)
	seen := map[string]bool{}
	for _, c := range paper.Claims() {
		fault := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%s: "+format, append([]any{c.Name}, args...)...)
		}
		if seen[c.Name] || !name.MatchString(c.Name) || !strings.HasSuffix(c.Text, ".") || !strings.HasSuffix(c.Quote, ".") || !where.MatchString(c.Where) {
			fault("name, text %q or place %q", c.Text, c.Where)
		}
		seen[c.Name] = true
		if _, known := claimForms[c.Form]; !known || claimMeasure(c.Measure).Name != c.Measure {
			fault("form %q, measure %q", c.Form, c.Measure)
		}
		for _, m := range slices.Concat(c.Methods, c.Against) {
			if _, err := learners.Lookup(m); err != nil {
				fault("%v", err)
			}
		}
		against := slices.Contains([]string{"best", "alike", "steadier"}, c.Form)
		if len(c.Methods) == 0 || against != (len(c.Against) > 0) {
			fault("methods %v against %v", c.Methods, c.Against)
		}
		if (c.Form == "peak") && c.Parameter == "" || (c.Form == "about" || c.Parameter != "") != (len(c.Values) > 0) {
			fault("parameter %q, values %v", c.Parameter, c.Values)
		}
		for _, m := range c.Models {
			if !slices.ContainsFunc(selection.Models[:], func(known selection.Model) bool { return known.Name() == m }) {
				fault("model %q", m)
			}
		}
		for _, d := range c.Datasets {
			if _, ok := c.Values[d]; len(c.Values) > 0 && !ok {
				fault("no value for %s", d)
			}
		}
	}
}

func TestClaimForms(t *testing.T) {
	high, low := []float64{.9, .8, .9, .8, .85, .9}, []float64{.5, .6, .4, .5, .5, .6}
	wavy := []float64{.1, .9, .2, .8, .1, .9}
	src := reportstest.Claimed(t, map[string][]float64{
		"d graphda 100": low, "d graphda 200": high, "d da-gl 200": low, "d adam 200": {.91, .78, .92, .79, .87, .9},
		"d graphda 200 wbar": low, "d l1-rda 200": wavy, "few graphda 200": high[:4], "few da-gl 200": low[:4],
		"e graphda 200": {.98, .99, .98, .99, .98, .99},
	})
	claim := func(form, method, dataset string, against ...string) paper.Claim {
		return paper.Claim{Form: form, Measure: "f1", Methods: []string{method}, Against: against,
			Datasets: strings.Fields(dataset), Checkpoints: []int{200}}
	}
	about := func(printed string) paper.Claim {
		c, number := claim("about", "graphda", "d"), paper.Number{}
		must(t, number.UnmarshalJSON([]byte(`"`+printed+`"`)))
		c.Values = map[string]paper.Number{"d": number}
		return c
	}
	overTime := claim("rises", "graphda", "d")
	overTime.Checkpoints = []int{100, 200}
	falls := claim("rises", "graphda", "d")
	falls.Checkpoints = []int{200, 100}
	for _, c := range []struct {
		what   string
		claim  paper.Claim
		want   ruling
		trials int
		tests  int
	}{
		{"higher", claim("best", "graphda", "d", "graphda", "da-gl"), holds, 6, 1},
		{"lower", claim("best", "da-gl", "d", "graphda"), fails, 6, 1},
		{"by chance", claim("best", "graphda", "d", "da-gl", "adam"), undecided, 6, 2},
		{"of too few trials", claim("best", "graphda", "few", "da-gl"), undecided, 4, 1},
		{"where a method was not run", claim("best", "graphda", "d", "da-gl", "stoiht"), inPart, 6, 1},
		{"where a dataset was not run", claim("best", "graphda", "d none", "da-gl"), inPart, 6, 1},
		{"later is better", overTime, holds, 6, 1},
		{"earlier is better", falls, fails, 6, 1},
		{"the last dataset is better", claim("rises", "graphda", "d e"), holds, 6, 1},
		{"steadier", claim("steadier", "graphda", "d", "l1-rda"), holds, 6, 1},
		{"less steady", claim("steadier", "l1-rda", "d", "graphda"), fails, 6, 1},
		{"the value", about("0.9"), undecided, 6, 1}, // .858 may be outside .85 to .95
		{"near the value", about("1"), holds, 6, 1},
		{"another value", about("0.5"), fails, 6, 1},
		{"alike", claim("alike", "graphda", "d", "adam"), undecided, 6, 1}, // no test can show this
		{"not alike", claim("alike", "graphda", "d", "da-gl"), fails, 6, 1},
		{"of nothing", claim("best", "stoiht", "d", "da-gl"), undecided, 0, 0},
	} {
		e := must1(evidenceOf(src, &c.claim, src.Summary))
		got := rule(e.tests, e.wanted)
		if got != c.want || fewestTrials(e.tests) != c.trials || len(e.tests) != c.tests {
			t.Errorf("%s: %s, %d trials, %+v, want %s of %d tests and %d trials", c.what, got, fewestTrials(e.tests), e.tests,
				c.want, c.tests, c.trials)
		}
	}
}

// A claim fails if a single comparison is significant in the other direction after correction. If Holm's
// correction makes that comparison insignificant, the claim does not fail.
func TestRulings(t *testing.T) {
	as := func(mean, p float64) claimTest { return claimTest{Trials: 20, Mean: mean, P: p} }
	for _, c := range []struct {
		tests []claimTest
		want  ruling
	}{
		{[]claimTest{as(1, .01), as(1, .9)}, holds},
		{[]claimTest{as(1, .03), as(1, .9)}, undecided},   // corrected p = .06
		{[]claimTest{as(1, .001), as(-1, .9)}, undecided}, // not all means are as claimed
		{[]claimTest{as(1, .001), as(-1, .02)}, fails},
		{[]claimTest{as(1, .001), as(0, 1)}, undecided},
		{[]claimTest{as(1, .001), as(1, math.NaN())}, holds},
	} {
		correct(c.tests)
		if got := rule(c.tests, len(c.tests)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.tests, got, c.want)
		}
	}
}

// The table is made from the published numbers themselves, with the paper's deviations.
func TestClaimsTable(t *testing.T) {
	s := reportstest.SummaryOf(t, 20)
	src := &source.Source{Run: &run.Run{Plan: &plan.Plan{Experiment: &experiment.Experiment{}}}, Grid: s.Grid, Summary: s, AsPublished: s}
	c := must1(New(src))
	for format, file := range map[string]string{"text": "claims.txt", "csv": "claims.csv"} {
		var b bytes.Buffer
		must(t, c.Table().Write(&b, format))
		reportstest.Golden(t, file, b.String())
	}
	var b bytes.Buffer
	must(t, c.data().Write(&b, "csv"))
	reportstest.Golden(t, "claims-comparisons.csv", b.String())
}

// A curve over a parameter has its best value at the claimed parameter value, or elsewhere. Only experiments with
// a report over the parameter decide the claim.
func TestPeakClaims(t *testing.T) {
	p, rows := &plan.Plan{Checkpoints: []int{400}}, []results.Row(nil)
	for trial := range 6 {
		for gamma, accuracy := range map[int]float64{3: .8, 4: .9, 5: .85} {
			r := results.Row{Cell: fmt.Sprint(trial, gamma), Dataset: "d", Trial: trial, Method: "graphda", Checkpoint: 400,
				Params: []float64{float64(gamma)}, W: results.NoMetrics(), Wbar: results.NoMetrics()}
			r.W.ValidAccuracy, r.W.TestAccuracy = .5, accuracy+float64(trial%3)/(100*float64(gamma))
			reportstest.AddCell(p, &r, 9)
			rows = append(rows, r)
		}
	}
	summary := reportstest.SummaryBy(t, p, rows, selection.Validation, "logistic", merge.Along{Param: "gamma", Checkpoints: p.Checkpoints})
	e := &experiment.Experiment{Reports: []experiment.Report{{Kind: "parameter", Parameter: "gamma"}}}
	src := &source.Source{Run: &run.Run{Plan: &plan.Plan{Experiment: e}}, Grid: summary.Grid, Summary: summary}
	for s, want := range map[string]ruling{"4": holds, "5": fails, "7": undecided} {
		number := paper.Number{}
		must(t, number.UnmarshalJSON([]byte(`"`+s+`"`)))
		c := paper.Claim{Form: "peak", Measure: "test_error", Methods: []string{"graphda"}, Datasets: []string{"d"},
			Checkpoints: []int{400}, Parameter: "gamma", Values: map[string]paper.Number{"d": number}}
		e := must1(evidenceOf(src, &c, src.Summary))
		if got := rule(e.tests, e.wanted); got != want {
			t.Errorf("best at %s: %s, want %s: %+v", s, got, want, e.tests)
		}
		c.Datasets = append(c.Datasets, "none")
		e = must1(evidenceOf(src, &c, src.Summary))
		if got := rule(e.tests, e.wanted); want == holds && got != inPart {
			t.Errorf("best at %s on one of two datasets: %s", s, got)
		}
	}
	e.Reports = nil
	for _, c := range paper.Claims() {
		if c.Parameter == "" {
			continue
		}
		if e, err := evidenceOf(src, &c, src.Summary); err != nil || len(e.tests) > 0 {
			t.Errorf("%s is tested without a report over %s: %+v, %v", c.Name, c.Parameter, e.tests, err)
		}
	}
}

var (
	must       = jobstest.Must
	newRun     = runtest.New
	finish     = runtest.Finish
	modelsOf   = runtest.Models
	modelsPath = runtest.ModelsPath
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// On a path of six features the first two are true. 0 is selected and 1 is not, which cuts off 2. 4 and 5 are
// connected but cut off, and 3 is not selected.
func TestModelMeasures(t *testing.T) {
	path := []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 4}, {U: 4, V: 5}}
	g := must1(graph.New(6, path, slices.Repeat([]float64{1}, 5)))
	f := &samples.Features{Names: strings.Fields("a b c d e f"), Truth: []float64{.3, .3, 0, 0, 0, 0}}
	w := results.Sparse{Index: []int32{0, 2, 4, 5}, Value: []float64{2, 1, -1, 1}}
	if got := isolated(f, g, w); got != 3 {
		t.Errorf("%v isolated, want 3", got)
	}
	joined := results.Sparse{Index: []int32{0, 1, 2, 3, 5}, Value: []float64{1, 1, 1, 1, 1}} // 1 connects 2 and 3
	if got := isolated(f, g, joined); got != 1 {
		t.Errorf("%v isolated, want 1", got)
	}
	if got, want := cosine(f, g, w), 2/math.Sqrt(7)/math.Sqrt(2); math.Abs(got-want) > 1e-15 {
		t.Errorf("cosine %v, want %v", got, want)
	}
	if got := cosine(f, g, results.Sparse{Index: []int32{0, 1}, Value: []float64{7, 7}}); math.Abs(got-1) > 1e-15 {
		t.Errorf("cosine %v of a multiple, want 1", got)
	}
	if got := cosine(f, g, results.Sparse{}); got != 0 {
		t.Errorf("cosine %v of nothing, want 0", got)
	}
	unknown := &samples.Features{Names: f.Names}
	if a, b := isolated(unknown, g, w), cosine(unknown, g, w); !math.IsNaN(a) || !math.IsNaN(b) || !math.IsNaN(isolated(f, nil, w)) {
		t.Errorf("without truth or network: %v and %v", a, b)
	}
}

// Claims about models are tested on the models that a run has kept. If models are missing, these claims are not tested.
func TestClaimsOfModels(t *testing.T) {
	data := t.TempDir()
	jobstest.WriteDataset(t, filepath.Join(data, "kegg-1"), jobstest.Spec{Train: 200, Trials: 3})
	run := newRun(t, data, `name: small
loss: logistic
datasets: [kegg-1]
checkpoints: [200]
methods:
  - {method: graphda, gamma: 5, s: 4}
  - {method: da-iht, gamma: 5, s: 12}
`, time.Hour)
	finish(t, run, 1)
	claim := paper.Claim{Form: "best", Measure: "cosine", Methods: []string{"graphda"}, Against: []string{"da-iht"},
		Datasets: []string{"kegg-1"}, Checkpoints: []int{200}}
	evidenceOf := func() *evidence {
		grid := must1(run.Collect())
		src := &source.Source{Run: run, Grid: grid, Summary: grid.Summarize(must1(run.Plan.Experiment.Rule("")))}
		src.Begin()
		return must1(evidenceOf(src, &claim, src.Summary))
	}
	e := evidenceOf()
	if len(e.tests) != 1 || e.tests[0].Trials != 3 || !(e.tests[0].ours > 0.1) {
		t.Fatalf("tests %+v", e.tests)
	}
	f, g, err := samplesOf(t, data)
	must(t, err)
	sum, n := 0.0, 0.0
	for _, task := range run.Tasks {
		for _, m := range modelsOf(t, run, task) {
			if m.Method == "da-iht" {
				sum, n = sum+cosine(f, g, m.W), n+1
			}
		}
	}
	if want := sum / n; n != 3 || math.Abs(e.tests[0].theirs-want) > 1e-12 {
		t.Errorf("cosine %v, want %v of %v models", e.tests[0].theirs, want, n)
	}
	for _, task := range run.Tasks {
		must(t, os.Remove(modelsPath(run, task)))
	}
	if e := evidenceOf(); len(e.tests) != 0 {
		t.Errorf("without models: %+v", e.tests)
	}
}

func samplesOf(t *testing.T, data string) (*samples.Features, *graph.Graph, error) {
	t.Helper()
	return must1(samples.Open(filepath.Join(data, "kegg-1"))).LoadStructure(0)
}

// Failed claims come first, and the paper's sentence is beside the test. If a rule uses the truth, the claim's
// line says so and gives the other rule's verdict.
func TestClaimsTableOrder(t *testing.T) {
	rule := must1(selection.Parse(selection.OracleF1, "", "logistic"))
	test := claimTest{condition: condition{dataset: "d", checkpoint: 1, method: "graphda"}, Trials: 20, Mean: 1, P: .001, Holm: .001}
	against := test
	against.Mean = -1
	decide := func(name string, test claimTest) decision {
		claim := &paper.Claim{Name: name, Quote: "It is " + name + ".", Text: "This is.", Measure: "f1"}
		return decision{Claim: claim, tests: []claimTest{test}, wanted: 1, ruling: rulingOf(test), byOther: undecided}
	}
	c := &Claims{byRule: rule, other: "validation", decided: []decision{decide("good", test), decide("bad", against)}}
	c.order()
	var b bytes.Buffer
	must(t, c.Table().Write(&b, "csv"))
	if lines := strings.Split(b.String(), "\n"); !strings.HasPrefix(lines[1], "bad,") || !strings.HasPrefix(lines[2], "good,") {
		t.Errorf("order:\n%s", &b)
	}
	if got := strings.Count(b.String(), "This rule chooses by F1 against the truth. By rule validation: undecided"); got != 2 {
		t.Errorf("it is said %d times that the rule sees the truth:\n%s", got, &b)
	}
	b.Reset()
	must(t, c.Table().Write(&b, "markdown"))
	if !strings.Contains(b.String(), "“It is bad.” Tested: This is.") {
		t.Errorf("it prints\n%s", &b)
	}
}

func rulingOf(t claimTest) ruling { return rule([]claimTest{t}, 1) }

// The counts of right and wrong features agree with precision and recall.
func TestCountsOfFeatures(t *testing.T) {
	rows := []results.Row{{Cell: "a", Dataset: "d", Method: "graphda", Checkpoint: 1, W: results.NoMetrics(), Wbar: results.NoMetrics()}}
	rows[0].W.ValidAccuracy, rows[0].Wbar.ValidAccuracy = 1, 1
	for _, c := range []struct{ nonzeros, precision, recall, right, wrong float64 }{
		{49, 7.0 / 49, 7.0 / 50, 7, 42}, {3, 1, .06, 3, 0}, {0, math.NaN(), 0, 0, 0}, {0, 0, 0, 0, 0},
		{5, math.NaN(), math.NaN(), math.NaN(), math.NaN()}, {0, math.NaN(), math.NaN(), math.NaN(), math.NaN()},
	} {
		rows[0].W.Nonzeros, rows[0].W.Precision, rows[0].W.Recall = c.nonzeros, c.precision, c.recall
		p := &plan.Plan{Checkpoints: []int{1}}
		reportstest.AddCell(p, &rows[0], 100)
		g := reportstest.SummaryBy(t, p, slices.Clone(rows), selection.Validation, "logistic").Group("d", 1, "graphda")
		right, wrong := g.Values("right_features", selection.W)[0], g.Values("wrong_features", selection.W)[0]
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !same(right, c.right) || !same(wrong, c.wrong) {
			t.Errorf("%+v: %v right, %v wrong", c, right, wrong)
		}
	}
}
