package tablekinds

import (
	"slices"
	"strings"

	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/metrics"
	"graphda/jobs/paper"
	"graphda/jobs/plan"
	"graphda/jobs/reports/source"
	"graphda/jobs/selection"
	"graphda/jobs/simulate"
	"graphda/jobs/stats"
	"graphda/jobs/userinput"
)

type tableKind struct {
	entries   []Entry
	tested    []Entry // measures in which tests compare methods
	constants bool    // add lines for constant predictions
}

// Classification tables show the measures of the paper's Tables 1 to 4, and the area under the ROC curve.
var Classification = tableKind{
	entries: slices.Concat(
		[]Entry{withStd(selection.W, "precision"), withStd(selection.W, "recall"), withStd(selection.W, "f1")},
		pair("test_balanced_accuracy"), pair("test_auc"), pair("test_accuracy"),
		pair("mistakes"), pair(metrics.NonzeroPercent)),
	tested: []Entry{Of(selection.W, "f1"), Of(selection.W, "test_accuracy"), Of(selection.Wbar, "test_accuracy")},
}

// Regression tables show the squared test error and measures of the support, also for constant predictions.
var Regression = tableKind{
	entries: slices.Concat(
		[]Entry{withStd(selection.W, TestMSE), withStd(selection.Wbar, TestMSE)},
		[]Entry{withStd(selection.W, "precision"), withStd(selection.W, "recall"), withStd(selection.W, "f1")},
		pair(metrics.NonzeroPercent)),
	tested:    []Entry{Of(selection.W, "f1"), Of(selection.W, TestMSE), Of(selection.Wbar, TestMSE)},
	constants: true,
}

func (k *tableKind) print(src *source.Source, rep *experiment.Report, d *plan.Dataset) (p source.Printed, err error) {
	options := OptionsOf(src, rep, d.Name)
	f, err := frameOf(src.Summary, options)
	if err != nil {
		return p, err
	}
	p = source.Printed{Report: *rep, Dataset: d.Name}
	main, warnings := k.table(f)
	if text := simulate.Standardised(d.Trials[0].Metadata); text != "" {
		main.Notes = append(main.Notes, "Features were standardised (z-scored) "+text+".")
	}
	p.Warnings = warnings
	p.Add(source.Main, "", main)
	if rep.Published != "" {
		published, ok := paper.Published(rep.Published)
		if !ok {
			return p, userinput.Errorf("no published table %q", rep.Published)
		}
		theirs, err := frameOf(src.AsPublished, options)
		if err != nil {
			return p, err
		}
		c, err := compare(theirs, published)
		if err != nil {
			return p, err
		}
		v := c.Verdicts
		p.Agreement = source.Agreement{Agree: v[agrees], Unclear: v[unclear], Differ: v[differs]}
		p.Add(source.Compared, "-published", c.table())
	}
	if _, most := f.trials(); most >= stats.EnoughTrials {
		p.Add(source.Intervals, "-intervals", intervals(main, f.overlap))
		if tests := newTests(f, k.tested...); tests != nil {
			p.Add(source.Tests, "-tests", tests.table())
			p.Add(source.Data, "-tests-pairs", tests.data())
		}
	}
	p.Add(source.Settings, "-settings", settingsTable(f))
	return p, nil
}

func (k *tableKind) table(f *frame) (*table.Table, []source.Warning) {
	entries := meaningful(k.entries, f.lines)
	t := f.head("")
	t.Columns = []table.Column{
		{Key: "dataset", Words: true, DataOnly: true},
		{Key: "checkpoint", DataOnly: true},
		{Key: "rule", Words: true, DataOnly: true},
		{Key: "method", Head: "Method", Words: true},
		{Key: "variant", Words: true, DataOnly: true},
		{Key: "trials", DataOnly: true},
	}
	for _, m := range selection.Models {
		t.Columns = append(t.Columns, table.Column{Key: "ties_median" + m.Suffix(), DataOnly: true},
			table.Column{Key: "ties_most" + m.Suffix(), DataOnly: true})
	}
	warnings := f.warnings(entries)
	t.Notes = slices.Concat(legend(entries, f.lines), f.notes(warnings))
	first := len(t.Columns)
	for _, e := range entries {
		c := table.Column{Key: e.Name + e.Model.Suffix(), Head: e.Head, Estimate: true}
		if !e.Spread || e.Name == TestMSE {
			c.Group, c.Head = e.Head, e.Model.String()
		}
		t.Columns = append(t.Columns, c)
	}
	for _, l := range f.lines {
		row := []table.Cell{
			table.Word(f.Dataset),
			table.Count(f.Checkpoint),
			table.Word(f.summary.Rule.String()),
			table.Label(l.Label, l.Name),
			table.Word(l.Variant),
			table.Count(l.Chosen(selection.W)),
		}
		for _, m := range selection.Models {
			median, most := l.Ties(m)
			row = append(row, Exact(median), table.Count(most))
		}
		for _, e := range entries {
			row = append(row, e.Cell(l, f.overlap))
		}
		t.Rows = append(t.Rows, row)
	}
	markBest(t, first, f, entries)
	if k.constants {
		f.addConstants(t)
	}
	return t, warnings
}

func (f *frame) addConstants(t *table.Table) {
	mse := withStd(selection.W, TestMSE)
	for _, c := range f.summary.Grid.Constants(f.Dataset, f.Checkpoint) {
		row := make([]table.Cell, len(t.Columns))
		for i := range t.Columns {
			switch t.Columns[i].Key {
			case "dataset", "checkpoint", "rule":
				row[i] = t.Rows[0][i]
			case "method":
				row[i] = table.Label(c.Label, c.Name)
			case "trials":
				row[i] = table.Count(len(c.MSE))
			case TestMSE:
				row[i] = mse.estimate(c.Stat(), c.MSE, f.overlap)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, "Always 0, Train mean: the test errors of predicting always 0, or always the mean of the "+
		"training targets.")
}

// meaningful returns the entries with a value in some line. If there is none, it returns all entries.
func meaningful(entries []Entry, found []Line) []Entry {
	undefined := func(e Entry) bool {
		return !slices.ContainsFunc(found, func(l Line) bool { return e.Stat(l.Group).N > 0 })
	}
	if kept := slices.DeleteFunc(slices.Clone(entries), undefined); len(kept) > 0 {
		return kept
	}
	return entries
}

func legend(entries []Entry, found []Line) []string {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == name })
	}
	var texts []string
	for _, l := range []struct{ name, text string }{
		{"test_balanced_accuracy", "BalAcc: balanced accuracy, the mean of the two classes' accuracies. The paper prints " +
			"it as AUC, because it is the area under the ROC curve of the predicted labels."},
		{"test_auc", "AUC: the area under the ROC curve of the scores."},
		{"f1", "Pre, Rec, F1: precision, recall and F1 of the support of w."},
		{"mistakes", "Miss: the number of training samples that are predicted wrongly before the method learns from them."},
		{metrics.NonzeroPercent, "NR: nonzeros in percent of all features" + nearest(found) + "."},
	} {
		if has(l.name) {
			texts = append(texts, l.text)
		}
	}
	return []string{strings.Join(texts, " "), "w: last iterate, w̄: running average. ±: the population standard " +
		"deviation over trials, as in the paper."}
}

// nearest returns a note on the best percentage of nonzeros, which is the true percentage if known.
func nearest(found []Line) string {
	var shares []string
	for _, l := range found {
		for _, c := range l.Choices {
			if c.Support == 0 {
				return "; the best has the fewest, but not none"
			}
			if s := percent(100 * float64(c.Support) / float64(c.Features)); !slices.Contains(shares, s) {
				shares = append(shares, s)
			}
		}
	}
	slices.Sort(shares)
	return "; the best is nearest to the " + strings.Join(shares, ", ") + " of the truth, " +
		"trial by trial"
}

// settingsTable shows how often each setting was chosen, and which chosen values are at an end of their grids.
func settingsTable(f *frame) *table.Table {
	t := f.head(": hyperparameters chosen")
	t.Columns = []table.Column{
		{Key: "method", Head: "Method", Words: true},
		{Key: "variant", Words: true, DataOnly: true},
		{Key: "model", Head: "Model", Words: true},
		{Key: "trials", Head: "Trials"},
		{Key: "setting", Head: "Setting", Words: true},
		{Key: "edge", Head: "End of its grid", Words: true},
	}
	for _, l := range f.lines {
		for _, m := range selection.Models {
			for _, c := range l.Settings[m] {
				t.Rows = append(t.Rows, []table.Cell{
					table.Label(l.Label, l.Name),
					table.Word(l.Variant),
					table.Label(m.String(), m.Name()),
					table.Count(c.Trials),
					table.Word(c.Setting),
					table.Word(c.Edge),
				})
			}
		}
	}
	return t
}

// Tables returns a Printer that makes tables of the given kind for each dataset.
func Tables(of *tableKind) source.Printer {
	return func(src *source.Source, rep *experiment.Report) ([]source.Printed, error) {
		var printed []source.Printed
		for _, d := range src.Datasets(rep) {
			p, err := of.print(src, rep, d)
			if err != nil {
				return nil, err
			}
			printed = append(printed, p)
		}
		return printed, nil
	}
}
