package merge

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
	"graphda/learners"
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

var nan = math.NaN()

// search is a parameter that is not tuned.
var search = learners.Param{Name: "search", Words: []string{"paper", "exact"}}

// Methods for these tests: a has gamma ∈ {1, 2, 3}; b has one setting.
var (
	methodA = &learners.Method{Name: "a", Params: []learners.Param{{Name: "gamma", Default: nan, Min: -9}, search}}
	methodB = &learners.Method{Name: "b", Params: []learners.Param{{Name: "gamma", Default: nan}}}
)

// testPlan returns a plan with one dataset of p = 10, two trials, and checkpoints 5 and 10.
func testPlan() *plan.Plan {
	p := &plan.Plan{Checkpoints: []int{5, 10},
		Datasets: []plan.Dataset{{Name: "d", Features: 10, Trials: []plan.TrialSummary{{Trial: 0}, {Trial: 1}}}}}
	for trial := range 2 {
		for gamma := range 3 {
			p.Cells = append(p.Cells, plan.Cell{ID: fmt.Sprintf("a%d%d", trial, gamma), Trial: trial, Method: methodA,
				Values: []float64{float64(gamma) + 1, 0}})
		}
		p.Cells = append(p.Cells, plan.Cell{ID: fmt.Sprintf("b%d0", trial), Trial: trial, Method: methodB, Values: []float64{1}})
	}
	return p
}

// testRow makes the row of a planned cell. acc and accWbar are the accuracies of w and w̄ on both splits; the
// tests choose by them. The other measures follow from the arguments.
func testRow(id string, checkpoint int, acc, accWbar, mistakes, nonzeros float64) results.Row {
	r := results.Row{Cell: id, Dataset: "d", Trial: int(id[1] - '0'), Method: id[:1], Checkpoint: checkpoint,
		W: results.NoMetrics(), Wbar: results.NoMetrics()}
	r.W.ValidAccuracy, r.W.TestAccuracy, r.W.Mistakes, r.W.Nonzeros = acc, acc-0.1, mistakes, nonzeros
	r.Wbar.ValidAccuracy, r.Wbar.TestAccuracy, r.Wbar.Mistakes, r.Wbar.Nonzeros = accWbar, accWbar-0.1, mistakes+1, nonzeros+2
	return r
}

// testRows returns complete results for testPlan.
func testRows() []results.Row {
	var rows []results.Row
	for _, checkpoint := range []int{5, 10} {
		rows = append(rows,
			testRow("a00", checkpoint, 0.5, 0.9, 4, 1),
			testRow("a01", checkpoint, 0.8, 0.6, 3, 2),
			testRow("a02", checkpoint, 0.8, 0.6, 2, 4), // w ties with a01 but has fewer mistakes
			testRow("b00", checkpoint, 0.7, 0.7, 5, 10),
			testRow("a10", checkpoint, 0.6, 0.5, 4, 1),
			testRow("a11", checkpoint, 0.5, 0.5, 5, 2),
			testRow("a12", checkpoint, 0.6, 0.7, 4, 4), // w equals a10 in everything, but comes later
			testRow("b10", checkpoint, 0.7, 0.7, 7, 10))
	}
	return rows
}

// merged merges rows in memory. Rows of unplanned cells are read with the first trial.
func merged(request Request, rows []results.Row, uses ...Use) (*Grid, error) {
	planned := map[string]bool{}
	for _, c := range request.Plan.Cells {
		planned[c.ID] = true
	}
	return Stream(request, func(cells []plan.Cell) ([]results.Row, error) {
		return slices.DeleteFunc(slices.Clone(rows), func(r results.Row) bool {
			return !slices.ContainsFunc(cells, func(c plan.Cell) bool { return c.ID == r.Cell }) &&
				(planned[r.Cell] || &cells[0] != &request.Plan.Cells[0])
		}), nil
	}, uses...)
}

// collect merges rows with every rule and along gamma.
func collect(t *testing.T, p *plan.Plan, rows []results.Row, uses ...Use) *Grid {
	t.Helper()
	request := Request{Plan: p, Along: []Along{{"gamma", p.Checkpoints}}}
	for _, name := range selection.Names() {
		request.Rules = append(request.Rules, rule(t, name))
	}
	return must1(merged(request, rows, uses...))
}

func rule(t *testing.T, name string) selection.Rule {
	t.Helper()
	return must1(selection.Parse(name, "benchmark", "logistic"))
}

func wantStat(t *testing.T, g *Group, measure string, m selection.Model, mean, std float64, n int) {
	t.Helper()
	got := g.Stat(measure, m)
	if math.Abs(got.Mean-mean) > 1e-15*math.Abs(mean)+1e-15 || math.Abs(got.Std-std) > 1e-14 || got.N != n {
		t.Errorf("%s at %d: %s of %v is %v, want mean %v, std %v, n %d", g.Method, g.Checkpoint, measure, m, got, mean, std, n)
	}
}

// The expected values are computed by hand from testRows.
func TestSummarize(t *testing.T) {
	grid := collect(t, testPlan(), testRows())
	if !grid.Complete() || grid.Planned() != 16 || grid.Foreign != 0 {
		t.Fatalf("complete %v, planned %d, foreign %d; want true, 16, 0", grid.Complete(), grid.Planned(), grid.Foreign)
	}
	s := grid.Summarize(rule(t, selection.Validation))
	var order []string
	for _, g := range s.Groups {
		order = append(order, g.Method+"@"+map[int]string{5: "5", 10: "10"}[g.Checkpoint])
	}
	if want := []string{"a@5", "a@10", "b@5", "b@10"}; !slices.Equal(order, want) {
		t.Errorf("groups %v, want %v", order, want)
	}
	a := s.Group("d", 10, "a")
	for trial, want := range [][2]string{{"a02", "a00"}, {"a10", "a12"}} {
		if c := a.Choices[trial]; c.Trial != trial || c.W.Cell.ID != want[0] || c.Wbar.Cell.ID != want[1] {
			t.Errorf("trial %d chose %s for w and %s for w̄, want %v", c.Trial, c.W.Cell.ID, c.Wbar.Cell.ID, want)
		}
	}
	wantStat(t, a, "valid_accuracy", selection.W, 0.7, 0.1, 2)           // 0.8, 0.6
	wantStat(t, a, "test_accuracy", selection.Wbar, 0.7, 0.1, 2)         // 0.8, 0.6
	wantStat(t, a, "mistakes", selection.W, 3, 1, 2)                     // 2, 4
	wantStat(t, a, "mistakes", selection.Wbar, 5, 0, 2)                  // 5, 5
	wantStat(t, a, metrics.NonzeroPercent, selection.W, 25, 15, 2)       // 4 and 1 of 10
	wantStat(t, a, metrics.NonzeroPercent, selection.Wbar, 45, 15, 2)    // 3 and 6 of 10
	wantStat(t, s.Group("d", 10, "b"), "mistakes", selection.W, 6, 1, 2) // 5, 7
	if got := a.Stat("f1", selection.W); got.N != 0 || !math.IsNaN(got.Mean) || !math.IsNaN(got.Std) {
		t.Errorf("f1 is %v, but the truth is unknown", got)
	}
	if s.Group("d", 7, "a") != nil || s.Group("e", 10, "a") != nil {
		t.Error("a group that was not planned")
	}
}

// In the paper's tables, mistakes and nonzeros of w̄ come from the cell of w: a02 in trial 0 (2+1, 4+2), a10 in
// trial 1 (4+1, 1+2).
func TestPaperReadsWbarFromTheCellOfW(t *testing.T) {
	s := collect(t, testPlan(), testRows()).Summarize(rule(t, selection.Paper))
	a := s.Group("d", 5, "a")
	wantStat(t, a, "test_accuracy", selection.Wbar, 0.7, 0.1, 2)
	wantStat(t, a, "mistakes", selection.Wbar, 4, 1, 2)
	wantStat(t, a, metrics.NonzeroPercent, selection.Wbar, 45, 15, 2)
	wantStat(t, a, "mistakes", selection.W, 3, 1, 2)
}

func TestSettingsAndEdges(t *testing.T) {
	s := collect(t, testPlan(), testRows()).Summarize(rule(t, selection.Validation))
	a, b := s.Group("d", 5, "a"), s.Group("d", 5, "b")
	if want := []SettingCount{{"gamma=3", 1, "gamma largest"}, {"gamma=1", 1, "gamma smallest"}}; !slices.Equal(a.Settings[selection.W], want) {
		t.Errorf("settings of w %v, want %v", a.Settings[selection.W], want)
	}
	if want := []SettingCount{{"gamma=1", 2, ""}}; !slices.Equal(b.Settings[selection.W], want) {
		t.Errorf("settings of b %v, want %v: its only parameter, though it does not vary", b.Settings[selection.W], want)
	}
	want := []Edge{{"gamma", 1, false, [2]int{1, 1}, []float64{0, -1}}, {"gamma", 3, true, [2]int{1, 1}, []float64{4, 5}}}
	if !reflect.DeepEqual(a.Edges, want) || b.Edges != nil {
		t.Errorf("edges %v and %v, want %v and none", a.Edges, b.Edges, want)
	}
}

// A grid of two values has no edges, nor has a parameter of words. A parameter's own bound is no edge.
func TestWhatIsNoEdge(t *testing.T) {
	p, rho := testPlan(), learners.Param{Name: "rho", Default: nan}
	method := &learners.Method{Name: "a", Params: []learners.Param{rho,
		{Name: "search", Words: []string{"paper", "exact", "other"}, Default: nan}}}
	for i := range p.Cells {
		if c := &p.Cells[i]; c.Method == methodA {
			c.Method, c.Values = method, []float64{float64(c.ID[2] - '0'), float64(c.ID[2]-'0') / 2}
		}
	}
	a := collect(t, p, testRows()).Summarize(rule(t, selection.Validation)).Group("d", 5, "a")
	if want := []Edge{{"rho", 2, true, [2]int{1, 1}, []float64{3, 4}}}; !reflect.DeepEqual(a.Edges, want) {
		t.Errorf("edges %v, want %v", a.Edges, want)
	}
	if got, want := a.Settings[selection.W][0].Setting, "rho=2 search=exact"; got != want {
		t.Errorf("setting %q, want %q", got, want)
	}
	method.Params[0].Counts, p.Datasets[0].Trials[1].Features = true, 2
	if a := collect(t, p, testRows()).Summarize(rule(t, selection.Validation)).Group("d", 5, "a"); a.Edges != nil {
		t.Errorf("edges %v, want none: the parameter goes no higher than the features of the smallest trial", a.Edges)
	}
}

// AtEdges lists an edge that a third of the trials chose for either model, with the counts for both.
func TestAtEdges(t *testing.T) {
	g := Group{Choices: make([]Choice, 9)}
	for i := range g.Choices {
		g.Choices[i].W = new(ChosenRow)
	}
	g.Edges = []Edge{{"gamma", 1, false, [2]int{2, 4}, nil}, {"gamma", 9, true, [2]int{3, 0}, []float64{27, 81}},
		{"s", 50, true, [2]int{2, 2}, nil}}
	if got := g.AtEdges(); !reflect.DeepEqual(got, g.Edges[:2]) {
		t.Errorf("%v, want %v", got, g.Edges[:2])
	}
}

// Past an edge, the values continue by the grid's steps or ratio, up to the parameter's bounds.
func TestBeyond(t *testing.T) {
	for _, c := range []struct {
		inwards []float64
		whole   bool
		want    []float64
	}{
		{[]float64{20, 15, 10}, false, []float64{25, 30}},
		{[]float64{10, 5, 1}, false, []float64{20, 40}},
		{[]float64{1, 2, 5}, false, []float64{0.5, 0.25}},
		{[]float64{0.3, 0.1, 0.01}, false, []float64{0.9, 2.7}},
		{[]float64{4, 8, 16}, true, []float64{2, 1}},
		{[]float64{2, 3, 4}, true, []float64{1}},      // 1 is the least
		{[]float64{90, 60, 30}, true, []float64{}},    // 100 is the most
		{[]float64{1, 1.5, 2}, false, []float64{0.5}}, // 0 is not a valid value
		{[]float64{3, 0, -1}, false, []float64{6, 9}},
	} {
		p, param := testPlan(), &learners.Param{Below: 100}
		if c.whole {
			param = &learners.Param{Integer: true, Min: 1, Below: 101}
		}
		g := &Grid{request: Request{Plan: p}}
		if got := g.beyond(&axis{Param: param}, &ChosenRow{Cell: &p.Cells[0]}, c.inwards); !slices.Equal(got, c.want) {
			t.Errorf("past %v: %v, want %v", c.inwards, got, c.want)
		}
	}
}

func TestMissingAndFailed(t *testing.T) {
	rows := testRows()
	for i := range rows {
		switch r := &rows[i]; {
		case r.Cell == "a02" && r.Checkpoint == 5, r.Cell == "a10" && r.Checkpoint == 10:
			r.Error = "diverged"
		case r.Cell == "b10":
			r.Error, r.Checkpoint = "out of memory", 0 // fails before the first checkpoint
		}
	}
	rows = slices.DeleteFunc(rows, func(r results.Row) bool {
		return r.Cell == "a00" && r.Checkpoint == 5 || r.Cell == "a02" && r.Checkpoint == 10
	})
	rows = append(rows, results.Row{Cell: "elsewhere", Checkpoint: 5})

	p := testPlan()
	g := collect(t, p, rows)
	if want := []Absence{{&p.Cells[0], 5}}; !slices.Equal(g.Missing.First, want) {
		t.Errorf("missing %v, want %v", g.Missing, want)
	}
	want := []Failure{
		{Absence{&p.Cells[2], 5}, "diverged"},
		{Absence{&p.Cells[2], 10}, "diverged"}, // no row, because the cell had stopped
		{Absence{&p.Cells[4], 10}, "diverged"},
		{Absence{&p.Cells[7], 5}, "out of memory"},
		{Absence{&p.Cells[7], 10}, "out of memory"},
	}
	if !slices.Equal(g.Failed.First, want) || g.Failed.N != len(want) {
		t.Errorf("failed %v, want %v", g.Failed, want)
	}
	if g.Foreign != 1 || g.Complete() {
		t.Errorf("%d foreign rows, complete %v; want 1, false", g.Foreign, g.Complete())
	}
	s := g.Summarize(rule(t, selection.Validation))
	a := s.Group("d", 5, "a")
	if a.Missing != 1 || a.Failed != 1 || a.Cells != 6 {
		t.Errorf("%d missing, %d failed of %d; want 1, 1 of 6", a.Missing, a.Failed, a.Cells)
	}
	if got := a.Choices[0].W.Cell.ID; got != "a01" { // a00 is missing, a02 failed
		t.Errorf("chose %s, want a01", got)
	}
	b := s.Group("d", 10, "b")
	if b.Chosen(selection.W) != 1 || b.Choices[1].W != nil {
		t.Errorf("%d trials of b count, want 1", b.Chosen(selection.W))
	}
	wantStat(t, b, "mistakes", selection.W, 5, 0, 1)
}

// A summary depends neither on the order of the rows, nor on when, where and by whom they were computed. A cell
// computed twice changes nothing.
func TestSummaryIsInvariant(t *testing.T) {
	want := collect(t, testPlan(), testRows()).Summarize(rule(t, selection.Paper))
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		rows := testRows()
		for i := range rows {
			if r.IntN(3) == 0 {
				rows = append(rows, rows[i])
			}
		}
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for i := range rows {
			rows[i].Host, rows[i].Attempt = string(rune('a'+r.IntN(26))), string(rune('a'+r.IntN(26)))
			rows[i].Started, rows[i].Seconds = time.Unix(r.Int64N(1e9), 0), r.Float64()
		}
		g := collect(t, testPlan(), rows)
		if got := g.Summarize(rule(t, selection.Paper)); !sameSummary(got, want) {
			t.Fatalf("a permutation changed the summary:\n%+v\n%+v", got.Groups, want.Groups)
		}
	}
}

// sameSummary compares the contents of two summaries. NaN equals NaN.
func sameSummary(a, b *Summary) bool {
	clean := func(s *Summary) []Group {
		groups := slices.Clone(s.Groups)
		for i := range groups {
			for m, stats := range groups[i].stats {
				groups[i].stats[m] = maps.Clone(stats)
				for name, st := range stats {
					if st.N == 0 {
						groups[i].stats[m][name] = Stat{}
					}
				}
			}
			groups[i].rule = selection.Rule{}
			if groups[i].Unbracketed.N == 0 {
				groups[i].Unbracketed = Stat{}
			}
			groups[i].Choices = slices.Clone(groups[i].Choices)
			for k := range groups[i].Choices {
				c := &groups[i].Choices[k]
				for _, r := range []**ChosenRow{&c.W, &c.Wbar} {
					if *r != nil {
						*r = &ChosenRow{Cell: (*r).Cell}
					}
				}
			}
		}
		return groups
	}
	return reflect.DeepEqual(clean(a), clean(b))
}

// Stream ends with the error of a Read or a Use.
func TestStreamEnds(t *testing.T) {
	lost, full := errors.New("lost"), errors.New("full")
	p := testPlan()
	for trial := range 8 {
		p.Datasets[0].Trials = append(p.Datasets[0].Trials, plan.TrialSummary{Trial: trial + 2})
		p.Cells = append(p.Cells, plan.Cell{ID: fmt.Sprint(trial), Trial: trial + 2, Method: methodB, Values: []float64{1}})
	}
	read := func(cells []plan.Cell) ([]results.Row, error) {
		if cells[0].Trial == 1 {
			return nil, lost
		}
		return nil, nil
	}
	if _, err := Stream(Request{Plan: p}, read); err != lost {
		t.Errorf("%v, want the error of the second trial", err)
	}
	if _, err := merged(Request{Plan: p}, nil, func(*TrialRows) error { return full }); err != full {
		t.Errorf("%v, want the error of the use", err)
	}
}

func TestRowsAreInPlanOrder(t *testing.T) {
	p, rows := testPlan(), testRows()
	rows = append(rows, rows[3])
	rows[1].Error, rows[1].Checkpoint = "diverged", 0
	slices.Reverse(rows)
	var got, want []results.Key
	collect(t, p, rows, func(t *TrialRows) error {
		for _, r := range t.Rows {
			got = append(got, r.Key())
		}
		return nil
	})
	for _, c := range p.Cells {
		first := 5
		if c.ID == "a01" {
			first = 0
		}
		want = append(want, results.Key{Cell: c.ID, Checkpoint: first}, results.Key{Cell: c.ID, Checkpoint: 10})
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
}

func TestUnbracketed(t *testing.T) {
	rows := testRows()
	for i := range rows {
		if rows[i].Cell == "a02" {
			rows[i].Unbracketed = 6
		}
	}
	a := collect(t, testPlan(), rows).Summarize(rule(t, selection.Validation)).Group("d", 5, "a")
	if a.UnbracketedTrials != 1 || a.Unbracketed != (Stat{Mean: 3, Std: 3, N: 2}) {
		t.Errorf("%d trials, %v; want 1 trial, mean 3, std 3, n 2", a.UnbracketedTrials, a.Unbracketed)
	}
}

func TestStreamRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*plan.Plan, []results.Row)
		want   string
	}{
		{"a cell planned twice", func(p *plan.Plan, _ []results.Row) { p.Cells[1].ID = p.Cells[0].ID }, "twice"},
		{"another dataset", func(_ *plan.Plan, r []results.Row) { r[3].Dataset = "e" }, "cell b00 is planned as d"},
		{"rows that contradict", func(_ *plan.Plan, r []results.Row) { r[8] = r[0]; r[8].W.Mistakes++ }, "mistakes"},
		{"trials drawn otherwise", func(p *plan.Plan, _ []results.Row) {
			for k := range 2 {
				p.Datasets[0].Trials[k].Metadata = map[string]string{"mu": fmt.Sprint(k)}
			}
		}, "were made in different ways"},
	} {
		p, rows := testPlan(), testRows()
		c.change(p, rows)
		_, err := merged(Request{Plan: p}, rows)
		jobstest.WantError(t, err, c.want)
	}
}

// The nonzero ratio of a trial refers to the trial's own number of features.
func TestNonzeroPercentOfUnequalTrials(t *testing.T) {
	p := testPlan()
	p.Datasets[0].Trials[1].Features = 20
	b := collect(t, p, testRows()).Summarize(rule(t, selection.Validation)).Group("d", 10, "b")
	wantStat(t, b, metrics.NonzeroPercent, selection.W, 75, 25, 2) // 10 of 10, 10 of 20
	if got := b.Values(metrics.NonzeroPercent, selection.W); !slices.Equal(got, []float64{100, 50}) {
		t.Errorf("values %v, want 100 and 50", got)
	}
}

// The expected values are computed by hand from testRows. Under the paper's rule, values of w̄ come from the cell
// that CellOf names.
func TestValues(t *testing.T) {
	rows := testRows()
	for i := range rows {
		if rows[i].Cell == "b10" {
			rows[i].Error = "diverged"
		}
	}
	s := collect(t, testPlan(), rows).Summarize(rule(t, selection.Paper))
	a, b := s.Group("d", 10, "a"), s.Group("d", 10, "b")
	for _, c := range []struct {
		g       *Group
		measure string
		m       selection.Model
		want    []float64
	}{
		{a, "valid_accuracy", selection.W, []float64{0.8, 0.6}},
		{a, "valid_accuracy", selection.Wbar, []float64{0.9, 0.7}},
		{a, "mistakes", selection.Wbar, []float64{3, 5}},
		{a, metrics.NonzeroPercent, selection.W, []float64{40, 10}},
		{a, "f1", selection.W, []float64{nan, nan}},
		{b, "mistakes", selection.W, []float64{5, nan}},
	} {
		got := c.g.Values(c.measure, c.m)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("%s of %v of %s: %v, want %v", c.measure, c.m, c.g.Method, got, c.want)
		}
	}
}

// Two of method a's three settings tie for w in both trials, and none tie for w̄.
func TestTiesOfTrials(t *testing.T) {
	g := collect(t, testPlan(), testRows()).Summarize(rule(t, selection.Validation)).Group("d", 5, "a")
	if median, most := g.Ties(selection.W); median != 1 || most != 1 {
		t.Errorf("w: %v ties in the median trial, %d at most, want 1 and 1", median, most)
	}
	g.Choices[1].Ties[selection.Wbar] = 5
	if median, most := g.Ties(selection.Wbar); median != 2.5 || most != 5 {
		t.Errorf("w̄: %v ties in the median trial, %d at most, want 2.5 and 5", median, most)
	}
}

func TestConstants(t *testing.T) {
	p := testPlan()
	p.Datasets[0].Trials = []plan.TrialSummary{{Trial: 0, ZeroMSE: 4, MeanMSE: []float64{3, 2}}, {Trial: 1, ZeroMSE: 6, MeanMSE: []float64{5, 4}}}
	got := collect(t, p, testRows()).Constants("d", 10)
	if len(got) != 2 || got[0].Stat() != (Stat{5, 1, 2}) || got[1].Stat() != (Stat{3, 1, 2}) {
		t.Errorf("%+v, want means 5 and 3 of two trials", got)
	}
	p.Datasets[0].Trials[1].MeanMSE = nil // the errors are unknown
	if got := collect(t, p, testRows()).Constants("d", 10); got != nil {
		t.Errorf("%+v although one trial's errors are not known", got)
	}
}
