package tablekinds

import (
	"fmt"
	"slices"
	"strings"

	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/reports/source"
	"graphda/jobs/selection"
	"graphda/learners"
)

// Options say what a table of a report shows.
type Options struct {
	Name       string // name of the table's files
	Title      string
	Dataset    string
	Checkpoint int
	Methods    []*learners.Method // in the table's order; a method without planned results has no line
}

// label returns the label of the named method. For an unknown method, it returns the name.
func (o *Options) label(name string) string {
	for _, m := range o.Methods {
		if m.Name == name {
			return m.Label
		}
	}
	return name
}

// OptionsOf returns the options for the report's table of the given dataset.
func OptionsOf(src *source.Source, rep *experiment.Report, dataset string) Options {
	options := Options{Name: rep.Name, Title: src.Title(rep), Dataset: dataset, Checkpoint: src.Checkpoint(rep),
		Methods: src.Methods(rep)}
	if len(src.Datasets(rep)) > 1 {
		options.Title += ", " + source.DatasetLabel(dataset)
		options.Name += "-" + strings.TrimPrefix(dataset, rep.Name+"-") // "kegg-1" for report kegg, not "kegg-kegg-1"
	}
	return options
}

// A frame holds what a report's tables of one dataset share.
type frame struct {
	Options
	summary *merge.Summary
	lines   []Line
	overlap float64 // how much the trials share samples; see plan.Dataset.Overlap
}

// A Line is a line of a table: a method or a variant of a method, with its results.
type Line struct {
	*learners.Method
	Label string // the method's label, followed by the variant
	*merge.Group
}

func frameOf(s *merge.Summary, o Options) (*frame, error) {
	f := &frame{Options: o, summary: s}
	for _, m := range o.Methods {
		for _, g := range s.Variants(o.Dataset, o.Checkpoint, m.Name) {
			f.lines = append(f.lines, Line{m, strings.TrimSpace(m.Label + " " + g.Variant), g})
		}
	}
	if len(f.lines) > 0 {
		f.overlap = s.Grid.Dataset(o.Dataset).Overlap()
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

// trials returns the smallest and the largest number of trials in a line. Only trials with a chosen row for w count.
func (f *frame) trials() (fewest, most int) {
	fewest = f.lines[0].Chosen(selection.W)
	for _, l := range f.lines {
		n := l.Chosen(selection.W)
		fewest, most = min(fewest, n), max(most, n)
	}
	return fewest, most
}

// head returns a table without columns.
func (f *frame) head(title string) *table.Table {
	return &table.Table{Name: f.Name, Title: f.Title + title,
		Subtitle: fmt.Sprintf("%s, %d training samples; means over %s; settings by rule %s", f.Dataset,
			f.Checkpoint, source.CountTrials(f.trials()), f.summary.Rule)}
}
