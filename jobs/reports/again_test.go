package reports

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

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
