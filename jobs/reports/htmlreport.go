package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"graphda/io/message"
	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/paper"
	"graphda/jobs/reports/page"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
	"graphda/jobs/stats"
)

// These are the names of the page's files in HTML and Markdown.
const (
	PageName     = "report.html"
	markdownPage = "report.md"
)

// experimentFile is the extension of the experiment file that is written next to the page.
const experimentFile = ".yaml"

// experiment writes an experiment file that plans the same run again. The file names the trials if all datasets have
// the same trials.
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

// page returns the page with the answer and all reports. `shown` has the figures of each report, and `rows` is the
// digest of results.csv.
func (b *Book) page(shown [][]page.Figure, rows string) *page.Page {
	e := b.run.Plan.Experiment
	p := &page.Page{
		Title:    b.src.Title(&experiment.Report{}),
		Subtitle: "graphda, experiment " + e.Name,
		Answer:   strings.TrimSpace(b.answer() + " " + b.claims.Line()),
		Lead:     b.lead(),
		Files:    filesFolder,
		Made:     b.made(),
		Facts:    b.facts(rows),
		Warnings: b.warnings(),
	}
	if e.Paper != "" || compares(e) || b.claims != nil {
		p.Citation = "The paper: " + paper.Citation + "."
	}
	results := page.Section{ID: "results", Title: "Results"}
	compared := page.Section{ID: "published", Title: "Beside the paper"}
	details := page.Section{ID: "details", Title: "Settings and tests"}
	drawn := page.Section{ID: "drawn", Title: "Figures"}
	var notDrawn []string
	for i := range b.Printed {
		for _, t := range b.Printed[i].Tables {
			shownAs := onPage(&b.Printed[i], t)
			switch {
			case t.Role == source.Main && b.Printed[i].Figures != nil: // a figure of the report shows the same numbers
				details.Tables = append(details.Tables, shownAs)
			case t.Role == source.Main:
				results.Tables = append(results.Tables, shownAs)
			case t.Role == source.Compared:
				shownAs.Collapsed = b.trials() < stats.EnoughTrials // too few trials for verdicts
				compared.Tables = append(compared.Tables, shownAs)
			case t.Role != source.Data:
				details.Tables = append(details.Tables, shownAs)
			}
		}
		drawn.Figures = append(drawn.Figures, shown[i]...)
		if why := b.Printed[i].NotDrawn; why != "" {
			notDrawn = append(notDrawn, fmt.Sprintf("Report %s is not drawn: %s.", b.Printed[i].Report.Name, why))
		}
	}
	drawn.Intro = strings.Join(notDrawn, "\n\n")
	claimed := page.Section{ID: "claimed", Title: "The paper's claims"}
	for _, t := range b.claims.Tables() {
		if t.Role != source.Data {
			claimed.Tables = append(claimed.Tables, page.Table{Table: t.Table})
		}
	}
	noticed := page.Section{ID: "noticed", Title: "Diagnostics"}
	if t := b.diagnostics(); t != nil {
		noticed.Tables = []page.Table{{Table: t, Collapsed: true}}
	}
	for _, s := range []page.Section{results, drawn, compared, claimed, details, noticed, b.spentSection()} {
		if len(s.Tables)+len(s.Figures) > 0 || s.Intro != "" {
			p.Sections = append(p.Sections, s)
		}
	}
	return p
}

func (b *Book) lead() string {
	plan, e := b.run.Plan, b.run.Plan.Experiment
	var datasets []string
	for _, d := range plan.Datasets {
		datasets = append(datasets, source.DatasetLabel(d.Name))
	}
	if n := len(datasets); n > 4 {
		datasets = append(datasets[:3], fmt.Sprintf("%d others", n-3))
	}
	scale := ""
	if e.Scale == experiment.ScaleQuick {
		scale = " This is the quick form of the experiment, with smaller grids and fewer trials."
	}
	at := strconv.Itoa(plan.Checkpoints[0])
	if last := plan.Checkpoints[len(plan.Checkpoints)-1]; len(plan.Checkpoints) > 1 {
		at += fmt.Sprintf(" to %d", last)
	}
	return fmt.Sprintf("%s learned online, one sample after the other, from %s (%s; %s each), and were measured after "+
		"%s training samples. The run has %s. In each, a method with one setting passes over the training samples of one "+
		"trial.", message.Count(len(b.methods()), "method"), message.Count(len(plan.Datasets), "dataset"),
		strings.Join(datasets, "; "), message.Count(b.trials(), "trial"), at, message.Count(len(plan.Cells), "cell")) +
		" Each method uses the setting with " +
		strings.TrimPrefix(b.rule.Describe(), "w and w̄ each use the setting with ") + scale
}

func (b *Book) methods() []string {
	var names []string
	for _, g := range b.run.Plan.Experiment.Methods {
		if !slices.Contains(names, g.Method) {
			names = append(names, g.Method)
		}
	}
	return names
}

// onPage returns the table t for the page. Its subtitle has a readable name of the dataset.
func onPage(p *source.Printed, t source.Named) page.Table {
	shown := *beside(p, t)
	shown.Name = t.Name
	shown.Subtitle = strings.Replace(shown.Subtitle, p.Dataset, source.DatasetLabel(p.Dataset), 1)
	return page.Table{Table: &shown, Collapsed: t.Role >= source.Intervals}
}

func pageFigures(printed []source.Printed) [][]page.Figure {
	shown := make([][]page.Figure, len(printed))
	for i := range printed {
		for _, f := range printed[i].Figures {
			shown[i] = append(shown[i], page.Draw(f))
		}
	}
	return shown
}

func (b *Book) made() string {
	p := b.run.Plan
	var datasets []string
	for _, d := range p.Datasets {
		name := d.Name
		if len(d.Trials) > 0 {
			t := &d.Trials[0]
			name += fmt.Sprintf(" (%s of %s and %s, digest of the first %.12s…)", message.Count(len(d.Trials), "trial"),
				message.Count(t.Train, "training sample"), message.Count(t.Features, "feature"), t.Digest)
		}
		datasets = append(datasets, name)
	}
	return page.Made("gdmerge", fmt.Sprintf("the run of plan %.12s… (%s), which graphda %s planned for %s.", p.Hash,
		message.Count(len(p.Cells), "cell"), p.Version, strings.Join(datasets, ", ")))
}

func (b *Book) facts(digest string) []page.Fact {
	e, p, grid, rule := b.run.Plan.Experiment, b.run.Plan, b.grid, b.rule
	var datasets []string
	for _, d := range p.Datasets {
		datasets = append(datasets, d.Name)
	}
	have := grid.Planned() - grid.Missing.N - grid.Failed.N
	facts := []page.Fact{
		{Name: "Experiment", Value: e.Name},
		{Name: "Scale", Value: cmp.Or(e.Scale, experiment.ScaleFull)},
		{Name: "Results", Value: fmt.Sprintf("%d of %d (cells × checkpoints), %d failed, %d missing", have, grid.Planned(),
			grid.Failed.N, grid.Missing.N)},
		{Name: "Cells", Value: strconv.Itoa(len(p.Cells))},
		{Name: "Datasets", Value: strings.Join(datasets, ", ")},
		{Name: "Trials", Value: strconv.Itoa(b.trials())},
		{Name: "Methods", Value: strings.Join(b.methods(), ", ")},
		{Name: "Not at their defaults", Value: cmp.Or(strings.Join(b.changed(), "; "), "none")},
		{Name: "Loss", Value: e.Loss},
		{Name: "Checkpoints", Value: strings.Trim(fmt.Sprint(p.Checkpoints), "[]")},
		{Name: "Selection", Value: rule.String() + ": " + rule.Describe()},
		{Name: "Planned with", Value: "graphda " + p.Version},
		{Name: "Reported with", Value: "graphda " + seal.Version},
		{Name: "Plan", Value: p.Hash},
		{Name: "Seeds", Value: b.seeds()},
		{Name: "Commands", Value: fmt.Sprintf("gdrun plan %s --scale %s --data DATA --out RUN, gdrun local RUN, gdmerge RUN "+
			"--selection %s --out REPORT; %[1]s is in the folder of this report", e.Name+experimentFile,
			cmp.Or(e.Scale, experiment.ScaleFull), rule.Name())},
	}
	for _, g := range e.Programs() {
		facts = append(facts, page.Fact{Name: "Program " + g.Method, Value: g.Program.String()})
	}
	digest = "SHA-256 " + digest + "; gdmerge --csv writes it"
	if b.run.FromFile() {
		digest += " of " + run.ChosenName + ", in which most rows have no measures"
	} else {
		facts = append(facts, page.Fact{Name: "Learning took", Value: coreTime(grid.Seconds())})
	}
	if byRule, err := publishedRule(e, rule); err == nil && compares(e) && byRule.Name() != rule.Name() {
		facts = append(facts, page.Fact{Name: "Beside the paper", Value: byRule.String() + ": " + byRule.Describe()})
	}
	return append(facts, page.Fact{Name: csvRows, Value: digest})
}

// changed lists, in a line for each method, the parameters that differ from their defaults.
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

func coreTime(seconds float64) string {
	text := fmt.Sprintf("%.3g seconds of one CPU core", seconds)
	if seconds >= 3600 {
		text += fmt.Sprintf(" (%.1f hours)", seconds/3600)
	}
	return text
}

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
