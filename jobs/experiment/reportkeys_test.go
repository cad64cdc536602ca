package experiment

import (
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

// What a report could not show is refused before the first cell runs.
func TestReportsThatShowNothing(t *testing.T) {
	regression := strings.Replace(jobstest.Experiment, "loss: logistic", "loss: least_squares", 1)
	for _, c := range []struct{ text, report, want string }{
		{jobstest.Experiment, "kind: models, models: [wbar]", "tiny.yaml:20: ; kind models has no models"},
		{jobstest.Experiment, "kind: truth, log: true", "tiny.yaml:20: ; kind truth has no log"},
		{jobstest.Experiment, "kind: network, columns: 3", "tiny.yaml:20: ; kind network has no columns"},
		{jobstest.Experiment, "kind: regret, models: [w]", "tiny.yaml:20: ; kind regret has no models"},
		{jobstest.Experiment, "kind: checkpoints, measure: f1, columns: -3", "tiny.yaml:20: ; -3 columns"},
		{jobstest.Experiment, "kind: parameter, measure: f1, parameter: search", `tiny.yaml:20: ; "search" of numbers`},
		{jobstest.Experiment, "kind: parameter, measure: f1, parameter: t", `tiny.yaml:20: ; "t" of numbers`},
		{jobstest.Experiment, "kind: checkpoints, measure: f1, methods: [da-iht, stoiht]", "tiny.yaml:20: ; none of its methods"},
		{jobstest.Experiment, "kind: datasets", "tiny.yaml:20: ; kind datasets needs a measure and a parameter"},
		{jobstest.Experiment, "kind: ranks, measure: f1", "tiny.yaml:20: ; kind ranks needs at least 5 datasets, and there are"},
		{regression, "kind: mistakes", "tiny.yaml:20: ; kind mistakes under loss least_squares"},
	} {
		_, err := Parse("tiny.yaml", []byte(c.text+"  - {name: more, "+c.report+"}\n"), ScaleFull)
		wantError(t, err, append(strings.Split(c.want, "; "), "report more: ")...)
	}
	_, err := Parse("tiny.yaml", []byte(jobstest.Experiment+"  - {name: tiny.early, kind: truth}\n"), ScaleFull)
	wantError(t, err, "tiny.yaml:20: ", `"tiny.early"`, "dots and dashes")
}

// Of the reports that an experiment takes over, those of methods that it does not have go.
func TestReportsOfOtherMethods(t *testing.T) {
	e := must1(Parse("mine.yaml", []byte("name: mine\nlike: kegg\nmethods: [{method: adam, alpha: 0.1}]\n"), ScaleFull))
	if len(e.Reports) != 2 || e.Reports[0].Name != "kegg" || e.Reports[1].Name != "kegg-cost" {
		t.Errorf("reports %+v, want those of all methods, the table and the costs: the others are of six", e.Reports)
	}
}

// Of too few datasets there are no ranks: in a reduced form of an experiment, or one that is like
// another, they go without a word.
func TestReportsOfTooFewDatasets(t *testing.T) {
	const text = "name: mine\nlike: table1\ndatasets: [a, b, c, d, e]\nquick: {datasets: [a, b]}\n" +
		"reports: [{name: places, kind: ranks, measure: f1}, {name: rest, kind: truth}]\n"
	for scale, want := range map[string]int{ScaleFull: 2, ScaleQuick: 1} {
		e := must1(Parse("mine.yaml", []byte(text), scale))
		if len(e.Reports) != want {
			t.Errorf("%s: reports %+v, want %d", scale, e.Reports, want)
		}
	}
}
