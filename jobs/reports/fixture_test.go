package reports

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"graphda/io/results"
	"graphda/io/table"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/run"
	"graphda/jobs/selection"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// printReports makes the reports of these names, or all if there are none, by a rule.
func printReports(r *run.Run, grid *merge.Grid, rule selection.Rule, names []string) ([]Printed, error) {
	b := &Book{run: r, grid: grid, rule: rule}
	err := b.print(names)
	return b.Printed, err
}

// golden compares a text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; make it with go test -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; if the change is meant, run go test -update\n--- got\n%s--- want\n%s", path, got, want)
	}
}

// methods are the paper's, in its order, and the oracle.
var methods = []methodLabel{
	{Name: "adam", Label: "Adam"},
	{Name: "l1-rda", Label: "ℓ1-RDA"},
	{Name: "adagrad", Label: "AdaGrad"},
	{Name: "da-gl", Label: "DA-GL"},
	{Name: "da-sgl", Label: "DA-SGL"},
	{Name: "stoiht", Label: "StoIHT"},
	{Name: "graphstoiht", Label: "GraphStoIHT"},
	{Name: "da-iht", Label: "DA-IHT"},
	{Name: "graphda", Label: "GraphDA"},
	{Name: "best-subset", Label: "Best subset", Oracle: true},
}

var options = tableOptions{
	Name:       "table1",
	Title:      "Table 1: classification performance on Graph01",
	Dataset:    "graph01-mu0.3",
	Checkpoint: 400,
	Methods:    methods,
}

var layout = results.Layout{{Name: "gamma"}, {Name: "search", Words: []string{"paper", "exact"}}}

// invented makes results whose means are the published ones, with the published spread
// where there is one: trial i of n lies ±std from the mean by turns. GraphDA has a grid
// of three gammas, of which the largest is best; its accuracy of w̄ is made to deviate.
func invented(t *testing.T, trials int) (merge.Plan, []results.Row) {
	t.Helper()
	made, ok := paper.Published("graph01")
	if !ok {
		t.Fatal("graph01 is not published")
	}
	plan := merge.Plan{Checkpoints: []int{400}, Features: map[string]int{"graph01-mu0.3": 1089}, Params: layout}
	var rows []results.Row
	for trial := range trials {
		for _, m := range methods {
			gammas := []float64{100}
			if m.Name == "graphda" {
				gammas = []float64{50, 100, 500}
			}
			published, _ := made.Line(m.Name)
			for _, gamma := range gammas {
				id := fmt.Sprintf("%s-%02d-%g", m.Name, trial, gamma)
				plan.Cells = append(plan.Cells, merge.Cell{ID: id, Dataset: "graph01-mu0.3", Trial: trial, Method: m.Name})
				rows = append(rows, results.Row{
					Cell: id, Dataset: "graph01-mu0.3", Trial: trial, Method: m.Name, Checkpoint: 400,
					Params: []float64{gamma, math.NaN()},
					W:      metricsOf(published.W, trial, gamma), Wbar: metricsOf(published.Wbar, trial, gamma),
				})
				r := &rows[len(rows)-1]
				if m.Name == "graphda" {
					r.Params[1] = 0
					r.Solves, r.Unbracketed = 14000, int64(100*(trial%2))
					r.Wbar.TestAccuracy -= 0.05
				}
			}
		}
	}
	return plan, rows
}

// metricsOf spreads published numbers over trials; a missing line is that of an oracle.
func metricsOf(numbers map[string]paper.Number, trial int, gamma float64) results.Metrics {
	m := results.NoMetrics()
	sign := float64(1 - 2*(trial%2))
	for _, c := range results.MetricColumns {
		name := c.Name
		n, ok := numbers[name]
		switch {
		case name == "nonzeros" && len(numbers) > 0:
			*c.At(&m) = numbers[merge.NonzeroPercent].Value * 1089 / 100
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

// summary merges invented results.
func summary(t *testing.T, plan merge.Plan, rows []results.Row) *merge.Summary {
	t.Helper()
	return summaryBy(t, plan, rows, selection.Paper, "logistic")
}

// summaryBy merges invented results by a rule; the uses are given the rows.
func summaryBy(t *testing.T, plan merge.Plan, rows []results.Row, name, loss string, uses ...merge.Use) *merge.Summary {
	t.Helper()
	rule, err := selection.Parse(name, "benchmark", loss)
	if err != nil {
		t.Fatal(err)
	}
	plan.Rules = []selection.Rule{rule}
	grid, err := merge.Collect(plan, rows, uses...)
	if err != nil {
		t.Fatal(err)
	}
	return grid.Summarize(rule)
}

// framed finds the results of a table.
func framed(t *testing.T, s *merge.Summary, o tableOptions) *frame {
	t.Helper()
	f, err := frameOf(s, o)
	must(t, err)
	return f
}

func classified(t *testing.T, s *merge.Summary, o tableOptions) *table.Table {
	t.Helper()
	made, _ := classification.table(framed(t, s, o))
	return made
}

func regressed(t *testing.T, s *merge.Summary, o tableOptions) *table.Table {
	t.Helper()
	made, _ := regression.table(framed(t, s, o))
	return made
}

func settingsOf(t *testing.T, s *merge.Summary, o tableOptions) *table.Table {
	t.Helper()
	return settingsTable(framed(t, s, o))
}

func compared(t *testing.T, s *merge.Summary, o tableOptions, published *paper.Table) *comparison {
	t.Helper()
	c, err := compare(framed(t, s, o), published)
	must(t, err)
	return c
}

func tested(t *testing.T, s *merge.Summary, o tableOptions) *pairTests {
	t.Helper()
	return newTests(framed(t, s, o), classification.tested...)
}

// allTables makes every table of an experiment of so many trials: those that are printed, and
// those for programs alone.
func allTables(t *testing.T, trials int) (printed, data []*table.Table) {
	t.Helper()
	s := summaryOf(t, trials)
	made := classified(t, s, options)
	settings := settingsOf(t, s, options)
	comparison := compared(t, s, options, publishedTable(t))
	tests := tested(t, s, options)
	return []*table.Table{made, settings, comparison.table(), tests.table()}, []*table.Table{comparison.data(), tests.data()}
}
