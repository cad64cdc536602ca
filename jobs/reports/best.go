package reports

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/io/table"
	"graphda/jobs/merge"
	"graphda/jobs/stats"
)

// level is the p-value from which a difference is not significant.
const level = 0.05

// merits are what the entry's values compete by, in the order of the line's choices: themselves,
// but of nonzeros their distance from the true share where that is known. To select nothing is no
// merit in that: a line that does so in any trial has none.
func (e *entry) merits(l line) []float64 {
	values := l.Values(e.Name, e.model)
	if e.Name != merge.NonzeroPercent {
		return values
	}
	if slices.Contains(values, 0) {
		return slices.Repeat([]float64{math.NaN()}, len(values))
	}
	for i := range values {
		if c := &l.Choices[i]; c.Support > 0 {
			values[i] = math.Abs(values[i] - 100*float64(c.Support)/float64(c.Features))
		}
	}
	return values
}

// markBest marks in every column of entries, the first of which is given, the best value, those
// that are not significantly worse, and those that print the same. Lines that know the truth do
// not compete.
func markBest(t *table.Table, first int, found []line, entries []entry, overlap float64) {
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
func (e *entry) contested(found []line) bool {
	n := 0
	for _, l := range found {
		if e.stat(l.Group).N > 0 {
			n++
		}
	}
	return n > 1
}

// asGood tells whether a line's mean is the best of a question, prints the same, or is not
// significantly worse.
func (t *pairTests) asGood(q question, i int) bool {
	if i == q.best || q.print(q.means[i]) == q.print(q.means[q.best]) {
		return true
	}
	test, _ := t.find(q, t.competing[i].Series, t.competing[q.best].Series)
	return q.decidable && test.Holm >= level
}

// notWorse is said of the mark of best values where tests can tell which values are worse.
const notWorse = ", or not significantly worse"

// bestNote says what the mark of best values means, if tests could tell in some of the columns
// which values are worse.
func bestNote(tested, columns int, overlap float64) string {
	const best = "the best of its column, at printed precision"
	switch where := ""; {
	case tested == 0:
		return fmt.Sprintf("%s; with so few trials no test between methods can have p < %v", best, level)
	default:
		if tested < columns {
			where = " where there are trials enough for p < 0.05"
		}
		name := "Wilcoxon's test of trials in pairs"
		if overlap != 0 {
			name = "the corrected t-test of trials in pairs"
		}
		return fmt.Sprintf("%s%s%s: %s, corrected by Holm's method over all pairs of methods, has p ≥ %v", best, notWorse,
			where, name, level)
	}
}

// meanOf returns the mean of values, exactly that of equal ones; NaN of none.
func meanOf(values []float64) float64 {
	if len(values) > 0 && slices.Min(values) == slices.Max(values) {
		return values[0]
	}
	return stat.Mean(values, nil)
}

// decidable tells whether any p-value below the level is possible for the clearest of so many pairs
// of lines that share so many trials.
func decidable(trials, pairs int, overlap float64) bool {
	if overlap != 0 {
		return trials > 1 && !math.IsNaN(overlap)
	}
	return stats.LeastP(trials)*float64(pairs) < level
}
