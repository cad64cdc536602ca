package reports

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/jobs/executor"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

const pageExperiment = `name: shown
title: A tiny experiment <shown>
loss: logistic
datasets: [grid]
checkpoints: [20, 40]
methods:
  - method: graphda
    gamma: [5, 20]
    s: [4, 5]
  - method: adam
    alpha: [0.001, 0.1]
reports:
  - {name: "last", kind: classification, title: After all samples}
  - {name: early.20, kind: classification, title: After half of them, checkpoint: 20}
  - {name: curve, kind: checkpoints, title: F1 over samples, measure: f1, models: [w, wbar]}
  - {name: misses, kind: mistakes, title: Wrong on the way}
quick:
  trials: [1]
  checkpoints: [20, 40]
`

// pageOf merges a run and returns its report's page.
func pageOf(t *testing.T, r *run.Run) string {
	t.Helper()
	book := must1(Make(r, Options{AllowPartial: true}))
	var b, again bytes.Buffer
	shown := pageFigures(book.Printed)
	must(t, book.page(shown, "digest").Write(&b))
	must(t, book.page(shown, "digest").Write(&again))
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("the page has other bytes the second time")
	}
	return b.String()
}

// withoutTime leaves out how long a run took, which differs from run to run.
func withoutTime(page string) string {
	return regexp.MustCompile(`[\d.e-]+ seconds of one CPU core`).ReplaceAllString(page, "")
}

func TestPage(t *testing.T) {
	run := finished(t, dataFolder(t, jobstest.Spec{Trials: 2}), pageExperiment)
	text := withoutTime(pageOf(t, run))
	// Again from the files, and of another run of the same plan: the same bytes.
	other := copyOf(t, run)
	finish(t, other, 1)
	if again := withoutTime(pageOf(t, other)); again != text {
		t.Error("another run of the plan gives another page")
	}
	last := 0
	for _, id := range []string{"results", "table-last", "table-early-20", "drawn", "figure-curve", "figure-misses", "details", "noticed", "facts"} {
		at := strings.Index(text, `id="`+id+`"`)
		if at <= last || strings.Count(text, `id="`+id+`"`) != 1 {
			t.Errorf("section %s is at %d, the one before at %d", id, at, last)
		}
		last = at
	}
	for _, heading := range regexp.MustCompile(`(?s)<h[123][^>]*>(.*?)</h`).FindAllStringSubmatch(text, -1) {
		if words, _, _ := strings.Cut(heading[1], " <"); strings.Count(text, ">"+words+" <")+strings.Count(text, ">"+words+"</h") > 1 {
			t.Errorf("the heading %q is there twice", words)
		}
	}
	jobstest.WantText(t, text, "2 methods learned online", "12 cells, each a pass", "gdrun plan shown.yaml --scale full", "Learning took",
		"Not at their defaults", "After all samples", "After half of them", "F1 over samples", "Wrong on the way",
		html.EscapeString("A tiny experiment <shown>"), "24 of 24 (cells × checkpoints), 0 failed, 0 missing",
		"best accuracy on the validation split", run.Plan.Hash, "Adam")
	for _, name := range []string{"table-last", "table-last-settings", "table-diagnostics", "table-early-20", "figure-curve", "figure-misses"} {
		if n := strings.Count(text, `id="`+name+`"`); n != 1 {
			t.Errorf("%s is there %d times, want once", name, n)
		}
	}
	for _, absent := range []string{"results are missing", ", reduced", "the reduced form", "<shown>"} {
		if strings.Contains(text, absent) {
			t.Errorf("the page says %q", absent)
		}
	}
	run.Plan.Experiment.Methods[0].Program = &experiment.Program{Command: []string{"sh", "own.sh"}, Varies: true}
	if text := html.UnescapeString(pageOf(t, run)); !strings.Contains(text, `["sh" "own.sh"], not deterministic`) {
		t.Error("the page does not say which program was run, and that it is not deterministic")
	}
}

// What is missing or failed is said before all else, and what is there is shown.
func TestPageOfAPartOfTheResults(t *testing.T) {
	text := jobstest.Replace(t, pageExperiment, "[0.001, 0.1]", "[0.001, 1e308]")
	run := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), text, 3*time.Second)
	tasks := slices.DeleteFunc(slices.Clone(run.Tasks), func(task *plan.Task) bool { return task.Trial == 1 })
	must1((&executor.Runner{Run: run, Workers: 2}).RunTasks(context.Background(), tasks))
	jobstest.WantText(t, pageOf(t, run), "12 of 24 results are missing.", "2 of 24 results are missing because their cells failed.",
		"10 of 24 (cells × checkpoints), 2 failed, 12 missing")
}

// A reduced experiment says so in its title and its warnings.
func TestPageOfAReducedExperiment(t *testing.T) {
	e := must1(experiment.Parse("test.yaml", []byte(pageExperiment), experiment.ScaleQuick))
	p := must1(plan.NewPlan(e, plan.PlanOptions{Data: dataFolder(t, jobstest.Spec{Trials: 2})}))
	r, _, err := run.Create(filepath.Join(t.TempDir(), "run"), p, time.Hour, func() plan.Rates { return plan.Rates{Entry: 1, Edge: 1} })
	must(t, err)
	finish(t, r, 2)
	jobstest.WantText(t, pageOf(t, r), "&lt;shown&gt;, reduced", "This is the reduced form of the experiment", ">quick<", "12 of 12")
}

// The experiment's file beside a page plans the run again as it was, settings that its built-in file has otherwise and trials
// that were asked for among them, and the digest on the page, with results.csv or without, is the one of results.csv: the rows
// without what they took.
func TestPageIsMadeAgain(t *testing.T) {
	data := t.TempDir()
	jobstest.WriteDataset(t, filepath.Join(data, "graph01-mu0.3"), jobstest.Spec{Train: 400, Trials: 3})
	run := finished(t, data, `name: table1
loss: logistic
datasets: [graph01-mu0.3]
checkpoints: [200, 400]
trials: [0, 2]
methods:
  - {method: graphda, gamma: [50, 5], s: 4, search: lazy}
  - {method: da-iht, gamma: 5, s: [4, 6]}
reports: [{name: table, kind: classification}]
`)
	_, read := written(t, run, false)
	page, text := read(markdownPage), read("table1.yaml")
	again := finished(t, data, text)
	if again.Plan.Hash != run.Plan.Hash {
		t.Errorf("planned again of\n%s\nthe plan is another", text)
	}
	_, read = written(t, again, true)
	digest := regexp.MustCompile(`results\.csv: SHA-256 ([0-9a-f]{64})`)
	a, b := digest.FindStringSubmatch(page), digest.FindStringSubmatch(read(markdownPage))
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte(resultsCSV(t, run)))); a == nil || b == nil || a[1] != want || b[1] != want {
		t.Errorf("digests %v and %v, want %s", a, b, want)
	}
	if want := "gdrun plan table1.yaml --scale full --data DATA --out RUN, gdrun local RUN, gdmerge RUN"; !strings.Contains(page, want) {
		t.Errorf("the page lacks %q", want)
	}
}

// A run whose tasks were attempts of their own has a chapter and tables of what they took; one that was run whole,
// as gdrun local does it, has none.
func TestSpentChapter(t *testing.T) {
	whole := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Experiment, 3*time.Second)
	alone := copyOf(t, whole)
	finish(t, whole, 2)
	for i, task := range alone.Tasks {
		one := must1(run.OpenTask(alone.Dir, task.Number))
		must1((&executor.Runner{Run: one, Workers: 1, Attempt: "slurm-7_" + string(rune('0'+i)) + "-0"}).RunTasks(t.Context(), one.Tasks))
	}
	paths, read := written(t, alone, false)
	for _, page := range []string{markdownPage, PageName} {
		jobstest.WantText(t, read(page), "Where the hours went", "attempts at tasks", "sealed", "Learning, by method")
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
