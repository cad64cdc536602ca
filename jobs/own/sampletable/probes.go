package sampletable

import (
	"math"
	"slices"

	"graphda/io/message"
	"graphda/io/probes"
)

// mergeProbes makes one feature from the columns of each gene. The data record the columns, for new samples.
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
	in.noteProbes(genes)
	d.Names, d.Probes = genes.Names, genes.Columns
	return nil
}

// noteProbes says how many columns became how many features.
func (in *reader) noteProbes(genes *probes.Genes) {
	what := map[probes.Rule]string{probes.MaxVariance: "the column with the largest variance",
		probes.MeanProbe: "the mean of the columns"}
	in.notes.Add("%s of %s became %s; where a gene has several columns, as %s, its feature is %s (--probes %s)",
		message.Count(len(in.names), "column"), in.asked.Samples, message.Count(len(genes.Names), "feature"),
		map[bool]string{true: "1 does", false: message.Number(genes.Merged) + " do"}[genes.Merged == 1],
		what[in.asked.Probes], in.asked.Probes)
	if genes.Several > 0 {
		in.notes.Add("by the aliases %s of several genes, and each such column is a feature of its own",
			message.Are(genes.Several, "column"))
	}
}
