package tuning

import (
	"fmt"

	"graphda/io/plain"
	"graphda/jobs/reports/tables"
)

// Lead says in a few sentences what was found.
func (c *Confidence) Lead() string {
	kept := 0
	for i := range c.Features {
		if c.Features[i].Kept {
			kept++
		}
	}
	text := fmt.Sprintf("%s of %s kept by %v, of %s. ", plain.Count(kept, "feature"), c.Dataset, c.Setting,
		plain.Count(c.Samples, "sample"))
	if c.FDR > 0 {
		text += fmt.Sprintf("Of these a share of at most %g is expected to be false", c.FDR)
	} else {
		text += fmt.Sprintf("Of these at most %d are expected to be false", c.bound())
	}
	text += ", if a false feature wins against its decoy as often as it loses. "
	if kept == 0 {
		text += "None is no proof that none matters: take more samples, or allow more false ones. "
	}
	if c.NetworkP <= 0.05 {
		return text + fmt.Sprintf("The network helps (p = %.2f): with permuted names the samples are predicted worse.",
			c.NetworkP)
	}
	return text + fmt.Sprintf("It is not shown that the network helps (p = %.2f, %d networks with permuted names).",
		c.NetworkP, networks)
}

// bound is the proven bound of the expected number of false features.
func (c *Confidence) bound() int {
	if c.Draws == 1 {
		return c.False
	}
	return 2 * c.False
}

// Table shows the features.
func (c *Confidence) Table() *tables.Table {
	t := &tables.Table{
		Name: "confidence", Title: "How sure is each feature",
		Subtitle: fmt.Sprintf("the kept ones, and those selected by half of %d half-samples", 2*rankPairs),
		Columns: []tables.Column{
			{Key: "feature", Head: "Feature", Words: true}, {Key: "kept", Head: "Kept", Words: true},
			{Key: "draws", Head: "Draws"}, {Key: "frequency", Head: "Frequency"}, {Key: "mean_weight", Head: "Mean w"},
			{Key: "component", Head: "Part"},
		},
		Notes: []string{
			fmt.Sprintf("Draws: share of %s of decoys that keep the feature; kept: at least half. Frequency: share of the "+
				"half-samples that select it. Mean w: over these; its sign is that of the effect. Part: kept features that the "+
				"network connects have the same number.", plain.Count(c.Draws, "draw")),
			"A decoy is a copy of a feature with its values permuted and the same neighbours. Decoys are not correlated with " +
				"anything: where measured features are strongly correlated with each other, false ones win more often than they " +
				"lose, and more of the kept ones are false than is said here.",
			"A feature that goes together with a true one is not false in this sense, and none is shown to be a cause.",
		},
	}
	known := len(c.Features) > 0 && c.Features[0].Known
	if known {
		t.Columns = append(t.Columns, tables.Column{Key: "true", Head: "True", Words: true})
	}
	for i := range c.Features {
		f := &c.Features[i]
		row := []tables.Cell{tables.Word(f.Name), yes(f.Kept), tables.Of(f.Share, tables.Fixed(2)),
			tables.Of(f.Frequency, tables.Fixed(2)), tables.Of(f.Mean, tables.Significant), {}}
		if f.Component > 0 {
			row[len(row)-1] = tables.Count(f.Component)
		}
		if known {
			row = append(row, yes(f.True))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
