package jobs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/selection"
)

// halved is the tiny experiment with larger grids, of which one has two series, and settings that are stopped at
// two rungs.
func halved(tb testing.TB, halving string) string {
	tb.Helper()
	text := jobstest.Replace(tb, jobstest.Searches, "lambda: [0.001, 0.01]", "lambda: [0.001, 0.01, 0.03, 0.1, 0.3]")
	return jobstest.Replace(tb, text, "checkpoints: [20, 40]", "checkpoints: [20, 30, 40]\nhalving: "+halving)
}

const twoRungs = "{eta: 3, rungs: [10, 20], least: 1}"

// Every cell is stopped at the rung where a reckoning by hand, of the rows of a run that stops none, stops it; has
// the rows of that run up to there; and is chosen if it is the best of those that are not.
func TestHalving(t *testing.T) {
	t.Parallel()
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	run := newRun(t, data, halved(t, twoRungs), 3*time.Second)
	if got := fmt.Sprint(run.Plan.Checkpoints); got != "[10 20 30 40]" {
		t.Fatalf("checkpoints %s", got)
	}
	finish(t, run, 2)
	wantSealed(t, run)
	wholeText := strings.Replace(halved(t, twoRungs), "halving: "+twoRungs, "", 1)
	whole := newRun(t, data, strings.Replace(wholeText, "[20, 30, 40]", "[10, 20, 30, 40]", 1), 3*time.Second)
	finish(t, whole, 2)
	rows := rowsOf(t, whole)
	stoppedAt := stopsByHand(t, whole.Plan, rows, 3, []int{10, 20})
	got, stopped := rowsOf(t, run), 0
	for i := range run.Plan.Cells {
		id := run.Plan.Cells[i].ID
		at := stoppedAt[id]
		if at > 0 {
			stopped++
		}
		for _, checkpoint := range run.Plan.Checkpoints {
			key := results.Key{Cell: id, Checkpoint: checkpoint}
			want := rows[key]
			if at > 0 && checkpoint > at {
				last := rows[results.Key{Cell: id, Checkpoint: at}]
				want = last.StoppedFrom(checkpoint)
			}
			if row := got[key]; stripped(row) != stripped(want) {
				t.Errorf("%s at %d, to be stopped at %d:\n%s\nwant\n%s", run.Plan.describe(&run.Plan.Cells[i]), checkpoint, at,
					stripped(row), stripped(want))
			}
		}
	}
	if n := len(run.Plan.Cells); n != 46 || stopped != 36 { // of 10, 6, 6 and 1 cells 2, 1, 1 and 1 go on to the end
		t.Errorf("%d of %d cells were stopped", stopped, n)
	}
	grid, err := run.Collect()
	must(t, err)
	if !grid.Complete() {
		t.Errorf("%d missing, %d failed", grid.Missing.N, grid.Failed.N)
	}
	for _, rule := range run.Plan.Experiment.Rules() {
		for _, g := range grid.Summarize(rule).Groups {
			for _, choice := range g.Choices {
				for _, m := range selection.Models {
					want := bestByHand(run.Plan, got, rule, m, g, choice.Trial)
					if row := choice.Row(m); row == nil || row.Cell != want {
						t.Errorf("rule %s chose %v for %v on %+v at %d, want %s", rule, row, m, g.Series, g.Checkpoint, want)
					}
				}
			}
		}
	}
}

// rowsOf reads the rows of a run.
func rowsOf(tb testing.TB, run *Run) map[results.Key]results.Row {
	tb.Helper()
	all, err := run.Results()
	must(tb, err)
	rows := map[results.Key]results.Row{}
	for _, row := range all {
		rows[row.Key()] = row
	}
	return rows
}

// seriesOf names what a cell is compared within, but for its trial.
func seriesOf(c *Cell) string {
	text := c.Method.Name
	if c.Method.Name == "graphda" {
		text += c.settings().Word("search")
	}
	return text
}

// stopsByHand finds where cells are stopped: of each grid those that neither model has among its best, each in turn,
// when a third may go on.
func stopsByHand(t *testing.T, plan *Plan, rows map[results.Key]results.Row, eta int, rungs []int) map[string]int {
	t.Helper()
	grids := map[string][]string{}
	for i := range plan.Cells {
		c := &plan.Cells[i]
		name := fmt.Sprint(seriesOf(c), c.Trial)
		grids[name] = append(grids[name], c.ID)
	}
	stopped := map[string]int{}
	for _, ids := range grids {
		for _, rung := range rungs {
			keep := int(math.Ceil(float64(len(ids)) / float64(eta)))
			on := map[string]bool{}
			for rank := 0; len(on) < keep; rank++ {
				for _, m := range selection.Models {
					order := slices.Clone(ids)         // in plan order
					score := func(id string) float64 { // accuracy first, then mistakes
						row := rows[results.Key{Cell: id, Checkpoint: rung}]
						return 1000*m.Of(&row).ValidAccuracy - m.Of(&row).Mistakes/1000
					}
					slices.SortStableFunc(order, func(a, b string) int {
						switch d := score(b) - score(a); {
						case d > 1e-6:
							return 1
						case d < -1e-6:
							return -1
						}
						return 0
					})
					if len(on) < keep {
						on[order[rank]] = true
					}
				}
			}
			var left []string
			for _, id := range ids {
				if on[id] {
					left = append(left, id)
				} else {
					stopped[id] = rung
				}
			}
			ids = left
		}
	}
	return stopped
}

// bestByHand is the cell with the best measure that has a row of its own.
func bestByHand(plan *Plan, rows map[results.Key]results.Row, rule selection.Rule, m selection.Model, g merge.Group,
	trial int) (best string) {
	var of []*results.Row
	for i := range plan.Cells {
		c := &plan.Cells[i]
		row := rows[results.Key{Cell: c.ID, Checkpoint: g.Checkpoint}]
		if c.Trial == trial && c.Method.Name == g.Method && row.Stopped == 0 &&
			(g.Variant == "" || strings.HasSuffix(g.Variant, "="+c.settings().Word("search"))) {
			of = append(of, &row)
		}
	}
	return of[rule.Best(of, m)].Cell
}

// Where all may go on, a run has the rows and models of one that does not halve.
func TestHalvingThatStopsNothing(t *testing.T) {
	t.Parallel()
	data := dataFolder(t, jobstest.Spec{})
	plain := newRun(t, data, strings.Replace(halved(t, "X"), "halving: X", "", 1), 3*time.Second)
	finish(t, plain, 2)
	run := newRun(t, data, halved(t, "{rungs: [20, 30], least: 100}"), 3*time.Second)
	finish(t, run, 2)
	if resultsCSV(t, run) != resultsCSV(t, plain) {
		t.Error("the results differ from those of a run without halving")
	}
	sameModels(t, allModels(t, run), allModels(t, plain))
	if took := run.Tasks[0]; len(run.Tasks) > 1 && took.Seconds() == 0 {
		t.Error("tasks take no time")
	}
}

// allModels reads the models of all tasks that the whole plan's rules would choose, in plan order.
func allModels(t *testing.T, run *Run) (models []results.Model) {
	t.Helper()
	grid, err := run.Collect()
	must(t, err)
	chosen := map[results.Key]bool{}
	for _, rule := range run.Plan.Experiment.Rules() {
		for _, g := range grid.Summarize(rule).Groups {
			for _, c := range g.Choices {
				chosen[c.W.Key()], chosen[c.Wbar.Key()] = true, true
			}
		}
	}
	for _, task := range run.Tasks {
		for _, m := range modelsOf(t, run, task) {
			if chosen[results.Key{Cell: m.Cell, Checkpoint: m.Checkpoint}] {
				models = append(models, m)
			}
		}
	}
	slices.SortFunc(models, func(a, b results.Model) int {
		return strings.Compare(fmt.Sprint(a.Cell, a.Checkpoint), fmt.Sprint(b.Cell, b.Checkpoint))
	})
	return models
}

// Stopped when any number of cells have come to their ends, on any number of workers: the same rows and models, and
// none of those cells runs again.
func TestHalvingStopAndResume(t *testing.T) {
	t.Parallel()
	undisturbed := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), halved(t, twoRungs), 2*time.Second)
	finish(t, undisturbed, 1)
	want := resultsCSV(t, undisturbed)
	rng := rand.New(rand.NewPCG(7, 2))
	for range rounds() {
		run := copyOf(t, undisturbed)
		total, starts := 0, 0
		for {
			done, stopped := stopAfter(t, run, 1+rng.IntN(9), 1+rng.IntN(4))
			total += done
			if starts++; starts > 200 {
				t.Fatal("the run does not come to an end")
			}
			if !stopped {
				break
			}
		}
		if total != len(run.Plan.Cells) {
			t.Errorf("%d starts: %d cells came to their ends, the plan has %d", starts, total, len(run.Plan.Cells))
		}
		sameRun(t, run, undisturbed, want)
	}
}

// rounds is how many random runs a test makes.
func rounds() int {
	if testing.Short() {
		return 2
	}
	return 8
}

// sameRun sees to it that a run has the rows, as CSV, and the models of another.
func sameRun(t *testing.T, run, other *Run, want string) {
	t.Helper()
	wantSealed(t, run)
	if got := resultsCSV(t, run); got != want {
		t.Fatal("the results differ from those of an undisturbed run")
	}
	for i, task := range run.Tasks {
		sameModels(t, modelsOf(t, run, task), modelsOf(t, other, other.Tasks[i]))
	}
}

// Whatever rows earlier attempts have left, of cells on their way to any rung, at any, or beyond the one where they
// are to be stopped: the end is the same.
func TestHalvingFromAnyParts(t *testing.T) {
	t.Parallel()
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	undisturbed := newRun(t, data, halved(t, twoRungs), 2*time.Second)
	finish(t, undisturbed, 2)
	want, ends := resultsCSV(t, undisturbed), rowsOf(t, undisturbed)
	whole := newRun(t, data, halved(t, "{rungs: [10, 20], least: 1000}"), time.Hour)
	finish(t, whole, 2)
	beyond := rowsOf(t, whole)
	rng := rand.New(rand.NewPCG(8, 2))
	for i := range rounds() {
		run, share := copyOf(t, undisturbed), rng.Float64()
		for _, task := range run.Tasks {
			for part := range 2 {
				var rows []results.Row
				for _, c := range task.Cells {
					for _, checkpoint := range run.Plan.Checkpoints {
						key := results.Key{Cell: run.Plan.Cells[c.Cell].ID, Checkpoint: checkpoint}
						from := ends
						if i%2 == 1 {
							from = beyond
						}
						if row := from[key]; rng.Float64() < share {
							rows = append(rows, row)
						}
					}
				}
				must(t, run.addPart(task, fmt.Sprint("before", part), rows))
			}
		}
		finish(t, run, 1+rng.IntN(3))
		sameRun(t, run, undisturbed, want)
	}
}

// A cell that fails, before a rung or behind it, is not stopped, and takes no other's place.
func TestHalvingWithFailures(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Targets: true})
	etas := jobstest.Replace(t, jobstest.Diverging, "[0.01, 1e300, 1e20, 0.02]", "[0.01, 1e300, 1e20, 0.02, 0.03, 0.04]")
	for least, want := range map[int]string{
		1: "... ... ..s .ss .ss fff", // of five three go on at 2, and two of them at 20
		6: "... ... ... ... .ff fff",
	} {
		halving := fmt.Sprintf("halving: {rungs: [2, 20], least: %d}\nmethods:", least)
		run := newRun(t, data, jobstest.Replace(t, etas, "methods:", halving), time.Hour)
		outcome, failed := finish(t, run, 1), strings.Count(want, "ff")
		if outcome.Failed != failed || outcome.Done != 6-failed || status(t, run).Total.Failed != failed {
			t.Errorf("outcome %+v, status %+v", outcome, status(t, run).Total)
		}
		rows := rowsOf(t, run)
		var states []string
		for i := range run.Plan.Cells {
			state := ""
			for _, checkpoint := range run.Plan.Checkpoints {
				row := rows[results.Key{Cell: run.Plan.Cells[i].ID, Checkpoint: checkpoint}]
				switch {
				case row.Cell == "":
					state += "?"
				case row.Failed():
					state += "f"
				case row.Stopped > 0:
					state += "s"
				default:
					state += "."
				}
			}
			states = append(states, state)
		}
		slices.Sort(states)
		if got := strings.Join(states, " "); got != want {
			t.Errorf("states %s, want %s", got, want)
		}
	}
}

// Tasks have whole grids, however short they are to be, and the seconds of what is learned.
func TestHalvingPacksWholeGrids(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	run := newRun(t, data, halved(t, twoRungs), time.Second)
	of := map[gridOf]int{}
	for _, task := range run.Tasks {
		for _, c := range task.Cells {
			grid := run.Plan.Cells[c.Cell].grid()
			if at, seen := of[grid]; seen && at != task.Number {
				t.Errorf("%v is in tasks %d and %d", grid, at, task.Number)
			}
			of[grid] = task.Number
		}
	}
	if len(of) != 8 || len(run.Tasks) < 4 {
		t.Errorf("%d grids in %d tasks", len(of), len(run.Tasks))
	}
	one := run.Plan.PackBy([]int{5}, 9, time.Second, func(int) float64 { return 0.5 })
	if len(one) != 1 || len(one[0].Cells) != 10 || one[0].Seconds() != 5 {
		t.Errorf("for one cell of ten: %+v", one[0])
	}
	whole := newRun(t, data, halved(t, "{eta: 3, rungs: [10, 20], least: 1000}"), time.Hour)
	total := func(run *Run) (seconds float64) {
		for _, task := range run.Tasks {
			seconds += task.Seconds()
		}
		return seconds
	}
	// Of 40 samples, six cells learn 10, two 10 more and one 20; the only cell of a method learns all.
	if share := (6*10 + 2*10 + 1*20.) / (6 * 40); math.Abs(run.Plan.shares()[run.Plan.Cells[12].grid()]-share) > 1e-15 {
		t.Errorf("shares %v", run.Plan.shares())
	}
	if ratio := total(run) / total(whole); ratio < 0.4 || ratio > 0.45 {
		t.Errorf("halved, the run takes %v of the time", ratio)
	}
}

// Finished cells of a run that halves count in one that does not, and the other way round, but no stopped one; and a run
// grows by whole grids only.
func TestHalvingReuseAndGrow(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	run := newRun(t, data, halved(t, twoRungs), 3*time.Second)
	finish(t, run, 2)
	unhalved := strings.Replace(strings.Replace(halved(t, twoRungs), "halving: "+twoRungs, "", 1), "[20, 30", "[10, 20, 30", 1)
	whole := newRun(t, data, unhalved, 3*time.Second)
	cells, err := whole.Reuse(run)
	must(t, err)
	if want := len(run.Plan.Cells) - 36; cells != want {
		t.Errorf("%d cells taken, want the %d that were not stopped", cells, want)
	}
	finish(t, whole, 2)
	if strings.Contains(resultsCSV(t, whole), ",20,20,") {
		t.Error("stopped cells were taken")
	}
	again := newRun(t, data, halved(t, twoRungs), 3*time.Second)
	if cells, err := again.Reuse(whole); err != nil || cells != len(whole.Plan.Cells) {
		t.Errorf("%d cells taken, %v", cells, err)
	}
	if outcome := finish(t, again, 2); outcome.Computed != 0 {
		t.Errorf("%d cells computed", outcome.Computed)
	}
	sameRun(t, again, run, resultsCSV(t, run))

	for what, text := range map[string]string{
		"\"halving\" differs":         strings.Replace(unhalved, "gamma: [5, 10, 20]", "gamma: [2, 5, 10, 20]", 1),
		"at other rungs":              strings.Replace(halved(t, "{eta: 2, rungs: [10, 20], least: 1}"), "0.3]", "0.3, 1]", 1),
		"other settings of graphda":   strings.Replace(halved(t, twoRungs), "gamma: [5, 10, 20]", "gamma: [2, 5, 10, 20]", 1),
		"other settings of l1-rda on": strings.Replace(halved(t, twoRungs), "0.3]", "0.3, 1]", 1),
	} {
		_, _, err := Create(run.Dir, planOf(t, data, text), time.Hour, testRates.self)
		wantError(t, err, what)
	}
	more := halved(t, twoRungs) + "\n"
	more = strings.Replace(more, "reports:", "  - method: da-iht\n    gamma: [5, 10]\n    s: [3, 4, 5]\nreports:", 1)
	grown, _, err := Create(run.Dir, planOf(t, data, more), 3*time.Second, testRates.self)
	must(t, err)
	if outcome := finish(t, grown, 2); outcome.Computed != 12 {
		t.Errorf("%d cells computed, want those of the new method", outcome.Computed)
	}
	planned := newRun(t, data, more, 3*time.Second)
	finish(t, planned, 2)
	if resultsCSV(t, grown) != resultsCSV(t, planned) {
		t.Error("the results differ from those of a run that was planned whole")
	}
	_, err = run.Extend(ExtendOptions{Values: 1})
	wantError(t, err, "stops settings early", "--reuse")
}

// An experiment without rungs has two, and only ones before its end.
func TestHalvingRungs(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{})
	plan := planOf(t, data, jobstest.Numbers+"halving: {}\n")
	if h := plan.Experiment.Halving; fmt.Sprint(plan.Checkpoints) != "[10 20 40]" || h.Eta != 2 || h.Least != 8 {
		t.Errorf("checkpoints %v, %+v", plan.Checkpoints, h)
	}
	for halving, want := range map[string]string{
		"{rungs: [10, 40]}": "before the last checkpoint, 40", "{rungs: [50]}": "before the last checkpoint, 40",
	} {
		e, err := experiment.Parse("test.yaml", []byte(jobstest.Numbers+"halving: "+halving), experiment.ScaleFull)
		must(t, err)
		_, err = NewPlan(e, PlanOptions{Data: data})
		wantError(t, err, want)
	}
	for halving, want := range map[string]string{
		"{eta: 1}": "want at least 2", "{least: -1}": "want at least 1", "{rungs: [20, 10]}": "ascending", "{of: 1}": "of",
	} {
		_, err := experiment.Parse("test.yaml", []byte(jobstest.Numbers+"halving: "+halving), experiment.ScaleFull)
		wantError(t, err, "test.yaml:", want)
	}
}
