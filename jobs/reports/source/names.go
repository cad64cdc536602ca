package source

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"graphda/io/message"
	"graphda/jobs/merge"
)

// datasetNames has the paper's name of each dataset, and a pattern for our names.
var datasetNames = []struct {
	pattern *regexp.Regexp
	label   string
}{
	{regexp.MustCompile(`^graph(\d\d)-mu([\d.]+)$`), "Graph$1, μ = $2"},
	{regexp.MustCompile(`^kegg-([12])$`), "Strategy $1"},
	{regexp.MustCompile(`^mnist-(\d)-(normalized|constant|gaussian)$`), "Digit $1, $2 model"},
}

// DatasetLabel returns the paper's name of the dataset, or the given name for other datasets.
func DatasetLabel(name string) string {
	for _, n := range datasetNames {
		if n.pattern.MatchString(name) {
			return strings.Replace(n.pattern.ReplaceAllString(name, n.label), "gaussian", "Gaussian", 1)
		}
	}
	return name
}

// CountTrials formats a range of numbers of trials, as in "3 to 5 trials".
func CountTrials(fewest, most int) string {
	if fewest < most {
		return fmt.Sprintf("%d to %s", fewest, message.Count(most, "trial"))
	}
	return message.Count(most, "trial")
}

// Best returns at most `most` indices from 0 to n − 1 with the highest merits, in ascending order. Ties go to the lower
// index.
func Best(n, most int, merit func(int) float64) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(merit(b), merit(a)) })
	places = places[:min(most, n)]
	slices.Sort(places)
	return places
}

// ByTrial maps trials to values, without NaN. values has an element for each of the group's choices.
func ByTrial(g *merge.Group, values []float64) map[int]float64 {
	found := map[int]float64{}
	for i, v := range values {
		if !math.IsNaN(v) {
			found[g.Choices[i].Trial] = v
		}
	}
	return found
}

// Common returns the trials in both a and b, in ascending order.
func Common(a, b map[int]float64) (trials []int) {
	for _, trial := range slices.Sorted(maps.Keys(a)) {
		if _, both := b[trial]; both {
			trials = append(trials, trial)
		}
	}
	return trials
}
