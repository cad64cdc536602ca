package reports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
	"graphda/jobs/selection"
)

const imageExperiment = `name: pictures
loss: logistic
datasets: [grid, plain]
checkpoints: [20, 40]
methods:
  - method: graphda
    gamma: [5, 20]
    s: [4, 6]
  - method: adam
    alpha: [0.001, 0.1]
reports:
  - {name: subgraphs, kind: truth}
  - {name: learned, kind: models}
  - {name: later, kind: models, datasets: [grid], trials: [2, 0], methods: [adam], checkpoint: 20}
`

// placed returns the features of the 4 × 4 grid, placed in 8 rows and 2 columns. Their true weights have both signs.
func placed() *samples.Features {
	f := &samples.Features{}
	for i := range 16 {
		f.Names = append(f.Names, fmt.Sprintf("n%d", i))
		f.Truth = append(f.Truth, []float64{0, 2, -0.5, 0, 0}[i%5])
		f.Row, f.Col = append(f.Row, float64(7-i%8)), append(f.Col, float64(i/8))
	}
	return f
}

// pictured returns the values of a picture of placed features.
func pictured(values []float64) []float64 {
	p := make([]float64, 16)
	for i, v := range values {
		p[2*(7-i%8)+i/8] = v
	}
	return p
}

// pictureRun returns a finished run on two datasets: grid, whose features have the given places, and plain, whose
// features have none.
func pictureRun(t *testing.T, f *samples.Features) *run.Run {
	t.Helper()
	data := dataFolder(t, jobstest.Spec{Trials: 3, Seed: 1})
	jobstest.WriteDataset(t, filepath.Join(data, "plain"), jobstest.Spec{Trials: 3, Seed: 2})
	must(t, samples.WriteFeatures(filepath.Join(data, "grid", "features.parquet"), f))
	return finished(t, data, imageExperiment)
}

func picturesOf(t *testing.T, printed map[string]source.Printed, name string) *figures.Pictures {
	t.Helper()
	p := figureOf[*figures.Pictures](t, printed, name)
	for _, format := range figures.Formats() {
		var b bytes.Buffer
		must(t, figures.Draw(&b, p, format))
	}
	return p
}

func wantPicture(t *testing.T, what string, got figures.Picture, values []float64) {
	t.Helper()
	if got.Rows != 8 || got.Columns != 2 || got.Shade != figures.Sign || !slices.Equal(got.Values, values) {
		t.Errorf("%s: %d × %d %v, want 8 × 2 %v", what, got.Rows, got.Columns, got.Values, values)
	}
}

func wantBlank(t *testing.T, what string, got figures.Picture) {
	t.Helper()
	if got.Rows != 0 || got.Columns != 0 || got.Values != nil {
		t.Errorf("%s: %d × %d %v, want no picture", what, got.Rows, got.Columns, got.Values)
	}
}

// learned returns the weights of a method's chosen cell, learned in a separate pass.
func learned(t *testing.T, whole *run.Run, rows []*results.Row, trial, checkpoint int) []float64 {
	t.Helper()
	i := slices.IndexFunc(rows, func(r *results.Row) bool { return r.Trial == trial })
	w := learn(t, whole, rows[i].Cell, checkpoint).W
	values := make([]float64, 16)
	for k, j := range w.Index {
		values[j] = w.Value[k]
	}
	return values
}

func TestImages(t *testing.T) {
	f := placed()
	run := pictureRun(t, f)
	grid, printed := printOf(t, run, "")

	p := picturesOf(t, printed, "subgraphs")
	if !slices.Equal(p.Columns, []string{"grid", "plain"}) || len(p.Cells) != 1 {
		t.Fatalf("columns %q, %d rows", p.Columns, len(p.Cells))
	}
	wantPicture(t, "the truth", p.Cells[0][0], pictured(f.Truth))
	wantBlank(t, "the truth of features without places", p.Cells[0][1])

	p = picturesOf(t, printed, "learned")
	if !slices.Equal(p.Rows, []string{"grid", "plain"}) || !slices.Equal(p.Columns, []string{"w*", "Adam", "GraphDA"}) {
		t.Fatalf("columns %q, rows %q", p.Columns, p.Rows)
	}
	wantPicture(t, "the truth", p.Cells[0][0], pictured(f.Truth))
	for k, method := range []string{"adam", "graphda"} {
		chosen := choose(grid, ofMethod("grid", method, 40), selection.W)
		w := learned(t, run, chosen, 0, 40)
		if !slices.ContainsFunc(w, func(v float64) bool { return v > 0 }) {
			t.Fatalf("%s learned nothing", method)
		}
		wantPicture(t, method, p.Cells[0][1+k], pictured(w))
		wantBlank(t, method, p.Cells[1][1+k])
	}

	p = picturesOf(t, printed, "later")
	if !slices.Equal(p.Rows, []string{"grid, trial 0", "grid, trial 2"}) || !slices.Equal(p.Columns, []string{"w*", "Adam"}) {
		t.Fatalf("columns %q, rows %q", p.Columns, p.Rows)
	}
	chosen := choose(grid, ofMethod("grid", "adam", 20), selection.W)
	for k, trial := range []int{0, 2} {
		wantPicture(t, p.Rows[k], p.Cells[k][1], pictured(learned(t, run, chosen, trial, 20)))
	}
}

// If no task stored a model, there is no picture and no error.
func TestImagesOfModelsThatAreNotThere(t *testing.T) {
	run := pictureRun(t, placed())
	for _, task := range run.Tasks {
		for _, m := range filesBelow(t, run.Folder(task)) {
			if filepath.Base(m) == results.ModelsName(task.Number) {
				must(t, os.Remove(m))
			}
		}
	}
	_, printed := printOf(t, run, "")
	p := picturesOf(t, printed, "learned")
	wantPicture(t, "the truth", p.Cells[0][0], pictured(placed().Truth))
	wantBlank(t, "Adam", p.Cells[0][1])
}

// Invalid places are refused, without a crash and without using much memory.
func TestImagesOfBadPlaces(t *testing.T) {
	for _, bad := range []float64{-1, 0.5, 1e9, 1e300} {
		f := placed()
		f.Row[3] = bad
		_, _, err := tryPrint(t, pictureRun(t, f), "")
		wantError(t, err, "report subgraphs: ", "dataset grid", "feature n3", fmt.Sprint(bad), "whole numbers from 0 to")
	}
}

// If the truth is unknown, its picture is left out, and the learned weights are still shown.
func TestImagesWithoutTruth(t *testing.T) {
	f := placed()
	f.Truth = nil
	_, printed := printOf(t, pictureRun(t, f), "")
	p := picturesOf(t, printed, "learned")
	wantBlank(t, "the truth", p.Cells[0][0])
	if p.Cells[0][1].Rows != 8 {
		t.Error("the model is not shown")
	}
	wantBlank(t, "the truth", picturesOf(t, printed, "subgraphs").Cells[0][0])
}

// Unmeasured features are marked. If the data do not record them, a note says whether the generator fills in values.
func TestUnmeasuredFeatures(t *testing.T) {
	before, _, _ := strings.Cut(pageExperiment, "reports:")
	of := func(measured []bool, generator string) *figures.Networks {
		f := placed()
		f.Measured = measured
		data := dataFolder(t, jobstest.Spec{Trials: 1, Seed: 1})
		must(t, samples.WriteFeatures(filepath.Join(data, "grid", "features.parquet"), f))
		run := finished(t, data, before+"reports: [{name: net, kind: network}]\n")
		run.Plan.Datasets[0].Trials[0].Metadata = map[string]string{"generator": generator}
		return reportsOf(t, run)[0].Figures[0].(*figures.Networks)
	}
	measured := make([]bool, 16)
	for i := range measured {
		measured[i] = i%2 == 0
	}
	net, marked, all := of(measured, "kegg"), 0, 0
	for _, cell := range net.Cells[0] {
		for _, v := range cell.Nodes {
			all++
			if v.Unmeasured {
				marked++
			}
			if odd := strings.ContainsAny(v.Name[len(v.Name)-1:], "13579"); v.Unmeasured != odd {
				t.Errorf("%s is marked: %t", v.Name, v.Unmeasured)
			}
		}
	}
	if marked == 0 || marked == all || net.Unmeasured == "" || !strings.Contains(net.Caption, "Outlined features were not measured") {
		t.Errorf("%d of %d nodes are marked; %q", marked, all, net.Caption)
	}
	if net := of(nil, "benchmark"); strings.Contains(net.Caption, "measured") {
		t.Errorf("of data without a word of it: %q", net.Caption)
	}
}

// curveRun returns a finished run of three trials. Its report "misses" needs stored models.
func curveRun(t *testing.T) *run.Run {
	t.Helper()
	text := jobstest.Experiment + "  - {name: misses, kind: mistakes}\n"
	return finished(t, dataFolder(t, jobstest.Spec{Trials: 3}), text)
}

// Of trials whose models are not there, no mean of the others stands for all.
func TestMistakesWithoutModels(t *testing.T) {
	_, printed := printOf(t, curveRun(t), "validation-last")
	wantError(t, errors.New(printed["misses"].NotDrawn), "on grid, trial ", "at 40", "rule validation-last", "validation, oracle-f1")
}

// losses are ways to lose the models of a task.
var losses = map[string]func(t *testing.T, run *run.Run, task *plan.Task){
	"is missing": func(t *testing.T, run *run.Run, task *plan.Task) {
		must(t, os.Remove(modelsPath(run, task)))
	},
	"does not match the file's checksum": func(t *testing.T, run *run.Run, task *plan.Task) {
		data := must1(os.ReadFile(modelsPath(run, task)))
		data[len(data)/2] ^= 4
		must(t, os.WriteFile(modelsPath(run, task), data, 0o666))
	},
	"differs from the models that were written with task-": func(t *testing.T, run *run.Run, task *plan.Task) {
		models := modelsOf(t, run, task)
		models[0].W.Intercept++
		must(t, results.WriteModels(modelsPath(run, task), models))
	},
}

// A mean over trials with models must not look like a mean over all trials. Lost models are made again.
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

// Models that are learned again on another kind of processor may differ in their last bits. The shard then has the new
// digest, and keeps its rows.
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

// If models cannot be written, that is an error, even if the task has a shard.
func TestLostModelsThatCannotBeWritten(t *testing.T) {
	run := curveRun(t)
	must(t, os.Remove(modelsPath(run, run.Tasks[0])))
	must(t, os.Mkdir(modelsPath(run, run.Tasks[0]), 0o777))
	_, err := (&executor.Runner{Run: run}).RunTasks(context.Background(), run.Tasks)
	wantError(t, err, modelsPath(run, run.Tasks[0]))
}
