package source

import (
	"testing"

	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

// A report's name is part of its title only if it has no title of its own.
func TestTitle(t *testing.T) {
	for _, c := range []struct {
		experiment, title string
		reports           int
		want              string
	}{
		{"Mine", "", 1, "Mine"},
		{"Mine", "", 2, "Mine (scores)"},
		{"Mine", "Mine", 2, "Mine"},
		{"Mine", "Scores", 2, "Scores"},
		{"", "", 2, "scores"},
	} {
		e := experiment.Experiment{Title: c.experiment, Reports: make([]experiment.Report, c.reports)}
		src := &Source{Run: &run.Run{Plan: &plan.Plan{Experiment: &e}}}
		if got := src.Title(&experiment.Report{Name: "scores", Title: c.title}); got != c.want {
			t.Errorf("%q of %d reports in %q: %q, want %q", c.title, c.reports, c.experiment, got, c.want)
		}
	}
}
