package sampletable

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/samples"
)

// Probes says how several columns of one gene become one feature.
type Probes string

// How several columns become one.
const (
	MaxVariance Probes = "max-variance" // the column with the largest variance over all samples
	MeanProbe   Probes = "mean"         // the mean of the values that are not missing
)

// AllProbes are both of them.
var AllProbes = []Probes{MaxVariance, MeanProbe}

// mergeProbes makes one feature of the columns of each gene. Columns of one name are of one gene. The data then tell
// which columns each feature is made of, so that new samples get the same features.
func (in *reader) mergeProbes() error {
	r, d := in.asked, in.data
	if r.Probes == "" {
		return nil
	}
	columns, several := map[string][]int{}, 0
	var genes []string
	for j, i := range in.features {
		gene, certain := in.table.Columns()[i], true
		if r.GeneOf != nil {
			gene, certain = r.GeneOf(gene)
		}
		if !certain {
			several++
		}
		if columns[gene] == nil {
			genes = append(genes, gene)
		}
		columns[gene] = append(columns[gene], j)
	}
	_, weights := in.weights()
	var chosen [][]int // columns, by gene
	merged := 0
	for _, gene := range genes {
		all := columns[gene]
		slices.SortFunc(all, func(a, b int) int { return strings.Compare(in.names[a], in.names[b]) })
		if len(all) > 1 {
			merged++
		}
		if r.Probes == MaxVariance {
			all = all[in.mostVaried(all, weights):][:1]
		}
		names := make([]string, len(all))
		for k, j := range all {
			names[k] = in.names[j]
		}
		d.Probes, chosen = append(d.Probes, names), append(chosen, all)
	}
	for i, x := range d.X {
		merged := make([]float64, len(genes))
		for g, all := range chosen {
			values := make([]float64, len(all))
			for k, j := range all {
				values[k] = x[j]
			}
			merged[g] = samples.MeanOf(values)
		}
		d.X[i] = merged
		if g := slices.IndexFunc(merged, math.IsNaN); g < 0 {
			in.gaps[i] = field{}
		} else if !r.Text.Transpose {
			in.gaps[i].column = genes[g]
		}
	}
	in.noteProbes(len(genes), merged, several)
	d.Names = genes
	return nil
}

// noteProbes says how many columns became how many features.
func (in *reader) noteProbes(features, merged, several int) {
	what := map[Probes]string{MaxVariance: "the column with the largest variance", MeanProbe: "the mean of the columns"}
	in.notes.Add("%s of %s became %s; where a gene has several columns, as %s, its feature is %s (--probes %s)",
		message.Count(len(in.names), "column"), in.asked.Samples, message.Count(features, "feature"),
		map[bool]string{true: "1 does", false: message.Number(merged) + " do"}[merged == 1], what[in.asked.Probes],
		in.asked.Probes)
	if several > 0 {
		in.notes.Add("by the aliases %s of several genes, and each such column is a feature of its own",
			message.Are(several, "column"))
	}
}

// mostVaried returns the place of the column with the largest variance over the values that it has. Of columns that
// vary alike, up to rounding, it is the first.
func (in *reader) mostVaried(columns []int, weights []float64) int {
	const rounding = 1e-9
	best, most := 0, -1.0
	for k, j := range columns {
		var values, of []float64
		for i, x := range in.data.X {
			if x[j] == x[j] {
				values = append(values, x[j])
				if weights != nil {
					of = append(of, weights[i])
				}
			}
		}
		deviation := 0.0
		if len(values) > 0 {
			deviation = samples.NewScaling(1, len(values), func(i int) []float64 { return values[i : i+1] }, of).Deviation[0]
		}
		if len(values) > 0 && deviation > most*(1+rounding) {
			best, most = k, deviation
		}
	}
	return best
}

// numbered is the name of a column whose name stands in the file before, as often as that: pandas calls it so too.
func numbered(name string, before int) string {
	if before == 0 {
		return name
	}
	return name + "." + strconv.Itoa(before)
}

// findProbe returns the column of a name that numbered has made, −1 if there is none.
func findProbe(t *dataframe.Table, name string) (int, error) {
	if i := slices.Index(t.Columns(), name); i >= 0 {
		return i, t.Check(i)
	}
	at := strings.LastIndexByte(name, '.')
	if before, err := strconv.Atoi(name[at+1:]); at >= 0 && err == nil && before > 0 {
		for i, column := range t.Columns() {
			if column != name[:at] {
				continue
			}
			if before == 0 {
				return i, t.Check(i)
			}
			before--
		}
	}
	return -1, nil
}
