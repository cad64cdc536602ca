package jobs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/reports/tables"
	"graphda/jobs/selection"
)

// swapTrial replaces a trial of the dataset "grid" by that of another draw.
func swapTrial(t *testing.T, data string, trial string, s jobstest.Spec) {
	t.Helper()
	other := dataFolder(t, s)
	must(t, os.RemoveAll(filepath.Join(data, "grid", trial)))
	must(t, os.Rename(filepath.Join(other, "grid", trial), filepath.Join(data, "grid", trial)))
}

// searches varies a setting that is not tuned.
var searches = strings.Replace(jobstest.Experiment, "s: [4, 5]\n", "s: [4, 5]\n    search: [paper, warm]\n    omega: 0.2\n", 1)

func TestUntunedSettingsMakeVariants(t *testing.T) {
	plan := planOf(t, dataFolder(t, jobstest.Spec{Trials: 2}), searches)
	counts := map[string]int{}
	for _, c := range plan.merged().Cells {
		counts[c.Method+" "+c.Variant]++
	}
	want := map[string]int{"l1-rda ": 8, "adam ": 2, "graphda search=paper": 12, "graphda search=warm": 12}
	for series, n := range want {
		if counts[series] != n {
			t.Errorf("%d cells of %q, want %d", counts[series], series, n)
		}
	}
	if len(counts) != len(want) {
		t.Errorf("series %v, want %v", counts, want)
	}
	if got := find(t, plan, "graphda gamma=5 s=4 omega=0.2 search=warm on grid, trial 1").untuned(nil); got != "components=1 omega=0.2 max_iter=20 search=warm" {
		t.Errorf("settings %q", got)
	}
}

// A setting that every cell of a dataset shares makes no variant, whatever it is elsewhere.
func TestSharedSettingsMakeNoVariants(t *testing.T) {
	plan := planOf(t, dataFolder(t, jobstest.Spec{}), jobstest.Replace(t, searches, "[paper, warm]", "warm"))
	for _, c := range plan.merged().Cells {
		if c.Variant != "" {
			t.Fatalf("variant %q", c.Variant)
		}
	}
}

// From the experiment to the table: two lines, each with its own choices, and models of both.
func TestVariantsAreReportedApart(t *testing.T) {
	run := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), searches, time.Hour)
	finish(t, run, 2)
	grid, err := run.Collect()
	must(t, err)
	rule, err := run.Rule("")
	must(t, err)
	printed, err := run.Print(grid, rule, []string{"tiny"})
	must(t, err)
	var labels []string
	for _, row := range printed[0].Table.Rows {
		labels = append(labels, row[slices.IndexFunc(printed[0].Table.Columns, func(c tables.Column) bool { return c.Key == "method" })].Text())
	}
	if want := []string{"Adam", "ℓ1-RDA", "GraphDA search=paper", "GraphDA search=warm"}; !slices.Equal(labels, want) {
		t.Errorf("lines %q, want %q", labels, want)
	}
	groups := grid.Summarize(rule).Variants("grid", 40, "graphda")
	if len(groups) != 2 {
		t.Fatalf("%d groups of graphda, want 2", len(groups))
	}
	for k, g := range groups {
		column := slices.IndexFunc(Layout(), func(c results.ParamColumn) bool { return c.Name == "search" })
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

func TestTrialsDrawnOtherwise(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 3})
	swapTrial(t, data, "trial-01", jobstest.Spec{Trials: 2, Seed: 7})
	e, err := ParseExperiment("test.yaml", []byte(jobstest.Experiment), ScaleFull)
	must(t, err)
	says := []string{"dataset grid ", `seed is "0" in trials 0, 2, "7" in trial 1`, "--trials"}
	_, err = NewPlan(e, PlanOptions{Data: data})
	wantError(t, err, says...)
	_, err = NewPlan(e, PlanOptions{Data: data, Trials: []int{0, 2}})
	must(t, err)

	// Plans of earlier versions were not refused.
	like := newRun(t, dataFolder(t, jobstest.Spec{Trials: 3}), jobstest.Experiment, time.Hour)
	like.Plan.Datasets[0].Trials[1].Metadata["seed"] = "7"
	_, err = like.Collect()
	wantError(t, err, says...)

	alike := jobstest.Replace(t, jobstest.Experiment, "[grid]", "[grid]\ntrials: [0, 2]")
	if _, err = newRun(t, data, alike, time.Hour).Collect(); err != nil {
		t.Errorf("with trials of one kind: %v", err)
	}

	// Those of still earlier versions say nothing of their trials.
	plan := planOf(t, dataFolder(t, jobstest.Spec{Trials: 3}), jobstest.Experiment)
	for i := range plan.Datasets[0].Trials {
		old := plan.Datasets[0].Trials[i]
		plan.Datasets[0].Trials[i] = Trial{Trial: old.Trial, Digest: old.Digest, Train: old.Train}
	}
	dir := filepath.Join(t.TempDir(), "run")
	_, _, err = Create(dir, plan, time.Hour, func() Rates { return Rates{Entry: 1, Edge: 1} })
	must(t, err)
	run, err := Open(dir)
	must(t, err)
	if _, err = run.Collect(); err != nil {
		t.Errorf("of an earlier version: %v", err)
	}
}

// What a generator drew before it came to draw otherwise is no trial of the paper's.
func TestDataOfAnEarlierGenerator(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Metadata: map[string]string{"generator": "kegg"}})
	e, err := ParseExperiment("test.yaml", []byte(jobstest.Experiment), ScaleFull)
	must(t, err)
	_, err = NewPlan(e, PlanOptions{Data: data})
	wantError(t, err, filepath.Join(data, "grid"), "trial 0", "generator kegg drew it in version 1, and draws otherwise in version 2")
}

func TestTrialsOfOtherSizesAreNoted(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	swapTrial(t, data, "trial-01", jobstest.Spec{Trials: 2, Train: 50})
	run := newRun(t, data, jobstest.Experiment, time.Hour)
	finish(t, run, 2)
	grid, err := run.Collect()
	must(t, err)
	rule, err := run.Rule(selection.Validation)
	must(t, err)
	printed, err := run.Print(grid, rule, nil)
	must(t, err)
	const want = "The trials are not alike: the number of training samples is 40 in trial 0, 50 in trial 1."
	for _, p := range printed {
		if !slices.Contains(p.Table.Notes, want) {
			t.Errorf("notes %q do not say %q", p.Table.Notes, want)
		}
	}
}

func TestMetadataOfAPlan(t *testing.T) {
	long := strings.Repeat("x", 201)
	got := drawnWith(map[string]string{"mu": "0.3", "pandas": "{}", "org.apache.spark.version": "3", "note": long})
	if len(got) != 2 || got["mu"] != "0.3" || !strings.HasPrefix(got["note"], "sha256:") || len(got["note"]) != 71 {
		t.Errorf("kept %v", got)
	}
	if drawnWith(nil) != nil {
		t.Error("of nothing something is kept")
	}
}
