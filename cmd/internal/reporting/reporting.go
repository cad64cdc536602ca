// Package reporting merges a run and prints and writes its reports, for the commands that
// do so.
package reporting

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"graphda/cmd/internal/command"
	"graphda/io/seal"
	"graphda/jobs"
	"graphda/jobs/merge"
	"graphda/jobs/reports/tables"
	"graphda/jobs/usage"
)

// Options say what to report and where to.
type Options struct {
	Reports      []string // none: all
	Selection    string   // rule; "" is the experiment's
	Format       string   // of the tables that are printed
	Out          string   // folder to write everything to; "" writes nothing
	Place        seal.Output
	AllowPartial bool // although results are missing or failed
	Settings     bool // print the hyperparameters that were chosen, too
	Tests        bool // print the tests between methods, too
}

// Make prints the tables of a run to stdout, with --out writes all of its reports, and
// tells on stderr what is missing and what was written.
func Make(stdout, stderr io.Writer, r *jobs.Run, o Options) error {
	if o.Out != "" && jobs.IsRun(o.Out) {
		return usage.Errorf("out = %s is the folder of a run; name another, such as %s", o.Out, filepath.Join(o.Out, "report"))
	}
	rule, err := r.Rule(o.Selection)
	if err != nil {
		return err
	}
	if err := r.CheckReports(o.Reports); err != nil {
		return err
	}
	grid, err := r.Collect()
	if err != nil {
		return err
	}
	listGaps(stderr, r, grid)
	if err := gapError(grid, o.AllowPartial); err != nil {
		return err
	}
	printed, err := r.Print(grid, rule, o.Reports)
	if err != nil {
		return err
	}
	undrawn := refuseLacking(printed, o.AllowPartial)
	if err := printAll(stdout, printed, o); err != nil {
		return err
	}
	for i := range printed {
		if why := printed[i].NotDrawn; why != "" {
			command.Note(stderr, "%s is not drawn: %s", printed[i].Report.Name, why)
		} else if what := printed[i].Lacks; what != "" {
			command.Note(stderr, "%s is drawn of what is there: %s", printed[i].Report.Name, what)
		}
	}
	if o.Out == "" {
		tellFigures(stderr, printed)
		return undrawn
	}
	if err := os.MkdirAll(o.Out, 0o777); err != nil {
		return err
	}
	paths, err := r.WriteReports(o.Out, grid, rule, printed, o.Place)
	if err != nil {
		return err
	}
	command.Note(stderr, "wrote %d files to %s; open %s", len(paths), o.Out, filepath.Join(o.Out, jobs.PageName))
	return undrawn
}

// refuseLacking takes out figures of fewer models than were chosen, unless that is allowed.
// The error, once all else is written, says so.
func refuseLacking(printed []jobs.Printed, allowed bool) error {
	refused := 0
	for i := range printed {
		if p := &printed[i]; p.Lacks != "" && !allowed {
			p.Figures, p.NotDrawn = nil, p.Lacks
			refused++
		}
	}
	if refused == 0 {
		return nil
	}
	return fmt.Errorf("%s not drawn for want of models; run gdrun local again, or take what is there with --allow-partial: %w",
		command.Count(refused, "report"), command.ErrIncomplete)
}

// tellFigures says that there are figures, which are not printed.
func tellFigures(w io.Writer, printed []jobs.Printed) {
	figures := 0
	for i := range printed {
		figures += len(printed[i].Figures)
	}
	if figures > 0 {
		command.Note(w, "%s not shown here; name a folder for them with --out", command.Count(figures, "figure"))
	}
}

// printAll prints the tables; of a report with a published table the comparison.
func printAll(w io.Writer, printed []jobs.Printed, o Options) error {
	first := true
	show := func(t *tables.Table) error {
		if !first {
			fmt.Fprintln(w)
		}
		first = false
		return t.Write(w, o.Format)
	}
	for i := range printed {
		p := &printed[i]
		if p.Table == nil {
			continue
		}
		if err := show(p.Table); err != nil {
			return err
		}
		if p.Comparison != nil {
			beside := p.Comparison.Table()
			beside.Notes = slices.DeleteFunc(beside.Notes, func(note string) bool { return slices.Contains(p.Table.Notes, note) })
			if err := show(beside); err != nil {
				return err
			}
		}
		if o.Settings {
			if err := show(p.Settings); err != nil {
				return err
			}
		}
		if o.Tests && p.Tests != nil {
			if err := show(p.Tests.Table()); err != nil {
				return err
			}
		}
	}
	return nil
}

// shown is how many missing and failed cells are listed by name.
const shown = 10

// listGaps names what is missing and what failed.
func listGaps(w io.Writer, r *jobs.Run, grid *merge.Grid) {
	for i, gap := range grid.Missing {
		if i == shown {
			command.Note(w, "… and %d more are missing", len(grid.Missing)-shown)
			break
		}
		command.Note(w, "missing: %s at %d samples (cell %.12s…)", r.DescribeCell(gap.ID), gap.Checkpoint, gap.ID)
	}
	for i, f := range grid.Failed {
		if i == shown {
			command.Note(w, "… and %d more failed", len(grid.Failed)-shown)
			break
		}
		command.Note(w, "failed: %s at %d samples: %s", r.DescribeCell(f.ID), f.Checkpoint, f.Error)
	}
	if grid.Foreign > 0 {
		command.Note(w, "%d rows belong to no planned cell and checkpoint; they are left out", grid.Foreign)
	}
}

func gapError(grid *merge.Grid, allowed bool) error {
	switch {
	case allowed || grid.Complete():
		return nil
	case len(grid.Missing) > 0:
		return fmt.Errorf("%d of %d results are missing; run gdrun local or gdrun submit again, or take what is there with --allow-partial: %w",
			len(grid.Missing), grid.Planned(), command.ErrIncomplete)
	default:
		return fmt.Errorf("%d of %d results are missing because their cells failed; leave them out with --allow-partial: %w", len(grid.Failed), grid.Planned(), command.ErrFailed)
	}
}
