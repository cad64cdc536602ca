package page

import (
	"fmt"
	"io"

	"graphda/jobs/reports/tables"
)

// A Page is a report. All texts are plain; blank lines separate the paragraphs of an Intro.
type Page struct {
	Title    string // needed
	Subtitle string
	Facts    []Fact   // what was run, with what, and how complete it is
	Warnings []string // shown first
	Sections []Section
}

// A Fact is a line of the page's opening list.
type Fact struct {
	Name, Value string
}

// A Section is a chapter of the page: its tables, then its figures.
type Section struct {
	ID      string // anchor: ASCII letters, digits, '-' and '_', different in each section
	Title   string // needed
	Intro   string
	Tables  []Table
	Figures []Figure
}

// A Table is a table of the report. Its Name makes its anchor and the name of its
// download, so it differs from those of other tables.
type Table struct {
	*tables.Table
	Note      string // a paragraph between heading and table
	Collapsed bool   // folded until opened; in print always open
}

// A Figure is a picture with its data.
type Figure struct {
	Name    string // makes its anchor and the name of its download; differs from other figures'
	Title   string // needed
	Caption string
	SVG     []byte // a still picture without style sheet; texts are black, so it is put on white
	CSV     []byte // its data; none, no download
}

// An Error says which part of a Page cannot be shown, and why.
type Error struct {
	Part string // such as `figure "f1"`
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("page: %s: %v", e.Part, e.Err) }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Write writes the page as HTML. Nothing is written if a part of it cannot be shown; the
// error is then an *Error.
func (p *Page) Write(w io.Writer) error {
	v, err := p.view()
	if err != nil {
		return err
	}
	return render(w, v)
}
