package reports

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/table"
	"graphda/jobs/merge"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
)

// A pairTest is the comparison of two methods, paired by trial.
type pairTest struct {
	Measure  string // one of merge.MeasureNames
	Model    selection.Model
	A, B     merge.Series
	Trials   int              // in which the measure is defined for both
	Mean     float64          // of A − B over those trials; NaN if there is none
	Median   float64          // likewise
	P        float64          // of the paired test, two-sided; NaN if it cannot be made
	Holm     float64          // P, corrected over all pairs of methods
	Wilcoxon stats.SignedRank // what P is of; zero if trials are splits of the same samples
}

// pairTests are the comparisons of all methods of a frame with each other in key measures.
type pairTests struct {
	*frame
	All []pairTest // by measure; A before B in the order of the table's lines

	competing []line // those that do not know the truth
	oracles   []string
	questions []question
}

// A question is a measure in which methods are compared.
type question struct {
	entry
	best      int       // the line with the best mean
	means     []float64 // by line, of what the entry competes by
	pairs     int       // that could be compared
	decidable bool      // whether any of them may differ significantly
}

// newTests compares the methods in some measures. Methods that know the truth take no part. The result is
// nil if there are no two methods with results.
func newTests(f *frame, entries ...entry) *pairTests {
	t := &pairTests{frame: f}
	for _, l := range f.lines {
		if l.Oracle {
			t.oracles = append(t.oracles, l.Label)
		} else {
			t.competing = append(t.competing, l)
		}
	}
	for _, e := range entries {
		if q, tests := t.compare(e); q.pairs > 0 {
			t.questions = append(t.questions, q)
			t.All = append(t.All, tests...)
		}
	}
	if len(t.questions) == 0 {
		return nil
	}
	return t
}

// compare tests every pair of lines in a measure.
func (t *pairTests) compare(e entry) (question, []pairTest) {
	q := question{entry: e, best: -1}
	values := make([]map[int]float64, len(t.competing))
	for i, l := range t.competing {
		values[i] = map[int]float64{}
		merits := e.merits(l)
		for k, v := range merits {
			if !math.IsNaN(v) {
				values[i][l.Choices[k].Trial] = v
			}
		}
		mean := meanOf(defined(merits))
		q.means = append(q.means, mean)
		if !math.IsNaN(mean) && (q.best < 0 || float64(e.Better)*(mean-q.means[q.best]) > 0) {
			q.best = i
		}
	}
	trials := 0
	var tests []pairTest
	var p []float64
	for i, a := range t.competing {
		for j := i + 1; j < len(t.competing); j++ {
			b := t.competing[j]
			test := pairTest{Measure: e.Name, Model: e.model, A: a.Series, B: b.Series}
			test.compare(a.Choices, values[i], values[j], t.overlap)
			if test.Trials > 0 {
				q.pairs++
			}
			trials = max(trials, test.Trials)
			tests, p = append(tests, test), append(p, test.P)
		}
	}
	for i, corrected := range stats.Holm(p) {
		tests[i].Holm = corrected
	}
	q.decidable = decidable(trials, q.pairs, t.overlap)
	return q, tests
}

// compare fills in a test of values by trial, of trials of an overlap.
func (t *pairTest) compare(trials []merge.Choice, a, b map[int]float64, overlap float64) {
	var x, y, d []float64
	for i := range trials {
		v, ours := a[trials[i].Trial]
		w, theirs := b[trials[i].Trial]
		if ours && theirs {
			x, y, d = append(x, v), append(y, w), append(d, v-w)
		}
	}
	t.Trials, t.Mean, t.Median, t.P = len(d), math.NaN(), math.NaN(), math.NaN()
	if len(d) == 0 {
		return
	}
	if overlap == 0 {
		t.Wilcoxon, _ = stats.Wilcoxon(x, y) // of one length
		t.P = t.Wilcoxon.P
	} else {
		t.P, _ = stats.PairedSplits(x, y, overlap)
	}
	sum := 0.0
	for _, v := range d {
		sum += v
	}
	t.Mean = sum / float64(len(d))
	slices.Sort(d)
	t.Median = (d[(len(d)-1)/2] + d[len(d)/2]) / 2
}

// find returns the test of two lines in a measure, in either order; sign turns its
// differences into those of a − b.
func (t *pairTests) find(q question, a, b merge.Series) (test *pairTest, sign float64) {
	for i := range t.All {
		test := &t.All[i]
		switch {
		case test.Measure != q.Name || test.Model != q.model:
		case test.A == a && test.B == b:
			return test, 1
		case test.A == b && test.B == a:
			return test, -1
		}
	}
	return nil, 0
}

// table prints the tests of every method against the best of each column.
func (t *pairTests) table() *table.Table {
	made := t.head(", methods against the best")
	made.Columns = []table.Column{{Key: "method", Head: "Method", Words: true},
		{Key: "variant", Words: true, DataOnly: true}}
	made.Notes = t.notes()
	for _, q := range t.questions {
		key, group := q.Name+q.model.Suffix(), q.Head+" of "+q.model.String()
		made.Columns = append(made.Columns,
			table.Column{Key: key + "_best", Words: true, DataOnly: true},
			table.Column{Key: key + "_trials", Group: group, Head: "n"},
			table.Column{Key: key + "_difference", Group: group, Head: "diff"},
			table.Column{Key: key + "_median_difference", DataOnly: true},
			table.Column{Key: key + "_p", Group: group, Head: "p"},
			table.Column{Key: key + "_p_holm", Group: group, Head: "Holm"})
	}
	for i, l := range t.competing {
		row := []table.Cell{table.Label(l.Label, l.Name), table.Word(l.Variant)}
		for _, q := range t.questions {
			row = append(row, t.cells(q, i)...)
		}
		made.Rows = append(made.Rows, row)
	}
	return made
}

// cells are the entries of a line under a question.
func (t *pairTests) cells(q question, i int) []table.Cell {
	best := &t.competing[q.best]
	against := table.Word(strings.TrimSpace(best.Name + " " + best.Variant))
	if i == q.best {
		return []table.Cell{against, {}, table.Word("best"), {}, {}, {}}
	}
	test, sign := t.find(q, t.competing[i].Series, best.Series)
	return []table.Cell{
		against,
		table.Count(test.Trials),
		table.Of(sign*test.Mean, table.Signed(q.print)),
		exact(sign * test.Median),
		table.Of(test.P, probability),
		table.Of(test.Holm, probability),
	}
}

// probability prints a p-value with three decimals, a small one with two digits.
func probability(p float64) string {
	if p >= 0.001 {
		return table.Fixed(3)(p)
	}
	return strconv.FormatFloat(p, 'e', 1, 64)
}

// data is all tests for programs: one line a pair of methods and measure.
func (t *pairTests) data() *table.Table {
	made := &table.Table{
		Name:  t.Name,
		Title: t.Title,
		Columns: dataColumns(
			[]string{"dataset", "rule", "measure", "model", "method", "variant", "other", "other_variant", "computed"},
			"dataset", "checkpoint", "rule", "measure", "model", "method", "variant", "other", "other_variant", "trials",
			"difference", "median_difference", "pairs", "w_plus", "w_minus", "p", "p_holm", "computed"),
	}
	for i := range t.All {
		test := &t.All[i]
		w := &test.Wilcoxon
		computed, pairs, plus, minus := "approximately", table.Count(w.Pairs), exact(w.Plus), exact(w.Minus)
		switch {
		case t.overlap != 0: // no ranks
			computed, pairs, plus, minus = "by corrected t", table.Cell{}, table.Cell{}, table.Cell{}
		case w.Exact:
			computed = "exactly"
		}
		if test.Trials == 0 {
			computed = ""
		}
		made.Rows = append(made.Rows, []table.Cell{
			table.Word(t.Dataset), table.Count(t.Checkpoint), table.Word(t.summary.Rule.String()),
			table.Word(test.Measure),
			table.Word(test.Model.Name()), table.Word(test.A.Method), table.Word(test.A.Variant),
			table.Word(test.B.Method), table.Word(test.B.Variant), table.Count(test.Trials),
			exact(test.Mean), exact(test.Median), pairs, plus, minus,
			exact(test.P), exact(test.Holm), table.Word(computed),
		})
	}
	return made
}
