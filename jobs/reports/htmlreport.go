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
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
)

// PageName is the file of the report's page.
const PageName = "report.html"

// writePage writes everything that was printed as one HTML page. The figures of each printed
// report are given.
func (b *Book) writePage(w io.Writer, shown [][]page.Figure) error {
	p := &page.Page{
		Title:    (&maker{run: b.run}).title(&experiment.Report{}),
		Subtitle: "graphda, experiment " + b.run.Plan.Experiment.Name,
		Facts:    b.facts(),
		Warnings: b.warnings(),
	}
	for _, t := range b.claims.tables() {
		p.Sections = append(p.Sections, page.Section{ID: "report-" + t.name, Title: "The paper's claims",
			Tables: []page.Table{{Table: t.table}}})
	}
	sections := map[string]*page.Section{}
	var order []string
	for i := range b.Printed {
		rep := &b.Printed[i].Report
		if sections[rep.Name] == nil {
			title := cmp.Or(rep.Title, rep.Name)
			sections[rep.Name] = &page.Section{ID: "report-" + experiment.Anchor(rep.Name), Title: title}
			order = append(order, rep.Name)
		}
		s := sections[rep.Name]
		s.Tables = append(s.Tables, b.Printed[i].pageTables()...)
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
func (b *Book) facts() []page.Fact {
	e, plan, grid, rule := b.run.Plan.Experiment, b.run.Plan, b.grid, b.rule
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
func (b *Book) warnings() []string {
	var found []string
	add := func(text string) {
		if !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	if n := len(b.grid.Missing); n > 0 {
		add(fmt.Sprintf("%d of %d results are missing.", n, b.grid.Planned()))
	}
	if n := len(b.grid.Failed); n > 0 {
		add(fmt.Sprintf("%d of %d results are missing because their cells failed.", n, b.grid.Planned()))
	}
	for _, text := range b.run.Plan.Outdated() {
		add(text + ".")
	}
	if b.run.Plan.Experiment.Scale == experiment.ScaleQuick {
		add("This is the reduced form of the experiment: thinner grids and fewer trials.")
	}
	for i := range b.Printed {
		if why := b.Printed[i].NotDrawn; why != "" {
			add(b.Printed[i].Report.Name + " is not drawn: " + why + ".")
		}
		if what := b.Printed[i].Lacks; what != "" && b.Printed[i].NotDrawn == "" {
			add(b.Printed[i].Report.Name + " is drawn of what is there: " + what + ".")
		}
		if t := b.Printed[i].table; t != nil {
			for _, w := range t.Warnings {
				add(label(b.Printed, i) + w)
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
