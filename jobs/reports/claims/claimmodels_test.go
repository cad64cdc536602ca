package claims

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/graph"
	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/reports/reportstest"
	"graphda/jobs/reports/source"
	"graphda/jobs/selection"
)

// On a path of six, of which the first two are true: 0 is found, 1 not; 2 is cut off from 0 by it, 4 and 5 hang together and
// are cut off, and 3 is not selected.
func TestModelMeasures(t *testing.T) {
	path := []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 4}, {U: 4, V: 5}}
	g := must1(graph.New(6, path, slices.Repeat([]float64{1}, 5)))
	f := &samples.Features{Names: strings.Fields("a b c d e f"), Truth: []float64{.3, .3, 0, 0, 0, 0}}
	w := results.Sparse{Index: []int32{0, 2, 4, 5}, Value: []float64{2, 1, -1, 1}}
	if got := isolated(f, g, w); got != 3 {
		t.Errorf("%v isolated, want 3", got)
	}
	joined := results.Sparse{Index: []int32{0, 1, 2, 3, 5}, Value: []float64{1, 1, 1, 1, 1}} // 2 and 3 by a path
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

// Claims about models are tested on those that a run has kept; where they are gone, or no run has kept them, they are not
// tested at all, whatever else is.
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
		mk := &source.Source{Run: run, Grid: grid, Summary: grid.Summarize(must1(run.Plan.Experiment.Rule("")))}
		mk.Begin()
		return must1(evidenceOf(mk, &claim, mk.Summary))
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

// What fails stands first, the paper's sentence stands beside what is tested, and a rule that chooses by the truth says so
// in the claim's own line, with the other rule's verdict.
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
	if got := strings.Count(b.String(), "This rule chooses by F1 against the truth; by rule validation: undecided"); got != 2 {
		t.Errorf("it is said %d times that the rule sees the truth:\n%s", got, &b)
	}
	b.Reset()
	must(t, c.Table().Write(&b, "markdown"))
	if !strings.Contains(b.String(), "“It is bad.” Tested: This is.") {
		t.Errorf("it prints\n%s", &b)
	}
}

func rulingOf(t claimTest) ruling { return rule([]claimTest{t}, 1) }

// Counts of right and wrong features are those behind precision and recall.
func TestCountsOfFeatures(t *testing.T) {
	rows := []results.Row{{Cell: "a", Dataset: "d", Method: "graphda", Checkpoint: 1, W: results.NoMetrics(), Wbar: results.NoMetrics()}}
	rows[0].W.ValidAccuracy, rows[0].Wbar.ValidAccuracy = 1, 1
	for _, c := range []struct{ nonzeros, precision, recall, right, wrong float64 }{
		{49, 7.0 / 49, 7.0 / 50, 7, 42}, {3, 1, .06, 3, 0}, {0, math.NaN(), 0, 0, 0}, {0, 0, 0, 0, 0},
		{5, math.NaN(), math.NaN(), math.NaN(), math.NaN()}, {0, math.NaN(), math.NaN(), math.NaN(), math.NaN()},
	} {
		rows[0].W.Nonzeros, rows[0].W.Precision, rows[0].W.Recall = c.nonzeros, c.precision, c.recall
		plan := merge.Plan{Checkpoints: []int{1}, Features: map[string]int{"d": 100},
			Cells: []merge.Cell{{ID: "a", Dataset: "d", Method: "graphda"}}}
		g := reportstest.SummaryBy(t, plan, slices.Clone(rows), selection.Validation, "logistic").Group("d", 1, "graphda")
		right, wrong := g.Values("right_features", selection.W)[0], g.Values("wrong_features", selection.W)[0]
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !same(right, c.right) || !same(wrong, c.wrong) {
			t.Errorf("%+v: %v right, %v wrong", c, right, wrong)
		}
	}
}
