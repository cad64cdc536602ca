package running_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/runtest"
)

// TestTraces runs an experiment with a report of regret, and one without.
func TestTraces(t *testing.T) {
	text := jobstest.Replace(t, jobstest.Experiment, "reports:", "reports:\n  - {name: loss, kind: regret, checkpoint: 20}")
	run := runtest.New(t, dataFolder(t, jobstest.Spec{Trials: 2}), text, 3*time.Second)
	runtest.Finish(t, run, 2)
	traced := 0
	for _, task := range run.Tasks {
		rows := must1(run.ReadShard(task, plan.Layout()))
		for _, m := range runtest.Models(t, run, task) {
			if m.Checkpoint != 20 {
				if len(m.Losses) != 0 {
					t.Errorf("a model at %d has a trace", m.Checkpoint)
				}
				continue
			}
			traced++
			i := slices.IndexFunc(rows, func(r results.Row) bool { return r.Key() == m.Key() })
			if got, want := floats.Sum(m.Losses), rows[i].W.CumulativeLoss; math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: losses sum to %v, want %v", run.DescribeCell(m.Cell), got, want)
			}
			if got, want := floats.Sum(m.LossesWbar), rows[i].Wbar.CumulativeLoss; math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: losses of the average sum to %v, want %v", run.DescribeCell(m.Cell), got, want)
			}
			last := math.Hypot(floats.Norm(m.W.Value, 2), m.W.Intercept)
			if m.LargestNorm < last*(1-1e-12) {
				t.Errorf("%s: largest norm %v, that of the last is %v", run.DescribeCell(m.Cell), m.LargestNorm, last)
			}
		}
	}
	if traced == 0 {
		t.Error("no model has a trace")
	}
}
