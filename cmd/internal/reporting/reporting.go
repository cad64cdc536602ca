// Package reporting makes, prints and writes a run's reports, for the commands that do so.
package reporting

import (
	"io"
	"os"
	"path/filepath"

	"graphda/cmd/internal/command"
	"graphda/io/plain"
	"graphda/io/seal"
	"graphda/jobs"
	"graphda/jobs/reports"
	"graphda/jobs/usage"
)

// Options say what to report and where to.
type Options struct {
	reports.Options
	reports.Extras
	Format string // of the tables that are printed
	Out    string // folder to write everything to; "" writes nothing
	Place  seal.Output
}

// Make prints the tables of a run to stdout, with --out writes all of its reports, and
// tells on stderr what is missing and what was written.
func Make(stdout, stderr io.Writer, r *jobs.Run, o Options) error {
	if o.Out != "" && jobs.IsRun(o.Out) {
		return usage.Errorf("out = %s is the folder of a run; name another, such as %s", o.Out,
			filepath.Join(o.Out, "report"))
	}
	if err := checkFolder(o.Out); err != nil {
		return err
	}
	book, incomplete := reports.Make(r, o.Options)
	if book == nil {
		return incomplete
	}
	for _, gap := range book.Gaps {
		command.Note(stderr, "%s", gap)
	}
	if book.Printed == nil {
		return incomplete
	}
	if err := book.Print(stdout, o.Format, o.Extras); err != nil {
		return err
	}
	for i := range book.Printed {
		p := &book.Printed[i]
		if why := p.NotDrawn; why != "" {
			command.Note(stderr, "%s is not drawn: %s", p.Report.Name, why)
		} else if what := p.Lacks; what != "" {
			command.Note(stderr, "%s is drawn of what is there: %s", p.Report.Name, what)
		}
	}
	if o.Out == "" {
		if n := book.Figures(); n > 0 {
			command.Note(stderr, "%s not shown here; name a folder for them with --out", plain.Count(n, "figure"))
		}
		return incomplete
	}
	if err := os.MkdirAll(o.Out, 0o777); err != nil {
		return err
	}
	paths, err := book.Write(o.Out, o.Place)
	if err != nil {
		return err
	}
	command.Note(stderr, "wrote %d files to %s; open %s", len(paths), o.Out, filepath.Join(o.Out, reports.PageName))
	return incomplete
}

// checkFolder refuses a folder that cannot be made because it, or what it is to be in, is a file.
func checkFolder(dir string) error {
	for at := dir; dir != ""; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return usage.Errorf("out = %s, want a folder: %s is a file", dir, at)
		}
		if err == nil || at == filepath.Dir(at) {
			break
		}
	}
	return nil
}
