package learnertest

import (
	"slices"
	"strings"
	"testing"

	"graphda/learners"
)

// checkSnapshot: a learner that is restored from a snapshot, on a workspace of its own, goes on with the bits
// of the one that the snapshot was taken of, whatever has become of that one since. It is taken before the
// first sample, after it, and later.
func checkSnapshot(t *testing.T, s *subject) {
	want := stateOf(s.pass(t))
	for _, at := range []int{0, 1, 7, samples / 2, samples} {
		before := s.learner(t, learners.NewWorkspace(s.problem))
		for k := range at {
			must(t, before.Learn(s.x[k], s.y[k]))
		}
		snapshot := before.Snapshot()
		for k := at; k < samples; k++ { // which must not change the snapshot
			must(t, before.Learn(s.x[k], s.y[k]))
		}
		after := s.learner(t, learners.NewWorkspace(s.problem))
		must(t, after.Restore(snapshot))
		for k := at; k < samples; k++ {
			must(t, after.Learn(s.x[k], s.y[k]))
		}
		got, rest := stateOf(after), *want
		rest.account, rest.accountBar = since(want.account, at), since(want.accountBar, at)
		wantSame(t, "a learner that goes on", got, &rest)
	}
}

// since returns an account without the places of mistakes in the first samples.
func since(a learners.Account, at int) learners.Account {
	a.MistakeAt = slices.DeleteFunc(slices.Clone(a.MistakeAt), func(t int32) bool { return int(t) <= at })
	return a
}

// checkForeignSnapshot: a snapshot that lacks something, has something else, or is of another number of
// features is refused by name.
func checkForeignSnapshot(t *testing.T, s *subject) {
	for name, spoil := range map[string]func(*learners.Snapshot){
		"w_sum":   func(n *learners.Snapshot) { delete(n.Vectors, "w_sum") },
		"support": func(n *learners.Snapshot) { n.Sets["support"] = []int32{4, 2} },
		"samples": func(n *learners.Snapshot) { n.Numbers["samples"] = -1 },
		"other":   func(n *learners.Snapshot) { n.Numbers["other"] = 1 },
		"w":       func(n *learners.Snapshot) { n.Vectors["w"] = n.Vectors["w"][1:] },
	} {
		snapshot := s.pass(t).Snapshot()
		spoil(snapshot)
		err := s.learner(t, learners.NewWorkspace(s.problem)).Restore(snapshot)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a snapshot of which %s is spoilt: %v", name, err)
		}
	}
}

// checkEndless: an endless pass is the same one, but for the list of mistakes.
func checkEndless(t *testing.T, s *subject) {
	l := s.learner(t, learners.NewWorkspace(s.problem))
	l.Endless()
	for k, x := range s.x {
		must(t, l.Learn(x, s.y[k]))
	}
	want := stateOf(s.pass(t))
	want.account.MistakeAt, want.accountBar.MistakeAt = nil, nil
	wantSame(t, "an endless pass", stateOf(l), want)
}
