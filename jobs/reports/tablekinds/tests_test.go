package tablekinds

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"graphda/io/results"
	"graphda/io/table"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/reports/reportstest"
	"graphda/jobs/selection"
)

// contest makes results of three methods and an oracle. The F1 of w in trial k is entry k of the method's list. A
// method has no results in trials beyond its list.
func contest(t *testing.T, f1 map[string][]float64, changes ...func(*plan.Dataset)) *merge.Summary {
	t.Helper()
	p := &plan.Plan{Checkpoints: []int{400}}
	var rows []results.Row
	for _, m := range methods {
		for trial, v := range f1[m.Name] {
			id := fmt.Sprintf("%s-%02d", m.Name, trial)
			r := results.Row{
				Cell: id, Dataset: "graph01-mu0.3", Trial: trial, Method: m.Name, Checkpoint: 400,
				Params: []float64{100, math.NaN()}, W: results.NoMetrics(), Wbar: results.NoMetrics(),
			}
			r.W.F1, r.W.ValidAccuracy, r.Wbar.ValidAccuracy = v, 0.5, 0.5
			rows = append(rows, r)
			reportstest.AddCell(p, &r, 1089)
		}
	}
	for _, change := range changes {
		change(&p.Datasets[0])
	}
	return reportstest.Summary(t, p, rows)
}

// Computed by hand. In all 6 common trials DA-IHT is below GraphDA: p = 2/2⁶. Adam is above GraphDA in one trial,
// by the smallest difference. Only two patterns of signs have W ≤ 1: p = 2·2/2⁶. Adam minus DA-IHT is 0.2 −0.1
// −0.1 −0.2 −0.3 −0.4, with the ranks 3.5 | 1.5 1.5 3.5 5 6. Six sums of ranks are at most 3.5 (0, 1.5 twice, 3,
// 3.5 twice): p = 2·6/2⁶.
func TestTestsByHand(t *testing.T) {
	s := contest(t, map[string][]float64{
		"adam":        {0.6, 0.3, 0.3, 0.2, 0.1, 0.0},
		"da-iht":      {0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.9},
		"graphda":     {0.5, 0.5, 0.6, 0.6, 0.6, 0.6},
		"best-subset": {1, 1, 1, 1, 1, 1, 1},
	})
	tests := tested(t, s, options)
	if len(tests.questions) != 1 || len(tests.questions[0].tests) != 3 {
		t.Fatalf("%+v, want 3 tests of F1 alone: nothing else is defined", tests.questions)
	}
	for i, w := range []struct {
		a, b                               string
		mean, median, plus, minus, p, holm float64
	}{
		{"adam", "da-iht", -0.9 / 6, -0.15, 3.5, 17.5, 0.1875, 0.1875},
		{"adam", "graphda", -1.9 / 6, -0.35, 1, 20, 0.0625, 0.125},
		{"da-iht", "graphda", -1.0 / 6, -0.2, 0, 21, 0.03125, 0.09375},
	} {
		got := tests.questions[0].tests[i]
		if tests.competing[got.a].Name != w.a || tests.competing[got.b].Name != w.b || got.Trials != 6 || got.Wilcoxon.Pairs != 6 {
			t.Errorf("test %d is %+v, want %s and %s in 6 trials", i, got, w.a, w.b)
		}
		numbers, want := []float64{got.Mean, got.Median, got.Holm, got.P}, []float64{w.mean, w.median, w.holm, w.p}
		if !slices.EqualFunc(numbers, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }) ||
			got.Wilcoxon.Plus != w.plus || got.Wilcoxon.Minus != w.minus {
			t.Errorf("%+v, want %+v", got, w)
		}
	}
	jobstest.WantText(t, reportstest.Written(t, tests.table(), "text"),
		"Adam    6 -0.317 0.062 0.125\n",
		"DA-IHT  6 -0.167 0.031 0.094\n",
		"GraphDA     best\n",
		"No corrected p below 0.05 is possible for the clearest of 3 pairs with 6 common trials: the smallest is 0.094.",
		"Best subset knows the true support and is left out.")
}

// Splits of the same samples have other tests, intervals and notes. By hand, the interval of F1 0.5 and 0.52 has
// the half-width 12.706·√(0.0002·(1/2 + 1/4)). The differences −0.1 and −0.3 have t = −0.2/√(0.02·0.75) with one
// degree of freedom.
func TestSplitsOfTheSameSamples(t *testing.T) {
	s := contest(t, map[string][]float64{"adam": {0.4, 0.22}, "graphda": {0.5, 0.52}}, func(d *plan.Dataset) {
		for k := range d.Trials {
			d.Trials[k].Train, d.Trials[k].Test, d.Trials[k].Samples = 80, 20, "one"
		}
	})
	tests := tested(t, s, options)
	if p, want := tests.questions[0].tests[0].P, 1-2/math.Pi*math.Atan(0.2/math.Sqrt(0.015)); math.Abs(p-want) > 1e-12 || tests.questions[0].tests[0].Holm != p {
		t.Errorf("p = %v, corrected %v, want %v", p, tests.questions[0].tests[0].Holm, want)
	}
	made := classified(t, s, options)
	f1 := made.At("f1")
	if low := made.Rows[1][f1].Number.Low; math.Abs(low-(0.51-12.7062047*math.Sqrt(0.0002*0.75))) > 1e-6 {
		t.Errorf("the interval begins at %v", low)
	}
	for _, made := range []*table.Table{made, tests.table()} {
		if text := strings.Join(made.Notes, " "); !strings.Contains(text, "(1/n + 0.25)·s² as the variance of a mean over n trials, where 0.25 is the number of test samples") || !strings.Contains(text, "Nadeau and Bengio") || strings.Contains(text, "Wilcoxon") {
			t.Errorf("notes %q", text)
		}
	}
	if text := reportstest.Written(t, tests.data(), "csv"); !strings.Contains(text, ",,,,0.34980171") || !strings.Contains(text, ",by corrected t\n") {
		t.Error(text)
	}
}

// With 5 trials not even the clearest difference has p < 0.05, and the table says so.
func TestTestsOfFewTrials(t *testing.T) {
	s := contest(t, map[string][]float64{"adam": {0.1, 0.2, 0.1, 0.2, 0.3}, "graphda": {0.9, 0.8, 0.9, 0.8, 0.9, 0.9, 0.9}})
	tests := tested(t, s, options)
	if p := tests.questions[0].tests[0].P; p != 0.0625 {
		t.Errorf("p = %v, want 2/2⁵", p)
	}
	const want = "With fewer than 6 common trials, no two-sided p below 0.05 is possible: with 5, the smallest is 0.062."
	if notes := tests.table().Notes; !slices.Contains(notes, want) {
		t.Errorf("notes %q do not say %q", notes, want)
	}
}

// Methods without a common trial stay in the table without a test. A single method has no test.
func TestTestsOfNothing(t *testing.T) {
	nan := math.NaN()
	s := contest(t, map[string][]float64{"adam": {nan, nan, 0.3}, "da-iht": {0.2, 0.3, nan}, "graphda": {0.5, 0.4, nan}})
	tests := tested(t, s, options)
	var trials []int
	for _, test := range tests.questions[0].tests {
		trials = append(trials, test.Trials)
		if test.Trials == 0 && !(math.IsNaN(test.Holm) && math.IsNaN(test.P)) {
			t.Errorf("%+v, want no p-value", test)
		}
	}
	if !slices.Equal(trials, []int{0, 0, 2}) {
		t.Errorf("common trials %v, want 0, 0, 2", trials)
	}
	if text := reportstest.Written(t, tests.table(), "text"); !strings.Contains(text, "Adam    0      –     –     –\n") {
		t.Error(text)
	}
	for _, format := range table.FileFormats() { // every format can write the empty cells
		must(t, tests.table().As(format.Name)(io.Discard))
		must(t, tests.data().As(format.Name)(io.Discard))
	}
	if alone := tested(t, contest(t, map[string][]float64{"adam": {1, 2}, "best-subset": {3, 4}}), options); alone != nil {
		t.Errorf("tests of one method: %v", alone)
	}
}

// A method with two variants has two lines in every table.
func TestVariantsHaveLinesOfTheirOwn(t *testing.T) {
	plan, rows := reportstest.Invented(t, 6)
	for i := range plan.Cells {
		if c := &plan.Cells[i]; strings.HasSuffix(c.ID, "-500") {
			c.Values[1] = 1
			rows[i].W.TestAccuracy += 0.1
		}
	}
	s := reportstest.Summary(t, plan, rows)
	made := classified(t, s, options)
	lines := func(made *table.Table, column string) (found []string) {
		i := made.At(column)
		for _, row := range made.Rows {
			if row[0].ID == "graphda" || row[3].ID == "graphda" {
				found = append(found, row[i].Text()+"|"+row[i].ID)
			}
		}
		return found
	}
	if got, want := lines(made, "method"), []string{"GraphDA search=paper|graphda", "GraphDA search=exact|graphda"}; !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
	if got, want := lines(made, "variant"), []string{"search=paper|", "search=exact|"}; !slices.Equal(got, want) {
		t.Errorf("variants %q, want %q", got, want)
	}
	c := compared(t, s, options, publishedTable(t))
	var differences []float64
	for _, m := range c.Matches {
		if m.line.Name == "graphda" && m.entry.Name == "test_accuracy" && m.entry.Model == selection.W {
			differences = append(differences, m.Difference)
		}
	}
	if len(differences) != 2 || math.Abs(differences[1]-differences[0]-0.1) > 1e-12 {
		t.Errorf("differences %v, want 0 and 0.1", differences)
	}
	if got := lines(c.table(), "test_accuracy"); len(got) != 8 || got[0] != "0.749|" || got[4] != "0.849|" {
		t.Errorf("comparison %q, want four lines of either variant", got)
	}
	tests := tested(t, s, options)
	if n := len(tests.questions[0].tests); n != 45 || len(tests.questions) != 3 { // ten lines
		t.Errorf("%d tests of %d measures, want 45 of three", n, len(tests.questions))
	}
}
