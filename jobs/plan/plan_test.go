package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/sampletable"
)

// idOf computes a cell's id from its documented JSON.
func idOf(json string) string {
	sum := sha256.Sum256([]byte(json))
	return hex.EncodeToString(sum[:])
}

func digestOf(t *testing.T, dir string, trial int) string {
	t.Helper()
	ds := must1(samples.Open(dir))
	return must1(ds.Digest(trial))
}

// find returns the plan's only cell with a description.
func find(t *testing.T, plan *Plan, description string) *Cell {
	t.Helper()
	var found *Cell
	for i := range plan.Cells {
		if plan.Describe(&plan.Cells[i]) == description {
			if found != nil {
				t.Fatalf("two cells are %q", description)
			}
			found = &plan.Cells[i]
		}
	}
	if found == nil {
		t.Fatalf("no cell is %q; the first is %q", description, plan.Describe(&plan.Cells[0]))
	}
	return found
}

// The ids are computed here from the canonical JSON of the package comment: sorted keys, no spaces, all
// parameters, shortest numbers.
func TestCellIDs(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	plan := planOf(t, data, jobstest.Numbers)
	d0, d1 := digestOf(t, filepath.Join(data, "grid"), 0), digestOf(t, filepath.Join(data, "grid"), 1)
	for _, c := range []struct{ cell, json string }{
		{"da-iht gamma=100 s=3 on grid, trial 0",
			`{"dataset":"` + d0 + `","loss":"logistic","method":"da-iht","params":{"gamma":100,"s":3},"trial":0}`},
		{"da-iht gamma=0.1 s=3 on grid, trial 1",
			`{"dataset":"` + d1 + `","loss":"logistic","method":"da-iht","params":{"gamma":0.1,"s":3},"trial":1}`},
		{"da-iht gamma=1e-07 s=3 on grid, trial 0",
			`{"dataset":"` + d0 + `","loss":"logistic","method":"da-iht","params":{"gamma":1e-7,"s":3},"trial":0}`},
		{"da-iht gamma=1e+21 s=3 on grid, trial 0",
			`{"dataset":"` + d0 + `","loss":"logistic","method":"da-iht","params":{"gamma":1e+21,"s":3},"trial":0}`},
		{"da-iht gamma=1.23456789e+08 s=3 on grid, trial 0",
			`{"dataset":"` + d0 + `","loss":"logistic","method":"da-iht","params":{"gamma":123456789,"s":3},"trial":0}`},
		{"da-iht gamma=0.30000000000000004 s=3 on grid, trial 0",
			`{"dataset":"` + d0 + `","loss":"logistic","method":"da-iht","params":{"gamma":0.30000000000000004,"s":3},"trial":0}`},
		{"adam alpha=0.5 on grid, trial 0",
			`{"dataset":"` + d0 + `","loss":"logistic","method":"adam","params":{"alpha":0.5,"beta1":0.9,"beta2":0.999,"epsilon":1e-8},"trial":0}`},
		{"graphstoiht eta=1 s=4 on grid, trial 0",
			`{"dataset":"` + d0 + `","loss":"logistic","method":"graphstoiht","params":{"components":1,"eta":1,"max_iter":20,"omega":0.1,"s":4,"search":"paper"},"trial":0}`},
	} {
		if got, want := find(t, plan, c.cell).ID, idOf(c.json); got != want {
			t.Errorf("%s: id %s, want %s, the hash of %s", c.cell, got, want, c.json)
		}
	}
}

// The expected hash was computed with sha256sum.
func TestCellIDGolden(t *testing.T) {
	const want = "d64972077cd8cf7a4212dedc9622f03c60a18f6c110f9dd7ffe1dfa576558b52"
	if got := cellID("d", "least_squares", `"da-iht"`, `{"gamma":100,"s":26}`, 3); got != want {
		t.Errorf("id %s, want %s", got, want)
	}
}

// The parameter that comes last in the file varies fastest, even if it is not the last in the registry.
func TestPlanOrderFollowsTheFile(t *testing.T) {
	text := jobstest.Replace(t, jobstest.Experiment, "gamma: [5, 10, 20]\n    s: [4, 5]", "s: [4, 5]\n    gamma: [5, 10]")
	plan := planOf(t, dataFolder(t, jobstest.Spec{}), text)
	var got []string
	for i := range plan.Cells {
		if c := &plan.Cells[i]; c.Method.Name == "graphda" {
			got = append(got, fmt.Sprint(c.Settings().Get("s"), c.Settings().Get("gamma")))
		}
	}
	if want := []string{"4 5", "4 10", "5 5", "5 10"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func planError(t *testing.T, data, yaml string) error {
	t.Helper()
	e := must1(experiment.Parse("test.yaml", []byte(yaml), experiment.ScaleFull))
	plan, err := NewPlan(e, PlanOptions{Data: data})
	if err == nil {
		t.Fatalf("no error but %d cells", len(plan.Cells))
	}
	return err
}

// A cell's trial must be among the trials of its dataset.
func TestForgedTrialsAreRefused(t *testing.T) {
	run := tinyRun(t)
	d := &run.Plan.Datasets[0]
	d.Trials = d.Trials[:len(d.Trials)-1]
	must(t, os.Remove(filepath.Join(run.Dir, PlanFile)))
	must(t, os.Remove(filepath.Join(run.Dir, firstCells)))
	must(t, run.Plan.write(run.Dir))
	_, _, err := Read(run.Dir)
	wantError(t, err, "of "+d.Name+" is not in "+PlanFile)
}

func TestDamagedRunIsRefused(t *testing.T) {
	run := tinyRun(t)
	for _, name := range []string{PlanFile, firstCells, "tasks-0001.parquet"} {
		path := filepath.Join(run.Dir, name)
		good := must1(os.ReadFile(path))
		check := func(what string, bad []byte) {
			t.Helper()
			must(t, os.WriteFile(path, bad, 0o666))
			if _, _, err := Read(run.Dir); err == nil {
				t.Errorf("%s %s is accepted", name, what)
			} else if !strings.Contains(err.Error(), name) {
				t.Errorf("%s %s: error %q does not name the file", name, what, err)
			}
		}
		for at := 0; at < len(good); at += max(1, len(good)/25) {
			bad := slices.Clone(good)
			bad[at] ^= 4
			check(fmt.Sprintf("with byte %d changed", at), bad)
		}
		check("cut short", good[:len(good)/2])
		check("empty", nil)
		must(t, os.Remove(path))
		if _, _, err := Read(run.Dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %s: error %v, want ErrNotExist", name, err)
		}
		must(t, os.WriteFile(path, good, 0o666))
	}
	_, _, err := Read(run.Dir)
	must(t, err)
}

func TestCreateDoesNotReplaceADamagedPlan(t *testing.T) {
	run := tinyRun(t)
	path := filepath.Join(run.Dir, PlanFile)
	good := must1(os.ReadFile(path))
	must(t, os.WriteFile(path, append(good, ' '), 0o666))
	if _, err := run.Plan.Create(run.Dir, time.Second, testRates); err == nil {
		t.Error("a damaged plan was replaced")
	}
}

// Planning that was killed leaves cells and tasks without a plan.
func TestCreateAfterAKilledPlanning(t *testing.T) {
	run := tinyRun(t)
	must(t, os.Remove(filepath.Join(run.Dir, PlanFile)))
	made := must1(run.Plan.Create(run.Dir, time.Second, testRates))
	if !made.New {
		t.Error("the run was not created")
	}
}

// drawn returns a dataset of n trials drawn with the same settings.
func drawn(n int) *Dataset {
	d := &Dataset{Name: "d", Features: 10}
	for k := range n {
		d.Trials = append(d.Trials, TrialSummary{
			Trial: k, Train: 1000, Features: 10, Edges: 12, Support: 4,
			Metadata: map[string]string{"generator": "benchmark", "mu": "0.3", "seed": "1", "trial": string(rune('0' + k))},
		})
	}
	return d
}

func TestTrialsDrawnOtherwiseAreRefused(t *testing.T) {
	d := drawn(8)
	trials := d.Trials
	for _, k := range []int{3, 4, 7} {
		trials[k].Metadata["mu"] = "0.5"
	}
	trials[2].Metadata["seed"] = "9"
	delete(trials[6].Metadata, "seed")
	if err := drawn(8).CheckTrials(); err != nil {
		t.Errorf("trials drawn alike: %v", err)
	}
	err := d.CheckTrials()
	jobstest.WantError(t, err, "dataset d ", `mu is "0.3" in trials 0–2, 5, 6, "0.5" in trials 3, 4, 7`,
		`seed is "1" in trials 0, 1, 3–5, 7, "9" in trial 2, not given in trial 6`, "--trials")
	if strings.Contains(err.Error(), "generator") {
		t.Errorf("%q", err)
	}
	// Every trial has another seed, so the message cuts the list short.
	for k := range trials {
		trials[k].Metadata = maps.Clone(drawn(1).Trials[0].Metadata)
		trials[k].Metadata["seed"] = string(rune('a' + k))
	}
	err = d.CheckTrials()
	jobstest.WantError(t, err, `"d" in trial 3, and 4 more`)
}

// Trials that import splits from other samples cannot be averaged, even if each trial standardises its samples.
func TestTrialsOfOtherSamplesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	load := func(trials int, label func(i int) int) (d Dataset) {
		s := "id,y,a,b\n"
		for i := range 20 {
			s += fmt.Sprintf("S%d,%d,%d,%d\n", i, label(i), i, i*i%7)
		}
		jobstest.Must(t, os.WriteFile("s.csv", []byte(s), 0o666))
		jobstest.Must(t, os.WriteFile("e.csv", []byte("source,target\na,b\n"), 0o666))
		r := importing.Request{Table: sampletable.Table{Samples: "s.csv", Label: "y", Task: sampletable.Classification},
			Edges: network.EdgeRequest{Path: "e.csv"}, Out: "d", Trials: trials, Standardise: true}
		jobstest.Must1(importing.Import(t.Context(), r, nil))
		for k := range 2 {
			data := jobstest.Must1(LoadTrial(jobstest.Must1(samples.Open("d")), k, "logistic"))
			d.Trials = append(d.Trials, TrialSummary{Trial: k, Metadata: data.drawnWith})
		}
		return d
	}
	one, again, other := load(2, func(i int) int { return i % 2 }), load(3, func(i int) int { return i % 2 }), load(2, func(i int) int { return i / 10 })
	for _, c := range []struct {
		a, b Dataset
		want string
	}{{one, again, ""}, {one, other, "digest of samples is"}} {
		err := (&Dataset{Trials: append(c.a.Trials[:1:1], c.b.Trials[1])}).CheckTrials()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestOverlap(t *testing.T) {
	split := func(train, test int, pool string) TrialSummary {
		return TrialSummary{Train: train, Test: test, Samples: pool}
	}
	for name, c := range map[string]struct {
		trials []TrialSummary
		want   float64
	}{
		"samples of their own":         {[]TrialSummary{split(60, 20, "a"), split(60, 20, "b")}, 0},
		"not known":                    {[]TrialSummary{split(60, 20, ""), split(60, 20, "")}, 0},
		"one trial":                    {[]TrialSummary{split(60, 20, "a")}, 0},
		"splits of the same samples":   {[]TrialSummary{split(60, 15, "a"), split(60, 15, "a")}, 0.25},
		"the largest":                  {[]TrialSummary{split(60, 15, "a"), split(60, 30, "a"), split(60, 15, "a")}, 0.5},
		"some of them":                 {[]TrialSummary{split(60, 15, "a"), split(60, 15, "b"), split(60, 15, "a")}, 0.25},
		"sizes an earlier plan lacks":  {[]TrialSummary{{Train: 60, Samples: "a"}, split(60, 15, "a")}, math.NaN()},
		"sizes of independent samples": {[]TrialSummary{{Train: 60}, {Train: 50}}, 0},
	} {
		got := (&Dataset{Trials: c.trials}).Overlap()
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
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

var (
	must       = jobstest.Must
	wantError  = jobstest.WantError
	dataFolder = jobstest.Folder
)

func planOf(tb testing.TB, data, yaml string) *Plan {
	tb.Helper()
	e := must1(experiment.Parse("test.yaml", []byte(yaml), experiment.ScaleFull))
	return must1(NewPlan(e, PlanOptions{Data: data}))
}

// testRates returns rates by which a cell of graphda on the 4 × 4 grid takes about a second.
func testRates() Rates { return Rates{Entry: 1e-5, Edge: 5e-5} }

type stored struct {
	*Created
	Dir string
}

// newRun plans an experiment over a data folder into a new directory.
func newRun(tb testing.TB, data, yaml string, target time.Duration) *stored {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "run")
	made := must1(planOf(tb, data, yaml).Create(dir, target, testRates))
	if !made.New {
		tb.Fatal("the run was there before")
	}
	return &stored{made, dir}
}

// tinyRun plans the tiny experiment on two trials.
func tinyRun(tb testing.TB) *stored {
	tb.Helper()
	return newRun(tb, dataFolder(tb, jobstest.Spec{Trials: 2}), jobstest.Experiment, 3*time.Second)
}

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
