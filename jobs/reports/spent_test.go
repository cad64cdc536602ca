package reports

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"graphda/io/seal"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
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
		one, err := run.OpenTask(alone.Dir, task.Number)
		must(t, err)
		_, err = (&running.Runner{Run: one, Workers: 1, Attempt: "slurm-7_" + string(rune('0'+i)) + "-0"}).RunTasks(t.Context(), one.Tasks)
		must(t, err)
	}
	write := func(r *run.Run) (string, bool) {
		dir := filepath.Join(t.TempDir(), "report")
		rows, err := CreateRows(dir, seal.Output{}, false)
		must(t, err)
		defer rows.Abort()
		book, err := Make(r, Options{Uses: []merge.Use{rows.Use}})
		must(t, err)
		_, err = book.Write(dir, seal.Output{}, rows)
		must(t, err)
		text, err := os.ReadFile(filepath.Join(dir, markdownPage))
		must(t, err)
		html, err := os.ReadFile(filepath.Join(dir, PageName))
		must(t, err)
		const title = "Where the hours went"
		if strings.Contains(string(html), title) != strings.Contains(string(text), title) {
			t.Error("only one of the two pages has the chapter")
		}
		_, err = os.Stat(filepath.Join(dir, "efficiency-ends.csv"))
		return string(text), err == nil
	}
	text, has := write(alone)
	for _, want := range []string{"Where the hours went", "attempts at tasks", "sealed", "Learning, by method"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if !has {
		t.Error("no table of how attempts ended")
	}
	if text, has := write(whole); has || strings.Contains(text, "Where the hours went") {
		t.Error("a chapter about attempts of which none is noted")
	}
}
