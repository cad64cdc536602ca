package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/jobs/merge"
	"graphda/jobs/reports/tables"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
)

// A Test is the comparison of two methods, paired by trial.
type Test struct {
	Measure  string // one of merge.Measures
	Model    selection.Model
	A, B     merge.Series
	Trials   int     // in which the measure is defined for both
	Mean     float64 // of A − B over those trials; NaN if there is none
	Median   float64 // likewise
	Wilcoxon stats.SignedRank
	Holm     float64 // Wilcoxon's p, corrected over all pairs of methods; NaN without trials
}

// Tests are the comparisons of all methods with each other in a table's key measures.
type Tests struct {
	Options Options
	All     []Test // by measure; A before B in the order of the table's lines

	rule      string
	subtitle  string
	lines     []line // that compete
	oracles   []string
	questions []question
}

// A question is a measure in which methods are compared.
type question struct {
	entry
	best  int // the line with the best mean
	pairs int // that could be compared
}

// ClassificationTests compare the methods in F1 of w and in the test accuracy of w and w̄.
// Methods that know the truth take no part. The result is nil if there are no two methods
// with results.
func ClassificationTests(s *merge.Summary, o Options) (*Tests, error) {
	return newTests(s, o, of(selection.W, "f1"), of(selection.W, "test_accuracy"), of(selection.Wbar, "test_accuracy"))
}

// RegressionTests are ClassificationTests with the squared error in place of accuracy.
func RegressionTests(s *merge.Summary, o Options) (*Tests, error) {
	return newTests(s, o, of(selection.W, "f1"), of(selection.W, testMSE), of(selection.Wbar, testMSE))
}

func newTests(s *merge.Summary, o Options, entries ...entry) (*Tests, error) {
	found, err := lines(s, o)
	if err != nil {
		return nil, err
	}
	t := &Tests{Options: o, rule: s.Rule.String(), subtitle: subtitle(s, o, found)}
	for _, l := range found {
		if l.Oracle {
			t.oracles = append(t.oracles, l.Label)
		} else {
			t.lines = append(t.lines, l)
		}
	}
	for _, e := range entries {
		if q, tests := t.compare(e); q.pairs > 0 {
			t.questions = append(t.questions, q)
			t.All = append(t.All, tests...)
		}
	}
	if len(t.questions) == 0 {
		return nil, nil
	}
	return t, nil
}

// compare tests every pair of lines in a measure.
func (t *Tests) compare(e entry) (question, []Test) {
	q := question{entry: e, best: -1}
	values := make([]map[int]float64, len(t.lines))
	var mean float64
	for i, l := range t.lines {
		values[i] = map[int]float64{}
		for k, v := range l.Values(e.name, e.model) {
			if !math.IsNaN(v) {
				values[i][l.Choices[k].Trial] = v
			}
		}
		if m := e.stat(l.Group); m.N > 0 && (q.best < 0 || float64(e.better)*(m.Mean-mean) > 0) {
			q.best, mean = i, m.Mean
		}
	}
	var tests []Test
	var p []float64
	for i, a := range t.lines {
		for j := i + 1; j < len(t.lines); j++ {
			b := t.lines[j]
			test := Test{Measure: e.name, Model: e.model, A: a.Series, B: b.Series}
			test.compare(a.Choices, values[i], values[j])
			if test.Trials > 0 {
				q.pairs++
			}
			tests, p = append(tests, test), append(p, test.Wilcoxon.P)
		}
	}
	for i, corrected := range stats.Holm(p) {
		tests[i].Holm = corrected
	}
	return q, tests
}

// compare fills in a test of values by trial.
func (t *Test) compare(trials []merge.Choice, a, b map[int]float64) {
	var x, y, d []float64
	for i := range trials {
		v, ours := a[trials[i].Trial]
		w, theirs := b[trials[i].Trial]
		if ours && theirs {
			x, y, d = append(x, v), append(y, w), append(d, v-w)
		}
	}
	t.Trials, t.Mean, t.Median = len(d), math.NaN(), math.NaN()
	t.Wilcoxon.P = math.NaN()
	if len(d) == 0 {
		return
	}
	t.Wilcoxon, _ = stats.Wilcoxon(x, y) // of one length
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
func (t *Tests) find(q question, a, b merge.Series) (test *Test, sign float64) {
	for i := range t.All {
		test := &t.All[i]
		switch {
		case test.Measure != q.name || test.Model != q.model:
		case test.A == a && test.B == b:
			return test, 1
		case test.A == b && test.B == a:
			return test, -1
		}
	}
	return nil, 0
}

// Table prints the tests of every method against the best of each column.
func (t *Tests) Table() *tables.Table {
	table := &tables.Table{
		Name:     t.Options.Name,
		Title:    t.Options.Title + ", methods against the best",
		Subtitle: t.subtitle,
		Columns: []tables.Column{
			{Key: "method", Head: "Method", Words: true},
			{Key: "variant", Words: true, DataOnly: true},
		},
		Notes: t.notes(),
	}
	for _, q := range t.questions {
		key, group := q.name+q.model.Suffix(), q.head+" of "+q.model.String()
		table.Columns = append(table.Columns,
			tables.Column{Key: key + "_best", Words: true, DataOnly: true},
			tables.Column{Key: key + "_trials", Group: group, Head: "n"},
			tables.Column{Key: key + "_difference", Group: group, Head: "diff"},
			tables.Column{Key: key + "_median_difference", DataOnly: true},
			tables.Column{Key: key + "_p", Group: group, Head: "p"},
			tables.Column{Key: key + "_p_holm", Group: group, Head: "Holm"})
	}
	for i, l := range t.lines {
		row := []tables.Cell{tables.Label(l.Label, l.Name), tables.Word(l.Variant)}
		for _, q := range t.questions {
			row = append(row, t.cells(q, i)...)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// cells are the entries of a line under a question.
func (t *Tests) cells(q question, i int) []tables.Cell {
	best := &t.lines[q.best]
	against := tables.Word(strings.TrimSpace(best.Name + " " + best.Variant))
	if i == q.best {
		return []tables.Cell{against, {}, tables.Word("best"), {}, {}, {}}
	}
	test, sign := t.find(q, t.lines[i].Series, best.Series)
	return []tables.Cell{
		against,
		tables.Count(test.Trials),
		tables.Of(sign*test.Mean, tables.Signed(q.print)),
		exact(sign * test.Median),
		tables.Of(test.Wilcoxon.P, probability),
		tables.Of(test.Holm, probability),
	}
}

// probability prints a p-value with three decimals, a small one with two digits.
func probability(p float64) string {
	if p >= 0.001 {
		return tables.Fixed(3)(p)
	}
	return strconv.FormatFloat(p, 'e', 1, 64)
}

// notes say which tests these are and what they cannot show.
func (t *Tests) notes() []string {
	notes := []string{
		"Each method against the one with the best mean. n: trials in which both are defined; diff: mean over them of the " +
			"method's value minus the best's.",
		"p: Wilcoxon's signed-rank test of those pairs, two-sided; equal pairs are dropped, ties share their mean rank. " + t.method(),
		fmt.Sprintf("Holm: p corrected by Holm's method over all %s of methods of its column, since the best is known from the same trials.", t.family()),
	}
	const level = 0.05
	fewest, most, pairs := math.MaxInt, 0, 0
	for i := range t.All {
		if n := t.All[i].Trials; n > 0 {
			fewest, most = min(fewest, n), max(most, n)
		}
	}
	for _, q := range t.questions {
		pairs = max(pairs, q.pairs)
	}
	if stats.LeastP(fewest) >= level {
		notes = append(notes, fmt.Sprintf("No two-sided p below %v is possible with fewer than 6 common trials: with %d the least is %s.",
			level, fewest, probability(stats.LeastP(fewest))))
	}
	if least := stats.LeastP(most) * float64(pairs); stats.LeastP(most) < level && least >= level {
		notes = append(notes, fmt.Sprintf("No corrected p below %v is possible for the clearest of %d pairs with %d common trials: the least is %s.",
			level, pairs, most, probability(min(1, least))))
	}
	if len(t.oracles) > 0 {
		notes = append(notes, strings.Join(t.oracles, ", ")+": knows the true support, and is left out.")
	}
	return notes
}

// method tells how the p-values were computed.
func (t *Tests) method() string {
	exact := func(test Test) bool { return test.Trials == 0 || test.Wilcoxon.Exact }
	if !slices.ContainsFunc(t.All, func(test Test) bool { return !exact(test) }) {
		return "Exact: counted over all signs of the ranks."
	}
	return fmt.Sprintf("Exact for up to %d pairs, counted over all signs of the ranks; above that by the normal approximation "+
		"with corrections for ties and continuity.", stats.ExactPairs)
}

// family is the number of pairs that were corrected together.
func (t *Tests) family() string {
	var sizes []string
	for _, q := range t.questions {
		if n := strconv.Itoa(q.pairs); !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	return plural(strings.Join(sizes, " or "), "pair")
}

// Data is all tests for programs: one line a pair of methods and measure.
func (t *Tests) Data() *tables.Table {
	table := &tables.Table{
		Name:  t.Options.Name,
		Title: t.Options.Title,
		Columns: dataColumns(
			[]string{"dataset", "rule", "measure", "model", "method", "variant", "other", "other_variant", "computed"},
			"dataset", "checkpoint", "rule", "measure", "model", "method", "variant", "other", "other_variant", "trials",
			"difference", "median_difference", "pairs", "w_plus", "w_minus", "p", "p_holm", "computed"),
	}
	for i := range t.All {
		test := &t.All[i]
		computed := "approximately"
		switch {
		case test.Trials == 0:
			computed = ""
		case test.Wilcoxon.Exact:
			computed = "exactly"
		}
		w := &test.Wilcoxon
		table.Rows = append(table.Rows, []tables.Cell{
			tables.Word(t.Options.Dataset), tables.Count(t.Options.Checkpoint), tables.Word(t.rule), tables.Word(test.Measure),
			tables.Word(test.Model.Name()), tables.Word(test.A.Method), tables.Word(test.A.Variant),
			tables.Word(test.B.Method), tables.Word(test.B.Variant), tables.Count(test.Trials),
			exact(test.Mean), exact(test.Median), tables.Count(w.Pairs), exact(w.Plus), exact(w.Minus),
			exact(w.P), exact(test.Holm), tables.Word(computed),
		})
	}
	return table
}
