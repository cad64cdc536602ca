package executor_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"graphda/io/seal"
	"graphda/jobs/executor"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/simulate"
)

// graph01 makes one trial of Graph01 and returns the folder of datasets.
func graph01(b *testing.B) string {
	b.Helper()
	data := b.TempDir()
	spec := simulate.DefaultBenchmark()
	spec.Trials = 1
	must1(spec.Write(data, seal.Output{}, nil))
	return data
}

// BenchmarkGraph01 runs single cells of Table 1 at 400 samples. Loading does not count.
func BenchmarkGraph01(b *testing.B) {
	data := graph01(b)
	for _, cell := range []string{
		"method: l1-rda, lambda: 0.01, gamma: 50, rho: 0",
		"method: da-iht, gamma: 100, s: 26",
		"method: graphda, gamma: 100, s: 26, search: paper",
		"method: graphda, gamma: 100, s: 26, search: paper, head: lazy",
		"method: graphda, gamma: 100, s: 26, search: warm",
		"method: graphda, gamma: 100, s: 26, search: lazy",
		"method: graphda, gamma: 1, s: 26, search: paper",
		"method: graphda, gamma: 1, s: 26, search: warm",
		"method: graphstoiht, eta: 1, s: 26, search: paper",
	} {
		b.Run(strings.NewReplacer(": ", "=", ", ", "/").Replace(cell), func(b *testing.B) {
			seconds, runs := 0.0, 0
			for b.Loop() {
				for _, row := range benchmarkRun(b, data, "methods:\n  - {"+cell+"}\n") {
					seconds += row
				}
				runs++
			}
			b.ReportMetric(1e3*seconds/float64(runs), "ms/cell")
		})
	}
}

// benchmarkRun plans and runs an experiment on one worker. It returns the learning time of each cell in seconds.
func benchmarkRun(b *testing.B, data, methods string) (seconds []float64) {
	b.Helper()
	e := must1(experiment.Parse("benchmark", []byte("name: b\nloss: logistic\ndatasets: [graph01-mu0.3]\ncheckpoints: [400]\n"+methods), experiment.ScaleFull))
	p := must1(plan.NewPlan(e, plan.PlanOptions{Data: data}))
	r, _, err := run.Create(b.TempDir(), p, time.Hour, func() plan.Rates { return plan.Rates{Entry: 3e-9, Edge: 2e-8} })
	must(b, err)
	must1((&executor.Runner{Run: r, Workers: 1}).RunTasks(context.Background(), r.Tasks))
	rows := must1(r.Results())
	for i := range rows {
		seconds = append(seconds, rows[i].Seconds)
	}
	return seconds
}
