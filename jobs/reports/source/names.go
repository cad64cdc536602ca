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

// datasetNames tell how the paper calls a dataset, by patterns of their names.
var datasetNames = []struct {
	pattern *regexp.Regexp
	label   string
}{
	{regexp.MustCompile(`^graph(\d\d)-mu([\d.]+)$`), "Graph$1, μ = $2"},
	{regexp.MustCompile(`^kegg-([12])$`), "Strategy $1"},
	{regexp.MustCompile(`^mnist-(\d)-(normalized|constant|gaussian)$`), "Digit $1, $2 model"},
}

// DatasetLabel is a dataset's name for a reader: as the paper calls it, or as it is.
func DatasetLabel(name string) string {
	for _, n := range datasetNames {
		if n.pattern.MatchString(name) {
			return strings.Replace(n.pattern.ReplaceAllString(name, n.label), "gaussian", "Gaussian", 1)
		}
	}
	return name
}

// CountTrials tells how many trials there are, at least and at most: "3 to 5 trials".
func CountTrials(fewest, most int) string {
	if fewest < most {
		return fmt.Sprintf("%d to %s", fewest, message.Count(most, "trial"))
	}
	return message.Count(most, "trial")
}

// Best are the places of the best of n things, at most so many, ascending; of equals the first are better.
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

// ByTrial are the values of a group that are defined, in the order of its choices, by trial.
func ByTrial(g *merge.Group, values []float64) map[int]float64 {
	found := map[int]float64{}
	for i, v := range values {
		if !math.IsNaN(v) {
			found[g.Choices[i].Trial] = v
		}
	}
	return found
}

// Common are the trials that have a value in both, ascending.
func Common(a, b map[int]float64) (trials []int) {
	for _, trial := range slices.Sorted(maps.Keys(a)) {
		if _, both := b[trial]; both {
			trials = append(trials, trial)
		}
	}
	return trials
}
