package executor_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"graphda/io/samples"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/learners"
)

// The regret is the loss on the way less that of the best fixed model on the true support,
// the corner of four nodes; on all features where the truth is not known. It does not depend
// on the other checkpoints.
func TestRegret(t *testing.T) {
	for _, c := range []struct {
		name    string
		spec    jobstest.Spec
		loss    string
		support []int32
	}{
		{"logistic", jobstest.Spec{Trials: 2}, "logistic", []int32{0, 1, 4, 5}},
		{"least squares", jobstest.Spec{Trials: 2, Targets: true}, "least_squares", []int32{0, 1, 4, 5}},
		{"unknown truth", jobstest.Spec{Trials: 2, NoTruth: true, Targets: true}, "least_squares", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(dataFolder(t, c.spec), "grid")
			ds := must1(samples.Open(dir))
			trial := must1(ds.Load(1, samples.AnyLabels))
			loss := must1(learners.LookupLoss(c.loss))
			req := executor.CellRequest{
				Dataset: dir, Trial: 1, Method: "da-iht", Loss: c.loss,
				Params: []plan.Param{{Name: "gamma", Value: "10"}, {Name: "s", Value: "5"}}, Checkpoints: []int{7, 20, 40},
			}
			together := must1(executor.RunCell(context.Background(), req))
			for k, n := range req.Checkpoints {
				least := must1(learners.Hindsight(loss, 16, trial.Train.Row, trial.Train.Y[:n], c.support))
				r := together[k]
				if got, want := r.W.Regret, r.W.CumulativeLoss-least; got != want || math.IsNaN(got) {
					t.Errorf("regret of w at %d is %v, want %v", n, got, want)
				}
				if got, want := r.Wbar.Regret, r.Wbar.CumulativeLoss-least; got != want || got == r.W.Regret {
					t.Errorf("regret of w̄ at %d is %v, want %v; that of w is %v", n, got, want, r.W.Regret)
				}
				alone := req
				alone.Checkpoints = []int{n}
				rows := must1(executor.RunCell(context.Background(), alone))
				if rows[0].W.Regret != r.W.Regret || rows[0].Wbar.Regret != r.Wbar.Regret {
					t.Errorf("regret at %d is %v with other checkpoints, %v without", n, r.W.Regret, rows[0].W.Regret)
				}
			}
		})
	}
}
