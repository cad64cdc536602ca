package command

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"

	"graphda/io/message"
	"graphda/io/seal"
	"graphda/jobs/executor"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/reports"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
)

// ReportOptions say what is reported, and where.
type ReportOptions struct {
	reports.Options
	reports.Extras
	Format string
	Out    string // folder for all files; if empty, no file is written
	CSV    bool   // set to write the rows as CSV too
	Place  seal.Output
}

// memoryLimit limits the program's memory while a run is merged. A run with 31 million rows needs more than half of
// this limit. Without the limit, garbage would take as much memory as data.
const memoryLimit = 900 << 20

// Report prints the tables of a run to stdout, and writes all reports into o.Out if set. On stderr it says what is
// missing and what was written. If the context ends while results are collected, Report writes no files.
func Report(ctx context.Context, stdout, stderr io.Writer, r *run.Run, o ReportOptions) error {
	if o.Out != "" && plan.IsRun(o.Out) {
		return userinput.Errorf("out = %s is the folder of a run; name another folder, such as %s", o.Out,
			filepath.Join(o.Out, "report"))
	}
	if err := checkFolder(o.Out); err != nil {
		return err
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	}
	var rows *reports.RowFiles
	if o.Out != "" {
		var err error
		if rows, err = reports.CreateRows(r, o.Out, o.Place, o.CSV); err != nil {
			return err
		}
		defer rows.Abort()
		o.Uses = append(o.Uses, rows.Use)
	}
	progress := NewProgress(stderr, "cell", len(r.Plan.Cells), float64(len(r.Plan.Cells)))
	o.Uses = append(o.Uses, func(t *merge.TrialRows) error {
		progress.Event(executor.Event{Kind: executor.CellDone, Cells: len(t.Cells), Seconds: float64(len(t.Cells))})
		return Interruption(ctx)
	})
	book, incomplete := reports.Make(r, o.Options)
	progress.Clear()
	if book == nil {
		return incomplete
	}
	for _, gap := range book.Gaps {
		Note(stderr, "%s", gap)
	}
	if book.Printed == nil {
		return incomplete
	}
	var paths []string
	if o.Out != "" { // before printing, because printing may fail
		var err error
		if paths, err = book.Write(o.Out, o.Place, rows); err != nil {
			return err
		}
		o.Page = filepath.Join(o.Out, reports.PageName)
	}
	if err := book.Print(stdout, o.Format, o.Extras); err != nil {
		return err
	}
	tell(stderr, book)
	if o.Out == "" {
		if n := book.Figures(); n > 0 {
			Note(stderr, "%s not shown on the terminal; --out FOLDER writes them", message.Count(n, "figure"))
		}
		return incomplete
	}
	Note(stderr, "wrote %d files to %s; open %s", len(paths), o.Out, o.Page)
	return incomplete
}

func tell(stderr io.Writer, book *reports.Book) {
	for i := range book.Printed {
		p := &book.Printed[i]
		if why := p.NotDrawn; why != "" {
			Note(stderr, "report %s is not drawn: %s", p.Report.Name, why)
		} else if what := p.Lacks; what != "" {
			Note(stderr, "report %s shows only a part: %s", p.Report.Name, what)
		}
	}
	if warning := book.Builds(); warning != "" {
		Note(stderr, "%s", warning)
	}
}

// checkFolder refuses a folder if a file has the folder's name or the name of one of its parents.
func checkFolder(dir string) error {
	for at := dir; dir != ""; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return userinput.Errorf("out = %s, want a folder, but %s is a file", dir, at)
		}
		if err == nil || at == filepath.Dir(at) {
			break
		}
	}
	return nil
}
