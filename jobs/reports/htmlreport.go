package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"graphda/jobs"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
	"graphda/jobs/selection"
)

// PageName is the file of the report's page.
const PageName = "report.html"

// writePage writes everything that was printed as one HTML page. The figures of each printed
// report are given.
func writePage(w io.Writer, r *jobs.Run, grid *merge.Grid, rule selection.Rule, printed []Printed,
	shown [][]page.Figure) error {
	e := r.Plan.Experiment
	p := &page.Page{
		Title:    (&illustrator{run: r}).title(&experiment.Report{}),
		Subtitle: "graphda, experiment " + e.Name,
		Facts:    facts(r, grid, rule),
		Warnings: warnings(r, grid, printed),
	}
	sections := map[string]*page.Section{}
	var order []string
	for i := range printed {
		rep := &printed[i].Report
		if sections[rep.Name] == nil {
			title := cmp.Or(rep.Title, rep.Name)
			sections[rep.Name] = &page.Section{ID: "report-" + experiment.Anchor(rep.Name), Title: title}
			order = append(order, rep.Name)
		}
		s := sections[rep.Name]
		s.Tables = append(s.Tables, printed[i].pageTables()...)
		s.Figures = append(s.Figures, shown[i]...)
	}
	for _, name := range order {
		if s := sections[name]; len(s.Tables)+len(s.Figures) > 0 {
			p.Sections = append(p.Sections, *s)
		}
	}
	return p.Write(w)
}

// pageTables returns the tables of a report as its page shows them.
func (p *Printed) pageTables() []page.Table {
	var shown []page.Table
	for _, t := range p.tables() {
		table := *t.table
		table.Name = t.name
		if t.table != p.table { // which says it already
			table.Notes = slices.DeleteFunc(slices.Clone(table.Notes),
				func(note string) bool { return slices.Contains(p.table.Notes, note) })
		}
		shown = append(shown, page.Table{Table: &table, Collapsed: t.extra})
	}
	return shown
}

// pageFormat is the format of figures on a page.
const pageFormat = "svg"

// pageFigures draws the figures of all printed reports, in their order.
func pageFigures(printed []Printed) ([][]page.Figure, error) {
	shown := make([][]page.Figure, len(printed))
	for i := range printed {
		for _, f := range printed[i].figures {
			figure, err := pageFigure(f)
			if err != nil {
				return nil, err
			}
			shown[i] = append(shown[i], figure)
		}
	}
	return shown, nil
}

// pageFigure draws a figure as a page shows it.
func pageFigure(f figures.Figure) (page.Figure, error) {
	info := f.Describe()
	var svg, csv bytes.Buffer
	if err := f.Draw(&svg, pageFormat); err != nil {
		return page.Figure{}, fmt.Errorf("figure %s: %w", info.Name, err)
	}
	if err := f.WriteCSV(&csv); err != nil {
		return page.Figure{}, fmt.Errorf("figure %s: %w", info.Name, err)
	}
	return page.Figure{Name: info.Name, Title: info.Title, Caption: info.Caption, SVG: svg.Bytes(), CSV: csv.Bytes()}, nil
}

// facts tell what was run and how complete it is.
func facts(r *jobs.Run, grid *merge.Grid, rule selection.Rule) []page.Fact {
	e, plan := r.Plan.Experiment, r.Plan
	trials := 0
	var datasets []string
	for _, d := range plan.Datasets {
		datasets = append(datasets, d.Name)
		trials = max(trials, len(d.Trials))
	}
	var methods []string
	for _, g := range e.Methods {
		if !slices.Contains(methods, g.Method) {
			methods = append(methods, g.Method)
		}
	}
	have := grid.Planned() - len(grid.Missing) - len(grid.Failed)
	facts := []page.Fact{
		{Name: "Experiment", Value: e.Name},
		{Name: "Scale", Value: cmp.Or(e.Scale, experiment.ScaleFull)},
		{Name: "Results", Value: fmt.Sprintf("%d of %d (cells × checkpoints), %d failed, %d missing", have, grid.Planned(),
			len(grid.Failed), len(grid.Missing))},
		{Name: "Cells", Value: strconv.Itoa(len(plan.Cells))},
		{Name: "Datasets", Value: strings.Join(datasets, ", ")},
		{Name: "Trials", Value: strconv.Itoa(trials)},
		{Name: "Methods", Value: strings.Join(methods, ", ")},
		{Name: "Loss", Value: e.Loss},
		{Name: "Checkpoints", Value: strings.Trim(fmt.Sprint(plan.Checkpoints), "[]")},
		{Name: "Selection", Value: rule.String() + ": " + rule.Describe()},
		{Name: "Planned with", Value: "graphda " + plan.Version},
		{Name: "Reported with", Value: "graphda " + jobs.Version},
		{Name: "Plan", Value: plan.Hash},
	}
	if byRule, err := publishedRule(e, rule); err == nil && compares(e) && byRule.Name() != rule.Name() {
		facts = append(facts, page.Fact{Name: "Beside the paper", Value: byRule.String() + ": " + byRule.Describe()})
	}
	return facts
}

// warnings are what a reader must know first.
func warnings(r *jobs.Run, grid *merge.Grid, printed []Printed) []string {
	var found []string
	add := func(text string) {
		if !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	if n := len(grid.Missing); n > 0 {
		add(fmt.Sprintf("%d of %d results are missing.", n, grid.Planned()))
	}
	if n := len(grid.Failed); n > 0 {
		add(fmt.Sprintf("%d of %d results are missing because their cells failed.", n, grid.Planned()))
	}
	for _, text := range r.Plan.Outdated() {
		add(text + ".")
	}
	if r.Plan.Experiment.Scale == experiment.ScaleQuick {
		add("This is the reduced form of the experiment: thinner grids and fewer trials. Its numbers are near those of " +
			"the full one, not the same.")
	}
	for i := range printed {
		if why := printed[i].NotDrawn; why != "" {
			add(printed[i].Report.Name + " is not drawn: " + why + ".")
		}
		if what := printed[i].Lacks; what != "" && printed[i].NotDrawn == "" {
			add(printed[i].Report.Name + " is drawn of what is there: " + what + ".")
		}
		if t := printed[i].table; t != nil {
			for _, w := range t.Warnings {
				add(label(printed, i) + w)
			}
		}
	}
	return found
}

// label names the table of a warning where there are several.
func label(printed []Printed, i int) string {
	tables := 0
	for k := range printed {
		if printed[k].table != nil {
			tables++
		}
	}
	if tables < 2 {
		return ""
	}
	return printed[i].table.Name + ": "
}
