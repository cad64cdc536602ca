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

// tables makes the tables of a report for one of its datasets.
func (mk *maker) tables(rep *experiment.Report, options tableOptions, made tableMaker,
	tests testMaker) (p Printed, err error) {
	p = Printed{Report: *rep, dataset: options.Dataset}
	if p.table, err = made(mk.summary, options); err != nil {
		return p, err
	}
	if text := mk.scaling(options.Dataset); text != "" {
		p.table.Notes = append(p.table.Notes, "Features were standardised (z-scored) "+text+".")
	}
	p.intervals = intervals(p.table, mk.grid.Overlap(options.Dataset))
	if p.settings, err = settingsTable(mk.summary, options); err != nil {
		return p, err
	}
	if tests != nil {
		if p.tests, err = tests(mk.summary, options); err != nil {
			return p, err
		}
	}
	if rep.Published != "" {
		published, ok := paper.Published(rep.Published)
		if !ok {
			return p, usage.Errorf("no published table %q", rep.Published)
		}
		p.comparison, err = compare(mk.asPublished, options, published)
	}
	return p, err
}

// A line is a method with its results. The label names its variant too.
type line struct {
	methodLabel
	*merge.Group
}

// lines finds the results of the options' methods.
func lines(s *merge.Summary, o tableOptions) ([]line, error) {
	var found []line
	for _, m := range o.Methods {
		for _, g := range s.Variants(o.Dataset, o.Checkpoint, m.Name) {
			l := line{m, g}
			l.Label = strings.TrimSpace(m.Label + " " + g.Variant)
			found = append(found, l)
		}
	}
	if len(found) > 0 {
		return found, nil
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

// classificationTable tables support recovery and prediction as the paper's Tables 1 to 4 do,
// with the area under the ROC curve of the scores beside that of the hard labels.
func classificationTable(s *merge.Summary, o tableOptions) (*table.Table, error) {
	entries := slices.Concat(
		[]entry{withStd(selection.W, "precision"), withStd(selection.W, "recall"), withStd(selection.W, "f1")},
		pair("test_balanced_accuracy"), pair("test_auc"), pair("test_accuracy"),
		pair("mistakes"), pair(merge.NonzeroPercent))
	return build(s, o, entries)
}

// regressionTable tables support recovery and the squared error on the test split, beside those of
// constants.
func regressionTable(s *merge.Summary, o tableOptions) (*table.Table, error) {
	mse := withStd(selection.W, testMSE)
	entries := slices.Concat(
		[]entry{mse, withStd(selection.Wbar, testMSE)},
		[]entry{withStd(selection.W, "precision"), withStd(selection.W, "recall"), withStd(selection.W, "f1")},
		pair(merge.NonzeroPercent))
	t, err := build(s, o, entries)
	if err != nil {
		return nil, err
	}
	for _, c := range s.Grid.Constants(o.Dataset, o.Checkpoint) {
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
				row[i] = mse.estimate(c.Stat(), c.MSE, s.Grid.Overlap(o.Dataset))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, "Always 0, Train mean: the test errors of predicting constants, 0 and the mean of the "+
		"training targets.")
	return t, nil
}

// build fills a table with the entries of every method.
func build(s *merge.Summary, o tableOptions, entries []entry) (*table.Table, error) {
	found, err := lines(s, o)
	if err != nil {
		return nil, err
	}
	entries = meaningful(entries, found)
	t := &table.Table{
		Name:     o.Name,
		Title:    o.Title,
		Subtitle: subtitle(s, o, found),
		Columns: []table.Column{
			{Key: "dataset", Words: true, DataOnly: true},
			{Key: "checkpoint", DataOnly: true},
			{Key: "rule", Words: true, DataOnly: true},
			{Key: "method", Head: "Method", Words: true},
			{Key: "variant", Words: true, DataOnly: true},
			{Key: "trials", DataOnly: true},
		},
	}
	for _, m := range selection.Models {
		t.Columns = append(t.Columns, table.Column{Key: "ties_median" + m.Suffix(), DataOnly: true},
			table.Column{Key: "ties_most" + m.Suffix(), DataOnly: true})
	}
	remarks, warnings := notes(s.Grid, found, entries)
	t.Notes, t.Warnings = slices.Concat(legend(entries, found), tieNotes(found), remarks), warnings
	first := len(t.Columns)
	for _, e := range entries {
		c := table.Column{Key: e.Name + e.model.Suffix(), Head: e.Head, Estimate: true}
		if !e.spread || e.Name == testMSE {
			c.Group, c.Head = e.Head, e.model.String()
		}
		t.Columns = append(t.Columns, c)
	}
	overlap := s.Grid.Overlap(o.Dataset)
	for _, l := range found {
		row := []table.Cell{
			table.Word(o.Dataset),
			table.Count(o.Checkpoint),
			table.Word(s.Rule.String()),
			table.Label(l.Label, l.Name),
			table.Word(l.Variant),
			table.Count(l.Chosen(selection.W)),
		}
		for _, m := range selection.Models {
			median, most := l.Ties(m)
			row = append(row, exact(median), table.Count(most))
		}
		for _, e := range entries {
			row = append(row, e.cell(l, overlap))
		}
		t.Rows = append(t.Rows, row)
	}
	markBest(t, first, found, entries, overlap)
	return t, nil
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

// subtitle tells what the numbers are means of.
func subtitle(s *merge.Summary, o tableOptions, found []line) string {
	fewest, most := trials(found)
	n := plain.Count(most, "trial")
	if fewest != most {
		n = fmt.Sprintf("%d to %s", fewest, n)
	}
	return fmt.Sprintf("%s, %d training samples; means over %s; hyperparameters by rule %s",
		o.Dataset, o.Checkpoint, n, s.Rule)
}

// trials returns the fewest and the most trials that count in a line.
func trials(found []line) (fewest, most int) {
	fewest = found[0].Chosen(selection.W)
	for _, l := range found {
		n := l.Chosen(selection.W)
		fewest, most = min(fewest, n), max(most, n)
	}
	return fewest, most
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
func settingsTable(s *merge.Summary, o tableOptions) (*table.Table, error) {
	found, err := lines(s, o)
	if err != nil {
		return nil, err
	}
	t := &table.Table{
		Name:     o.Name,
		Title:    o.Title + ": hyperparameters chosen",
		Subtitle: subtitle(s, o, found),
		Columns: []table.Column{
			{Key: "method", Head: "Method", Words: true},
			{Key: "variant", Words: true, DataOnly: true},
			{Key: "model", Head: "Model", Words: true},
			{Key: "trials", Head: "Trials"},
			{Key: "setting", Head: "Setting", Words: true},
			{Key: "edge", Head: "End of its grid", Words: true},
		},
	}
	for _, l := range found {
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
	return t, nil
}
