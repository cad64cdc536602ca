package reports

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"graphda/io/seal"
	"graphda/io/table"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
	"graphda/jobs/reports/source"
	"graphda/jobs/userinput"
)

// Write writes the page into dir, and tables and figures in every format into its folder filesFolder. It also moves
// the files of rows to their final names. A file appears only when it is complete. Write returns the paths of all
// files. If it may not replace an existing file, it writes no file. Write also removes files of an earlier merge that
// are not written again: figures whose models are now missing, and results.csv.
func (b *Book) Write(dir string, place seal.Output, rows *RowFiles) ([]string, error) {
	var err error
	if b.spending, err = b.run.Spending(); err != nil {
		return nil, err
	}
	files := b.files(dir, pageFigures(b.Printed), rows)
	var paths []string
	for _, f := range rows.files {
		paths = append(paths, f.path)
	}
	for _, f := range files {
		if slices.Contains(paths, f.path) {
			return nil, userinput.Errorf("two files would both be %s; give the reports other names", f.path)
		}
		paths = append(paths, f.path)
		if err := place.Check(f.path); err != nil {
			return nil, err
		}
	}
	if err := rows.commit(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, filesFolder), 0o777); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := place.Write(f.path, f.fill); err != nil {
			return nil, err
		}
	}
	slices.Sort(paths)
	return paths, b.removeEarlier(dir, paths)
}

// removeEarlier removes files that an earlier merge wrote and this merge did not. It keeps files that were changed.
func (b *Book) removeEarlier(dir string, written []string) error {
	names := []string{csvRows}
	for i := range b.Printed {
		for _, f := range b.Printed[i].LeftOut {
			for _, format := range append(figures.Formats(), "csv") {
				names = append(names, f.Describe().Name+"."+format)
			}
		}
	}
	for _, name := range names {
		path := filepath.Join(dir, filesFolder, name)
		if slices.Contains(written, path) || (seal.Output{}).Check(path) != nil { // just written, or changed by somebody
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

type reportFile struct {
	path string
	fill func(io.Writer) error
}

// files lists all files that Write writes, except the files of rows.
func (b *Book) files(dir string, shown [][]page.Figure, rows *RowFiles) []reportFile {
	var files []reportFile
	add := func(name string, fill func(io.Writer) error) {
		files = append(files, reportFile{filepath.Join(dir, filesFolder, name), fill})
	}
	addTables := func(tables []source.Named) {
		for _, t := range tables {
			formats := table.FileFormats()
			if t.Role == source.Data {
				formats = slices.DeleteFunc(formats, func(f table.Format) bool { return f.Name != "csv" })
			}
			for _, format := range formats {
				add(t.Name+format.Extension, t.As(format.Name))
			}
		}
	}
	addTables(b.claims.Tables())
	for i := range b.Printed {
		for _, f := range b.Printed[i].Figures {
			name := f.Describe().Name
			add(name+".csv", func(w io.Writer) error { return figures.WriteCSV(w, f) })
			for _, format := range figures.Formats() {
				add(name+"."+format, func(w io.Writer) error { return figures.Draw(w, f, format) })
			}
		}
		addTables(b.Printed[i].Tables)
	}
	addTables(b.ownTables())
	return append(files, reportFile{filepath.Join(dir, b.run.Plan.Experiment.Name+experimentFile), b.experiment},
		reportFile{filepath.Join(dir, PageName), func(w io.Writer) error { return b.page(shown, rows.digest).Write(w) }},
		reportFile{filepath.Join(dir, markdownPage),
			func(w io.Writer) error { return b.page(shown, rows.digest).Markdown(w) }})
}

// ownTables returns the tables that belong to no report: diagnostics and core-hours.
func (b *Book) ownTables() []source.Named {
	var own source.Printed
	own.Add(source.Main, "", b.diagnostics())
	for _, t := range b.spentTables() {
		own.Add(source.Main, "", t)
	}
	return own.Tables
}
