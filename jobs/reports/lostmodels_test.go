package reports

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"graphda/io/results"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

// curveRun is a finished run of three trials whose report "misses" is drawn from models.
func curveRun(t *testing.T) *run.Run {
	t.Helper()
	text := jobstest.Experiment + "  - {name: misses, kind: mistakes}\n"
	return finished(t, dataFolder(t, jobstest.Spec{Trials: 3}), text)
}

// losses are what may befall the models of a task.
var losses = map[string]func(t *testing.T, run *run.Run, task *plan.Task){
	"is missing": func(t *testing.T, run *run.Run, task *plan.Task) {
		must(t, os.Remove(modelsPath(run, task)))
	},
	"does not match the file's own checksum": func(t *testing.T, run *run.Run, task *plan.Task) {
		data := must1(os.ReadFile(modelsPath(run, task)))
		data[len(data)/2] ^= 4
		must(t, os.WriteFile(modelsPath(run, task), data, 0o666))
	},
	"not the models that task-": func(t *testing.T, run *run.Run, task *plan.Task) {
		models := modelsOf(t, run, task)
		models[0].W.Intercept++
		must(t, results.WriteModels(modelsPath(run, task), models))
	},
}

// A mean over the trials whose models are left must not pass for that of all, and what is
// lost is made again.
func TestLostModels(t *testing.T) {
	for what, lose := range losses {
		run := curveRun(t)
		lost := run.Tasks[1]
		want := modelsOf(t, run, lost)
		lose(t, run, lost)

		_, printed := printOf(t, run, "")
		panel := chartOf(t, printed, "misses").Panels[0]
		if !strings.Contains(panel.Title, "2 of 3 trials") || printed["tiny"].Main() == nil || printed["tiny"].Lacks != "" {
			t.Errorf("%s: panel %q, table %v", what, panel.Title, printed["tiny"].Main())
		}
		wantError(t, errors.New(printed["misses"].Lacks), "3 of the models", modelsPath(run, lost), what)

		var texts []string
		runner := executor.Runner{Run: run, Workers: 2, Notify: func(e executor.Event) {
			if e.Kind == executor.CellDone {
				t.Errorf("%s: a cell is run again", what)
			}
			texts = append(texts, e.Text)
		}}
		outcome := must1(runner.RunTasks(context.Background(), run.Tasks))
		if outcome.Done != len(run.Plan.Cells) || !strings.Contains(strings.Join(texts, "\n"), what) {
			t.Errorf("%s: outcome %+v, told %q", what, outcome, texts)
		}
		wantSealed(t, run)
		if got := modelsOf(t, run, lost); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: learned again %+v, want %+v", what, got, want)
		}
		_, printed = printOf(t, run, "")
		if title := chartOf(t, printed, "misses").Panels[0].Title; title != "grid" || printed["misses"].Lacks != "" {
			t.Errorf("%s: panel %q, lacks %q after they were learned again", what, title, printed["misses"].Lacks)
		}
	}
}

// Models that are learned again on another kind of machine may differ in their last bits:
// the shard then names those, and keeps its rows.
func TestLostModelsOfAnotherMachine(t *testing.T) {
	run := curveRun(t)
	task, rows := run.Tasks[0], resultsCSV(t, run)
	path := filepath.Join(run.Folder(task), results.ShardName(task.Number))
	must(t, results.RecordModels(path, plan.Layout(), strings.Repeat("ab", 32)))
	must(t, os.Remove(modelsPath(run, task)))
	status := must1(run.Status(false))
	if status.Total.Done == status.Total.Cells || len(status.Damaged) != 1 || !strings.Contains(status.Damaged[0], modelsPath(run, task)) {
		t.Errorf("status %+v", status)
	}
	finish(t, run, 1)
	if _, err := run.Models(task); err != nil {
		t.Error(err)
	}
	if resultsCSV(t, run) != rows {
		t.Error("the rows have changed")
	}
	status = must1(run.Status(false))
	if status.Total.Done < status.Total.Cells || len(status.Damaged) != 0 {
		t.Errorf("status %+v after the models were learned again", status)
	}
	before := must1(os.ReadFile(path))
	finish(t, run, 1)
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("a whole task was written again, %v", err)
	}
}

// Where models cannot be written, that is an error though the task has a shard.
func TestLostModelsThatCannotBeWritten(t *testing.T) {
	run := curveRun(t)
	must(t, os.Remove(modelsPath(run, run.Tasks[0])))
	must(t, os.Mkdir(modelsPath(run, run.Tasks[0]), 0o777))
	_, err := (&executor.Runner{Run: run}).RunTasks(context.Background(), run.Tasks)
	wantError(t, err, modelsPath(run, run.Tasks[0]))
}
