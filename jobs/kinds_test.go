package jobs

import (
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/jobs/jobstest"
	"graphda/jobs/reports/tables"
	"graphda/jobs/selection"
	"graphda/learners"
)

// What a report could not show is refused before the first cell runs.
func TestReportsThatShowNothing(t *testing.T) {
	regression := strings.Replace(jobstest.Experiment, "loss: logistic", "loss: least_squares", 1)
	for _, c := range []struct{ text, report, want string }{
		{jobstest.Experiment, "kind: models, models: [wbar]", "tiny.yaml:20: ; kind models has no models"},
		{jobstest.Experiment, "kind: truth, log: true", "tiny.yaml:20: ; kind truth has no log"},
		{jobstest.Experiment, "kind: network, columns: 3", "tiny.yaml:20: ; kind network has no columns"},
		{jobstest.Experiment, "kind: mistakes, models: [w]", "tiny.yaml:20: ; kind mistakes has no models"},
		{jobstest.Experiment, "kind: checkpoints, measure: f1, columns: -3", "tiny.yaml:20: ; -3 columns"},
		{jobstest.Experiment, "kind: parameter, measure: f1, parameter: search", `tiny.yaml:20: ; "search" of numbers`},
		{jobstest.Experiment, "kind: parameter, measure: f1, parameter: t", `tiny.yaml:20: ; "t" of numbers`},
		{jobstest.Experiment, "kind: checkpoints, measure: f1, methods: [da-iht, stoiht]", "tiny.yaml:20: ; none of its methods"},
		{jobstest.Experiment, "kind: datasets", "tiny.yaml:20: ; kind datasets needs a measure and a parameter"},
		{regression, "kind: mistakes", "tiny.yaml:20: ; kind mistakes under loss least_squares"},
	} {
		_, err := ParseExperiment("tiny.yaml", []byte(c.text+"  - {name: more, "+c.report+"}\n"), ScaleFull)
		wantError(t, err, append(strings.Split(c.want, "; "), "report more: ")...)
	}
	_, err := ParseExperiment("tiny.yaml", []byte(jobstest.Experiment+"  - {name: tiny.early, kind: truth}\n"), ScaleFull)
	wantError(t, err, "tiny.yaml:20: ", `"tiny.early"`, "dots and dashes")
}

// Of the reports that an experiment takes over, those of methods that it does not have go.
func TestReportsOfOtherMethods(t *testing.T) {
	e, err := ParseExperiment("mine.yaml", []byte("name: mine\nlike: kegg\nmethods: [{method: adam, alpha: 0.1}]\n"), ScaleFull)
	must(t, err)
	if len(e.Reports) != 1 || e.Reports[0].Name != "kegg" {
		t.Errorf("reports %+v, want the table only: the figures are of six other methods", e.Reports)
	}
}

// A kind is printed by what its line says, and is refused if that says nothing: no kind is
// printed as another.
func TestKindsHavePrinters(t *testing.T) {
	for _, k := range Kinds() {
		if _, err := lookupKind(Kinds(), k.Name); err != nil {
			t.Error(err)
		}
	}
	_, err := lookupKind(append(Kinds(), Kind{Name: "ranking"}), "ranking")
	wantError(t, err, `kind "ranking"`, "lacks a printer")
}

// hinge is max(0, 1 − yz)²/2, a loss that the registry does not have.
type hinge struct{}

func (hinge) Name() string     { return "squared_hinge" }
func (hinge) Classifies() bool { return true }
func (hinge) Eval(z, y float64) (loss, dz float64) {
	short := max(0, 1-y*z)
	return short * short / 2, -y * short
}

// A line in the registry of losses is all that a loss needs: experiments take it, rules choose
// by it, and reports are made.
func TestLossOfOneLine(t *testing.T) {
	before := learners.Losses
	t.Cleanup(func() { learners.Losses = before })
	learners.Losses = append(slices.Clone(before), hinge{})
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	run := newRun(t, data, jobstest.Replace(t, jobstest.Experiment, "loss: logistic", "loss: squared_hinge"), time.Hour)
	if outcome := finish(t, run, 1); outcome.Failed > 0 {
		t.Fatalf("%+v", outcome)
	}
	grid, err := run.Collect()
	must(t, err)
	for _, name := range []string{selection.Validation, selection.OracleF1} {
		rule, err := run.Rule(name)
		must(t, err)
		printed, err := run.Print(grid, rule, nil)
		must(t, err)
		i := slices.IndexFunc(printed[0].Table.Columns, func(c tables.Column) bool { return c.Key == "test_accuracy" })
		for _, row := range printed[0].Table.Rows {
			if v := row[i].Number.Value; !(v > 0.5) {
				t.Errorf("rule %s: accuracy %v of %v", name, v, row[3])
			}
		}
	}
}
