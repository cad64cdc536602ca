package tablekinds

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/table"
	"graphda/jobs/reports/source"
	"graphda/jobs/stats"
)

const Level = 0.05

// A pairTest is a test of two lines, paired by trial.
type pairTest struct {
	a, b     int              // indices of the lines in pairTests.competing
	Trials   int              // number of trials in which both lines have values
	Mean     float64          // mean of a − b over these trials; NaN without trials
	Median   float64          // median of a − b over these trials
	P        float64          // two-sided p-value; NaN if no test is possible
	Holm     float64          // p-value with Holm's correction for all pairs of methods
	Wilcoxon stats.SignedRank // Wilcoxon's test; zero if the trials split the same samples
}

type pairTests struct {
	*frame
	competing []Line // all lines except oracles
	oracles   []string
	questions []question
}

// A question asks which methods are better in one measure.
type question struct {
	Entry
	best      int        // index of the line with the best mean, or −1 if no line has a mean
	means     []float64  // mean merit of each line (see Entry.Merits)
	tests     []pairTest // tests of all pairs of lines, with a < b
	pairs     int        // number of pairs that could be tested
	decidable bool       // whether any test could be significant
}

// competitors returns pairTests without questions. Methods that know the truth do not compete.
func competitors(f *frame) *pairTests {
	t := &pairTests{frame: f}
	for _, l := range f.lines {
		if source.Oracle(l.Method) {
			t.oracles = append(t.oracles, l.Label)
		} else {
			t.competing = append(t.competing, l)
		}
	}
	return t
}

// newTests tests all pairs of methods in each entry's measure. It returns nil if no pair can be tested.
func newTests(f *frame, entries ...Entry) *pairTests {
	t := competitors(f)
	for _, e := range entries {
		if q := t.compare(e); q.pairs > 0 {
			t.questions = append(t.questions, q)
		}
	}
	if len(t.questions) == 0 {
		return nil
	}
	return t
}

func (t *pairTests) compare(e Entry) question {
	q := question{Entry: e, best: -1}
	values := make([]map[int]float64, len(t.competing))
	for i, l := range t.competing {
		merits := e.Merits(l)
		values[i] = source.ByTrial(l.Group, merits)
		mean := MeanOf(Defined(merits))
		q.means = append(q.means, mean)
		if !math.IsNaN(mean) && (q.best < 0 || float64(e.Better)*(mean-q.means[q.best]) > 0) {
			q.best = i
		}
	}
	trials := 0
	var p []float64
	for i := range t.competing {
		for j := i + 1; j < len(t.competing); j++ {
			test := pairTest{a: i, b: j}
			test.compare(values[i], values[j], t.overlap)
			if test.Trials > 0 {
				q.pairs++
			}
			trials = max(trials, test.Trials)
			q.tests, p = append(q.tests, test), append(p, test.P)
		}
	}
	for i, corrected := range stats.Holm(p) {
		q.tests[i].Holm = corrected
	}
	q.decidable = decidable(trials, q.pairs, t.overlap)
	return q
}

// compare fills in t. a and b are the values of the two lines, by trial.
func (t *pairTest) compare(a, b map[int]float64, overlap float64) {
	trials := source.Common(a, b)
	t.Trials, t.Mean, t.Median, t.P = len(trials), math.NaN(), math.NaN(), math.NaN()
	if len(trials) == 0 {
		return
	}
	var x, y, d []float64
	sum := 0.0
	for _, k := range trials {
		x, y, d = append(x, a[k]), append(y, b[k]), append(d, a[k]-b[k])
		sum += a[k] - b[k]
	}
	if overlap == 0 {
		t.Wilcoxon = stats.Wilcoxon(x, y)
		t.P = t.Wilcoxon.P
	} else {
		t.P = stats.PairedSplits(x, y, overlap)
	}
	t.Mean = sum / float64(len(d))
	slices.Sort(d)
	t.Median = (d[(len(d)-1)/2] + d[len(d)/2]) / 2
}

// find returns the test of lines i and k. sign is −1 if the test's a is k and its b is i.
func (q *question) find(i, k int) (test *pairTest, sign float64) {
	sign = 1
	if i > k {
		i, k, sign = k, i, -1
	}
	at := slices.IndexFunc(q.tests, func(t pairTest) bool { return t.a == i && t.b == k })
	return &q.tests[at], sign
}

func (t *pairTests) table() *table.Table {
	made := t.head(", methods against the best")
	made.Columns = []table.Column{{Key: "method", Head: "Method", Words: true},
		{Key: "variant", Words: true, DataOnly: true}}
	made.Notes = t.notes()
	for _, q := range t.questions {
		key, group := q.Name+q.Model.Suffix(), q.Head+" of "+q.Model.String()
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
			row = append(row, t.cells(&q, i)...)
		}
		made.Rows = append(made.Rows, row)
	}
	return made
}

func (t *pairTests) cells(q *question, i int) []table.Cell {
	best := &t.competing[q.best]
	against := table.Word(strings.TrimSpace(best.Name + " " + best.Variant))
	if i == q.best {
		return []table.Cell{against, {}, table.Word("best"), {}, {}, {}}
	}
	test, sign := q.find(i, q.best)
	return []table.Cell{
		against,
		table.Count(test.Trials),
		table.Of(sign*test.Mean, table.Signed(q.Print)),
		Exact(sign * test.Median),
		table.Of(test.P, Probability),
		table.Of(test.Holm, Probability),
	}
}

// Probability formats a p-value with three decimals, or with two digits if it is small.
func Probability(p float64) string {
	if p >= 0.001 {
		return table.Fixed(3)(p)
	}
	return strconv.FormatFloat(p, 'e', 1, 64)
}

func (t *pairTests) data() *table.Table {
	made := &table.Table{
		Name:  t.Name,
		Title: t.Title,
		Columns: DataColumns(
			[]string{"dataset", "rule", "measure", "model", "method", "variant", "other", "other_variant", "computed"},
			"dataset", "checkpoint", "rule", "measure", "model", "method", "variant", "other", "other_variant", "trials",
			"difference", "median_difference", "pairs", "w_plus", "w_minus", "p", "p_holm", "computed"),
	}
	t.each(func(q *question, test *pairTest) {
		a, b, w := t.competing[test.a].Series, t.competing[test.b].Series, &test.Wilcoxon
		computed, pairs, plus, minus := "approximately", table.Count(w.Pairs), Exact(w.Plus), Exact(w.Minus)
		switch {
		case t.overlap != 0: // the corrected t-test uses no ranks
			computed, pairs, plus, minus = "by corrected t", table.Cell{}, table.Cell{}, table.Cell{}
		case w.Exact:
			computed = "exactly"
		}
		if test.Trials == 0 {
			computed = ""
		}
		made.Rows = append(made.Rows, []table.Cell{
			table.Word(t.Dataset), table.Count(t.Checkpoint), table.Word(t.summary.Rule.String()),
			table.Word(q.Name), table.Word(q.Model.Name()), table.Word(a.Method), table.Word(a.Variant),
			table.Word(b.Method), table.Word(b.Variant), table.Count(test.Trials),
			Exact(test.Mean), Exact(test.Median), pairs, plus, minus,
			Exact(test.P), Exact(test.Holm), table.Word(computed),
		})
	})
	return made
}

func (t *pairTests) each(visit func(*question, *pairTest)) {
	for i := range t.questions {
		for k := range t.questions[i].tests {
			visit(&t.questions[i], &t.questions[i].tests[k])
		}
	}
}

// decidable tells whether a p-value, corrected for the number of pairs, could be below Level.
func decidable(trials, pairs int, overlap float64) bool {
	if overlap != 0 {
		return trials > 1 && !math.IsNaN(overlap)
	}
	return stats.LeastP(trials)*float64(pairs) < Level
}

func (t *pairTests) notes() []string {
	notes := []string{
		"Each method is compared with the method with the best mean. n: number of trials in which both have a value. Diff: " +
			"the method's value minus the best method's value, mean over these trials.",
		"p: " + t.method(),
		fmt.Sprintf("Holm: p with Holm's correction for all %s of methods in its column, because the same trials say which "+
			"method is best.", t.family()),
	}
	notes = append(notes, t.least()...)
	notes = append(notes, overlapNotes(t.overlap)...)
	if len(t.oracles) > 0 {
		notes = append(notes, strings.Join(t.oracles, ", ")+" knows the true support and is left out.")
	}
	return notes
}

// least returns notes if no p-value can be below Level. They name the smallest possible p-value.
func (t *pairTests) least() (notes []string) {
	if t.overlap != 0 {
		return nil
	}
	fewest, most, pairs := math.MaxInt, 0, 0
	t.each(func(_ *question, test *pairTest) {
		if n := test.Trials; n > 0 {
			fewest, most = min(fewest, n), max(most, n)
		}
	})
	for _, q := range t.questions {
		pairs = max(pairs, q.pairs)
	}
	if stats.LeastP(fewest) >= Level {
		notes = append(notes, fmt.Sprintf("With fewer than 6 common trials, no two-sided p below %v is possible: with %d, "+
			"the smallest is %s.",
			Level, fewest, Probability(stats.LeastP(fewest))))
	}
	if least := stats.LeastP(most) * float64(pairs); stats.LeastP(most) < Level && least >= Level {
		notes = append(notes, fmt.Sprintf("No corrected p below %v is possible for the clearest of %d pairs with %d common "+
			"trials: the smallest is %s.",
			Level, pairs, most, Probability(min(1, least))))
	}
	return notes
}

func (t *pairTests) method() string {
	if t.overlap != 0 {
		return "Nadeau and Bengio's corrected t-test of these pairs, two-sided, with n − 1 degrees of freedom."
	}
	const ranks = "Wilcoxon's signed-rank test of these pairs, two-sided. Equal pairs are dropped, and ties share their " +
		"mean rank. "
	exact := true
	t.each(func(_ *question, test *pairTest) { exact = exact && (test.Trials == 0 || test.Wilcoxon.Exact) })
	if exact {
		return ranks + "It is exact: all signs of the ranks are counted."
	}
	return ranks + fmt.Sprintf("It is exact for up to %d pairs: all signs of the ranks are counted. For more pairs it "+
		"uses the normal approximation with corrections for ties and continuity.", stats.ExactPairs)
}

// family returns a note on the number of pairs in Holm's correction.
func (t *pairTests) family() string {
	var sizes []string
	for _, q := range t.questions {
		if n := strconv.Itoa(q.pairs); !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	if text := strings.Join(sizes, " or "); text != "1" {
		return text + " pairs"
	}
	return "1 pair"
}
