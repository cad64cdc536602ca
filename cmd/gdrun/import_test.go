package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/reporting"
	"graphda/io/samples"
	"graphda/jobs"
	"graphda/jobs/jobstest"
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
	want := `data/mine: 12 features (0 isolated), 12 edges, 2 trials
samples of a trial: train 60 (24 positive), valid 20 (8 positive), test 20 (8 positive)
labels: "tumour" is +1, "normal" is −1
try: gdrun cell --dataset data/mine --method graphda --set gamma=100,s=3
`
	if o.stdout != want {
		t.Errorf("stdout\n%swant\n%s", o.stdout, want)
	}
	if !strings.HasPrefix(o.stderr, "2 of 2 trials in ") || !strings.Contains(o.stderr, "\nnote: 1 edge of e.csv left out, at 1 node that is no feature: unmeasured\n") {
		t.Errorf("stderr %q", o.stderr)
	}
	_, line, _ := strings.Cut(o.stdout, "try: gdrun ")
	ok(t, strings.Fields(line)...)
	jobstest.WriteFile(t, ".", "mine.yaml", "name: mine\nloss: logistic\ndatasets: [mine]\nmethods:\n  - {method: graphda, gamma: [10, 100], s: [4]}\n  - {method: adam, alpha: 0.01}\n"+
		"reports:\n  - {name: mine, kind: classification}\n")
	ok(t, "plan", "mine.yaml", "--data", "data")
	ok(t, "local", "runs/mine")
	r, err := jobs.Open("runs/mine")
	must(t, err)
	var out strings.Builder
	must(t, reporting.Make(&out, io.Discard, r, reporting.Options{Format: "csv", Out: "report"})) // what gdmerge does
	if !strings.Contains(out.String(), "graphda") && !strings.Contains(out.String(), "GraphDA") {
		t.Errorf("report\n%s", out.String())
	}
	if _, err := os.Stat("report/report.html"); err != nil {
		t.Error(err)
	}
}

func TestImportRegression(t *testing.T) {
	userTables(t)
	args := []string{"import", "--samples", "s.csv", "--edges", "e.csv", "--label", "G5", "--task", "regression", "--drop", "patient", "--drop", "status", "--out", "it's mine", "--split", "0.5,0.25,0.25"}
	o := ok(t, args...)
	want := `it's mine: 11 features (0 isolated), 10 edges, 1 trial
samples of a trial: train 50, valid 25, test 25
try: gdrun cell --dataset 'it'\''s mine' --method graphda --set gamma=100,s=2 --loss least_squares
`
	if o.stdout != want {
		t.Errorf("stdout\n%swant\n%s", o.stdout, want)
	}
	ok(t, "cell", "--dataset", "it's mine", "--method", "graphda", "--set", "gamma=100,s=2", "--loss", "least_squares")
}

// Of every import that fails there is one line, and nothing else.
func TestImportRefuses(t *testing.T) {
	const good = "id,y,a,b,c\nP1,1,1,2,3\nP2,1,4,5,6\nP3,1,4,5,7\nP4,0,1,2,3\nP5,0,4,5,6\nP6,0,7,8,9\n"
	const edges = "source,target,cost\na,b,1\nb,c,2\n"
	const split = "id,y,a,b,c,split\nP1,1,1,2,3,train\nP2,0,1,2,3,valid\nP3,1,1,2,3,test\n"
	for _, c := range []struct {
		samples, edges string
		flags          string // beside --drop id
		code           int
		want           string
	}{
		{good, edges, "--label z", 2, `label = "z", which is no column of s.csv; its columns are id, y, a, b, c`},
		{good, edges, "--drop z", 2, `drop = "z", which is no column of s.csv; its columns are id, y, a, b, c`},
		{good, edges, "--drop y", 2, `drop = "y", which is the label`},
		{good, edges, "--label split", 2, `label = "split"`},
		{good, edges, "--task ranking", 2, `task = "ranking", want classification or regression`},
		{good, edges, "--task regression --positive 1", 2, "for classification"},
		{good, edges, "--trials 0", 2, "trials = 0, want 1 to 100000"},
		{good, edges, "--split 0.5,0.5", 2, `split = "0.5,0.5", want three fractions as in 0.6,0.2,0.2`},
		{good, edges, "--split 0.5,0.5,0.5", 2, "want three fractions above 0 that sum to 1"},
		{good, edges, "--positive 2", 2, `positive = "2", but column "y" of s.csv has "1" and "0"`},
		{jobstest.Replace(t, good, "P1,1", "P1,x"), edges, "", 1, `s.csv: line 5, column "y": is "0", beside "x" and "1"; want two classes, or numbers with --task regression`},
		{strings.NewReplacer(",1,", ",x,", ",0,", ",y,").Replace(good), edges, "--drop a", 2, `has the values "x" and "y"; which of them is +1 is told by --positive "x" or --positive "y"`},
		{strings.ReplaceAll(good, ",0,", ",1,"), edges, "", 1, `s.csv: column "y": is "1" in every row, want two classes`},
		{jobstest.Replace(t, good, "P2,1", "P2,NA"), edges, "", 1, `s.csv: line 3, column "y": is "NA": a missing label`},
		{jobstest.Replace(t, good, "P2,1", "P2,x"), edges, "--task regression", 1, `s.csv: line 3, column "y": is "x", want a finite decimal number`},
		{jobstest.Replace(t, good, "7,8,9", "7,,9"), edges, "", 1, `s.csv: line 7, column "b": is "": a missing value; fill it in`},
		{jobstest.Replace(t, good, "7,8,9", "7,NaN,9"), edges, "", 1, `s.csv: line 7, column "b": is "NaN": a missing value`},
		{jobstest.Replace(t, good, "7,8,9", "7,male,9"), edges, "", 1, `s.csv: line 7, column "b": is "male", want a finite decimal number; a column that is no feature is left out by --drop "b"`},
		{jobstest.Replace(t, good, "7,8,9", "7,inf,9"), edges, "", 1, `s.csv: line 7, column "b": is "inf", want a finite decimal number`},
		{jobstest.Replace(t, good, "7,8,9", "7,8"), edges, "", 1, "s.csv: line 7: has 4 fields, want 5 as in line 1"},
		{jobstest.Replace(t, good, "7,8,9", "7,8,\"9"), edges, "", 1, "s.csv: line "},
		{jobstest.Replace(t, good, ",b,", ",a,"), edges, "", 1, `s.csv: column "a": stands twice in the file`},
		{jobstest.Replace(t, good, ",b,", ",y,"), edges, "", 1, `s.csv: column "y": stands twice in the file`},
		{jobstest.Replace(t, good, ",b,", ",,"), edges, "", 1, "s.csv: column 4 has no name"},
		{jobstest.Replace(t, good, ",b,", ",b\xff,"), edges, "", 1, "UTF-8"},
		{"", edges, "", 1, "s.csv: is empty, want a row of column names"},
		{"id,y,a\n", edges, "", 1, "s.csv: has no rows"},
		{"id,y\nP1,1\n", edges, "", 1, "s.csv: has no column for a feature, only id, y"},
		{jobstest.Replace(t, good, "P1,1,1,2,3\n", ""), edges, "", 1, `s.csv: has 2 rows of class "1", want at least 3, one for each split`},
		{split, edges, "--trials 2", 2, `trials = 2 is for samples without a column "split"`},
		{split, edges, "--split 0.6,0.2,0.2", 2, `split = 0.6,0.2,0.2 is for samples without a column "split"`},
		{jobstest.Replace(t, split, "valid", "dev"), edges, "", 1, `s.csv: line 3, column "split": is "dev", want train, valid or test`},
		{jobstest.Replace(t, split, "valid", "train"), edges, "", 1, `s.csv: column "split": no row is "valid"`},
		{good, "", "", 1, "e.csv: is empty"},
		{good, "from,to\na,b\n", "", 1, `e.csv: has no column "source"; its columns are from, to`},
		{good, "source,target\nx,y\n", "", 1, "e.csv: has no edge between two features; its nodes are named like x, y; features are named like a, b, c"},
		{good, "source,target\na,a\n", "", 1, "e.csv: has no edge between two features; features are named like a, b, c"},
		{good, jobstest.Replace(t, edges, "b,c,2", "b,c,-2"), "", 1, `e.csv: line 3, column "cost": is -2, want a finite number of at least 0`},
		{good, jobstest.Replace(t, edges, "b,c,2", "b,,2"), "", 1, `e.csv: line 3, column "target": is empty`},
		{good, edges + "c,b,3\n", "", 1, `e.csv: line 4, column "cost": is 3 for the edge between "c" and "b", which has 2 in line 3; an edge has one cost`},
		{good, edges, "--features gone.csv", 2, "gone.csv"},
		{good, edges, "--groups e.csv", 1, `e.csv: has no column "feature"; its columns are source, target, cost`},
		{good, edges, "--features s.txt", 2, "s.txt is of no known kind; want a name that ends with .csv"},
	} {
		t.Run(c.want, func(t *testing.T) {
			t.Chdir(t.TempDir())
			jobstest.WriteFile(t, ".", "s.csv", c.samples)
			jobstest.WriteFile(t, ".", "e.csv", c.edges)
			args := append([]string{"import", "--samples", "s.csv", "--edges", "e.csv", "--out", "data/mine"}, strings.Fields(c.flags)...)
			if strings.HasPrefix(c.samples, "id") {
				args = append(args, "--drop", "id")
			}
			refused(t, c.code, args, c.want)
			if _, err := os.Stat("data"); err == nil {
				t.Error("something was written")
			}
		})
	}
}

// A dataset that is there stays as it is, and flags that are lacking are named.
func TestImportUsage(t *testing.T) {
	userTables(t)
	ok(t, importArgs...)
	before := tree(t)
	refused(t, command.Usage, importArgs, "data/mine is there already")
	refused(t, command.Usage, []string{"import", "--samples", "s.csv", "--out", "x"}, "--edges is missing")
	refused(t, command.Usage, []string{"import", "s.csv"}, `unexpected argument "s.csv"`)
	refused(t, command.Usage, []string{"import", "--samples", "gone.csv", "--edges", "e.csv", "--out", "x"}, "gone.csv")
	if after := tree(t); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("the folder is %v, was %v", after, before)
	}
	ds, err := samples.Open("data/mine")
	must(t, err)
	if len(ds.Trials) != 1 {
		t.Errorf("%d trials", len(ds.Trials))
	}
}
