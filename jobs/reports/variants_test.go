package reports

import (
	"slices"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
)

// From the experiment to the table: two lines, each with its own choices, and models of both.
func TestVariantsAreReportedApart(t *testing.T) {
	run := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Searches, time.Hour)
	finish(t, run, 2)
	grid, err := run.Collect()
	must(t, err)
	rule, err := run.Plan.Experiment.Rule("")
	must(t, err)
	printed := reportsOf(t, run, "tiny")
	var labels []string
	for _, row := range printed[0].Main().Rows {
		labels = append(labels, row[printed[0].Main().At("method")].Text())
	}
	if want := []string{"Adam", "ℓ1-RDA", "GraphDA search=paper", "GraphDA search=warm"}; !slices.Equal(labels, want) {
		t.Errorf("lines %q, want %q", labels, want)
	}
	groups := grid.Summarize(rule).Variants("grid", 40, "graphda")
	if len(groups) != 2 {
		t.Fatalf("%d groups of graphda, want 2", len(groups))
	}
	for k, g := range groups {
		column := slices.IndexFunc(plan.Layout(), func(c results.ParamColumn) bool { return c.Name == "search" })
		for _, c := range g.Choices {
			if c.W.Params[column] != float64(k) {
				t.Errorf("%v chose a cell with search = %v", g.Series, c.W.Params[column])
			}
		}
	}
	for _, task := range run.Tasks {
		kept := map[string]bool{}
		for _, m := range modelsOf(t, run, task) {
			if m.Checkpoint == 40 {
				kept[m.Cell] = true
			}
		}
		for _, g := range groups {
			for _, c := range g.Choices {
				if c.Trial == task.Trial && (!kept[c.W.Cell] || !kept[c.Wbar.Cell]) {
					t.Errorf("the models of %v in trial %d are not kept", g.Series, c.Trial)
				}
			}
		}
	}
}

func TestTrialsOfOtherSizesAreNoted(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	jobstest.SwapTrial(t, data, "trial-01", jobstest.Spec{Trials: 2, Train: 50})
	run := newRun(t, data, jobstest.Experiment, time.Hour)
	finish(t, run, 2)
	const want = "The trials are not alike: the number of training samples is 40 in trial 0, 50 in trial 1."
	for _, p := range reportsOf(t, run) {
		if !slices.Contains(p.Main().Notes, want) {
			t.Errorf("notes %q do not say %q", p.Main().Notes, want)
		}
	}
}
