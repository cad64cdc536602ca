package probes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"graphda/io/message"
)

// A Rule says how several columns of one gene become one feature.
type Rule string

// How several columns become one.
const (
	MaxVariance Rule = "max-variance" // the column with the largest variance over all samples
	MeanProbe   Rule = "mean"         // the mean of the values that are not missing
)

// AllRules are both of them.
var AllRules = []Rule{MaxVariance, MeanProbe}

// A Table is what genes are made of.
type Table struct {
	Heads   []string    // of the columns, as the file has them
	Names   []string    // different names of the columns; see Numbered
	X       [][]float64 // by sample and column; NaN for a missing value
	Weights []float64   // of the samples; nil: all count alike

	// GeneOf returns the gene that a column measures, and false if the column measures several genes. If GeneOf is nil,
	// columns of the same name measure the same gene.
	GeneOf func(head string) (gene string, certain bool)
}

// Genes are the features that the columns of a table become.
type Genes struct {
	Names   []string // in the order of the table
	Columns Columns  // of each of them
	Merged  int      // genes of several columns
	Several int      // columns of several genes; each column is a feature

	chosen [][]int // the columns of each gene, by their places
}

// Find makes one feature of the columns of each gene. Columns of one name are of one gene.
func (r Rule) Find(t *Table) *Genes {
	g, columns := &Genes{}, map[string][]int{}
	for j, gene := range t.Heads {
		certain := true
		if t.GeneOf != nil {
			gene, certain = t.GeneOf(gene)
		}
		if !certain {
			g.Several++
		}
		if columns[gene] == nil {
			g.Names = append(g.Names, gene)
		}
		columns[gene] = append(columns[gene], j)
	}
	for _, gene := range g.Names {
		all := columns[gene]
		slices.SortFunc(all, func(a, b int) int { return strings.Compare(t.Names[a], t.Names[b]) })
		if len(all) > 1 {
			g.Merged++
		}
		if r == MaxVariance {
			all = all[t.mostVaried(all):][:1]
		}
		names := make([]string, len(all))
		for k, j := range all {
			names[k] = t.Names[j]
		}
		g.Columns, g.chosen = append(g.Columns, names), append(g.chosen, all)
	}
	return g
}

// Row returns the features of a sample of the table.
func (g *Genes) Row(x []float64) []float64 {
	row := make([]float64, len(g.chosen))
	for i, all := range g.chosen {
		values := make([]float64, len(all))
		for k, j := range all {
			values[k] = x[j]
		}
		row[i] = Mean(values)
	}
	return row
}

// mostVaried returns the place of the column with the largest variance over the values that it has. Of columns that
// vary alike, up to rounding, it is the first.
func (t *Table) mostVaried(columns []int) int {
	const rounding = 1e-9
	best, most := 0, -1.0
	for k, j := range columns {
		var values, weights []float64
		for i, x := range t.X {
			if x[j] == x[j] {
				values = append(values, x[j])
				if t.Weights != nil {
					weights = append(weights, t.Weights[i])
				}
			}
		}
		if len(values) == 0 {
			continue
		}
		if s := deviation(values, weights); s > most*(1+rounding) {
			best, most = k, s
		}
	}
	return best
}

// deviation returns the population standard deviation of values with the given weights. If weights is nil,
// all values count alike.
func deviation(values, weights []float64) float64 {
	if slices.Min(values) == slices.Max(values) {
		return 0 // whatever rounding would make of it
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(values))
	}
	total, mean, variance := floats.Sum(weights), 0.0, 0.0
	for i, v := range values {
		mean += v / (total / weights[i])
	}
	for i, v := range values {
		variance += (v - mean) * (v - mean) / (total / weights[i])
	}
	return math.Sqrt(variance)
}

// Describe says how many columns of a file became how many features by a rule.
func (g *Genes) Describe(path string, r Rule, columns int) []string {
	what := map[Rule]string{MaxVariance: "the column with the largest variance", MeanProbe: "the mean of the columns"}
	notes := []string{fmt.Sprintf("%s of %s became %s; where a gene has several columns, as %s, its feature is %s "+
		"(--probes %s)", message.Count(columns, "column"), path, message.Count(len(g.Names), "feature"),
		map[bool]string{true: "1 does", false: message.Number(g.Merged) + " do"}[g.Merged == 1], what[r], r)}
	if g.Several > 0 {
		notes = append(notes, fmt.Sprintf("by the aliases %s of several genes, and each such column is a feature of its own",
			message.Are(g.Several, "column")))
	}
	return notes
}
