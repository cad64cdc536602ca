package confidence

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/seal"
	"graphda/io/table"
	"graphda/jobs/own/explaining"
	"graphda/jobs/own/importing"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
)

// Printed returns the answer for printing.
func (c *Confidence) Printed() *table.Answer {
	printed := &table.Answer{Verdict: c.Verdict(), Tables: []*table.Table{c.Table()}}
	printed.Add(c.notes()...)
	if found := c.Kept > 0; c.Kept == 0 || c.Kept > c.bound() {
		printed.Found = &found
	}
	return printed
}

// bound returns an upper bound of the expected number of false modules, or 0 with FDR.
func (c *Confidence) bound() int {
	if c.Draws > 1 {
		return 2 * c.False
	}
	return c.False
}

// Verdict says in one line how many features stand out from chance.
func (c *Confidence) Verdict() string {
	kept := c.kept()
	from := message.Count(c.Samples, "sample")
	if c.Patients > 0 {
		from += " of " + message.Count(c.Patients, "patient")
	}
	if kept == 0 {
		return fmt.Sprintf("%s: no feature of %s is kept, from %s; the listed features are not evidence of "+
			"anything", model.Nothing, c.Dataset, from)
	}
	text := fmt.Sprintf("Kept%s: %s in %s of %s, from %s; ", importing.Unless(c.Alike), message.Count(kept, "feature"),
		message.Count(c.Kept, "module"), c.Dataset, from)
	switch {
	case c.FDR > 0:
		return text + fmt.Sprintf("the aim is at most %.3g %% false modules", 100*c.FDR)
	case c.Kept <= c.bound():
		return text + fmt.Sprintf("expect at most %s, so this may be chance", message.Count(c.bound(), "false module"))
	}
	return text + fmt.Sprintf("expect at most %s", message.Count(c.bound(), "false module"))
}

func (c *Confidence) kept() (n int) {
	for i := range c.Features {
		if c.Features[i].Kept {
			n++
		}
	}
	return n
}

// notes returns the promise and warnings. Some may be "".
func (c *Confidence) notes() []string {
	promise := c.promise() + "\nA module is false if none of its features is related to " + c.Related + "."
	var nothing, large string
	if c.Kept == 0 {
		nothing = "Finding nothing does not prove that nothing matters: take more samples, or allow more false modules." +
			c.power()
	}
	const many = 10 // a module with more than a tenth of the features is too large
	if c.Largest*many > c.Of && c.Largest > many {
		large = fmt.Sprintf("The largest module has %s of %s, so few features can be told apart.\nRemove from the data "+
			"what these features share, such as a batch.", message.Number(c.Largest), message.Count(c.Of, "feature"))
	}
	features := "Features related to " + c.Related
	network := fmt.Sprintf("%s are not shown to lie together in the network (p = %.2f). ", features, c.NetworkP)
	if c.NetworkP <= helps {
		network = fmt.Sprintf("%s lie together in the network (p = %.3f). ", features, c.NetworkP)
	}
	network += "gdrun tune asks something else: whether the network helps to predict. "
	if c.Untested != "" {
		network = c.Untested + " "
	} else if c.NetworkP <= helps && c.OnNetwork == 0 && !c.small() {
		network += "With decoys added, no draw shows that they lie together. "
	}
	switch c.OnNetwork {
	case c.Draws:
		network += fmt.Sprintf("Features were ranked with the network, by %v.", c.Setting)
	case 0:
		network += "Features were ranked without the network, by their correlation with " + c.Related
		if c.Untested == "" && c.NetworkP <= helps && c.small() {
			network += fmt.Sprintf(", because only %s of %s are in its largest part", message.Number(c.Reach),
				message.Count(c.Of, "feature"))
		}
		network += "."
	default:
		network += fmt.Sprintf("Features were ranked with the network in %d of %d draws, by %v, and in the others by their "+
			"correlation with %s.", c.OnNetwork, c.Draws, c.Setting, c.Related)
	}
	if 2*c.OnNetwork >= c.Draws && c.Reach < c.Of {
		network += fmt.Sprintf(" With the network, only features of one connected part can be kept; the largest part has "+
			"%s of %s.", message.Number(c.Reach), message.Count(c.Of, "feature"))
	}
	return []string{promise, c.Alike, nothing, large, strings.TrimSpace(c.Adjusted), strings.TrimSpace(c.Weighed), network}
}

// power says how strong a single feature must be to be kept. It is known only if features are ranked by their plain
// correlation with the label. So power returns "" with draws on the network, patients, weights, covariates or times.
func (c *Confidence) power() string {
	if c.OnNetwork > 0 || c.Patients > 0 || c.Weighed+c.Adjusted != "" || c.Related != theLabel {
		return ""
	}
	return fmt.Sprintf("\nWith %d features and %d samples, a single feature is kept in about half of all cases if its "+
		"true correlation with the label is %.2f. With half of this correlation it is rarely kept.",
		c.Of, c.Samples, c.limit())
}

// limit estimates the smallest correlation with the label at which finder.alone keeps a feature without neighbours.
// Correlations by chance have a standard deviation of 1/√n.
func (c *Confidence) limit() float64 {
	most := max(c.share(), float64(c.False)/2)
	return distuv.UnitNormal.Quantile(1-most/float64(2*c.Of)) / math.Sqrt(float64(c.Samples))
}

// promise says how many modules may be false.
func (c *Confidence) promise() string {
	switch {
	case c.FDR > 0 && c.Loose > most:
		return fmt.Sprintf("No share of false modules is promised: %.0f %% of the edges join features with a correlation "+
			"of %g to %g, so that chance decides whether they join a module. In such data the aim may be missed.",
			100*c.Loose, loose, alike)
	case c.FDR > 0:
		return fmt.Sprintf("The aim is that on average at most %.3g %% of the kept modules are false. This is not proved.",
			100*c.FDR)
	case c.OnNetwork == 0: // no decoy took part
		return fmt.Sprintf("The expected number of false modules is at most %d.", c.bound())
	}
	return fmt.Sprintf("The expected number of false modules is at most %d, if a false module wins against its decoy as "+
		"often as it loses.", c.bound())
}

// Table shows the features.
func (c *Confidence) Table() *table.Table {
	t := &table.Table{
		Name: "confidence", Title: "How sure is each feature",
		Subtitle: fmt.Sprintf("kept features, and features that half of %d half-samples select", 2*rankPairs),
		Notes: []string{
			fmt.Sprintf("Module: features have the same number if the network connects them through features that are "+
				"correlated by at least %g. Kept features of one module cannot be told apart by %s; the clearest is listed "+
				"first.", alike, message.Count(c.Samples, "sample")),
			fmt.Sprintf("Frequency: share of the half-samples that select the feature; a feature that none of them selects is "+
				"not kept. Mean w: the feature's mean weight over these half-samples. If it is above 0, a higher value raises "+
				"%s while the other selected features stay the same. Alone, the feature may do the opposite. Part: kept "+
				"features that the network connects have the same number.", c.Outcome),
			"A feature that is correlated with a true feature does not count as false. No feature is shown to be a cause.",
			"gdrun tune counts the features that predict best together. These are often a few of many similar features. This " +
				"table counts the features that are related to " + c.Related + ". The two numbers need not agree.",
		},
	}
	draws := table.NumberField("draws", "Draws", table.Fixed(2), func(f *Sure) float64 { return f.Share })
	decoy := table.NumberField("decoy", "Decoy", table.Fixed(2), func(f *Sure) float64 { return f.Decoy })
	if c.OnNetwork == 0 { // all draws are equal, and no half-sample could select a decoy
		draws, decoy = draws.Data(), decoy.Data()
	} else {
		t.Notes = append(t.Notes, fmt.Sprintf("Draws: share of %s of decoys that keep the module. Half of them must keep a "+
			"module. Decoy: the share of half-samples that select the feature's decoy.", message.Count(c.Draws, "draw")),
			"A decoy is a copy of a feature with the same neighbours but the values of other samples. All decoys of a draw "+
				"use the same order of samples, so decoys are correlated with each other as the features are.")
	}
	columns := []table.Field[Sure]{
		table.WordField("feature", "Feature", func(f *Sure) string { return f.Name }),
		table.CountField("module", "Module", func(f *Sure) int { return f.Module }),
		table.WordField("kept", "Kept", func(f *Sure) string { return cmp.Or(explaining.Yes(f.Kept), "no") }),
		draws,
		table.NumberField("frequency", "Frequency", table.Fixed(2), func(f *Sure) float64 { return f.Frequency }),
		decoy,
		table.NumberField("mean_weight", "Mean w", table.Significant, func(f *Sure) float64 { return f.Mean }),
		explaining.PartField(func(f *Sure) int { return f.Component }),
	}
	if len(c.Features) > 0 && c.Features[0].Known {
		columns = append(columns, table.WordField("true", "True", func(f *Sure) string { return explaining.Yes(f.True) }))
	}
	table.Fill(t, c.Features, columns)
	return t
}

// FileNames lists the files that Confidence.Files returns.
var FileNames = []string{"report.html", "confidence.csv", "ranked.csv"}

// ranked draws, for each feature, the share of draws that keep its module. It returns nil if no draw keeps a module, or
// if no draw uses the network, because all draws are then equal.
func (c *Confidence) ranked() *figures.Chart {
	kept, others := figures.Line{Key: "best", Label: "kept", Apart: true}, figures.Line{Key: "median", Label: "not kept",
		Apart: true}
	least := figures.Line{Key: "w = 0", Label: "half of the draws"}
	var names []string
	drawn := false
	for i := range c.Features {
		f, line := &c.Features[i], &others
		if f.Kept {
			line = &kept
		}
		line.Points = append(line.Points, figures.Point{X: float64(i), Y: f.Share})
		least.Points = append(least.Points, figures.Point{X: float64(i), Y: 0.5})
		names, drawn = append(names, f.Name), drawn || f.Share > 0
	}
	if !drawn || c.OnNetwork == 0 {
		return nil
	}
	return &figures.Chart{Info: figures.Info{Name: "ranked", Title: "What decides: draws that keep the feature's module",
		Caption: fmt.Sprintf("Each point is a feature of the table, in its order. It shows the share of %s of decoys in "+
			"which the feature's module beats its decoys. The module is kept if that is at least half of the draws.",
			message.Count(c.Draws, "draw"))},
		Panels: []figures.Panel{{XLabels: names, XLabel: "feature", YLabel: "share of the draws", YHigh: 1,
			Lines: []figures.Line{kept, others, least}}}}
}

// Files returns the page, and the data of its table and its figure.
func (c *Confidence) Files() []seal.Named {
	printed := c.Printed()
	made := printed.Tables[0]
	section := page.Section{ID: "answer", Title: "The answer", Tables: []page.Table{{Table: made, Collapsed: c.Kept == 0}}}
	chart := c.ranked()
	if chart != nil {
		section.Figures = []page.Figure{page.Draw(chart)}
	}
	p := &page.Page{Title: "How sure is each feature of " + c.Dataset, Subtitle: "gdrun confidence",
		Answer: printed.Verdict, Negative: c.Kept == 0, Lead: printed.Lead(), Sections: []page.Section{section},
		Made: page.Made("gdrun confidence", c.Origin),
		Facts: []page.Fact{{Name: "setting", Value: fmt.Sprint(c.Setting)}, {Name: "draws", Value: fmt.Sprint(c.Draws)},
			{Name: "false", Value: fmt.Sprint(c.False)}}}
	if c.FDR > 0 {
		p.Facts[2] = page.Fact{Name: "fdr", Value: fmt.Sprint(c.FDR)}
	}
	files := []seal.Named{{Name: "report.html", Fill: p.Write}, {Name: made.Name + ".csv", Fill: printed.CSV(made)}}
	if chart != nil {
		files = append(files, seal.Named{Name: "ranked.csv",
			Fill: func(w io.Writer) error { return figures.WriteCSV(w, chart) }})
	}
	return files
}
