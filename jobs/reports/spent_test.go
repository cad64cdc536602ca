package reports

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/jobs/running"
)

// A run whose tasks were attempts of their own has a chapter and tables of what they took; one that was run whole,
// as gdrun local does it, has none.
func TestSpentChapter(t *testing.T) {
	whole := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Experiment, 3*time.Second)
	alone := copyOf(t, whole)
	finish(t, whole, 2)
	for i, task := range alone.Tasks {
		one := must1(run.OpenTask(alone.Dir, task.Number))
		_, err := (&running.Runner{Run: one, Workers: 1, Attempt: "slurm-7_" + string(rune('0'+i)) + "-0"}).RunTasks(t.Context(), one.Tasks)
		must(t, err)
	}
	paths, read := written(t, alone, false)
	for _, page := range []string{markdownPage, PageName} {
		wantSaid(t, read(page), "Where the hours went", "attempts at tasks", "sealed", "Learning, by method")
	}
	ends := func(path string) bool { return filepath.Base(path) == "efficiency-ends.csv" }
	if !slices.ContainsFunc(paths, ends) {
		t.Error("no table of how attempts ended")
	}
	paths, read = written(t, whole, false)
	if slices.ContainsFunc(paths, ends) || strings.Contains(read(PageName), "Where the hours went") {
		t.Error("a chapter about attempts of which none is noted")
	}
}
