package tuning

import (
	"fmt"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
	"graphda/jobs/own/fitting"
	"graphda/learners"
)

// Marginal tests are tuned by their level, which is no step size, and count every sample once, however often the others
// learn from them: a second pass would halve their p-values' errors.
func TestTuneMarginal(t *testing.T) {
	dir := dataset(t, jobstest.Spec{Trials: 3})
	a := tune(t, Request{Dataset: dir, Methods: []string{"marginal"}, Passes: 5})
	samples := a.Model.State.Numbers["samples_negative"] + a.Model.State.Numbers["samples_positive"]
	if want := fmt.Sprintf("all %v samples ", samples); !strings.HasPrefix(a.FitOn, want) {
		t.Errorf("%v samples counted, fitted on %s", samples, a.FitOn)
	}
	made := a.Model.Made
	if made["passes"] != "1" || made["q"] == "" || made["f"] != "" || made["r"] != "" {
		t.Errorf("made by %v", made)
	}
	if text := a.Chosen.Setting.String(); !strings.HasPrefix(text, "Marginal q=") {
		t.Errorf("setting %q", text)
	}
	for _, method := range Methods() {
		m := must1(learners.Lookup(method))
		if n := (fitting.Setting{Method: m}).Rounds(5); (n == 1) != (method == "marginal") {
			t.Errorf("%s: %d passes", method, n)
		}
	}
}
