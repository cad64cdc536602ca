package source

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

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
