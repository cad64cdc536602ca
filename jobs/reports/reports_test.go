package reports

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/reports/source"
)

func TestWriteReports(t *testing.T) {
	run := finished(t, dataFolder(t, jobstest.Spec{Trials: 5}), jobstest.Experiment)
	paths, read := written(t, run, true)
	want := map[string]bool{"results.parquet": true, "results.csv": true, "chosen.parquet": true, PageName: true, markdownPage: true, "tiny.yaml": true}
	for _, report := range []string{"tiny", "tiny-early"} {
		for _, ext := range []string{".txt", ".md", ".tex", ".csv", ".arrow"} {
			for _, table := range []string{"", "-intervals", "-settings", "-tests"} {
				want[report+table+ext] = true
			}
		}
		want[DiagnosticsName+".txt"], want[DiagnosticsName+".md"], want[DiagnosticsName+".tex"] = true, true, true
		want[DiagnosticsName+".csv"], want[DiagnosticsName+".arrow"] = true, true
		want[report+"-tests-pairs.csv"], want[report+"-tests-pairs.arrow"] = true, true
	}
	if len(paths) != len(want) {
		t.Errorf("%d paths, want %d", len(paths), len(want))
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", path, err)
		}
		if !want[filepath.Base(path)] {
			t.Errorf("%s is not wanted", path)
		}
	}
	if read(filesFolder+"/results.csv") != resultsCSV(t, run) {
		t.Error("results.csv does not hold the merged rows")
	}
	again := reportsOf(t, run, "tiny-early")
	if len(again) != 1 || again[0].Report.Checkpoint != 20 || again[0].Agreement.String() != "" {
		t.Errorf("printed %+v", again)
	}
}

func TestReportsRefuse(t *testing.T) {
	run := finished(t, dataFolder(t, jobstest.Spec{}), jobstest.Experiment)
	grid := must1(run.Collect())
	rule := must1(run.Plan.Experiment.Rule("oracle-f1"))
	_, err := Make(run, Options{Reports: []string{"tinny"}})
	wantError(t, err, `"tinny"`, "tiny, tiny-early")
	_, err = run.Plan.Experiment.Rule("best")
	wantError(t, err, `"best"`, "oracle-f1")
	_, err = run.Plan.Experiment.Rule("paper")
	wantError(t, err, "paper", "benchmark")
	printed := must1(printReports(run, grid, rule, []string{"tiny"}))
	_, err = (&Book{run: run, grid: grid, rule: rule, Printed: append(printed, printed...)}).Write(t.TempDir(), seal.Output{}, &RowFiles{})
	wantError(t, err, "two files would both be")
}

// Without reports an experiment prints a table of its own kind.
func TestReportsByDefault(t *testing.T) {
	for _, c := range []struct {
		text    string
		targets bool
		kind    string
	}{{jobstest.Diverging, true, "regression"}, {jobstest.Numbers, false, "classification"}} {
		run := newRun(t, dataFolder(t, jobstest.Spec{Targets: c.targets}), c.text, time.Hour)
		reports := run.Plan.Experiment.AllReports()
		if len(reports) != 1 || reports[0].Kind != c.kind || reports[0].Name != run.Plan.Experiment.Name {
			t.Errorf("reports %+v, want one of kind %s", reports, c.kind)
		}
	}
}

func TestTrialsOfOtherSizesAreNoted(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	jobstest.SwapTrial(t, data, "trial-01", jobstest.Spec{Trials: 2, Train: 50})
	run := finished(t, data, jobstest.Experiment)
	const want = "The trials are not alike: the number of training samples is 40 in trial 0, 50 in trial 1."
	for _, p := range reportsOf(t, run) {
		if !slices.Contains(p.Main().Notes, want) {
			t.Errorf("notes %q do not say %q", p.Main().Notes, want)
		}
	}
}

// Each table has its own note; the answer is about all of them.
func TestAnswerCountsAllTables(t *testing.T) {
	f1 := experiment.Report{Measure: "f1", Methods: []string{"adam"}}
	b := &Book{Printed: []source.Printed{
		{Report: f1, Agreement: source.Agreement{Agree: 65, Unclear: 1}}, {Report: f1},
		{Report: f1, Agreement: source.Agreement{Agree: 63, Unclear: 2, Differ: 1}}}}
	if got, want := b.answer(), "Of 132 values beside the paper's 128 agree, 3 are unclear and 1 differ."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
