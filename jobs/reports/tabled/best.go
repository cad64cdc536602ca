package tabled

import (
	"fmt"

	"graphda/io/table"
)

// markBest marks in every column of entries, the first of which is given, the best value, those
// that are not significantly worse, and those that print the same. Lines that know the truth do
// not compete.
func markBest(t *table.Table, first int, found []Line, entries []Entry, overlap float64) {
	var competing []int
	contest := pairTests{frame: &frame{overlap: overlap}}
	for i, l := range found {
		if !l.Oracle {
			competing = append(competing, i)
			contest.competing = append(contest.competing, l)
		}
	}
	tested, columns := 0, 0
	for k, e := range entries {
		q, tests := contest.compare(e)
		if q.best < 0 || !e.contested(contest.competing) {
			continue
		}
		contest.All = tests
		columns++
		if q.decidable {
			tested++
		}
		for i, row := range competing {
			t.Rows[row][first+k].Best = contest.asGood(q, i)
		}
	}
	t.Best = bestNote(tested, columns, overlap)
}

// contested tells whether the measure is defined in more than one line.
func (e *Entry) contested(found []Line) bool {
	n := 0
	for _, l := range found {
		if e.Stat(l.Group).N > 0 {
			n++
		}
	}
	return n > 1
}

// asGood tells whether a line's mean is the best of a question, prints the same, or is not
// significantly worse.
func (t *pairTests) asGood(q question, i int) bool {
	if i == q.best || q.Print(q.means[i]) == q.Print(q.means[q.best]) {
		return true
	}
	test, _ := t.find(q, t.competing[i].Series, t.competing[q.best].Series)
	return q.decidable && test.Holm >= Level
}

// NotWorse is said of the mark of best values where tests can tell which values are worse.
const NotWorse = ", or not significantly worse"

// bestNote says what the mark of best values means, if tests could tell in some of the columns
// which values are worse.
func bestNote(tested, columns int, overlap float64) string {
	const best = "the best of its column, at printed precision"
	switch where := ""; {
	case tested == 0:
		return fmt.Sprintf("%s; with so few trials no test between methods can have p < %v", best, Level)
	default:
		if tested < columns {
			where = " where there are trials enough for p < 0.05"
		}
		name := "Wilcoxon's test of trials in pairs"
		if overlap != 0 {
			name = "the corrected t-test of trials in pairs"
		}
		return fmt.Sprintf("%s%s%s: %s, corrected by Holm's method over all pairs of methods, has p ≥ %v", best, NotWorse,
			where, name, Level)
	}
}
