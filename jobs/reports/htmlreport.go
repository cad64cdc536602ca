package reports

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"graphda/io/plain"
	"graphda/jobs"
	"graphda/jobs/experiment"
	"graphda/jobs/paper"
	"graphda/jobs/reports/page"
)

// The files of the report's page.
const (
	PageName     = "report.html"
	markdownPage = "report.md"
)

// experimentFile is the end of the name of the experiment's file beside the page.
const experimentFile = ".yaml"

// experiment is the run's as a file that plans it again: the trials are those that were planned, where
// all datasets have the same.
func (b *Book) experiment(w io.Writer) error {
	e := *b.run.Plan.Experiment
	var trials []int
	for i, d := range b.run.Plan.Datasets {
		var own []int
		for _, t := range d.Trials {
			own = append(own, t.Trial)
		}
		if i > 0 && !slices.Equal(own, trials) {
			trials = e.Trials
			break
		}
		trials = own
	}
	e.Trials = trials
	text, err := e.YAML()
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// page is everything that was printed. The figures of each printed report are given, and the digest
// of results.csv.
func (b *Book) page(shown [][]page.Figure, rows string) *page.Page {
	e := b.run.Plan.Experiment
	p := &page.Page{
		Title:    (&maker{run: b.run}).title(&experiment.Report{}),
		Subtitle: "graphda, experiment " + e.Name,
		Lead:     b.lead(),
		Facts:    append(b.facts(), page.Fact{Name: csvRows, Value: "SHA-256 " + rows + "; gdmerge --csv writes it"}),
		Warnings: b.warnings(),
	}
	if e.Paper != "" || compares(e) || b.claims != nil {
		p.Citation = "The paper: " + paper.Citation + "."
	}
	claimed := page.Section{ID: "claimed", Title: "The paper's claims"}
	for _, t := range b.claims.tables() {
		claimed.Tables = append(claimed.Tables, page.Table{Table: t.table, Collapsed: t.extra})
	}
	results := page.Section{ID: "results", Title: "Results"}
	drawn := page.Section{ID: "drawn", Title: "Figures"}
	details := page.Section{ID: "details", Title: "Settings and tests"}
	var notDrawn []string
	for i := range b.Printed {
		main, extra := b.Printed[i].pageTables()
		results.Tables = append(results.Tables, main...)
		details.Tables = append(details.Tables, extra...)
		drawn.Figures = append(drawn.Figures, shown[i]...)
		if why := b.Printed[i].NotDrawn; why != "" {
			notDrawn = append(notDrawn, fmt.Sprintf("%s is not drawn: %s.", b.Printed[i].Report.Name, why))
		}
	}
	drawn.Intro = strings.Join(notDrawn, "\n\n")
	for _, s := range []page.Section{claimed, results, drawn, details, b.spentSection()} {
		if len(s.Tables)+len(s.Figures) > 0 || s.Intro != "" {
			p.Sections = append(p.Sections, s)
		}
	}
	return p
}

// lead says in a sentence or two what was run.
func (b *Book) lead() string {
	plan, e := b.run.Plan, b.run.Plan.Experiment
	var datasets []string
	trials := 0
	for _, d := range plan.Datasets {
		datasets = append(datasets, datasetLabel(d.Name))
		trials = max(trials, len(d.Trials))
	}
	if n := len(datasets); n > 4 {
		datasets = append(datasets[:3], fmt.Sprintf("%d others", n-3))
	}
	at := strconv.Itoa(plan.Checkpoints[0])
	if last := plan.Checkpoints[len(plan.Checkpoints)-1]; len(plan.Checkpoints) > 1 {
		at += fmt.Sprintf(" to %d", last)
	}
	return fmt.Sprintf("%s learned online, one sample after the other, from %s (%s; %s each), and were "+
		"measured after %s training samples: %s, each a pass of one method with one setting over the training samples "+
		"of one trial.", plain.Count(len(b.methods()), "method"), plain.Count(len(plan.Datasets), "dataset"),
		strings.Join(datasets, "; "), plain.Count(trials, "trial"), at, plain.Count(len(plan.Cells), "cell")) +
		" The settings of each method are those of " +
		strings.TrimPrefix(b.rule.Describe(), "w and w̄ each have the hyperparameters of ") + scaleNote(e)
}

// scaleNote tells of a reduced experiment.
func scaleNote(e *experiment.Experiment) string {
	if e.Scale != experiment.ScaleQuick {
		return ""
	}
	return " This is the reduced form of the experiment: thinner grids and fewer trials."
}

// methods are the names of the methods that were run.
func (b *Book) methods() []string {
	var names []string
	for _, g := range b.run.Plan.Experiment.Methods {
		if !slices.Contains(names, g.Method) {
			names = append(names, g.Method)
		}
	}
	return names
}

// pageTables returns the tables of a report as its page shows them: what it is about, and what
// stands beside that.
func (p *Printed) pageTables() (main, extra []page.Table) {
	for _, t := range p.tables() {
		table := *t.table
		table.Name = t.name
		table.Subtitle = strings.Replace(table.Subtitle, p.dataset, datasetLabel(p.dataset), 1)
		if t.table != p.table { // which says it already
			table.Notes = slices.DeleteFunc(slices.Clone(table.Notes),
				func(note string) bool { return slices.Contains(p.table.Notes, note) })
		}
		shown := page.Table{Table: &table, Collapsed: t.extra}
		if t.extra {
			extra = append(extra, shown)
		} else {
			main = append(main, shown)
		}
	}
	return main, extra
}

// pageFigures draws the figures of all printed reports, in their order.
func pageFigures(printed []Printed) ([][]page.Figure, error) {
	shown := make([][]page.Figure, len(printed))
	for i := range printed {
		for _, f := range printed[i].figures {
			figure, err := page.Draw(f)
			if err != nil {
				return nil, fmt.Errorf("figure %s: %w", f.Describe().Name, err)
			}
			shown[i] = append(shown[i], figure)
		}
	}
	return shown, nil
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
	have := grid.Planned() - grid.Missing.N - grid.Failed.N
	facts := []page.Fact{
		{Name: "Experiment", Value: e.Name},
		{Name: "Scale", Value: cmp.Or(e.Scale, experiment.ScaleFull)},
		{Name: "Results", Value: fmt.Sprintf("%d of %d (cells × checkpoints), %d failed, %d missing", have, grid.Planned(),
			grid.Failed.N, grid.Missing.N)},
		{Name: "Cells", Value: strconv.Itoa(len(plan.Cells))},
		{Name: "Datasets", Value: strings.Join(datasets, ", ")},
		{Name: "Trials", Value: strconv.Itoa(trials)},
		{Name: "Methods", Value: strings.Join(b.methods(), ", ")},
		{Name: "Not at their defaults", Value: cmp.Or(strings.Join(b.changed(), "; "), "none")},
		{Name: "Loss", Value: e.Loss},
		{Name: "Checkpoints", Value: strings.Trim(fmt.Sprint(plan.Checkpoints), "[]")},
		{Name: "Selection", Value: rule.String() + ": " + rule.Describe()},
		{Name: "Planned with", Value: "graphda " + plan.Version},
		{Name: "Reported with", Value: "graphda " + jobs.Version},
		{Name: "Plan", Value: plan.Hash},
		{Name: "Seeds", Value: b.seeds()},
		{Name: "Commands", Value: fmt.Sprintf("gdrun plan %s --scale %s --data DATA --out RUN, gdrun local RUN, gdmerge RUN "+
			"--selection %s --out REPORT; %[1]s stands beside this report", e.Name+experimentFile,
			cmp.Or(e.Scale, experiment.ScaleFull), rule.Name())},
		{Name: "Learning took", Value: coreTime(grid.Seconds())},
	}
	if byRule, err := publishedRule(e, rule); err == nil && compares(e) && byRule.Name() != rule.Name() {
		facts = append(facts, page.Fact{Name: "Beside the paper", Value: byRule.String() + ": " + byRule.Describe()})
	}
	return facts
}

// changed lists, by method, the parameters that have a default and are not at it.
func (b *Book) changed() []string {
	var lines []string
	for _, name := range b.methods() {
		var values []string
		for i := range b.run.Plan.Cells {
			c := &b.run.Plan.Cells[i]
			if c.Method.Name != name {
				continue
			}
			for k := range c.Method.Params {
				p := &c.Method.Params[k]
				text := p.Name + " = " + p.Format(c.Values[k])
				if !p.Required() && c.Values[k] != p.Default && !slices.Contains(values, text) {
					values = append(values, text)
				}
			}
		}
		if len(values) > 0 {
			lines = append(lines, name+": "+strings.Join(values, ", "))
		}
	}
	return lines
}

// coreTime says how long one core of a CPU was busy.
func coreTime(seconds float64) string {
	text := fmt.Sprintf("%.3g seconds of one CPU core", seconds)
	if seconds >= 3600 {
		text += fmt.Sprintf(" (%.1f hours)", seconds/3600)
	}
	return text
}

// seeds are those that the datasets' samples were drawn with.
func (b *Book) seeds() string {
	var found []string
	for _, d := range b.run.Plan.Datasets {
		if len(d.Trials) == 0 {
			continue
		}
		if seed := cmp.Or(d.Trials[0].Metadata["seed"], "not noted"); !slices.Contains(found, seed) {
			found = append(found, seed)
		}
	}
	return strings.Join(found, ", ")
}

// warnings are what a reader must know first.
func (b *Book) warnings() []page.Warning {
	var found []page.Warning
	grave := func(text string) { found = append(found, page.Warning{Text: text, Grave: true}) }
	if n := b.grid.Missing.N; n > 0 {
		grave(fmt.Sprintf("%d of %d results are missing.", n, b.grid.Planned()))
	}
	if n := b.grid.Failed.N; n > 0 {
		grave(fmt.Sprintf("%d of %d results are missing because their cells failed.", n, b.grid.Planned()))
	}
	for _, text := range b.run.Plan.Outdated() {
		grave(text + ".")
	}
	var kinds warningKinds
	for i := range b.Printed {
		p := &b.Printed[i]
		if p.NotDrawn != "" {
			grave(p.Report.Name + " is not drawn: " + p.NotDrawn + ".")
		} else if p.Lacks != "" {
			grave(p.Report.Name + " is drawn of what is there: " + p.Lacks + ".")
		}
		if p.table == nil {
			continue
		}
		for _, w := range p.table.Warnings {
			atEnds := strings.HasPrefix(w, atGridEnds)
			if !atEnds || b.run.Plan.Experiment.Scale != experiment.ScaleQuick { // whose grids are cut
				kinds.add(w, p.table.Name, atEnds)
			}
		}
	}
	return append(found, kinds.warnings()...)
}

// warningKinds are warnings that say the same of several methods and tables.
type warningKinds struct {
	names []string            // in their order
	cases map[string][]string // each with its table
}

// numbers are what tells warnings of a kind apart, beside their method.
var numbers = regexp.MustCompile(`\d[\d,.]*`)

// add enters a warning of a table.
func (k *warningKinds) add(text, table string, atEnds bool) {
	kind := text
	if before, after, found := strings.Cut(text, ": "); found && !strings.Contains(before, " trial") {
		kind = after
	}
	kind = numbers.ReplaceAllString(kind, "…")
	if atEnds {
		kind = atGridEnds
	}
	if k.cases == nil {
		k.cases = map[string][]string{}
	}
	if !slices.Contains(k.names, kind) {
		k.names = append(k.names, kind)
	}
	k.cases[kind] = append(k.cases[kind], table+": "+text)
}

func (k *warningKinds) warnings() []page.Warning {
	var found []page.Warning
	for _, kind := range k.names {
		cases := k.cases[kind]
		_, first, _ := strings.Cut(cases[0], ": ")
		same := !slices.ContainsFunc(cases, func(c string) bool { return !strings.HasSuffix(c, ": "+first) })
		switch {
		case len(cases) == 1:
			found = append(found, page.Warning{Text: cases[0]})
		case same:
			found = append(found, page.Warning{Text: fmt.Sprintf("%s (%d tables)", first, len(cases))})
		case kind == atGridEnds:
			found = append(found, page.Warning{Text: "Hyperparameters at an end of their grid were chosen.", Cases: cases})
		default:
			found = append(found, page.Warning{Text: kind, Cases: cases})
		}
	}
	return found
}
