package plan

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
)

// table1On plans the experiment "like: table1" on a dataset of 16 features without groups and truth.
func table1On(t *testing.T, more string) (*Plan, error) {
	t.Helper()
	e := must1(experiment.Parse("mine.yaml", []byte("name: mine\nlike: table1\ndatasets: [grid]\n"+more), experiment.ScaleFull))
	return NewPlan(e, PlanOptions{Data: dataFolder(t, jobstest.Spec{NoTruth: true})})
}

// methodsOf returns the methods that a plan runs, and their largest s.
func methodsOf(plan *Plan) (names []string, largest float64) {
	for i := range plan.Cells {
		c := &plan.Cells[i]
		if !slices.Contains(names, c.Method.Name) {
			names = append(names, c.Method.Name)
		}
		if _, err := c.Method.Param("s"); err == nil {
			largest = max(largest, c.Settings().Get("s"))
		}
	}
	return names, largest
}

// Settings of the paper's grids that do not fit own data are left out, with a note.
func TestLikeOnOwnData(t *testing.T) {
	plan := must1(table1On(t, "checkpoints: all\n"))
	names, largest := methodsOf(plan)
	if want := strings.Fields("adam l1-rda adagrad stoiht graphstoiht da-iht graphda"); !slices.Equal(names, want) || largest != 15 {
		t.Errorf("methods %v with s up to %v, want %v up to 15 of 16 features", names, largest, want)
	}
	if !slices.Equal(plan.Checkpoints, []int{40}) {
		t.Errorf("checkpoints %v, want all 40 training samples", plan.Checkpoints)
	}
	for i, want := range []string{
		`grid: left out method da-gl: da-gl: needs groups`, `grid: left out method da-sgl: `,
		`grid: left out 310 of 340 settings: stoiht: s = 20, want at most the number of features, 16`, `grid: left out 124 of 136 `, `grid: left out 279 of 306 `, `grid: left out 279 of 306 `,
		`grid: left out method best-subset: best-subset: needs the true support`,
	} {
		if i >= len(plan.Notes) || !strings.HasPrefix(plan.Notes[i], want) {
			t.Fatalf("notes\n%s\nwant one of %q at %d", strings.Join(plan.Notes, "\n"), want, i)
		}
	}
	if made, err := plan.Create(filepath.Join(t.TempDir(), "run"), time.Hour, testRates); err != nil || !made.New {
		t.Errorf("%+v, %v", made, err)
	}
}

// A method that is only named inherits its grid. A method with values has its own grid.
func TestLikeTakesGridsByName(t *testing.T) {
	plan := must1(table1On(t, "checkpoints: all\nmethods: [{method: da-iht}, {method: graphda, gamma: 5, s: [4, 6]}]\n"))
	counts := map[string]int{}
	for i := range plan.Cells {
		counts[plan.Cells[i].Method.Name]++
	}
	if counts["da-iht"] != 9*3 || counts["graphda"] != 2 || len(counts) != 2 || len(plan.Notes) != 1 {
		t.Errorf("cells %v, notes %q, want 9 gammas with s of 5, 10 and 15, and 2", counts, plan.Notes)
	}
	// Settings that the experiment gives itself are refused if they do not fit.
	_, err := table1On(t, "checkpoints: all\nmethods: [{method: graphda, gamma: 5, s: [4, 20]}]\n")
	wantError(t, err, "graphda: s = 20, want at most the number of features, 16")
	_, err = table1On(t, "checkpoints: all\nmethods: [{method: adam}, {method: da-gl}]\n")
	wantError(t, err, "da-gl: needs groups of features")
	for text, want := range map[string]string{
		"name: mine\nlike: kegg\nmethods:\n  - {method: adam}\n":                              "mine.yaml:4: adam: alpha is missing",
		"name: mine\nloss: logistic\ndatasets: [a]\nmethods: [{method: graphda, gamma: 5}]\n": "mine.yaml:4: graphda: s is missing",
		"name: mine\nloss: logistic\ndatasets: [a]\nmethods:\n  - {method: graphda}\n":        "mine.yaml:5: graphda: gamma is missing",
		"name: mine\nlike: table1\ncheckpoints: none\n":                                       "mine.yaml:3: want a list of numbers of samples, or all",
		"name: mine\nlike: table1\ncheckpoints: [all]\n":                                      `mine.yaml:3: "all", want a whole number`,
		"name: mine\nlike: table1\nmethods: [{method: graphda}]\nquick:\n  trials: [1.5]\n":   `mine.yaml:5: "1.5"`,
	} {
		_, err := experiment.Parse("mine.yaml", []byte(text), experiment.ScaleFull)
		wantError(t, err, want)
	}
}

// If own data lack the checkpoint of an inherited report, the report uses their last checkpoint.
func TestLikeReportsOfOwnData(t *testing.T) {
	text := "name: mine\nlike: benchmark\ndatasets: [grid]\ncheckpoints: all\nmethods: [{method: graphda}]\n"
	e := must1(experiment.Parse("mine.yaml", []byte(text), experiment.ScaleFull))
	data := dataFolder(t, jobstest.Spec{})
	if _, err := NewPlan(e, PlanOptions{Data: data}); err != nil {
		t.Error(err)
	}
	for _, r := range e.Reports {
		if r.Checkpoint != 0 || r.Published != "" {
			t.Errorf("report %+v is at a checkpoint or beside numbers of the paper", r)
		}
	}
	if len(e.Reports) == 0 {
		t.Error("no report is left")
	}
}

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

// A parameter makes no variants if all cells of a dataset share its value.
func TestSharedSettingsMakeNoVariants(t *testing.T) {
	plan := planOf(t, dataFolder(t, jobstest.Spec{}), jobstest.Replace(t, jobstest.Searches, "[paper, warm]", "warm"))
	variant := plan.Variants()
	for i := range plan.Cells {
		if v := variant(&plan.Cells[i]); v != "" {
			t.Fatalf("variant %q", v)
		}
	}
}

// Data from an earlier version of a generator are refused.
func TestDataOfAnEarlierGenerator(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Metadata: map[string]string{"generator": "kegg"}})
	err := planError(t, data, jobstest.Experiment)
	wantError(t, err, filepath.Join(data, "grid"), "trial 0", "was drawn by version 1 of generator kegg, and version 2 draws it differently")
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

// Computed by hand. The mean squared error of predicting 0 for the targets 2 and 4 is 10. The means of the first
// two, three and four training targets are 2, 3 and 4; their errors are 2, 1 and 2.
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
