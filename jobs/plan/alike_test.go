package plan

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
)

func TestUntunedSettingsMakeVariants(t *testing.T) {
	plan := planOf(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Searches)
	counts := map[string]int{}
	variant := plan.Variants()
	for i := range plan.Cells {
		counts[plan.Cells[i].Method.Name+" "+variant(&plan.Cells[i])]++
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
	if got := find(t, plan, "graphda gamma=5 s=4 omega=0.2 search=warm on grid, trial 1").Untuned(); got != "components=1 omega=0.2 max_iter=20 search=warm" {
		t.Errorf("settings %q", got)
	}
}

// A setting that every cell of a dataset shares makes no variant, whatever it is elsewhere.
func TestSharedSettingsMakeNoVariants(t *testing.T) {
	plan := planOf(t, dataFolder(t, jobstest.Spec{}), jobstest.Replace(t, jobstest.Searches, "[paper, warm]", "warm"))
	variant := plan.Variants()
	for i := range plan.Cells {
		if v := variant(&plan.Cells[i]); v != "" {
			t.Fatalf("variant %q", v)
		}
	}
}

func TestTrialsDrawnOtherwise(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 3})
	jobstest.SwapTrial(t, data, "trial-01", jobstest.Spec{Trials: 2, Seed: 7})
	wantError(t, planError(t, data, jobstest.Experiment), "dataset grid ", `seed is "0" in trials 0, 2, "7" in trial 1`, "--trials")
	e := must1(experiment.Parse("test.yaml", []byte(jobstest.Experiment), experiment.ScaleFull))
	must1(NewPlan(e, PlanOptions{Data: data, Trials: []int{0, 2}}))
}

// What a generator drew before it came to draw otherwise is no trial of the paper's.
func TestDataOfAnEarlierGenerator(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Metadata: map[string]string{"generator": "kegg"}})
	err := planError(t, data, jobstest.Experiment)
	wantError(t, err, filepath.Join(data, "grid"), "trial 0", "generator kegg drew it in version 1, and draws otherwise in version 2")
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

// By hand: 2 and 4 are off from 0 by 10 in the mean square, from 2, 3 and 4, the means of the first
// two, three and four training targets, by 2, 1 and 2.
func TestConstantErrors(t *testing.T) {
	d := &TrialData{Trial: &samples.Trial{Train: samples.Block{Y: []float64{1, 3, 5, 7}}, Test: samples.Block{Y: []float64{2, 4}}}}
	zero, mean := d.constantErrors("least_squares", []int{2, 3, 4})
	if zero != 10 || !slices.Equal(mean, []float64{2, 1, 2}) {
		t.Errorf("errors %v of 0 and %v of means, want 10 and 2, 1, 2", zero, mean)
	}
	if _, mean = d.constantErrors("logistic", []int{2}); mean != nil {
		t.Errorf("labels are predicted with errors %v", mean)
	}
}
