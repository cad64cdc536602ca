package learnertest

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"graphda/graph"
	"graphda/learners"
)

func checkRepeats(t *testing.T, s *subject) {
	want := stateOf(s.pass(t))
	wantSame(t, "second pass", stateOf(s.pass(t)), want)
	ws := learners.NewWorkspace(s.problem)
	s.passOn(t, ws)
	wantSame(t, "second pass on one workspace", stateOf(s.passOn(t, ws)), want)
	if want.samples != len(s.x) {
		t.Errorf("%d samples after %d", want.samples, len(s.x))
	}
}

// checkTurns checks that two interleaved passes on one workspace give the same bits as two separate passes.
func checkTurns(t *testing.T, s *subject) {
	other := s.with(map[string]float64{"s": 4, "gamma": 80, "eta": 0.01, "lambda": 0.02})
	other.x, other.y = slices.Clone(s.x), slices.Clone(s.y)
	slices.Reverse(other.x)
	slices.Reverse(other.y)

	ws := learners.NewWorkspace(s.problem)
	a, b := s.learner(t, ws), other.learner(t, ws)
	for k := range s.x {
		must(t, a.Learn(s.x[k], s.y[k]))
		must(t, b.Learn(other.x[k], other.y[k]))
	}
	wantSame(t, "first of two in turns", stateOf(a), stateOf(s.pass(t)))
	wantSame(t, "second of two in turns", stateOf(b), stateOf(other.pass(t)))
}

// checkWorkers checks that concurrent passes on one problem give the same bits as separate passes. Under the race
// detector the check also finds data races.
func checkWorkers(t *testing.T, s *subject) {
	settings := s.settings(t)
	states := make([]state, 3)
	errs := make([]error, len(states))
	var workers sync.WaitGroup
	for i := range states {
		workers.Go(func() {
			l, err := learners.NewWorkspace(s.problem).NewLearner(settings, s.loss)
			for k := 0; k < len(s.x) && err == nil; k++ {
				err = l.Learn(s.x[k], s.y[k])
			}
			if errs[i] = err; err == nil {
				states[i] = stateOf(l)
			}
		})
	}
	workers.Wait()
	want := stateOf(s.pass(t))
	for i, got := range states {
		must(t, errs[i])
		wantSame(t, "a worker", got, want)
	}
}

func checkInputs(t *testing.T, s *subject) {
	s.pass(t)
	fresh := newSubject(s.method, s.loss)
	wantSame(t, "samples", s.x, fresh.x)
	wantSame(t, "targets", s.y, fresh.y)
	got, want := s.problem, fresh.problem
	wantSame(t, "edges", got.Graph.Edges(), want.Graph.Edges())
	wantSame(t, "costs", got.Graph.Costs(), want.Graph.Costs())
	wantSame(t, "groups", got.Groups, want.Groups)
	wantSame(t, "truth", got.Truth, want.Truth)
}

func checkRetains(t *testing.T, s *subject) {
	l := s.learner(t, learners.NewWorkspace(s.problem))
	shared := make([]float64, features)
	for k, x := range s.x {
		copy(shared, x)
		must(t, l.Learn(shared, s.y[k]))
		for i := range shared {
			shared[i] = math.NaN()
		}
	}
	wantSame(t, "samples in one slice", stateOf(l), stateOf(s.pass(t)))
}

func checkReading(t *testing.T, s *subject) {
	l := s.learner(t, learners.NewWorkspace(s.problem))
	stateOf(l)
	var average learners.Model
	for k, x := range s.x {
		must(t, l.Learn(x, s.y[k]))
		must(t, l.CheckFinite())
		l.Average(&average)
		average.Score(x)
		average.W[0] = 7
		l.Model().Score(x)
		l.Model().Nonzeros()
	}
	wantSame(t, "a pass that is looked at", stateOf(l), stateOf(s.pass(t)))
}

func checkMirrorFeatures(t *testing.T, s *subject) {
	want := stateOf(s.pass(t))
	s.x = negated(s.x)
	got := stateOf(s.pass(t))
	wantNegated(t, got, want, features)
	if got.w[features] != want.w[features] {
		t.Errorf("intercept %v, want %v", got.w[features], want.w[features])
	}
	wantSame(t, "account of w", got.account, want.account)
	wantSame(t, "account of w̄", got.accountBar, want.accountBar)
}

// checkMirrorTargets checks that negating all targets negates the model.
func checkMirrorTargets(t *testing.T, s *subject) {
	want := stateOf(s.pass(t))
	s.y = negated([][]float64{s.y})[0]
	got := stateOf(s.pass(t))
	wantNegated(t, got, want, features+1)
	if got.account.Loss != want.account.Loss {
		t.Errorf("cumulative loss %v, want %v", got.account.Loss, want.account.Loss)
	}
}

func wantNegated(t *testing.T, got, want state, n int) {
	t.Helper()
	for i := range n {
		if got.w[i] != -want.w[i] || got.wbar[i] != -want.wbar[i] {
			t.Fatalf("entries %v and %v at %d, want %v and %v", got.w[i], got.wbar[i], i, -want.w[i], -want.wbar[i])
		}
	}
}

func negated(rows [][]float64) [][]float64 {
	all := make([][]float64, len(rows))
	for k, row := range rows {
		all[k] = make([]float64, len(row))
		for i, v := range row {
			all[k][i] = -v
		}
	}
	return all
}

// checkRelabel checks that permuting the features (with graph, groups and truth) permutes the model, up to rounding.
// The samples have no ties.
func checkRelabel(t *testing.T, s *subject) {
	want := stateOf(s.pass(t))
	place := make([]int32, features) // new index of each feature
	for i := range place {
		place[i] = int32((i*17 + 5) % features)
	}
	s.relabel(t, place)
	got := stateOf(s.pass(t))
	for _, pair := range [][2][]float64{{got.w, want.w}, {got.wbar, want.wbar}} {
		back := make([]float64, features, features+1)
		for i := range back {
			back[i] = pair[0][place[i]]
		}
		wantClose(t, "a model in another order", append(back, pair[0][features]), pair[1], 1e-9)
	}
	if len(got.account.MistakeAt) != len(want.account.MistakeAt) {
		t.Errorf("mistakes at %v, want %v", got.account.MistakeAt, want.account.MistakeAt)
	}
}

func (s *subject) relabel(t *testing.T, place []int32) {
	t.Helper()
	moved := func(nodes []int32) []int32 {
		all := make([]int32, len(nodes))
		for k, i := range nodes {
			all[k] = place[i]
		}
		slices.Sort(all)
		return all
	}
	old := s.problem
	edges := slices.Clone(old.Graph.Edges())
	for i, e := range edges {
		edges[i] = graph.Edge{U: place[e.U], V: place[e.V]}
	}
	g := must1(graph.New(features, edges, old.Graph.Costs()))
	s.problem = &learners.Problem{P: features, Graph: g, Truth: moved(old.Truth)}
	for _, group := range old.Groups {
		s.problem.Groups = append(s.problem.Groups, moved(group))
	}
	for k, x := range s.x {
		s.x[k] = make([]float64, features)
		for i, v := range x {
			s.x[k][place[i]] = v
		}
	}
}

// checkSnapshot checks that a restored learner continues with the same bits as the original learner.
func checkSnapshot(t *testing.T, s *subject) {
	want := stateOf(s.pass(t))
	for _, at := range []int{0, 1, 7, samples / 2, samples} {
		before := s.learner(t, learners.NewWorkspace(s.problem))
		s.learn(t, before, 0, at)
		snapshot := before.Snapshot()
		s.learn(t, before, at, samples) // must not change the snapshot
		after := s.learner(t, learners.NewWorkspace(s.problem))
		must(t, after.Restore(snapshot))
		s.learn(t, after, at, samples)
		got, rest := stateOf(after), want
		rest.account, rest.accountBar = since(want.account, at), since(want.accountBar, at)
		wantSame(t, "a learner that goes on", got, rest)
	}
}

// since returns the account a without mistakes in the samples 1 to at.
func since(a learners.Account, at int) learners.Account {
	a.MistakeAt = slices.DeleteFunc(slices.Clone(a.MistakeAt), func(t int32) bool { return int(t) <= at })
	return a
}

// checkForeignSnapshot checks that Restore refuses a snapshot with a missing, unknown or invalid field,
// and names the field.
func checkForeignSnapshot(t *testing.T, s *subject) {
	for name, spoil := range map[string]func(*learners.Snapshot){
		"w_sum":   func(n *learners.Snapshot) { delete(n.Vectors, "w_sum") },
		"support": func(n *learners.Snapshot) { n.Sets["support"] = []int32{4, 2} },
		"samples": func(n *learners.Snapshot) { n.Numbers["samples"] = -1 },
		"other":   func(n *learners.Snapshot) { n.Numbers["other"] = 1 },
		"w":       func(n *learners.Snapshot) { n.Vectors["w"] = n.Vectors["w"][1:] },

		"mistakes":      func(n *learners.Snapshot) { n.Numbers["mistakes"] = 1e300 },
		"mistakes_wbar": func(n *learners.Snapshot) { n.Numbers["mistakes_wbar"] = 2.5 },
		"sparse":        func(n *learners.Snapshot) { n.Numbers["sparse"] = 7 },
	} {
		snapshot := s.pass(t).Snapshot()
		spoil(snapshot)
		err := s.learner(t, learners.NewWorkspace(s.problem)).Restore(snapshot)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a snapshot of which %s is spoilt: %v", name, err)
		}
	}
}

func checkEndless(t *testing.T, s *subject) {
	l := s.learner(t, learners.NewWorkspace(s.problem))
	l.Endless()
	s.learn(t, l, 0, samples)
	want := stateOf(s.pass(t))
	want.account.MistakeAt, want.accountBar.MistakeAt = nil, nil
	wantSame(t, "an endless pass", stateOf(l), want)
}

func checkUnaccounted(t *testing.T, s *subject) {
	l := s.learner(t, learners.NewWorkspace(s.problem))
	l.Unaccounted()
	s.learn(t, l, 0, samples)
	want := stateOf(s.pass(t))
	want.account, want.accountBar = learners.Account{}, learners.Account{}
	wantSame(t, "a pass without accounts", stateOf(l), want)
}
