package reports

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/executor"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/plan"
	"graphda/jobs/reports/source"
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

// withoutTime removes how long a run took, which differs from run to run.
func withoutTime(page string) string {
	return regexp.MustCompile(`[\d.e-]+ seconds of one CPU core`).ReplaceAllString(page, "")
}

func TestPage(t *testing.T) {
	run := finished(t, dataFolder(t, jobstest.Spec{Trials: 2}), pageExperiment)
	text := withoutTime(pageOf(t, run))
	// The same files, and another run of the same plan, give the same bytes.
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
	jobstest.WantText(t, text, "2 methods learned online", "The run has 12 cells.", "gdrun plan shown.yaml --scale full", "Learning took",
		"Not at their defaults", "After all samples", "After half of them", "F1 over samples", "Wrong on the way",
		html.EscapeString("A tiny experiment <shown>"), "24 of 24 (cells × checkpoints), 0 failed, 0 missing",
		"best accuracy on the validation split", run.Plan.Hash, "Adam", "with gdmerge from the run of plan "+run.Plan.Hash[:12],
		"<li>last: Only 2 trials", "<li>curve: Only 2 trials", "<li>misses: Only 2 trials")
	for _, name := range []string{"table-last", "table-last-settings", "table-diagnostics", "table-early-20", "figure-curve", "figure-misses"} {
		if n := strings.Count(text, `id="`+name+`"`); n != 1 {
			t.Errorf("%s is there %d times, want once", name, n)
		}
	}
	for _, absent := range []string{"results are missing", ", reduced", "the quick form", "<shown>"} {
		if strings.Contains(text, absent) {
			t.Errorf("the page says %q", absent)
		}
	}
	run.Plan.Experiment.Methods[0].Program = &experiment.Program{Command: []string{"sh", "own.sh"}, Varies: true}
	if text := html.UnescapeString(pageOf(t, run)); !strings.Contains(text, `["sh" "own.sh"], not deterministic`) {
		t.Error("the page does not say which program was run, and that it is not deterministic")
	}
}

// A page first says what is missing or failed, and then shows the rest.
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
	jobstest.WantText(t, pageOf(t, r), "&lt;shown&gt;, reduced", "This is the quick form of the experiment", ">quick<", "12 of 12")
}

// The experiment file beside a page plans the same run again, even with changed settings or trials. The digest on the
// page is the digest of results.csv, whether or not results.csv is written.
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

// If tasks were separate attempts, the page has a chapter and tables about their cost. A run by gdrun local has none.
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

// importNoise imports samples whose labels are unrelated to their features: 90 samples, half of each class, and 30
// features on a path. It makes the given number of random splits.
func importNoise(tb testing.TB, data string, number uint64, trials int) (name string) {
	tb.Helper()
	const n, p = 90, 30
	rng := rand.New(rand.NewPCG(number, 17))
	var samples, edges strings.Builder
	samples.WriteString("y")
	edges.WriteString("source,target\n")
	for j := range p {
		fmt.Fprintf(&samples, ",f%d", j)
		if j > 0 {
			fmt.Fprintf(&edges, "f%d,f%d\n", j-1, j)
		}
	}
	for i := range n {
		fmt.Fprintf(&samples, "\n%d", 1-2*(i%2))
		for range p {
			fmt.Fprintf(&samples, ",%v", rng.NormFloat64())
		}
	}
	raw := tb.TempDir()
	edgesPath := filepath.Join(raw, "edges.csv")
	request := importing.Request{
		Table: sampletable.Table{Samples: filepath.Join(raw, "samples.csv"), Label: "y", Task: sampletable.Classification},
		Edges: network.EdgeRequest{Path: edgesPath}, Trials: trials, Seed: number, Standardise: true,
	}
	must(tb, os.WriteFile(request.Samples, []byte(samples.String()), 0o666))
	must(tb, os.WriteFile(edgesPath, []byte(edges.String()), 0o666))
	name = fmt.Sprintf("noise%03d", number)
	request.Out = filepath.Join(data, name)
	must1(importing.Import(context.Background(), request, nil))
	return name
}

// noiseExperiment compares four methods on a dataset of noise.
func noiseExperiment(name string) string {
	return fmt.Sprintf("name: noise\nloss: logistic\ndatasets: [%s]\nmethods:\n"+
		"  - {method: adam, alpha: [0.01, 0.1]}\n"+
		"  - {method: l1-rda, lambda: [0.01, 0.1], gamma: [5, 50], rho: 0}\n"+
		"  - {method: da-iht, gamma: [5, 50], s: [4, 8]}\n"+
		"  - {method: graphda, gamma: [5, 50], s: 6}\n"+
		"reports: [{name: noise, kind: classification}]\n", name)
}

// A noiseCount counts how often an interval contained the truth, and how often a test found a difference
// that does not exist.
type noiseCount struct{ held, intervals, found, tests int }

// judge counts the accuracies and tests of a dataset of noise. The true accuracy is ½, and methods do not differ.
func (n *noiseCount) judge(p *source.Printed) {
	accuracy := p.Main().At("test_accuracy")
	for _, row := range p.Main().Rows {
		n.intervals++
		if v := row[accuracy].Number; v.Low <= 0.5 && 0.5 <= v.High {
			n.held++
		}
	}
	i := slices.IndexFunc(p.Tables, func(t source.Named) bool { return strings.HasSuffix(t.Name, "-tests-pairs") })
	for _, row := range p.Tables[i].Rows {
		if row[p.Tables[i].At("measure")].Word == "test_accuracy" {
			n.tests++
			if row[p.Tables[i].At("p")].Number.Value < 0.05 {
				n.found++
			}
		}
	}
}

// On noise, every accuracy is one half and no method is better than another, no matter how many splits of the same
// samples are averaged.
func TestSplitsOfNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("learns from 4 datasets in 30 trials each")
	}
	var count noiseCount
	for number := range uint64(4) {
		data := t.TempDir()
		run := finished(t, data, noiseExperiment(importNoise(t, data, number, 30)))
		count.judge(&reportsOf(t, run)[0])
	}
	if share := float64(count.held) / float64(count.intervals); share < 0.9 {
		t.Errorf("%d of %d intervals hold the truth, want 90 %% at least", count.held, count.intervals)
	}
	if share := float64(count.found) / float64(count.tests); share > 0.08 {
		t.Errorf("%d of %d tests find a difference, want 8 %% at most", count.found, count.tests)
	}
}

// Trials that split the same samples are recognised, whoever made them.
func TestSameSamplesAreSeen(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{})
	first := must1(must1(samples.Open(filepath.Join(data, "grid"))).Load(0, samples.BinaryLabels))
	var second []samples.Sample
	for split, b := range []samples.Block{first.Valid, first.Test, first.Train} { // 20, 20 and 40 samples
		for i := range b.Y {
			second = append(second, samples.Sample{Split: samples.Split(split), Y: b.Y[i], X: b.Row(i)})
		}
	}
	jobstest.WriteTrial(t, filepath.Join(data, "grid"), 1, samples.SamplesHeader{Features: first.Train.P, Metadata: first.Metadata}, second)
	r := finished(t, data, strings.Replace(jobstest.Experiment, "[20, 40]", "[10, 20]", 1))
	r = must1(run.Open(r.Dir))
	grid := must1(r.Collect())
	if got := grid.Dataset("grid").Overlap(); got != 2 {
		t.Errorf("overlap %v, want 40/20, the larger of both trials", got)
	}
	for _, p := range reportsOf(t, r) {
		if !strings.Contains(strings.Join(p.Main().Notes, " "), "Nadeau and Bengio") {
			t.Errorf("notes %q", p.Main().Notes)
		}
	}
	own := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Experiment, time.Hour)
	if got := must1(own.Collect()).Dataset("grid").Overlap(); got != 0 {
		t.Errorf("overlap %v of trials with samples of their own", got)
	}
}
