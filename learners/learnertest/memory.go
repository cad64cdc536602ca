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
		s.learn(t, before, 0, at)
		snapshot := before.Snapshot()
		s.learn(t, before, at, samples) // which must not change the snapshot
		after := s.learner(t, learners.NewWorkspace(s.problem))
		must(t, after.Restore(snapshot))
		s.learn(t, after, at, samples)
		got, rest := stateOf(after), want
		rest.account, rest.accountBar = since(want.account, at), since(want.accountBar, at)
		wantSame(t, "a learner that goes on", got, rest)
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
	s.learn(t, l, 0, samples)
	want := stateOf(s.pass(t))
	want.account.MistakeAt, want.accountBar.MistakeAt = nil, nil
	wantSame(t, "an endless pass", stateOf(l), want)
}
