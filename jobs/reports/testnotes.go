package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/jobs/stats"
)

// notes say which tests these are and what they cannot show.
func (t *pairTests) notes() []string {
	notes := []string{
		"Each method against the one with the best mean. n: trials in which both are defined; diff: mean over them of the " +
			"method's value minus the best's.",
		"p: " + t.method(),
		fmt.Sprintf("Holm: p corrected by Holm's method over all %s of methods of its column, since the best is known "+
			"from the same trials.", t.family()),
	}
	notes = append(notes, t.least()...)
	notes = append(notes, overlapNotes(t.overlap)...)
	if len(t.oracles) > 0 {
		notes = append(notes, strings.Join(t.oracles, ", ")+": knows the true support, and is left out.")
	}
	return notes
}

// least tells below which p-value the number of trials does not let the tests come.
func (t *pairTests) least() (notes []string) {
	if t.overlap != 0 {
		return nil
	}
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
		notes = append(notes, fmt.Sprintf("No two-sided p below %v is possible with fewer than 6 common trials: with %d "+
			"the least is %s.",
			level, fewest, probability(stats.LeastP(fewest))))
	}
	if least := stats.LeastP(most) * float64(pairs); stats.LeastP(most) < level && least >= level {
		notes = append(notes, fmt.Sprintf("No corrected p below %v is possible for the clearest of %d pairs with %d "+
			"common trials: the least is %s.",
			level, pairs, most, probability(min(1, least))))
	}
	return notes
}

// method tells how the p-values were computed.
func (t *pairTests) method() string {
	if t.overlap != 0 {
		return "Nadeau and Bengio's corrected t-test of those pairs, two-sided, with n − 1 degrees of freedom."
	}
	const ranks = "Wilcoxon's signed-rank test of those pairs, two-sided; equal pairs are dropped, ties share their " +
		"mean rank. "
	exact := func(test pairTest) bool { return test.Trials == 0 || test.Wilcoxon.Exact }
	if !slices.ContainsFunc(t.All, func(test pairTest) bool { return !exact(test) }) {
		return ranks + "Exact: counted over all signs of the ranks."
	}
	return ranks + fmt.Sprintf("Exact for up to %d pairs, counted over all signs of the ranks; above that by the "+
		"normal approximation "+
		"with corrections for ties and continuity.", stats.ExactPairs)
}

// family is the number of pairs that were corrected together.
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
