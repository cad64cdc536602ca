package tuning

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/model"
	"graphda/jobs/jobstest"
	"graphda/jobs/online"
	"graphda/learners"
)

// Without a feature the model is that of samples where the feature is always 0 and has no edges, and what has
// changed is told.
func TestWithout(t *testing.T) {
	for _, method := range []string{"da-iht", "l1-rda", "graphda", "da-gl"} {
		dir := dataset(t, jobstest.Spec{Trials: 2, Targets: method == "da-iht"})
		a := tune(t, Request{Dataset: dir, Methods: []string{method}, Passes: 2})
		m := a.Model
		gone := slices.IndexFunc(m.Find(model.W).W, func(w float64) bool { return w != 0 })
		r, err := Without(context.Background(), m, dir, m.Features[gone])
		must(t, err)

		sp, err := wholeOf(m, dir, a.Loss)
		must(t, err)
		var edges []graph.Edge
		for _, e := range sp.problem.Graph.Edges() {
			if int(e.U) != gone && int(e.V) != gone {
				edges = append(edges, e)
			}
		}
		g, err := graph.New(sp.problem.P, edges, nil)
		must(t, err)
		zero := *sp
		zero.problem = &learners.Problem{P: sp.problem.P, Graph: g, Groups: sp.problem.Groups}
		zero.train.X = slices.Clone(sp.train.X)
		for i := range zero.train.Rows() {
			zero.train.X[i*sp.train.P+gone] = 0
		}
		if method == "da-gl" { // whose groups' sizes tell
			zero.problem.Groups = slices.Clone(sp.problem.Groups)
			for k, group := range zero.problem.Groups {
				zero.problem.Groups[k] = slices.DeleteFunc(slices.Clone(group), func(j int32) bool { return int(j) == gone })
			}
		}
		settings, err := online.Settings(m.State)
		must(t, err)
		want, err := zero.again(settings, 2)
		must(t, err)
		less, err := sp.without(int32(gone))
		must(t, err)
		got, err := less.again(settings, 2)
		must(t, err)
		kept, gained := 0, 0
		for j, w := range want.W {
			if j == gone {
				continue
			}
			v := got.W[j-b2i(j > gone)]
			if math.Abs(v-w) > 1e-9 && method != "graphda" { // whose heads have half of the features
				t.Errorf("%s: weight %v of feature %d, want %v", method, v, j, w)
			}
			before := m.Find(model.W).W[j]
			kept += b2i(before != 0 && v != 0)
			gained += b2i(before == 0 && v != 0)
		}
		told := 0
		for _, c := range r.Changes {
			told += b2i(c.Gained)
			if c.Weight == 0 || math.Abs(c.Correlation) > 1 {
				t.Errorf("%s: %+v", method, c)
			}
		}
		if r.Kept != kept || told != gained || r.Weight != m.Find(model.W).W[gone] || !(r.Loss > 0 && r.Next > 0) {
			t.Errorf("%s: %+v, want %d kept and %d gained", method, r, kept, gained)
		}
		if !strings.HasPrefix(r.Lead(), "Without "+m.Features[gone]+" (weight ") || len(r.Table().Rows) != len(r.Changes) {
			t.Errorf("%s: %s", method, r.Lead())
		}
	}
}

func TestWithoutRefuses(t *testing.T) {
	dir, other := dataset(t, jobstest.Spec{Trials: 2}), dataset(t, jobstest.Spec{Trials: 2, Seed: 9})
	m := tune(t, Request{Dataset: dir, Methods: []string{"da-iht"}}).Model
	for _, test := range []struct {
		change           func(m *model.Model)
		dataset, feature string
		want             string
	}{
		{nil, dir, "n99", `the model has no feature "n99" (did you mean "n9"?)`},
		{nil, other, "n1", "is not what the model was fitted to"},
		{func(m *model.Model) { delete(m.Made, "passes") }, dir, "n1", "only a model of gdrun tune"},
		{func(m *model.Model) { m.State.Parameters["gamma"] = "77" }, dir, "n0", "cannot be fitted again as it was"},
	} {
		if test.change != nil {
			test.change(m)
		}
		if _, err := Without(context.Background(), m, test.dataset, test.feature); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
		m.Made["passes"] = "1"
	}
}

// A root is selected however little it says, its number follows its feature when another one goes, and it
// can not go itself.
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
		if _, err := Without(context.Background(), a.Model, dir, name); err == nil || !strings.Contains(err.Error(), "root") {
			t.Errorf("without the root: %v", err)
		}
		for gone := range w {
			if gone != j && w[gone] != 0 {
				r, err := Without(context.Background(), a.Model, dir, a.Model.Features[gone])
				must(t, err)
				if slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Name == name }) {
					t.Errorf("without %s the root is lost: %+v", r.Feature, r.Changes)
				}
			}
		}
	}
	for want, req := range map[string]Request{
		"did you mean": {Root: free.Model.Features[0] + "x"}, "l1-rda takes no root": {Root: free.Model.Features[0], Methods: []string{"l1-rda"}},
	} {
		req.Dataset = dir
		if _, err := Tune(context.Background(), req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", req, err, want)
		}
	}
}

func reversed(values []float64) []float64 {
	back := slices.Clone(values)
	slices.Reverse(back)
	return back
}
