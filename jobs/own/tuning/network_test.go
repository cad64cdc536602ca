package tuning

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/model"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/choice"
	"graphda/jobs/own/learning"
	"graphda/learners"
)

// gated writes samples of 10 × 12 features, in which a 5 × 4 part of the grid is shifted. If wrong is set, the names of
// the grid are permuted.
func gated(t *testing.T, wrong bool) string {
	d := tuneDrawing{rows: 10, columns: 12, units: 120, each: 1, positives: 0.5, shift: 0.7, side: 4, splits: 5}
	dir := filepath.Join(t.TempDir(), "mine")
	d.write(t, dir, rand.New(rand.NewPCG(5, 6)))
	if wrong {
		g, name := graph.Grid(d.rows, d.columns), rand.New(rand.NewPCG(7, 8)).Perm(d.rows*d.columns)
		edges := slices.Clone(g.Edges())
		for i, e := range edges {
			edges[i] = graph.Edge{U: int32(name[e.U]), V: int32(name[e.V])}
		}
		jobstest.WriteStructure(t, dir, must1(graph.New(g.NumNodes(), edges, nil)), nil)
	}
	return dir
}

// With the right network, GraphDA is tried. With permuted names it is not tried, unless the user asks for it. The notes
// are the same with any number of workers.
func TestGate(t *testing.T) {
	onNetwork := func(a *Answer) bool {
		return slices.ContainsFunc(a.Tried, func(s Tried) bool { return s.Method.Name == "graphda" })
	}
	right := tune(t, Request{Dataset: gated(t, false), Workers: 3})
	if !right.Network.Helps() || right.Network.Dropped || !onNetwork(right) {
		t.Errorf("the right network: %+v", right.Network)
	}
	jobstest.WantText(t, right.Printed().Lead(), "Network: 120 features, 120 with an edge, 120 in the largest part; GraphDA ",
		"The network helps to predict and to select steadily: it beats 11 of 11 networks with permuted names. By chance this "+
			"happens once in 12 datasets.", "GraphDA has AUC 0.")
	if !slices.ContainsFunc(right.Tried, func(s Tried) bool { return s.Components == 3 && s.F == right.Network.F }) {
		t.Error("several trees were not tried")
	}
	dir := gated(t, true)
	wrong := tune(t, Request{Dataset: dir})
	if wrong.Network.Helps() || !wrong.Network.Dropped || onNetwork(wrong) || wrong.Chosen.Method.Name == "graphda" {
		t.Errorf("permuted names: %+v, chosen %v", wrong.Network, wrong.Chosen.Setting)
	}
	jobstest.WantText(t, wrong.Printed().Lead(), fmt.Sprintf("The network is not shown to help to predict and select: "+
		"%d of %d networks",
		wrong.Network.AsGood(), len(wrong.Network.Permuted)),
		"GraphDA was not tried; --method graphda tries it.")
	asked := tune(t, Request{Dataset: dir, Methods: []string{"graphda"}})
	if fmt.Sprint(asked.Network.Permuted) != fmt.Sprint(wrong.Network.Permuted) || asked.Network.Dropped || !onNetwork(asked) {
		t.Errorf("asked for: %+v, want as %+v", asked.Network, wrong.Network)
	}
	if lead := asked.Printed().Lead(); strings.Contains(lead, "was not tried") || strings.Contains(asked.Verdict(), "part") {
		t.Errorf("asked for: %s\n%s", asked.Verdict(), lead)
	}
	var csv strings.Builder
	must(t, asked.Network.Table("AUC", true).Write(&csv, "csv"))
	if lines := strings.Split(csv.String(), "\n"); !strings.HasPrefix(lines[0], "network,score,") || len(lines) != 5 {
		t.Errorf("network.csv: %s", csv.String())
	}
}

// Features that vary are within reach. On a network, only features of the largest parts are within reach.
func TestReach(t *testing.T) {
	on, off := must1(learners.Lookup("graphda")), must1(learners.Lookup("da-iht"))
	g := must1(graph.New(9, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 3, V: 4}, {U: 5, V: 6}, {U: 6, V: 7}, {U: 5, V: 7}}, nil))
	sp := &learning.Split{Problem: &learners.Problem{P: 9, Graph: g}}
	sp.Train = samples.Block{P: 9, X: make([]float64, 18), Y: []float64{-1, 1}}
	for j := range 9 {
		if j != 2 {
			sp.Train.X[9+j] = 1
		}
	}
	tu := &Tuner{p: 9, Answer: &Answer{}}
	tu.survey(sp)
	tu.rows = 7
	n := tu.Answer.Network
	if n.Features != 8 || n.Nodes != 7 || !slices.Equal(n.Parts, []int{3, 2, 2, 1}) {
		t.Errorf("%+v", n)
	}
	for _, test := range []struct {
		s     learning.Setting
		reach int
	}{
		{learning.Setting{Method: on}, 3}, {learning.Setting{Method: on, Components: 3}, 7},
		{learning.Setting{Method: on, Components: 30}, 8}, {learning.Setting{Method: off}, 8},
	} {
		if got := tu.reach(test.s); got != test.reach {
			t.Errorf("%v reaches %d, want %d", test.s, got, test.reach)
		}
		most := min(0.9*float64(test.reach), 7) // and no more than there are samples
		if tu.unfit(test.s, most) || !tu.unfit(test.s, most+0.01) {
			t.Errorf("%v: at most %v features are fit", test.s, most)
		}
	}
	settings := n.Settings(on, 3, 1)
	for _, s := range settings {
		if s.S < 1 || float64(s.S) > 0.9*float64(tu.reach(s)) || s.S < s.Components {
			t.Errorf("the gate compares by %v", s)
		}
	}
	if len(settings) == 0 {
		t.Error("the gate has no settings")
	}
}

// The user gets the requested number of features, or at most the requested limit, or an error.
func TestSizes(t *testing.T) {
	dir := dataset(t, jobstest.Spec{Trials: 2})
	for _, test := range []struct {
		req  Request
		want string
	}{
		{Request{MaxFeatures: 3}, ""}, {Request{Size: 5}, ""}, {Request{Size: 20}, ""},
		{Request{MaxFeatures: 12, Methods: []string{"l1-rda"}}, ""}, {Request{Size: 4, Methods: []string{"graphda"}}, ""},
		{Request{MaxFeatures: 1, Methods: []string{"l1-rda"}}, "none selects at most 1 features; da-iht can"},
		{Request{Size: 20, Methods: []string{"graphda"}}, "none selects just 20 features; da-iht can"},
		{Request{Size: 3, Methods: []string{"l1-rda"}}, "l1-rda cannot select a given number of features"},
		{Request{Size: 3, MaxFeatures: 3}, "want only one of them"}, {Request{Size: 37}, "mine has 36"},
	} {
		test.req.Dataset = dir
		a, err := Tune(context.Background(), test.req)
		if test.want != "" {
			jobstest.WantError(t, err, test.want)
			continue
		}
		must(t, err)
		n := len(learning.Support(&learners.Model{W: a.Model.Find(model.W).W}))
		if n == 0 || test.req.Size > 0 && n != test.req.Size || test.req.MaxFeatures > 0 && n > test.req.MaxFeatures {
			t.Errorf("size %d, at most %d: %d features", test.req.Size, test.req.MaxFeatures, n)
		}
	}
}

// If all settings of a grid are dropped, the grid is still extended where its best value is at an end.
func TestDroppedGridIsExtended(t *testing.T) {
	ctx := context.Background()
	tu := must1(New(Request{Dataset: dataset(t, jobstest.Spec{Trials: 5}), Methods: []string{"da-iht"}}))
	best := Tried{Setting: learning.Setting{Method: must1(learners.Lookup("l1-rda"))}, Splits: 5} // better than any
	for range 5 {
		best.valid, best.test = append(best.valid, 2), append(best.test, 2)
		best.supports, best.weights = append(best.supports, []int32{0}), append(best.weights, []float64{1})
	}
	tu.Answer.Tried = []Tried{best}
	must(t, tu.search(ctx, tu.grids))
	extended := 0
	for _, s := range tu.Answer.Tried[1:] {
		if s.Splits != soonest {
			t.Errorf("%v was learned on %d splits", s.Setting, s.Splits)
		}
		if s.S < choice.Sizes[0] {
			extended++
		}
	}
	if extended == 0 {
		t.Errorf("no smaller size was tried: %v", tu.Answer.Notes)
	}
}

// GraphDA finds 64 supports in one pass over labels. It finds one after each sample in several passes, for numbers, and
// in a model that learn continues.
func TestEvery(t *testing.T) {
	on := must1(learners.Lookup("graphda"))
	y := make([]float64, 200)
	for _, test := range []struct {
		loss   learners.Loss
		s      learning.Setting
		each   bool
		rounds int
		want   float64
	}{
		{learners.Logistic{}, learning.Setting{}, false, 200, 3}, {learners.Logistic{}, learning.Setting{}, true, 200, 1},
		{learners.Logistic{}, learning.Setting{}, false, 400, 1}, {learners.LeastSquares{}, learning.Setting{}, false, 200, 1},
		{learners.LeastSquares{}, learning.Setting{Supports: 10}, false, 4000, 400},
	} {
		test.s.Method, test.s.F, test.s.S = on, 3, 5
		sp := &learning.Split{Loss: test.loss, Variance: 1, LambdaMax: 1, Each: test.each}
		sp.Train = samples.Block{P: 1, X: y, Y: y}
		if got := must1(test.s.Fill(sp, test.rounds)).Get("every"); got != test.want {
			t.Errorf("%+v: every %v", test, got)
		}
	}
}
