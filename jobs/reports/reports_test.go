package reports

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/paper"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/jobs/selection"
	"graphda/learners"
)

func TestReportsRefuse(t *testing.T) {
	run := finished(t, dataFolder(t, jobstest.Spec{}), jobstest.Experiment)
	grid := must1(run.Collect())
	rule := must1(run.Plan.Experiment.Rule("oracle-f1"))
	_, err := Make(run, Options{Reports: []string{"tinny"}})
	wantError(t, err, `"tinny"`, "tiny, tiny-early")
	_, err = run.Plan.Experiment.Rule("best")
	wantError(t, err, `"best"`, "oracle-f1")
	_, err = run.Plan.Experiment.Rule("paper")
	wantError(t, err, "paper", "benchmark")
	printed := must1(printReports(run, grid, rule, []string{"tiny"}))
	_, err = (&Book{run: run, grid: grid, rule: rule, Printed: append(printed, printed...)}).Write(t.TempDir(), seal.Output{}, &RowFiles{})
	wantError(t, err, "two files would both be")
}

func TestTrialsOfOtherSizesAreNoted(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	jobstest.SwapTrial(t, data, "trial-01", jobstest.Spec{Trials: 2, Train: 50})
	run := finished(t, data, jobstest.Experiment)
	const want = "The trials are not alike: the number of training samples is 40 in trial 0, 50 in trial 1."
	for _, p := range reportsOf(t, run) {
		if !slices.Contains(p.Main().Notes, want) {
			t.Errorf("notes %q do not say %q", p.Main().Notes, want)
		}
	}
}

// Each table has its own note; the answer is about all of them.
func TestAnswerCountsAllTables(t *testing.T) {
	f1 := experiment.Report{Measure: "f1", Methods: []string{"adam"}}
	b := &Book{Printed: []source.Printed{
		{Report: f1, Agreement: source.Agreement{Agree: 65, Unclear: 1}}, {Report: f1},
		{Report: f1, Agreement: source.Agreement{Agree: 63, Unclear: 2, Differ: 1}}}}
	if got, want := b.answer(), "Compared with the paper, of 132 values 128 agree, 3 are unclear and 1 differ."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// squaredHinge is the loss max(0, 1 − yz)²/2, which the registry does not have.
type squaredHinge struct{}

func (squaredHinge) Name() string     { return "squared_hinge" }
func (squaredHinge) Classifies() bool { return true }
func (squaredHinge) Eval(z, y float64) (loss, dz float64) {
	short := max(0, 1-y*z)
	return short / 2 * short, -y * short
}

// A loss needs only a line in the registry: experiments accept it, rules choose by it, and reports are made.
func TestLossOfOneLine(t *testing.T) {
	before := learners.Losses
	t.Cleanup(func() { learners.Losses = before })
	learners.Losses = append(slices.Clone(before), squaredHinge{})
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	run := newRun(t, data, jobstest.Replace(t, jobstest.Experiment, "loss: logistic", "loss: squared_hinge"), time.Hour)
	if outcome := finish(t, run, 1); outcome.Failed > 0 {
		t.Fatalf("%+v", outcome)
	}
	grid := must1(run.Collect())
	for _, name := range []string{selection.Validation, selection.OracleF1} {
		rule := must1(run.Plan.Experiment.Rule(name))
		printed := must1(printReports(run, grid, rule, nil))
		i := printed[0].Main().At("test_accuracy")
		for _, row := range printed[0].Main().Rows {
			if v := row[i].Number.Value; !(v > 0.5) {
				t.Errorf("rule %s: accuracy %v of %v", name, v, row[3])
			}
		}
	}
}

// The page on experiment files has every key, every kind of report with its required and optional
// keys, and every measure.
func TestExperimentsPage(t *testing.T) {
	page := string(must1(os.ReadFile("../../docs/experiments.md")))
	row := func(name string) []string {
		_, rest, found := strings.Cut(page, "\n| `"+name+"` |")
		if !found {
			t.Fatalf("docs/experiments.md has no row that begins with | `%s` |", name)
		}
		line, _, _ := strings.Cut(rest, "\n")
		return strings.Split(line, "|")
	}
	for _, of := range []reflect.Type{reflect.TypeFor[experiment.Experiment](), reflect.TypeFor[experiment.Report]()} {
		for i := range of.NumField() {
			key := of.Field(i).Tag.Get("yaml")
			if key != "-" && key != "kind" {
				row(key)
			}
		}
	}
	quoted := func(keys []string) string {
		if len(keys) == 0 {
			return ""
		}
		return "`" + strings.Join(keys, "`, `") + "`"
	}
	for _, k := range kinds {
		cells := row("kind: " + k.Name)
		if len(cells) < 3 || strings.TrimSpace(cells[1]) != quoted(k.Needs) || strings.TrimSpace(cells[2]) != quoted(k.Takes) {
			t.Errorf("docs/experiments.md: kind %s must have %q and may have %q", k.Name, quoted(k.Needs), quoted(k.Takes))
		}
	}
	for _, m := range metrics.MeasureNames() {
		if !strings.Contains(page, "`"+m+"`") {
			t.Errorf("docs/experiments.md does not name measure %s", m)
		}
	}
}

// A line counts the claims that a run can decide. Their table is in files and on the page, after the results. With few
// trials, the line says that the claims are not tested. If only some reports are requested, claims are not mentioned.
func TestClaimsAreShown(t *testing.T) {
	data := t.TempDir()
	jobstest.WriteDataset(t, filepath.Join(data, "graph01-mu0.3"), jobstest.Spec{Train: 400, Trials: 5})
	for _, trials := range []string{"[0, 1]", "[0, 1, 2, 3, 4]"} {
		run := finished(t, data, `name: small
loss: logistic
datasets: [graph01-mu0.3]
trials: `+trials+`
checkpoints: [400]
methods:
  - {method: graphda, gamma: 5, s: 4}
  - {method: da-iht, gamma: 5, s: 4}
  - {method: adam, alpha: 0.001}
reports: [{name: table, kind: classification}]
`)
		enough := len(run.Plan.Datasets[0].Trials) == 5
		book := must1(Make(run, Options{}))
		var text, whole, some bytes.Buffer
		must(t, book.Print(&text, "text", Extras{}))
		if !strings.Contains(text.String(), "\nThe paper's claims") || enough == strings.Contains(text.String(), "are not tested") {
			t.Errorf("of %s it prints\n%s", trials, &text)
		}
		must(t, book.Print(&whole, "text", Extras{Verbose: true}))
		if enough != strings.HasPrefix(whole.String(), "What the paper claims") {
			t.Errorf("of %s all of it is\n%s", trials, &whole)
		}
		paths, read := written(t, run, false)
		for _, name := range []string{"claims.txt", "claims.md", "claims.csv", "claims-comparisons.csv"} {
			there := slices.ContainsFunc(paths, func(path string) bool { return filepath.Base(path) == name })
			if there != enough {
				t.Errorf("of %s it writes %v; %s?", trials, paths, name)
			}
		}
		page := read(PageName)
		claims, results := strings.Index(page, `id="table-claims"`), strings.Index(page, `id="table-table"`)
		if enough != (claims > results) || strings.Contains(page, "are not tested") == enough {
			t.Errorf("of %s claims are at %d of the page, the table at %d", trials, claims, results)
		}
		book = must1(Make(run, Options{Reports: []string{"table"}}))
		must(t, book.Print(&some, "text", Extras{}))
		if strings.Contains(some.String(), "claims") {
			t.Errorf("asked for one report it prints\n%s", &some)
		}
	}
}

// Every claim is about results that a built-in experiment has.
func TestClaimsHaveExperiments(t *testing.T) {
	var built []*experiment.Experiment
	for _, name := range paper.Names() {
		e := must1(experiment.ReadBuiltIn(name, experiment.ScaleFull))
		built = append(built, e)
	}
	for _, c := range paper.Claims() {
		for _, d := range c.Datasets {
			if !slices.ContainsFunc(built, func(e *experiment.Experiment) bool { return hasResults(t, e, d, &c) }) {
				t.Errorf("%s: no built-in experiment has %s of %s at %v", c.Name, c.Measure, d, c.Checkpoints)
			}
		}
	}
}

// hasResults reports whether an experiment measures on a dataset what the claim is about. Results have no columns for
// measures of models.
func hasResults(t *testing.T, e *experiment.Experiment, dataset string, c *paper.Claim) bool {
	loss := must1(learners.LookupLoss(e.Loss))
	lacks := slices.ContainsFunc(c.Checkpoints, func(k int) bool { return !slices.Contains(e.Checkpoints, k) })
	measured := !slices.Contains(metrics.MeasureNames(), c.Measure) || metrics.MeasureOf(c.Measure).Under(loss.Classifies())
	return slices.Contains(e.Datasets, dataset) && !lacks && measured
}

var (
	must       = jobstest.Must
	wantError  = jobstest.WantError
	dataFolder = jobstest.Folder
	filesBelow = jobstest.FilesBelow
	newRun     = runtest.New
	finish     = runtest.Finish
	copyOf     = runtest.Copy
	resultsCSV = runtest.CSV
	wantSealed = runtest.WantSealed
	modelsOf   = runtest.Models
	modelsPath = runtest.ModelsPath
	learn      = runtest.Learn
)

func finished(t *testing.T, data, experiment string) *run.Run {
	t.Helper()
	r := newRun(t, data, experiment, time.Hour)
	finish(t, r, 2)
	return r
}

// reportsOf merges a run and makes the named reports, or all reports without names, by the run's first rule.
func reportsOf(t *testing.T, r *run.Run, names ...string) []source.Printed {
	t.Helper()
	return must1(Make(r, Options{Reports: names, AllowPartial: true})).Printed
}

// written writes a run's reports into a new folder. It returns their paths, and a function that reads one by name.
func written(t *testing.T, r *run.Run, csv bool) (paths []string, read func(name string) string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "deep", "report")
	rows := must1(CreateRows(r, dir, seal.Output{}, csv))
	defer rows.Abort()
	paths = must1(must1(Make(r, Options{Uses: []merge.Use{rows.Use}})).Write(dir, seal.Output{}, rows))
	return paths, func(name string) string {
		return string(must1(os.ReadFile(filepath.Join(dir, name))))
	}
}

// printReports makes the named reports, or all reports without names, by a rule.
func printReports(r *run.Run, grid *merge.Grid, rule selection.Rule, names []string) ([]source.Printed, error) {
	b := &Book{run: r, grid: grid, rule: rule}
	err := b.print(names)
	return b.Printed, err
}

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// In a headline, each dataset counts once.
func TestStandings(t *testing.T) {
	a, b, c := []string{"A"}, []string{"B"}, []string{"C"}
	for want, best := range map[string][][]string{
		"A on 2 of 3 datasets, B on 1":                          {b, a, a},
		"B on 2 of 5 datasets, C on 1, a tie on 2 (A, B, C, D)": {c, b, {"A", "B"}, {"B", "C", "D"}, b},
		"a tie on 2 of 2 datasets (A, B)":                       {{"A", "B"}, {"A", "B"}},
	} {
		if got := standings(best); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
