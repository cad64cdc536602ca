package reports

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/page"
	"graphda/jobs/reports/tables"
	"graphda/jobs/usage"
)

// Write writes results.csv, with all rows in plan order, the tables and figures in every
// format, and one page of them all into dir, each file in one step. It returns their paths. If
// any of them may not be replaced, none is written. Figures that are left out for want of models
// are removed if an earlier merge has written them.
func (b *Book) Write(dir string, place seal.Output) ([]string, error) {
	shown, err := pageFigures(b.Printed)
	if err != nil {
		return nil, err
	}
	files := b.files(dir, shown)
	var paths []string
	for _, f := range files {
		if slices.Contains(paths, f.path) {
			return nil, usage.Errorf("two files would both be %s; give the reports other names", f.path)
		}
		paths = append(paths, f.path)
		if err := place.Check(f.path); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		if err := place.Write(f.path, f.fill); err != nil {
			return nil, err
		}
	}
	slices.Sort(paths)
	return paths, b.removeLeftOut(dir, place)
}

// removeLeftOut removes the files of figures left out that an earlier merge has written.
func (b *Book) removeLeftOut(dir string, place seal.Output) error {
	for i := range b.Printed {
		for _, f := range b.Printed[i].leftOut {
			for _, format := range append(figures.Formats(), "csv") {
				path := filepath.Join(dir, f.Describe().Name+"."+format)
				if place.Check(path) != nil {
					continue // it is not ours
				}
				if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
	}
	return nil
}

// A reportFile is a file of a report that is to be written.
type reportFile struct {
	path string
	fill func(io.Writer) error
}

// files lists what Write writes.
func (b *Book) files(dir string, shown [][]page.Figure) []reportFile {
	var files []reportFile
	add := func(name string, fill func(io.Writer) error) {
		files = append(files, reportFile{filepath.Join(dir, name), fill})
	}
	add(experiment.RowsName+".csv", func(w io.Writer) error { return results.WriteCSV(w, b.grid.Params(), b.grid.Rows()) })
	addTables := func(shown, data []namedTable) {
		for _, t := range shown {
			for _, format := range tables.FileFormats() {
				add(t.name+format.Extension, t.table.Sealed(format.Name))
			}
		}
		for _, t := range data {
			for _, format := range []string{"csv", "arrow"} {
				add(t.name+"."+format, t.table.Sealed(format))
			}
		}
	}
	addTables(b.claims.tables(), b.claims.dataTables())
	for i := range b.Printed {
		for k, f := range b.Printed[i].figures {
			name, onPage := f.Describe().Name, &shown[i][k]
			add(name+".csv", bytesOf(onPage.CSV))
			for _, format := range figures.Formats() {
				add(name+"."+format, func(w io.Writer) error { return f.Draw(w, format) })
			}
		}
		addTables(b.Printed[i].tables(), b.Printed[i].data())
	}
	add(PageName, func(w io.Writer) error { return b.writePage(w, shown) })
	return files
}

// bytesOf returns what writes these bytes.
func bytesOf(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// A namedTable is a table with the name of its files.
type namedTable struct {
	name  string
	table *tables.Table
	extra bool // beside what the report is about
}

// tables are that of the claims, if there are any; dataTables those for programs.
func (c *claims) tables() []namedTable {
	if c == nil {
		return nil
	}
	return []namedTable{{name: ClaimsName, table: c.table()}}
}

func (c *claims) dataTables() []namedTable {
	if c == nil {
		return nil
	}
	return []namedTable{{name: ClaimsName + "-comparisons", table: c.data()}}
}

// tables are the report's tables, the most important first.
func (p *Printed) tables() []namedTable {
	if p.table == nil {
		return nil
	}
	tables := []namedTable{{name: p.table.Name, table: p.table}}
	if p.comparison != nil {
		tables = append(tables, namedTable{name: p.table.Name + "-published", table: p.comparison.table()})
	}
	if p.intervals != nil {
		tables = append(tables, namedTable{name: p.table.Name + "-intervals", table: p.intervals, extra: true})
	}
	if p.tests != nil {
		tables = append(tables, namedTable{name: p.table.Name + "-tests", table: p.tests.table(), extra: true})
	}
	if p.settings != nil {
		tables = append(tables, namedTable{name: p.table.Name + "-settings", table: p.settings, extra: true})
	}
	return tables
}

// data are the report's tables for programs.
func (p *Printed) data() []namedTable {
	var data []namedTable
	if p.comparison != nil {
		data = append(data, namedTable{name: p.table.Name + "-published-values", table: p.comparison.data()})
	}
	if p.tests != nil {
		data = append(data, namedTable{name: p.table.Name + "-tests-pairs", table: p.tests.data()})
	}
	return data
}
