package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"graphda/cmd/internal/reporting"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
)

// userTables makes a folder with samples and a network of twelve genes in a ring, of which
// the first four are raised in tumours, and goes there.
func userTables(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	const genes = 12
	var s, e strings.Builder
	s.WriteString("patient,status")
	e.WriteString("source,target\n")
	for j := range genes {
		fmt.Fprintf(&s, ",G%d", j)
		fmt.Fprintf(&e, "G%d,G%d\n", j, (j+1)%genes)
	}
	e.WriteString("G0,unmeasured\n")
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 100 {
		status, shift := "normal", 0.0
		if i%5 < 2 {
			status, shift = "tumour", 2.0
		}
		fmt.Fprintf(&s, "\nP%d,%s", i, status)
		for j := range genes {
			x := 7 + rng.NormFloat64()
			if j < 4 {
				x += shift
			}
			fmt.Fprintf(&s, ",%.4f", x)
		}
	}
	jobstest.WriteFile(t, ".", "s.csv", s.String()+"\n")
	jobstest.WriteFile(t, ".", "e.csv", e.String())
}

var importArgs = []string{"import", "--samples", "s.csv", "--edges", "e.csv", "--label", "status", "--positive", "tumour", "--drop", "patient", "--out", "data/mine"}

// From a user's own tables to the tables of a report.
func TestImportToReport(t *testing.T) {
	userTables(t)
	jobstest.WriteFile(t, ".", "f.csv", "name,truth\nG0,1\nG1,1\nG2,1\nG3,1\n")
	o := ok(t, append(importArgs, "--trials", "2", "--standardize", "--features", "f.csv")...)
	want := `read s.csv: 100 samples of 12 features, numbered as they stand there; labels by column "status"
read e.csv: edges by columns "source" and "target", all of cost 1; 12 of 13 nodes are features (92.3 %), 12 of 12 features are nodes (100 %)
data/mine: 12 features (0 isolated), 12 edges, 2 trials
samples of a trial: train 60 (24 positive), valid 20 (8 positive), test 20 (8 positive)
labels: "tumour" is +1, "normal" is −1
`
	if o.stdout != want {
		t.Errorf("stdout\n%swant\n%s", o.stdout, want)
	}
	if !strings.HasPrefix(o.stderr, "2 of 2 trials in ") || !strings.Contains(o.stderr, "\nnote: 1 edge of e.csv left out, at 1 node that is no feature: unmeasured\n") {
		t.Errorf("stderr %q", o.stderr)
	}
	_, line, _ := strings.Cut(o.stderr, "try: gdrun ")
	ok(t, strings.Fields(line)...)
	jobstest.WriteFile(t, ".", "mine.yaml", "name: mine\nloss: logistic\ndatasets: [mine]\nmethods:\n  - {method: graphda, gamma: [10, 100], s: [4]}\n  - {method: adam, alpha: 0.01}\n"+
		"reports:\n  - {name: mine, kind: classification}\n")
	ok(t, "plan", "mine.yaml", "--data", "data")
	ok(t, "local", "runs/mine")
	r, err := run.Open("runs/mine")
	must(t, err)
	var out strings.Builder
	must(t, reporting.Make(t.Context(), &out, io.Discard, r, reporting.Options{Format: "csv", Out: "report"})) // what gdmerge does
	if !strings.Contains(out.String(), "graphda") && !strings.Contains(out.String(), "GraphDA") {
		t.Errorf("report\n%s", out.String())
	}
	if _, err := os.Stat("report/report.html"); err != nil {
		t.Error(err)
	}
}
