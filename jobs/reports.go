package jobs

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"graphda/io/seal"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/report"
	"graphda/jobs/selection"
	"graphda/learners"
)

// A Printed report is its tables: ours, and if there is a published table, that beside
// it, and the hyperparameters that were chosen.
type Printed struct {
	Report     Report
	Dataset    string
	Table      *report.Table
	Comparison *report.Comparison // nil without a published table
	Settings   *report.Table
}

// reports returns the experiment's reports, or, if it names none, a table of each
// dataset at the last checkpoint.
func (e *Experiment) reports() []Report {
	if len(e.Reports) > 0 {
		return e.Reports
	}
	kind := "regression"
	if loss, err := learners.LookupLoss(e.Loss); err == nil && loss.Classifies() {
		kind = "classification"
	}
	return []Report{{Name: e.Name, Kind: kind}}
}

// ReportNames lists the names of the reports that a run can print.
func (r *Run) ReportNames() []string {
	var names []string
	for _, rep := range r.Plan.Experiment.reports() {
		names = append(names, rep.Name)
	}
	return names
}

// Rule returns the selection rule of that name in the experiment's terms; the empty name
// is the experiment's default.
func (r *Run) Rule(name string) (selection.Rule, error) {
	e := r.Plan.Experiment
	if name == "" {
		name = e.Selection[0]
	}
	rule, err := selection.Parse(name, e.Paper, e.Loss)
	if err != nil {
		return rule, &ConfigError{err}
	}
	return rule, nil
}

// CheckReports refuses names that are not among ReportNames.
func (r *Run) CheckReports(names []string) error {
	for _, name := range names {
		if !slices.Contains(r.ReportNames(), name) {
			return configf("no report %q; this run has %s", name, strings.Join(r.ReportNames(), ", "))
		}
	}
	return nil
}

// Print makes the tables of the reports of these names, or of all if there are none.
func (r *Run) Print(grid *merge.Grid, rule selection.Rule, names []string) ([]Printed, error) {
	if err := r.CheckReports(names); err != nil {
		return nil, err
	}
	summary := grid.Summarize(rule)
	var printed []Printed
	for _, rep := range r.Plan.Experiment.reports() {
		if len(names) > 0 && !slices.Contains(names, rep.Name) {
			continue
		}
		for i := range r.Plan.Datasets {
			p, err := r.print(summary, rep, r.Plan.Datasets[i].Name)
			if err != nil {
				return nil, err
			}
			printed = append(printed, p)
		}
	}
	return printed, nil
}

func (r *Run) print(summary *merge.Summary, rep Report, dataset string) (p Printed, err error) {
	e := r.Plan.Experiment
	options := report.Options{Name: rep.Name, Title: e.Title, Dataset: dataset, Checkpoint: rep.Checkpoint}
	if len(r.Plan.Datasets) > 1 {
		options.Name += "-" + dataset
	}
	if options.Title == "" {
		options.Title = e.Name
	}
	if options.Checkpoint == 0 {
		options.Checkpoint = r.Plan.Checkpoints[len(r.Plan.Checkpoints)-1]
	}
	for _, m := range learners.Methods {
		options.Methods = append(options.Methods, report.Method{Name: m.Name, Label: m.Label, Oracle: m.Needs&learners.NeedsTruth != 0})
	}
	p = Printed{Report: rep, Dataset: dataset}
	table := report.Regression
	if rep.Kind == "classification" {
		table = report.Classification
	}
	if p.Table, err = table(summary, options); err != nil {
		return p, err
	}
	if p.Settings, err = report.Settings(summary, options); err != nil {
		return p, err
	}
	if rep.Published != "" {
		published, ok := paper.Published(rep.Published)
		if !ok {
			return p, configf("no published table %q", rep.Published)
		}
		p.Comparison, err = report.Compare(summary, options, published)
	}
	return p, err
}

// extensions are the file names of the table formats.
var extensions = map[string]string{"text": ".txt", "markdown": ".md", "latex": ".tex", "csv": ".csv"}

// WriteReports writes results.csv, with all rows in plan order, and the tables in every
// format into dir, each file in one step. It returns their paths.
func (r *Run) WriteReports(dir string, grid *merge.Grid, printed []Printed) ([]string, error) {
	var paths []string
	write := func(name string, fill func(io.Writer) error) error {
		path := filepath.Join(dir, name)
		if slices.Contains(paths, path) {
			return configf("two tables would both be %s; give the reports other names", path)
		}
		paths = append(paths, path)
		return seal.Write(path, fill)
	}
	err := write(rowsName+".csv", func(w io.Writer) error { return report.WriteRows(w, grid.Params(), grid.Rows()) })
	if err != nil {
		return nil, err
	}
	for i := range printed {
		for name, t := range printed[i].tables() {
			for _, format := range report.Formats() {
				if err := write(name+extensions[format], func(w io.Writer) error { return t.Write(w, format) }); err != nil {
					return nil, fmt.Errorf("table %s: %w", name, err)
				}
			}
		}
		if c := printed[i].Comparison; c != nil {
			if err := write(c.Options.Name+"-published-values.csv", c.Data().CSV); err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(paths)
	return paths, nil
}

// tables are the report's tables by file name.
func (p *Printed) tables() map[string]*report.Table {
	tables := map[string]*report.Table{p.Table.Name: p.Table, p.Table.Name + "-settings": p.Settings}
	if p.Comparison != nil {
		tables[p.Table.Name+"-published"] = p.Comparison.Table()
	}
	return tables
}
