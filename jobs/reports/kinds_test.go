package reports

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/selection"
	"graphda/learners"
)

// squaredHinge is max(0, 1 − yz)²/2, a loss that the registry does not have.
type squaredHinge struct{}

func (squaredHinge) Name() string     { return "squared_hinge" }
func (squaredHinge) Classifies() bool { return true }
func (squaredHinge) Eval(z, y float64) (loss, dz float64) {
	short := max(0, 1-y*z)
	return short / 2 * short, -y * short
}

// A line in the registry of losses is all that a loss needs: experiments take it, rules choose
// by it, and reports are made.
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

// The page on experiment files has every key, every kind of report with what it must and may have,
// and every measure.
func TestExperimentsPage(t *testing.T) {
	page := string(must1(os.ReadFile("../../docs/experiments.md")))
	row := func(name string) []string {
		_, rest, found := strings.Cut(page, "\n| `"+name+"` |")
		if !found {
			t.Errorf("docs/experiments.md has no row of %s", name)
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
			t.Errorf("the row of kind %s is %q, want %s and %s", k.Name, cells, quoted(k.Needs), quoted(k.Takes))
		}
	}
	for _, m := range merge.MeasureNames() {
		if !strings.Contains(page, "`"+m+"`") {
			t.Errorf("docs/experiments.md does not name measure %s", m)
		}
	}
}
