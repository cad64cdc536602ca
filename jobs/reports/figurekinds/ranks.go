package figurekinds

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/metrics"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
	"graphda/jobs/stats"
)

// FewestRanked is the smallest number of datasets for a ranking.
const FewestRanked = 5

type ranked struct {
	source.Series
	values, ranks []float64 // by dataset: mean over trials, and its rank
	mean          float64   // mean rank
	p, holm       []float64 // p-values of the tests against the other series, by index in ranking.ranked
}

// A ranking compares series in a measure over datasets, as in J. Demšar (Statistical comparisons of classifiers over
// multiple data sets, Journal of Machine Learning Research 7, 2006). It tests each pair by Wilcoxon's test. Nemenyi's
// test is unsuitable, because its result for two methods depends on the other methods (A. Benavoli, G. Corani, F.
// Mangili, Should we really use post-hoc tests based on mean-ranks?, same journal 17, 2016).
type ranking struct {
	tablekinds.Entry
	datasets []string // datasets on which all series have the measure
	lacking  []string // datasets on which a series lacks the measure
	oracles  []string
	ranked   []ranked // ordered by mean rank, the best first; ties in the registry's order
	cliques  [][2]int // first and last index in ranked of each clique; see stats.Cliques
}

// Rankings makes a table of mean ranks over datasets and a critical-difference diagram, for each model.
func Rankings(src *source.Source, r *experiment.Report) ([]source.Printed, error) {
	models := experiment.ShownModels(r.Models)
	var printed []source.Printed
	for _, m := range models {
		k := rankingOf(src, r, tablekinds.Of(m, r.Measure))
		if why := k.refused(); why != "" {
			printed = append(printed, source.Printed{Report: *r, NotDrawn: why})
			continue
		}
		k.test()
		made := k.table(src, r)
		if len(models) > 1 {
			made.Name, made.Title = made.Name+"-"+m.Name(), made.Title+", "+m.String()
		}
		diagram := k.diagram(info(src, r, k.caption()))
		diagram.Name, diagram.Title = made.Name+"-diagram", made.Title+": diagram"
		p := source.TableOf(r, "", made)
		p.Figures, p.Warnings = []figures.Figure{diagram}, tablekinds.FewTrials(made.Name, mostTrials(src, r))
		printed = append(printed, p)
	}
	return printed, nil
}

// rankingOf collects the means on the datasets where every series has a mean. It leaves out methods that know the
// truth.
func rankingOf(src *source.Source, r *experiment.Report, e tablekinds.Entry) *ranking {
	k := &ranking{Entry: e}
	for _, s := range src.Series(r) {
		if source.Oracle(s.Method) {
			k.oracles = append(k.oracles, s.Label)
			continue
		}
		k.ranked = append(k.ranked, ranked{Series: s})
	}
	for _, d := range src.Datasets(r) {
		values := make([]float64, len(k.ranked))
		for i := range k.ranked {
			values[i] = math.NaN()
			if g := k.ranked[i].Group(src.Summary, d.Name, src.Checkpoint(r)); g != nil {
				values[i] = tablekinds.MeanOf(tablekinds.Defined(e.Merits(tablekinds.Line{Group: g})))
			}
		}
		if slices.ContainsFunc(values, math.IsNaN) {
			k.lacking = append(k.lacking, d.Name)
			continue
		}
		k.datasets = append(k.datasets, d.Name)
		for i, v := range values {
			k.ranked[i].values = append(k.ranked[i].values, v)
		}
	}
	return k
}

// refused returns why there is no ranking, or "".
func (k *ranking) refused() string {
	switch {
	case len(k.ranked) < 2:
		return fmt.Sprintf("ranks compare at least two methods that do not know the truth; there is %d", len(k.ranked))
	case len(k.datasets) < FewestRanked:
		return fmt.Sprintf("ranks need at least %d datasets on which every method has a value of %s; there are %d",
			FewestRanked, k.what(), len(k.datasets))
	}
	return ""
}

func (k *ranking) what() string { return k.Label() + " of " + k.Model.String() }

func (k *ranking) test() {
	for d := range k.datasets {
		signed := make([]float64, len(k.ranked)) // values, negated if needed, so that the smallest is best
		for i := range k.ranked {
			signed[i] = -float64(k.Better) * k.ranked[i].values[d]
		}
		for i, rank := range stats.Ranks(signed) {
			k.ranked[i].ranks = append(k.ranked[i].ranks, rank)
		}
	}
	for i := range k.ranked {
		k.ranked[i].mean = tablekinds.MeanOf(k.ranked[i].ranks)
	}
	slices.SortStableFunc(k.ranked, func(a, b ranked) int { return cmp.Compare(a.mean, b.mean) })
	n := len(k.ranked)
	var p []float64
	for i := range n {
		k.ranked[i].p = slices.Repeat([]float64{math.NaN()}, n)
		k.ranked[i].holm = slices.Clone(k.ranked[i].p)
		for j := range i {
			p = append(p, stats.Wilcoxon(k.ranked[j].values, k.ranked[i].values).P)
		}
	}
	corrected, at := stats.Holm(p), 0
	for i := range n {
		for j := range i {
			k.ranked[i].p[j], k.ranked[j].p[i] = p[at], p[at]
			k.ranked[i].holm[j], k.ranked[j].holm[i] = corrected[at], corrected[at]
			at++
		}
	}
	k.cliques = stats.Cliques(n, func(i, j int) bool { return k.ranked[i].holm[j] < tablekinds.Level })
}

func (k *ranking) pairs() int { return len(k.ranked) * (len(k.ranked) - 1) / 2 }

func (k *ranking) caption() string {
	text := fmt.Sprintf("Mean ranks of methods in %s over %d datasets; 1 is the best. No two methods under one bar "+
		"differ significantly: Wilcoxon's test over the datasets, with Holm's correction for all %s, has p ≥ %v.",
		k.what(), len(k.datasets), message.Count(k.pairs(), "pair"), tablekinds.Level)
	if least := k.least(); least != "" {
		text += " " + least
	}
	return text
}

// least returns a warning if there are so few datasets that no difference can be significant, or "".
func (k *ranking) least() string {
	least := stats.LeastP(len(k.datasets)) * float64(k.pairs())
	if least < tablekinds.Level {
		return ""
	}
	return fmt.Sprintf("No p below %v is possible with %d datasets and %s: the smallest is %s. So no two methods can "+
		"differ significantly.",
		tablekinds.Level, len(k.datasets), message.Count(k.pairs(), "pair"), tablekinds.Probability(min(1, least)))
}

func (k *ranking) diagram(info figures.Info) *figures.Ranking {
	d := &figures.Ranking{Info: info, Bars: k.cliques,
		Axis: fmt.Sprintf("mean rank in %s, %d datasets", k.what(), len(k.datasets))}
	for i := range k.ranked {
		m := &k.ranked[i]
		d.Ranked = append(d.Ranked, figures.Ranked{Key: m.Key(), Label: m.Legend(), Rank: m.mean})
	}
	return d
}

// table returns a table with a line for each series. For programs, the table also has all values, ranks and p-values.
func (k *ranking) table(src *source.Source, r *experiment.Report) *table.Table {
	t := &table.Table{Name: r.Name, Title: src.Title(r),
		Subtitle: fmt.Sprintf("%s after %d training samples on %d datasets; hyperparameters by rule %s", k.what(),
			src.Checkpoint(r), len(k.datasets), src.Summary.Rule),
		Columns: []table.Column{{Key: "method", Head: "Method", Words: true}, {Key: "variant", Words: true, DataOnly: true},
			{Key: "mean_rank", Head: "Rank"}, {Key: "cliques", Head: "Clique", Words: true}},
		Notes: k.notes()}
	for i := range k.ranked {
		t.Columns = append(t.Columns,
			table.Column{Key: "p_" + k.ranked[i].Key(), DataOnly: true},
			table.Column{Key: "p_holm_" + k.ranked[i].Key(), Group: "Holm's p against", Head: k.ranked[i].Legend()})
	}
	for _, d := range k.datasets {
		t.Columns = append(t.Columns, table.Column{Key: "value_" + d, DataOnly: true},
			table.Column{Key: "rank_" + d, DataOnly: true})
	}
	for i := range k.ranked {
		m := &k.ranked[i]
		row := []table.Cell{table.Label(m.Legend(), m.Name), table.Word(m.Variant), table.Of(m.mean, table.Fixed(2)),
			table.Word(k.letters(i))}
		for j := range k.ranked {
			if i == j {
				row = append(row, table.Cell{}, table.Cell{})
				continue
			}
			row = append(row, tablekinds.Exact(m.p[j]), table.Of(m.holm[j], tablekinds.Probability))
		}
		for d := range k.datasets {
			row = append(row, tablekinds.Exact(m.values[d]), tablekinds.Exact(m.ranks[d]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (k *ranking) letters(i int) string {
	var names strings.Builder
	for n, c := range k.cliques {
		if c[0] <= i && i <= c[1] {
			names.WriteRune(rune('A' + n))
		}
	}
	return names.String()
}

func (k *ranking) notes() []string {
	notes := []string{
		"Rank: the method's place among the methods, mean over the datasets; 1 is the best. Equal values share the mean of " +
			"their ranks. A method's value on a dataset is its mean over trials.",
		fmt.Sprintf("Clique: methods that share a letter do not differ significantly. The test is Wilcoxon's signed-rank "+
			"test over the datasets, two-sided, at level %v, with Holm's correction for all %s of methods (Demšar 2006; "+
			"Benavoli, Corani and Mangili 2016).", tablekinds.Level, message.Count(k.pairs(), "pair")),
		"The test assumes that the datasets are independent of each other.",
	}
	if k.Name == metrics.NonzeroPercent {
		notes = append(notes, "Where the truth is known, the best share of nonzeros is the one nearest to the truth's share.")
	}
	if text := k.least(); text != "" {
		notes = append(notes, text)
	}
	if len(k.lacking) > 0 {
		notes = append(notes, "Left out, because a method has no value there: "+strings.Join(k.lacking, ", ")+".")
	}
	if len(k.oracles) > 0 {
		notes = append(notes, strings.Join(k.oracles, ", ")+" knows the true support and is left out.")
	}
	return notes
}
