package reports

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/learners"
)

// Claims that a run can decide are counted in a line, and have a table in files and on the page, behind the
// results; of fewer trials the line says that they are not tested. Where only some reports are asked for,
// nothing is said of them.
func TestClaimsAreShown(t *testing.T) {
	data := t.TempDir()
	jobstest.WriteDataset(t, filepath.Join(data, "graph01-mu0.3"), jobstest.Spec{Train: 400, Trials: 5})
	for _, trials := range []string{"[0, 1]", "[0, 1, 2, 3, 4]"} {
		run := finished(t, data, `name: small
loss: logistic
datasets: [graph01-mu0.3]
trials: `+trials+`
checkpoints: [400]
methods:
  - {method: graphda, gamma: 5, s: 4}
  - {method: da-iht, gamma: 5, s: 4}
  - {method: adam, alpha: 0.001}
reports: [{name: table, kind: classification}]
`)
		enough := len(run.Plan.Datasets[0].Trials) == 5
		book := must1(Make(run, Options{}))
		var text, whole, some bytes.Buffer
		must(t, book.Print(&text, "text", Extras{}))
		if !strings.Contains(text.String(), "\nThe paper's claims") || enough == strings.Contains(text.String(), "are not tested") {
			t.Errorf("of %s it prints\n%s", trials, &text)
		}
		must(t, book.Print(&whole, "text", Extras{Verbose: true}))
		if enough != strings.HasPrefix(whole.String(), "What the paper claims") {
			t.Errorf("of %s all of it is\n%s", trials, &whole)
		}
		paths, read := written(t, run, false)
		for _, name := range []string{"claims.txt", "claims.md", "claims.csv", "claims-comparisons.csv", "claims.arrow"} {
			there := slices.ContainsFunc(paths, func(path string) bool { return filepath.Base(path) == name })
			if there != enough {
				t.Errorf("of %s it writes %v; %s?", trials, paths, name)
			}
		}
		page := read(PageName)
		claims, results := strings.Index(page, `id="table-claims"`), strings.Index(page, `id="table-table"`)
		if enough != (claims > results) || strings.Contains(page, "are not tested") == enough {
			t.Errorf("of %s claims are at %d of the page, the table at %d", trials, claims, results)
		}
		book = must1(Make(run, Options{Reports: []string{"table"}}))
		must(t, book.Print(&some, "text", Extras{}))
		if strings.Contains(some.String(), "claims") {
			t.Errorf("asked for one report it prints\n%s", &some)
		}
	}
}

// Every claim is about results that a built-in experiment has.
func TestClaimsHaveExperiments(t *testing.T) {
	var built []*experiment.Experiment
	for _, name := range paper.Names() {
		e := must1(experiment.ReadBuiltIn(name, experiment.ScaleFull))
		built = append(built, e)
	}
	for _, c := range paper.Claims() {
		for _, d := range c.Datasets {
			if !slices.ContainsFunc(built, func(e *experiment.Experiment) bool { return hasResults(t, e, d, &c) }) {
				t.Errorf("%s: no built-in experiment has %s of %s at %v", c.Name, c.Measure, d, c.Checkpoints)
			}
		}
	}
}

// hasResults tells whether an experiment measures what a claim is about on a dataset. Measures of models are no
// column of its results.
func hasResults(t *testing.T, e *experiment.Experiment, dataset string, c *paper.Claim) bool {
	loss := must1(learners.LookupLoss(e.Loss))
	lacks := slices.ContainsFunc(c.Checkpoints, func(k int) bool { return !slices.Contains(e.Checkpoints, k) })
	measured := !slices.Contains(merge.MeasureNames(), c.Measure) || merge.MeasureOf(c.Measure).Under(loss.Classifies())
	return slices.Contains(e.Datasets, dataset) && !lacks && measured
}
