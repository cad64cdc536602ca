package sampletable

import (
	"math"
	"slices"

	"graphda/io/probes"
)

// mergeProbes merges the columns of each gene into one feature. Data.Probes lists the columns, for new samples.
func (in *reader) mergeProbes() error {
	r, d := in.asked, in.data
	if r.Probes == "" {
		return nil
	}
	t := &probes.Table{Names: in.names, X: d.X, GeneOf: r.GeneOf}
	for _, i := range in.features {
		t.Heads = append(t.Heads, in.table.Columns()[i])
	}
	_, t.Weights = in.weights()
	genes := r.Probes.Find(t)
	for i, x := range d.X {
		d.X[i] = genes.Row(x)
		if g := slices.IndexFunc(d.X[i], math.IsNaN); g < 0 {
			in.gaps[i] = field{}
		} else if !r.Text.Transpose {
			in.gaps[i].column = genes.Names[g]
		}
	}
	*in.notes = append(*in.notes, genes.Describe(r.Samples, r.Probes, len(in.names))...)
	d.Names, d.Probes = genes.Names, genes.Columns
	return nil
}
