// Package places tests that each kind of thing in the table "Where to add" of ARCHITECTURE.md
// takes one file and one line.
package places

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

// toys are one addition of each kind: testdata/NAME.txt as a file of its package, and a line of a list there. The file
// format is a package of its own, and the line imports it.
var toys = []struct{ name, file, after, line string }{
	{"loss", "learners/loss.go", "\tLeastSquares{},\n", "\ttoyLoss{},\n"},
	{"method", "learners/method.go", "\t&bestSubset,\n", "\t&toyMethod,\n"},
	{"rule", "jobs/selection/rules.go", "\t{Paper, paper},\n", "\t{\"toy-rule\", toyRule},\n"},
	{"kind", "jobs/reports/kinds.go", "figurekinds.Figures(figurekinds.Subnetworks)},\n",
		"\t{experiment.Kind{Name: \"toy-kind\", Takes: []string{\"checkpoint\"}}, toyKind},\n"},
	{"tableformat", "io/table/table.go", "\tjsonFormat,\n", "\ttoyFormat,\n"},
	{"fileformat", "jobs/own/importing/importing.go", "\t_ \"graphda/io/matrix\" // NumPy\n", "\t_ \"graphda/io/toy\"\n"},
}

const experiment = `name: toys
loss: toy_loss
datasets: [graph01-mu0.3]
checkpoints: [20, 40]
selection: [toy-rule]
methods:
  - {method: toy-method, eta: [0.1, 0.01], toy_power: [0, 0.5]}
  - {method: adam, alpha: 0.01}
reports:
  - {name: toys, kind: toy-kind}
`

// TestOnePlace adds the toys to the tree, builds the programs, and uses the toys in a run.
func TestOnePlace(t *testing.T) {
	if testing.Short() {
		t.Skip("builds both programs with additions")
	}
	w := workshop{t, t.TempDir()}
	w.build()
	w.write("toys.yaml", experiment)
	w.gdrun("simulate", "benchmark", "--trials", "2", "--train", "40", "--valid", "40", "--test", "40", "--out", "data")
	w.gdrun("plan", "toys.yaml", "--data", "data", "--out", "run")
	w.gdrun("local", "run")
	if printed := w.run("gdmerge", "run", "--out", "report", "--csv", "--format", "toy-table"); printed != "a toy of 2 rows\n" {
		t.Errorf("gdmerge printed %q", printed)
	}
	w.wants("run/plan.json", "toy_loss")
	w.wants("report/data/toys.txt", "Toy", "toy-rule", "A toy's legend.")
	w.wants("report/data/toys.toytable", "a toy of 2 rows")
	w.wants("report/report.html", "legend.")
	w.wants("report/data/results.csv", "toy_power", "toy-method")

	w.write("samples.toy", "1,2,-3\n-1,0,4\n1,3,-2\n-1,1,5\n1,2,-2\n-1,0,6\nstatus,a,b\n")
	w.write("edges.toy", "a,b\nsource,target\n")
	w.gdrun("import", "--samples", "samples.toy", "--edges", "edges.toy", "--label", "status", "--out", "data/mine")
}

// A workshop is a folder with programs of the tree and the toys.
type workshop struct {
	t   *testing.T
	dir string
}

// build lays the toys over the tree's files, which stay as they are.
func (w *workshop) build() {
	w.t.Helper()
	root := jobstest.Must1(filepath.Abs("../../.."))
	replace := map[string]string{}
	for _, toy := range toys {
		path := filepath.Join(root, toy.file)
		text := jobstest.Must1(os.ReadFile(path))
		if n := strings.Count(string(text), toy.after); n != 1 {
			w.t.Fatalf("%s: %d places for a %s, want 1, after %q", toy.file, n, toy.name, toy.after)
		}
		replace[path] = w.write(toy.name+".go", strings.Replace(string(text), toy.after, toy.after+toy.line, 1))
		added := filepath.Join(filepath.Dir(path), "toy"+toy.name+".go")
		if toy.name == "fileformat" {
			added = filepath.Join(root, "io/toy/toy.go")
		}
		replace[added] = jobstest.Must1(filepath.Abs(filepath.Join("testdata", toy.name+".txt")))
	}
	overlay := jobstest.Must1(json.Marshal(map[string]any{"Replace": replace}))
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-s -w",
		"-overlay", w.write("overlay.json", string(overlay)), "-o", w.dir+string(filepath.Separator), "./cmd/gdrun", "./cmd/gdmerge")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("%v\n%s", err, out)
	}
}

// write makes a file of the workshop and returns its path.
func (w *workshop) write(name, text string) string { return jobstest.WriteFile(w.t, w.dir, name, text) }

func (w *workshop) gdrun(args ...string) { w.t.Helper(); w.run("gdrun", args...) }

// run returns what a program prints on its standard output.
func (w *workshop) run(program string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command(filepath.Join(w.dir, program), args...)
	var stdout, stderr strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		w.t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, &stdout, &stderr)
	}
	return stdout.String()
}

// wants checks that a file holds words.
func (w *workshop) wants(name string, words ...string) {
	w.t.Helper()
	text := jobstest.Must1(os.ReadFile(filepath.Join(w.dir, name)))
	for _, word := range words {
		if !strings.Contains(string(text), word) {
			w.t.Errorf("%s lacks %q", name, word)
		}
	}
}
