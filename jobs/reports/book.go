package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"graphda/io/plain"
	"graphda/io/seal"
	"graphda/jobs"
	"graphda/jobs/merge"
	"graphda/jobs/reports/tables"
	"graphda/jobs/selection"
)

// Options say what to make of a run.
type Options struct {
	Reports      []string // their names; none: all
	Selection    string   // rule; "" is the experiment's
	AllowPartial bool     // although results or models are missing, or cells failed
}

// A Book is the reports of a run.
type Book struct {
	Gaps    []string  // what is missing of the results, what failed and what is outdated, a line each
	Printed []Printed // in the experiment's order

	run  *jobs.Run
	grid *merge.Grid
	rule selection.Rule
}

// Make merges a run and makes its reports. If results are missing, or cells failed, and that is
// not allowed, the error wraps jobs.ErrIncomplete or jobs.ErrFailed, and the book has nothing
// but its gaps. Where only models are missing, the figures that need them are left out, and the
// error, jobs.ErrIncomplete too, says so beside the rest of the book.
func Make(run *jobs.Run, o Options) (*Book, error) {
	e := run.Plan.Experiment
	rule, err := e.Rule(o.Selection)
	if err != nil {
		return nil, err
	}
	if err := e.CheckReports(o.Reports); err != nil {
		return nil, err
	}
	grid, err := run.Collect()
	if err != nil {
		return nil, err
	}
	b := &Book{Gaps: gaps(run, grid), run: run, grid: grid, rule: rule}
	if !o.AllowPartial {
		if err := incomplete(grid); err != nil {
			return b, err
		}
	}
	if b.Printed, err = printReports(run, grid, rule, o.Reports); err != nil {
		return b, err
	}
	if o.AllowPartial {
		return b, nil
	}
	return b, b.leaveOut()
}

// listed is how many missing and failed cells are listed by name.
const listed = 10

// gaps names what is missing, what failed, and data that would be drawn otherwise today.
func gaps(r *jobs.Run, grid *merge.Grid) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, text := range r.Plan.Outdated() {
		add("%s", text)
	}
	for i, gap := range grid.Missing {
		if i == listed {
			add("… and %d more are missing", len(grid.Missing)-listed)
			break
		}
		add("missing: %s at %d samples (cell %.12s…)", r.DescribeCell(gap.ID), gap.Checkpoint, gap.ID)
	}
	for i, f := range grid.Failed {
		if i == listed {
			add("… and %d more failed", len(grid.Failed)-listed)
			break
		}
		add("failed: %s at %d samples: %s", r.DescribeCell(f.ID), f.Checkpoint, f.Error)
	}
	if grid.Foreign > 0 {
		add("%d rows belong to no planned cell and checkpoint; they are left out", grid.Foreign)
	}
	return lines
}

// incomplete is the error of a grid that lacks results.
func incomplete(grid *merge.Grid) error {
	switch {
	case grid.Complete():
		return nil
	case len(grid.Missing) > 0:
		return plain.Because(jobs.ErrIncomplete, "%d of %d results are missing; run gdrun local or gdrun submit again, "+
			"or take what is there with --allow-partial", len(grid.Missing), grid.Planned())
	default:
		return plain.Because(jobs.ErrFailed, "%d of %d results are missing because their cells failed; "+
			"leave them out with --allow-partial", len(grid.Failed), grid.Planned())
	}
}

// leaveOut takes out the figures of fewer models than were chosen.
func (b *Book) leaveOut() error {
	left := 0
	for i := range b.Printed {
		if p := &b.Printed[i]; p.Lacks != "" {
			p.figures, p.leftOut, p.NotDrawn = nil, p.figures, p.Lacks
			left++
		}
	}
	if left == 0 {
		return nil
	}
	return plain.Because(jobs.ErrIncomplete, "%s not drawn for want of models; run gdrun local again, or take what is "+
		"there with --allow-partial",
		plural(strconv.Itoa(left), "report"))
}

// Figures is the number of figures.
func (b *Book) Figures() int {
	n := 0
	for i := range b.Printed {
		n += len(b.Printed[i].figures)
	}
	return n
}

// Extras are tables that are printed on request.
type Extras struct {
	Settings bool // the hyperparameters that were chosen
	Tests    bool // the tests between methods
}

// Print prints the tables in a format, with a blank line between them; of a report with a
// published table the comparison too.
func (b *Book) Print(w io.Writer, format string, extras Extras) error {
	first := true
	for i := range b.Printed {
		for _, t := range b.Printed[i].onTerminal(extras) {
			if !first {
				fmt.Fprintln(w)
			}
			first = false
			if err := t.Write(w, format); err != nil {
				return err
			}
		}
	}
	return nil
}

// onTerminal are the tables that are printed.
func (p *Printed) onTerminal(extras Extras) []*tables.Table {
	if p.table == nil {
		return nil
	}
	shown := []*tables.Table{p.table}
	if p.comparison != nil {
		beside := p.comparison.table()
		beside.Notes = slices.DeleteFunc(beside.Notes, func(note string) bool { return slices.Contains(p.table.Notes, note) })
		shown = append(shown, beside)
	}
	if extras.Settings {
		shown = append(shown, p.settings)
	}
	if extras.Tests && p.tests != nil {
		shown = append(shown, p.tests.table())
	}
	return shown
}

// Write writes results.csv, with all rows in plan order, the tables and figures in every
// format, and one page of them all into dir, each file in one step. It returns their paths. If
// any of them may not be replaced, none is written. Figures that are left out for want of models
// are removed if an earlier merge has written them.
func (b *Book) Write(dir string, place seal.Output) ([]string, error) {
	return writeReports(b.run, dir, b.grid, b.rule, b.Printed, place)
}
