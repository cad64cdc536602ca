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

const (
	MaxVariance Rule = "max-variance" // the column with the largest variance over all samples
	MeanProbe   Rule = "mean"         // the mean of the values that are not missing
)

var AllRules = []Rule{MaxVariance, MeanProbe}

// A Table holds the columns from which features of genes are made.
type Table struct {
	Heads   []string    // names as in the file
	Names   []string    // names made unique by Numbered
	X       [][]float64 // a row for each sample; NaN is a missing value
	Weights []float64   // weights of the samples; if nil, all are 1

	// GeneOf returns the gene that a column measures. certain is false if the column measures several genes. If GeneOf
	// is nil, the gene is head.
	GeneOf func(head string) (gene string, certain bool)
}

// Genes are the features that Rule.Find made from the columns of a table.
type Genes struct {
	Names   []string // names of the features, in the order of the table
	Columns Columns
	Merged  int // number of genes that have several columns
	Several int // number of columns that measure several genes; each column becomes a feature

	chosen [][]int // indices of each feature's columns in the table
}

// Find makes one feature from the columns of each gene.
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

// Row returns the features of a sample. x holds the sample's values in the table's columns.
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

// mostVaried returns the position in columns of the column with the largest variance, without missing values. Ties, up
// to rounding, go to the first column.
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

// deviation returns the population standard deviation of weighted values. If weights is nil, all weights are 1.
func deviation(values, weights []float64) float64 {
	if slices.Min(values) == slices.Max(values) {
		return 0 // without rounding errors
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

// Describe returns notes for the user about the merged columns.
func (g *Genes) Describe(path string, r Rule, columns int) []string {
	what := map[Rule]string{MaxVariance: "the column with the largest variance", MeanProbe: "the mean of the columns"}
	notes := []string{fmt.Sprintf("--probes %s made %s from %s of %s; for %s with several columns, the feature is %s", r,
		message.Count(len(g.Names), "feature"), message.Count(columns, "column"), path, message.Count(g.Merged, "gene"),
		what[r])}
	if g.Merged == 0 {
		notes[0] = fmt.Sprintf("--probes %s merged no columns of %s, because no gene has several columns", r, path)
	}
	if g.Several > 0 {
		notes = append(notes, fmt.Sprintf("%s of several genes according to the aliases; each of these columns is a "+
			"feature of its own",
			message.Are(g.Several, "column")))
	}
	return notes
}
