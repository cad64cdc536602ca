package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"graphda/io/plain"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/selection"
	"graphda/jobs/simulate"
	"graphda/jobs/stats"
	"graphda/jobs/usage"
	"graphda/learners"
)

// A methodLabel is a line of a table.
type methodLabel struct {
	Name   string // in the registry
	Label  string // in print
	Oracle bool   // knows the truth; shown, but no competitor for the best value
}

// tableOptions say what a table shows.
type tableOptions struct {
	Name       string // of the table's files
	Title      string
	Dataset    string
	Checkpoint int
	Methods    []methodLabel // in the order of the lines; those without results planned are left out
}

// label returns the label of a method, or its name if it has none.
func (o *tableOptions) label(name string) string {
	for _, m := range o.Methods {
		if m.Name == name {
			return m.Label
		}
	}
	return name
}

// tableOptions say what the table of a report's dataset shows, of several or the one.
func (mk *maker) tableOptions(rep *experiment.Report, dataset string, several bool) tableOptions {
	options := tableOptions{Name: rep.Name, Title: mk.title(rep), Dataset: dataset, Checkpoint: mk.checkpoint(rep)}
	if several && strings.HasPrefix(dataset, rep.Name+"-") {
		options.Name = dataset // kegg-1 of report kegg
	} else if several {
		options.Name += "-" + dataset
	}
	if several {
		options.Title += ", " + datasetLabel(dataset)
	}
	for _, m := range mk.methods(rep) {
		options.Methods = append(options.Methods, methodLabel{Name: m.Name, Label: m.Label,
			Oracle: m.Needs&learners.NeedsTruth != 0})
	}
	return options
}

// A frame is what all tables of a report for a dataset share: whose results they are of.
type frame struct {
	tableOptions
	summary *merge.Summary
	lines   []line
	overlap float64 // of the trials: see merge.Grid.Overlap
}

// A line is a method with its results. The label names its variant too.
type line struct {
	methodLabel
	*merge.Group
}

// frameOf finds the results of the options' methods.
func frameOf(s *merge.Summary, o tableOptions) (*frame, error) {
	f := &frame{tableOptions: o, summary: s, overlap: s.Grid.Overlap(o.Dataset)}
	for _, m := range o.Methods {
		for _, g := range s.Variants(o.Dataset, o.Checkpoint, m.Name) {
			l := line{m, g}
			l.Label = strings.TrimSpace(m.Label + " " + g.Variant)
			f.lines = append(f.lines, l)
		}
	}
	if len(f.lines) > 0 {
		return f, nil
	}
	var known []string
	for i := range s.Groups {
		k := fmt.Sprintf("%s at %d", s.Groups[i].Dataset, s.Groups[i].Checkpoint)
		if !slices.Contains(known, k) {
			known = append(known, k)
		}
	}
	return nil, fmt.Errorf("report: nothing is planned for the table's methods on %s at %d; planned: %s",
		o.Dataset, o.Checkpoint, strings.Join(known, ", "))
}

// trials returns the fewest and the most trials that count in a line.
func (f *frame) trials() (fewest, most int) {
	fewest = f.lines[0].Chosen(selection.W)
	for _, l := range f.lines {
		n := l.Chosen(selection.W)
		fewest, most = min(fewest, n), max(most, n)
	}
	return fewest, most
}

// head is a table without columns, whose subtitle tells what the numbers are means of.
func (f *frame) head(title string) *table.Table {
	fewest, most := f.trials()
	n := plain.Count(most, "trial")
	if fewest != most {
		n = fmt.Sprintf("%d to %s", fewest, n)
	}
	return &table.Table{Name: f.Name, Title: f.Title + title,
		Subtitle: fmt.Sprintf("%s, %d training samples; means over %s; hyperparameters by rule %s", f.Dataset,
			f.Checkpoint, n, f.summary.Rule)}
}

// A tableKind is what the tables of a kind of report show.
type tableKind struct {
	entries   []entry
	tested    []entry // in which methods are compared with each other
	constants bool    // has lines for the predictions of constants
}

// classification tables support recovery and prediction as the paper's Tables 1 to 4 do, with the area
// under the ROC curve of the scores beside that of the hard labels.
var classification = tableKind{
	entries: slices.Concat(
		[]entry{withStd(selection.W, "precision"), withStd(selection.W, "recall"), withStd(selection.W, "f1")},
		pair("test_balanced_accuracy"), pair("test_auc"), pair("test_accuracy"),
		pair("mistakes"), pair(merge.NonzeroPercent)),
	tested: []entry{of(selection.W, "f1"), of(selection.W, "test_accuracy"), of(selection.Wbar, "test_accuracy")},
}

// regression tables support recovery and the squared error on the test split, beside those of
// constants.
var regression = tableKind{
	entries: slices.Concat(
		[]entry{withStd(selection.W, testMSE), withStd(selection.Wbar, testMSE)},
		[]entry{withStd(selection.W, "precision"), withStd(selection.W, "recall"), withStd(selection.W, "f1")},
		pair(merge.NonzeroPercent)),
	tested:    []entry{of(selection.W, "f1"), of(selection.W, testMSE), of(selection.Wbar, testMSE)},
	constants: true,
}

// print makes the tables of a report for one of its datasets, and what is to be known of them.
func (k *tableKind) print(mk *maker, rep *experiment.Report, options tableOptions) (p Printed, err error) {
	f, err := frameOf(mk.summary, options)
	if err != nil {
		return p, err
	}
	p = Printed{Report: *rep, Dataset: options.Dataset}
	main, warnings := k.table(f)
	if text := mk.scaling(options.Dataset); text != "" {
		main.Notes = append(main.Notes, "Features were standardised (z-scored) "+text+".")
	}
	p.Warnings = warnings
	p.add(Main, "", main)
	if rep.Published != "" {
		published, ok := paper.Published(rep.Published)
		if !ok {
			return p, usage.Errorf("no published table %q", rep.Published)
		}
		theirs, err := frameOf(mk.asPublished, options)
		if err != nil {
			return p, err
		}
		c, err := compare(theirs, published)
		if err != nil {
			return p, err
		}
		p.Agreement = c.agreement()
		p.add(Compared, "-published", c.table())
		p.add(Data, "-published-values", c.data())
	}
	if _, most := f.trials(); most >= stats.EnoughTrials {
		p.add(Intervals, "-intervals", intervals(main, f.overlap))
		if tests := newTests(f, k.tested...); tests != nil {
			p.add(Tests, "-tests", tests.table())
			p.add(Data, "-tests-pairs", tests.data())
		}
	}
	p.add(Settings, "-settings", settingsTable(f))
	return p, nil
}

// table fills a table with the entries of every method.
func (k *tableKind) table(f *frame) (*table.Table, []Warning) {
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
		c := table.Column{Key: e.Name + e.model.Suffix(), Head: e.Head, Estimate: true}
		if !e.spread || e.Name == testMSE {
			c.Group, c.Head = e.Head, e.model.String()
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
			row = append(row, exact(median), table.Count(most))
		}
		for _, e := range entries {
			row = append(row, e.cell(l, f.overlap))
		}
		t.Rows = append(t.Rows, row)
	}
	markBest(t, first, f.lines, entries, f.overlap)
	if k.constants {
		f.addConstants(t)
	}
	return t, warnings
}

// addConstants adds the lines of predictions that are constant.
func (f *frame) addConstants(t *table.Table) {
	mse := withStd(selection.W, testMSE)
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
			case testMSE:
				row[i] = mse.estimate(c.Stat(), c.MSE, f.overlap)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, "Always 0, Train mean: the test errors of predicting constants, 0 and the mean of the "+
		"training targets.")
}

// meaningful returns the entries that are defined in any line; all, if there is nothing at all.
func meaningful(entries []entry, found []line) []entry {
	undefined := func(e entry) bool {
		return !slices.ContainsFunc(found, func(l line) bool { return e.stat(l.Group).N > 0 })
	}
	if kept := slices.DeleteFunc(slices.Clone(entries), undefined); len(kept) > 0 {
		return kept
	}
	return entries
}

// defined returns the values that are not NaN.
func defined(values []float64) []float64 { return slices.DeleteFunc(values, math.IsNaN) }

// legend explains the headings of a table's entries.
func legend(entries []entry, found []line) []string {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e entry) bool { return e.Name == name })
	}
	var texts []string
	for _, l := range []struct{ name, text string }{
		{"test_balanced_accuracy", "BalAcc: balanced accuracy, the mean of the two classes' accuracies. The paper prints " +
			"it as AUC: it is the area under the ROC curve of hard labels."},
		{"test_auc", "AUC: that of the scores."},
		{"f1", "Pre, Rec, F1: of the support of w."},
		{"mistakes", "Miss: training samples predicted wrongly before learning from them."},
		{merge.NonzeroPercent, "NR: nonzeros in percent of all features" + nearest(found) + "."},
	} {
		if has(l.name) {
			texts = append(texts, l.text)
		}
	}
	return []string{strings.Join(texts, " "), "w: last iterate, w̄: running average. ±: the standard deviation over " +
		"trials, of the population as in the paper: √(n/(n − 1)) times that is the sample's."}
}

// nearest says which share of nonzeros is best: that of the truth where it is known.
func nearest(found []line) string {
	var shares []string
	for _, l := range found {
		for _, c := range l.Choices {
			if c.Support == 0 {
				return ", of which a model must have some to be best"
			}
			if s := percent(100 * float64(c.Support) / float64(c.Features)); !slices.Contains(shares, s) {
				shares = append(shares, s)
			}
		}
	}
	slices.Sort(shares)
	return ", best where they are nearest, trial by trial, to the " + strings.Join(shares, ", ") + " of the truth"
}

// scaling says how the features of a dataset were standardised, "" if they were not.
func (mk *maker) scaling(dataset string) string {
	d, err := mk.dataset(dataset)
	if err != nil || len(d.Trials) == 0 {
		return ""
	}
	return simulate.Standardised(d.Trials[0].Metadata)
}

// settingsTable tables how often each setting of the hyperparameters was chosen, and which of
// them stand at the end of their grids.
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
