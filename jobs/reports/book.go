package reports

import (
	"fmt"
	"slices"

	"graphda/io/message"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/reports/claims"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
	"graphda/jobs/selection"
	"graphda/jobs/simulate"
)

// Options say which reports to make, by which rule, and what may be missing.
type Options struct {
	Reports      []string // names of reports; an empty list means all reports of the experiment
	Selection    string   // name of the rule; "" means the experiment's first rule
	AllowPartial bool     // accept missing results or models, and failed cells

	Uses []merge.Use // functions that receive all rows during merging
}

// A Book holds the reports of one run.
type Book struct {
	Gaps    []string         // lines about missing results, failed results and outdated datasets
	Printed []source.Printed // in the order of the experiment's reports
	claims  *claims.Claims   // nil if the run can decide no claim, or if only some reports are made

	run  *run.Run
	grid *merge.Grid
	rule selection.Rule
	src  *source.Source

	spending *run.Spending // what the run has cost, for the page; set by Write
}

// Make merges a run and makes its reports. Unless o.AllowPartial is set, gaps are an error. If results are missing or
// cells failed, the book has only Gaps, and the error wraps run.ErrIncomplete or run.ErrFailed. If only models are
// missing, the book lacks the figures of these models, and the error wraps run.ErrIncomplete.
func Make(r *run.Run, o Options) (*Book, error) {
	e := r.Plan.Experiment
	rule, err := r.Rule(o.Selection)
	if err != nil {
		return nil, err
	}
	if err := e.CheckReports(o.Reports); err != nil {
		return nil, err
	}
	grid, err := r.Collect(o.Uses...)
	if err != nil {
		return nil, err
	}
	b := &Book{Gaps: gaps(r, grid), run: r, grid: grid, rule: rule}
	if !o.AllowPartial {
		if err := incomplete(grid); err != nil {
			return b, err
		}
	}
	if err := b.print(o.Reports); err != nil {
		return b, err
	}
	if o.AllowPartial {
		return b, nil
	}
	return b, b.leaveOut()
}

// print makes the tables and figures of the named reports, or of all reports if names is empty.
func (b *Book) print(names []string) error {
	e := b.run.Plan.Experiment
	src := &source.Source{Run: b.run, Grid: b.grid, Summary: b.grid.Summarize(b.rule)}
	b.src, src.AsPublished = src, src.Summary
	if byRule, err := publishedRule(e, b.rule); err != nil {
		return err
	} else if byRule.Name() != b.rule.Name() {
		src.AsPublished = b.grid.Summarize(byRule)
	}
	if by, err := e.Rule(selection.Paper); err == nil && by.SeesTruth() && by.Name() != b.rule.Name() {
		if src.ByTruth = src.AsPublished; by.Name() != src.AsPublished.Rule.Name() {
			src.ByTruth = b.grid.Summarize(by)
		}
	}
	if len(names) == 0 {
		src.Begin()
		var err error
		if b.claims, err = claims.New(src); err != nil {
			return err
		}
	}
	for _, rep := range e.AllReports() {
		if len(names) > 0 && !slices.Contains(names, rep.Name) {
			continue
		}
		print, err := printerOf(&rep)
		if err != nil {
			return err
		}
		src.Begin()
		p, err := print(src, &rep)
		if err != nil {
			return fmt.Errorf("report %s: %w", rep.Name, err)
		}
		b.Printed = append(b.Printed, p...)
	}
	return nil
}

// publishedRule returns the rule for comparisons with published numbers. This is the rule "paper" if the experiment has
// it and the reports use the experiment's first rule. Otherwise it is the reports' rule.
func publishedRule(e *experiment.Experiment, rule selection.Rule) (selection.Rule, error) {
	if rule.Name() != e.Selection[0] || !slices.Contains(e.Selection, selection.Paper) {
		return rule, nil
	}
	return e.Rule(selection.Paper)
}

// compares tells whether a report of the experiment has published numbers.
func compares(e *experiment.Experiment) bool {
	return slices.ContainsFunc(e.AllReports(), func(rep experiment.Report) bool { return rep.Published != "" })
}

// listed is the largest number of missing or failed cells that are listed by name.
const listed = 10

func gaps(r *run.Run, grid *merge.Grid) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, text := range outdated(r.Plan) {
		add("%s", text)
	}
	if r.FromFile() {
		add("%s has no models, so gdmerge leaves out figures of models and claims about weights", run.ChosenName)
	}
	for i, gap := range grid.Missing.First {
		if i == listed {
			add("… and %d more are missing", grid.Missing.N-listed)
			break
		}
		add("missing: %s at %d samples (cell %.12s…)", r.Plan.Describe(gap.Cell), gap.Checkpoint, gap.ID)
	}
	for i, f := range grid.Failed.First {
		if i == listed {
			add("… and %d more failed", grid.Failed.N-listed)
			break
		}
		add("failed: %s at %d samples: %s", r.Plan.Describe(f.Cell), f.Checkpoint, f.Error)
	}
	if grid.Foreign > 0 {
		add("left out %s, which belong to no planned cell and checkpoint", message.Count(grid.Foreign, "row"))
	}
	return lines
}

// outdated lists datasets that `gdrun plan` refuses, because this version would draw other samples.
func outdated(p *plan.Plan) (texts []string) {
	for _, d := range p.Datasets {
		if len(d.Trials) == 0 {
			continue
		}
		if err := simulate.Current(d.Trials[0].Metadata); err != nil {
			texts = append(texts, fmt.Sprintf("dataset %s: %v", d.Name, err))
		}
	}
	return texts
}

func incomplete(grid *merge.Grid) error {
	switch {
	case grid.Complete():
		return nil
	case grid.Missing.N > 0:
		return message.Because(run.ErrIncomplete, "%d of %d results are missing; run gdrun local or gdrun submit again, or "+
			"merge the others with --allow-partial", grid.Missing.N, grid.Planned())
	default:
		return message.Because(run.ErrFailed, "%d of %d results are missing because their cells failed; "+
			"leave them out with --allow-partial", grid.Failed.N, grid.Planned())
	}
}

// leaveOut removes figures whose models are missing.
func (b *Book) leaveOut() error {
	left := 0
	for i := range b.Printed {
		if p := &b.Printed[i]; p.Lacks != "" {
			p.Figures, p.LeftOut, p.NotDrawn = nil, p.Figures, p.Lacks
			left++
		}
	}
	if left == 0 {
		return nil
	}
	return message.Because(run.ErrIncomplete, "%s not drawn, because models are missing; run gdrun local again, or "+
		"leave the figures out with --allow-partial",
		message.Count(left, "report"))
}

func (b *Book) trials() (most int) {
	for _, d := range b.run.Plan.Datasets {
		most = max(most, len(d.Trials))
	}
	return most
}

// Figures returns the number of figures in all reports.
func (b *Book) Figures() int {
	n := 0
	for i := range b.Printed {
		n += len(b.Printed[i].Figures)
	}
	return n
}
