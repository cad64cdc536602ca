package tuning

import (
	"context"
	"slices"
	"strings"
	"testing"

	"graphda/io/model"
	"graphda/jobs/jobstest"
)

// A root is selected however little it says.
func TestRoot(t *testing.T) {
	dir := dataset(t, jobstest.Spec{Trials: 2})
	free := tune(t, Request{Dataset: dir, Methods: []string{"graphda"}})
	root := slices.Index(free.Model.Find(model.W).W, 0)
	last := len(free.Model.Features) - 1 - slices.Index(reversed(free.Model.Find(model.W).W), 0)
	if root < 1 || last == root {
		t.Fatalf("features %d and %d are no roots to try", root, last)
	}
	for _, j := range []int{root, last} {
		name := free.Model.Features[j]
		a := tune(t, Request{Dataset: dir, Root: name})
		w := a.Model.Find(model.W).W
		if w[j] == 0 || a.Subgraph.Parts != 1 || a.Model.Made["root"] != name || !strings.Contains(a.Lead(), "select "+name) {
			t.Errorf("root %s has weight %v in %d parts: %s, %v", name, w[j], a.Subgraph.Parts, a.Lead(), a.Model.Made)
		}
		for i := range a.Features {
			if f := &a.Features[i]; f.Name == name && f.Frequency != 1 {
				t.Errorf("root %+v", f)
			}
		}
	}
	for want, req := range map[string]Request{
		"did you mean": {Root: free.Model.Features[0] + "x"}, "l1-rda takes no root": {Root: free.Model.Features[0], Methods: []string{"l1-rda"}},
	} {
		req.Dataset = dir
		jobstest.WantError(t, jobstest.Err(Tune(context.Background(), req)), want)
	}
}

func reversed(values []float64) []float64 {
	back := slices.Clone(values)
	slices.Reverse(back)
	return back
}
