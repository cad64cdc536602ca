package tablekinds

import (
	"fmt"

	"graphda/io/table"
	"graphda/jobs/reports/source"
)

// markBest marks the best value of each entry. It also marks values that are printed alike or are not significantly
// worse. `first` is the index of the first entry's column. Oracles do not compete.
func markBest(t *table.Table, first int, f *frame, entries []Entry) {
	all := competitors(f)
	tested, columns := 0, 0
	for k, e := range entries {
		q, defined := all.compare(e), 0
		for _, l := range all.competing {
			defined += min(e.Stat(l.Group).N, 1)
		}
		if q.best < 0 || defined < 2 {
			continue
		}
		columns++
		if q.decidable {
			tested++
		}
		i := 0 // index in all.competing
		for row, l := range f.lines {
			if !source.Oracle(l.Method) {
				t.Rows[row][first+k].Best = q.asGood(i)
				i++
			}
		}
	}
	t.Best = bestNote(tested, columns, f.overlap)
}

func (q *question) asGood(i int) bool {
	if i == q.best || q.Print(q.means[i]) == q.Print(q.means[q.best]) {
		return true
	}
	test, _ := q.find(i, q.best)
	return q.decidable && test.Holm >= Level
}

// NotWorse ends the explanation of bold values if there are tests.
const NotWorse = ", or not significantly worse"

// bestNote explains the marks. `columns` is the number of columns with marks, and `tested` the number of columns in
// which a test could show that a value is worse.
func bestNote(tested, columns int, overlap float64) string {
	const best = "the best of its column, at printed precision"
	if tested == 0 {
		return fmt.Sprintf("%s; with so few trials no test between methods can have p < %v", best, Level)
	}
	where, name := "", "Wilcoxon's test"
	if tested < columns {
		where = " where there are enough trials for p < 0.05"
	}
	if overlap != 0 {
		name = "the corrected t-test"
	}
	return fmt.Sprintf("%s%s%s: %s of paired trials, with Holm's correction for all pairs of methods, has p ≥ %v",
		best, NotWorse, where, name, Level)
}
