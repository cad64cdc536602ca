package coding

import (
	"fmt"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
)

// Gaps counts missing values.
type Gaps struct {
	Count int
	Of    []int // number of missing values by feature
	Rows  int   // number of samples with a missing value
	total int   // number of all samples
}

// CountGaps counts the values that are NaN. x has a row for each sample.
func CountGaps(features int, x [][]float64) Gaps {
	g := Gaps{Of: make([]int, features), total: len(x)}
	for _, values := range x {
		before := g.Count
		for j, v := range values {
			if v != v {
				g.Of[j]++
				g.Count++
			}
		}
		if g.Count > before {
			g.Rows++
		}
	}
	return g
}

// Shares describes how many values are missing, and in which features.
func (g Gaps) Shares(names []string) string {
	var features []int
	for j, n := range g.Of {
		if n > 0 {
			features = append(features, j)
		}
	}
	slices.SortStableFunc(features, func(a, b int) int { return g.Of[b] - g.Of[a] })
	var most []string
	for _, j := range features {
		most = append(most, fmt.Sprintf("%s (%s %%)", names[j], message.Percent(g.Of[j], g.total)))
	}
	total := g.total * len(names)
	return fmt.Sprintf("%s of %s are missing (%s %%), in %s and %s: %s", message.Number(g.Count),
		message.Count(total, "value"), message.Percent(g.Count, total), message.Count(g.Rows, "sample"),
		message.Count(len(features), "feature"), dataframe.Some(most))
}

// Numbers reports whether all texts are numbers or missing. If a few words are among many different numbers, odd is the
// index of the first word. Otherwise odd is −1. A few numbers such as 1, 2 and 3 may be names of levels.
func Numbers(texts []string) (all bool, odd int) {
	const levels = 5
	numbers, words, odd := map[string]bool{}, 0, -1
	for i, text := range texts {
		if _, err := dataframe.Number(text); err == nil {
			numbers[text] = true
		} else if !dataframe.IsMissing(text) {
			if words++; words == 1 {
				odd = i
			}
		}
	}
	if 2*words > len(texts) || len(numbers) <= levels {
		odd = -1
	}
	return words == 0, odd
}
