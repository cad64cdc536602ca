// Package reportstest merges invented results for tests, and compares tables with golden files.
package reportstest

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/io/safefile"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/paper"
	"graphda/jobs/plan"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
	"graphda/jobs/selection"
	"graphda/learners"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden fails the test unless got equals the named file in testdata.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		jobstest.Must(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := safefile.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; make it with go test -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; if the change is meant, run go test -update\n--- got\n%s--- want\n%s", path, got, want)
	}
}

var params = []learners.Param{{Name: "gamma", Default: math.NaN()}, {Name: "search", Words: []string{"paper", "exact"}}}

// Methods are the methods of the paper's tables, in their order, and the oracle.
var Methods = []string{"adam", "l1-rda", "adagrad", "da-gl", "da-sgl", "stoiht", "graphstoiht", "da-iht",
	"graphda", "best-subset"}

// Invented makes results with the published means. If the paper prints a standard deviation, trials alternate between
// one deviation above and one below the mean. GraphDA has three gammas. The largest gamma is best, and its accuracy of
// w̄ differs from the published value.
func Invented(t *testing.T, trials int) (*plan.Plan, []results.Row) {
	t.Helper()
	made, ok := paper.Published("graph01")
	if !ok {
		t.Fatal("graph01 is not published")
	}
	p := &plan.Plan{Checkpoints: []int{400}}
	var rows []results.Row
	for trial := range trials {
		for _, m := range Methods {
			gammas := []float64{100}
			if m == "graphda" {
				gammas = []float64{50, 100, 500}
			}
			published, _ := made.Line(m)
			for _, gamma := range gammas {
				id := fmt.Sprintf("%s-%02d-%g", m, trial, gamma)
				rows = append(rows, results.Row{
					Cell: id, Dataset: "graph01-mu0.3", Trial: trial, Method: m, Checkpoint: 400,
					Params: []float64{gamma, math.NaN()},
					W:      metricsOf(published.W, trial, gamma), Wbar: metricsOf(published.Wbar, trial, gamma),
				})
				r := &rows[len(rows)-1]
				if m == "graphda" {
					r.Params[1] = 0
					r.Solves, r.Unbracketed = 14000, int64(100*(trial%2))
					r.Wbar.TestAccuracy -= 0.05
				}
				AddCell(p, r, 1089)
			}
		}
	}
	return p, rows
}

// AddCell adds the cell of the row r to the plan, unless the plan has it.
func AddCell(p *plan.Plan, r *results.Row, features int) {
	if slices.ContainsFunc(p.Cells, func(c plan.Cell) bool { return c.ID == r.Cell }) {
		return
	}
	d := slices.IndexFunc(p.Datasets, func(d plan.Dataset) bool { return d.Name == r.Dataset })
	if d < 0 {
		d = len(p.Datasets)
		p.Datasets = append(p.Datasets, plan.Dataset{Name: r.Dataset, Features: features})
	}
	trials := &p.Datasets[d].Trials
	if !slices.ContainsFunc(*trials, func(t plan.TrialSummary) bool { return t.Trial == r.Trial }) {
		*trials = append(*trials, plan.TrialSummary{Trial: r.Trial})
	}
	c := plan.Cell{ID: r.Cell, Dataset: d, Trial: r.Trial, Method: &learners.Method{Name: r.Method}}
	for i, v := range r.Params {
		if v == v {
			c.Method.Params, c.Values = append(c.Method.Params, params[i]), append(c.Values, v)
		}
	}
	if i := slices.IndexFunc(p.Cells, func(c plan.Cell) bool { return c.Method.Name == r.Method }); i >= 0 {
		c.Method = p.Cells[i].Method
	}
	p.Cells = append(p.Cells, c)
}

// metricsOf makes a trial's metrics from published numbers (see Invented). For the oracle, most metrics are 1.
func metricsOf(numbers map[string]paper.Number, trial int, gamma float64) results.Metrics {
	m := results.NoMetrics()
	sign := float64(1 - 2*(trial%2))
	for _, c := range results.MetricColumns {
		name := c.Name
		n, ok := numbers[name]
		switch {
		case name == "nonzeros" && len(numbers) > 0:
			*c.At(&m) = numbers[metrics.NonzeroPercent].Value * 1089 / 100
		case name == "test_auc" && len(numbers) > 0:
			*c.At(&m) = numbers["test_accuracy"].Value + 0.05
		case ok:
			*c.At(&m) = n.Value + sign*numbers[name+"_std"].Value
		case len(numbers) == 0:
			*c.At(&m) = 1
		}
	}
	m.ValidAccuracy = gamma / 1000
	return m
}

// Summary merges invented results by the rule "paper".
func Summary(t *testing.T, p *plan.Plan, rows []results.Row) *merge.Summary {
	t.Helper()
	return SummaryBy(t, p, rows, selection.Paper, "logistic")
}

// SummaryBy merges invented results by the named rule.
func SummaryBy(t *testing.T, p *plan.Plan, rows []results.Row, name, loss string, along ...merge.Along) *merge.Summary {
	t.Helper()
	rule := jobstest.Must1(selection.Parse(name, "benchmark", loss))
	grid, err := merge.Stream(merge.Request{Plan: p, Rules: []selection.Rule{rule}, Along: along},
		func(cells []plan.Cell) (of []results.Row, err error) {
			for _, c := range cells {
				for i := range rows {
					if rows[i].Cell == c.ID {
						of = append(of, rows[i])
					}
				}
			}
			return of, nil
		})
	jobstest.Must(t, err)
	return grid.Summarize(rule)
}

// SummaryOf merges invented results.
func SummaryOf(t *testing.T, trials int) *merge.Summary {
	t.Helper()
	p, rows := Invented(t, trials)
	return Summary(t, p, rows)
}

// Written returns the table in the given format.
func Written(t *testing.T, made *table.Table, format string) string {
	t.Helper()
	var b bytes.Buffer
	jobstest.Must(t, made.Write(&b, format))
	return b.String()
}

// Claimed returns a merged run with invented F1 values, one for each trial. A key is "dataset method checkpoint", and
// for w̄ ends in " wbar".
func Claimed(t *testing.T, values map[string][]float64) *source.Source {
	t.Helper()
	p := &plan.Plan{Checkpoints: []int{100, 200}}
	rows := map[string]*results.Row{}
	var order []string
	for key, all := range values {
		var dataset, method, model string
		var checkpoint int
		_, _ = fmt.Sscan(key, &dataset, &method, &checkpoint, &model)
		for trial, v := range all {
			id := fmt.Sprint(dataset, method, trial)
			at := fmt.Sprint(id, checkpoint)
			if rows[at] == nil {
				rows[at] = &results.Row{Cell: id, Dataset: dataset, Trial: trial, Method: method, Checkpoint: checkpoint,
					Params: []float64{1}, W: results.NoMetrics(), Wbar: results.NoMetrics()}
				rows[at].W.ValidAccuracy, rows[at].Wbar.ValidAccuracy = 1, 1
				order = append(order, at)
			}
			if model == "wbar" {
				rows[at].Wbar.F1 = v
			} else {
				rows[at].W.F1 = v
			}
		}
	}
	slices.Sort(order)
	var all []results.Row
	for _, at := range order {
		r := rows[at]
		all = append(all, *r)
		AddCell(p, r, 10)
	}
	summary := SummaryBy(t, p, all, selection.Validation, "logistic")
	whole := &run.Run{Plan: &plan.Plan{Experiment: &experiment.Experiment{}}}
	return &source.Source{Run: whole, Grid: summary.Grid, Summary: summary}
}
