package reports

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
	"graphda/jobs/reports/tables"
	"graphda/jobs/selection"
	"graphda/jobs/usage"
	"graphda/learners"
)

// A Printed report is what a report gives for one dataset: tables, ours, that beside the
// published one if there is one, the hyperparameters chosen and the tests between methods;
// or figures, of all its datasets.
type Printed struct {
	Report     experiment.Report
	dataset    string        // of the tables
	table      *tables.Table // nil for a report of figures
	comparison *comparison   // nil without a published table
	settings   *tables.Table
	tests      *pairTests // nil unless there are two methods to compare
	figures    []figures.Figure
	leftOut    []figures.Figure // that would lack models
	NotDrawn   string           // why there are no figures
	Lacks      string           // what the figures are drawn without although it was chosen; "" if nothing
}

// printReports makes the tables and figures of the reports of these names, or of all if there
// are none.
func printReports(r *jobs.Run, grid *merge.Grid, rule selection.Rule, names []string) ([]Printed, error) {
	if err := r.Plan.Experiment.CheckReports(names); err != nil {
		return nil, err
	}
	il := &illustrator{run: r, grid: grid, summary: grid.Summarize(rule)}
	il.asPublished = il.summary
	if byRule, err := publishedRule(r.Plan.Experiment, rule); err != nil {
		return nil, err
	} else if compares(r.Plan.Experiment) && byRule.Name() != rule.Name() {
		il.asPublished = grid.Summarize(byRule)
	}
	var printed []Printed
	for _, rep := range r.Plan.Experiment.AllReports() {
		if len(names) > 0 && !slices.Contains(names, rep.Name) {
			continue
		}
		print, err := printerOf(&rep)
		if err != nil {
			return nil, err
		}
		p, err := print(il, &rep)
		if err != nil {
			return nil, fmt.Errorf("report %s: %w", rep.Name, err)
		}
		printed = append(printed, p...)
	}
	return printed, nil
}

// publishedRule returns the rule by which our numbers are compared with published ones: rule
// paper where the experiment has it beside its default, which reads its numbers as the paper
// did; the reports' own if that is not the default.
func publishedRule(e *experiment.Experiment, rule selection.Rule) (selection.Rule, error) {
	if rule.Name() != e.Selection[0] || !slices.Contains(e.Selection, selection.Paper) {
		return rule, nil
	}
	return e.Rule(selection.Paper)
}

// compares tells whether the experiment has a report beside published numbers.
func compares(e *experiment.Experiment) bool {
	return slices.ContainsFunc(e.AllReports(), func(rep experiment.Report) bool { return rep.Published != "" })
}

// tableOptions say what the table of a report's dataset shows, of several or the one.
func (il *illustrator) tableOptions(rep *experiment.Report, dataset string, several bool) tableOptions {
	options := tableOptions{Name: rep.Name, Title: il.title(rep), Dataset: dataset, Checkpoint: il.checkpoint(rep)}
	if several && strings.HasPrefix(dataset, rep.Name+"-") {
		options.Name = dataset // kegg-1 of report kegg
	} else if several {
		options.Name += "-" + dataset
	}
	for _, m := range il.methods(rep) {
		options.Methods = append(options.Methods, methodLabel{Name: m.Name, Label: m.Label,
			Oracle: m.Needs&learners.NeedsTruth != 0})
	}
	return options
}

// tables makes the tables of a report for one of its datasets.
func (il *illustrator) tables(rep *experiment.Report, options tableOptions, table tableMaker,
	tests testMaker) (p Printed, err error) {
	p = Printed{Report: *rep, dataset: options.Dataset}
	if p.table, err = table(il.summary, options); err != nil {
		return p, err
	}
	if p.settings, err = settingsTable(il.summary, options); err != nil {
		return p, err
	}
	if tests != nil {
		if p.tests, err = tests(il.summary, options); err != nil {
			return p, err
		}
	}
	if rep.Published != "" {
		published, ok := paper.Published(rep.Published)
		if !ok {
			return p, usage.Errorf("no published table %q", rep.Published)
		}
		p.comparison, err = compare(il.asPublished, options, published)
	}
	return p, err
}

// A reportFile is a file of a report that is to be written.
type reportFile struct {
	path string
	fill func(io.Writer) error
}

// writeReports writes what Book.Write promises.
func writeReports(r *jobs.Run, dir string, grid *merge.Grid, rule selection.Rule, printed []Printed,
	place seal.Output) ([]string, error) {
	shown, err := pageFigures(printed)
	if err != nil {
		return nil, err
	}
	files := reportFiles(r, dir, grid, rule, printed, shown)
	var paths []string
	for _, f := range files {
		if slices.Contains(paths, f.path) {
			return nil, usage.Errorf("two files would both be %s; give the reports other names", f.path)
		}
		paths = append(paths, f.path)
		if err := place.Check(f.path); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		if err := place.Write(f.path, f.fill); err != nil {
			return nil, err
		}
	}
	slices.Sort(paths)
	return paths, removeLeftOut(dir, printed, place)
}

// removeLeftOut removes the files of figures left out that an earlier merge has written.
func removeLeftOut(dir string, printed []Printed, place seal.Output) error {
	for i := range printed {
		for _, f := range printed[i].leftOut {
			for _, format := range append(figures.Formats(), "csv") {
				path := filepath.Join(dir, f.Describe().Name+"."+format)
				if place.Check(path) != nil {
					continue // it is not ours
				}
				if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
	}
	return nil
}

// reportFiles lists what writeReports writes.
func reportFiles(r *jobs.Run, dir string, grid *merge.Grid, rule selection.Rule, printed []Printed,
	shown [][]page.Figure) []reportFile {
	var files []reportFile
	add := func(name string, fill func(io.Writer) error) {
		files = append(files, reportFile{filepath.Join(dir, name), fill})
	}
	add(experiment.RowsName+".csv", func(w io.Writer) error { return results.WriteCSV(w, grid.Params(), grid.Rows()) })
	for i := range printed {
		for k, f := range printed[i].figures {
			name, onPage := f.Describe().Name, &shown[i][k]
			add(name+".csv", bytesOf(onPage.CSV))
			for _, format := range figures.Formats() {
				fill := func(w io.Writer) error { return f.Draw(w, format) }
				if format == pageFormat { // drawn already
					fill = bytesOf(onPage.SVG)
				}
				add(name+"."+format, fill)
			}
		}
		for _, t := range printed[i].tables() {
			for _, format := range tables.FileFormats() {
				add(t.name+format.Extension, t.table.Sealed(format.Name))
			}
		}
		for _, t := range printed[i].data() {
			for _, format := range []string{"csv", "arrow"} {
				add(t.name+"."+format, t.table.Sealed(format))
			}
		}
	}
	add(PageName, func(w io.Writer) error { return writePage(w, r, grid, rule, printed, shown) })
	return files
}

// bytesOf returns what writes these bytes.
func bytesOf(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// A namedTable is a table with the name of its files.
type namedTable struct {
	name  string
	table *tables.Table
	extra bool // beside what the report is about
}

// tables are the report's tables, the most important first.
func (p *Printed) tables() []namedTable {
	if p.table == nil {
		return nil
	}
	tables := []namedTable{{name: p.table.Name, table: p.table}}
	if p.comparison != nil {
		tables = append(tables, namedTable{name: p.table.Name + "-published", table: p.comparison.table()})
	}
	if p.tests != nil {
		tables = append(tables, namedTable{name: p.table.Name + "-tests", table: p.tests.table(), extra: true})
	}
	return append(tables, namedTable{name: p.table.Name + "-settings", table: p.settings, extra: true})
}

// data are the report's tables for programs.
func (p *Printed) data() []namedTable {
	var data []namedTable
	if p.comparison != nil {
		data = append(data, namedTable{name: p.table.Name + "-published-values", table: p.comparison.Data()})
	}
	if p.tests != nil {
		data = append(data, namedTable{name: p.table.Name + "-tests-pairs", table: p.tests.Data()})
	}
	return data
}
