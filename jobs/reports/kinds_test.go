package reports

import (
	"slices"
	"testing"
	"time"

	"graphda/jobs/jobstest"
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
