package page

import (
	"fmt"
	"html/template"

	"graphda/io/seal"
	"graphda/io/table"
)

// A Page is a report, in this order: answer, warnings, lead, contents, sections, citation and facts. All texts
// are plain; blank lines separate the paragraphs of an Intro.
type Page struct {
	Title    string
	Subtitle string
	Answer   string // in a sentence, if the page answers a question; it stands for the line that there are no warnings
	Negative bool   // the answer is that there is nothing to rely on
	Lead     string // what was run, in a sentence
	Citation string // the work that it reproduces
	Files    string // folder of the files that the Markdown shows and links to; "": beside it
	Warnings []Warning
	Sections []Section
	Made     string // of what it was made, and by which version, in a sentence
	Facts    []Fact // with what it was run, and how; shown last
}

// Made is the sentence that a command made a page from something.
func Made(command, from string) string {
	return fmt.Sprintf("Made by graphda %s with %s from %s", seal.Version, command, from)
}

// A Warning is what a reader must know of the page, and where it holds.
type Warning struct {
	Text  string
	Cases []string // each of them, if there are several; behind a fold
}

// A Fact is a line of the page's last list.
type Fact struct {
	Name, Value string
}

// A Section is a chapter of the page: its tables, then its figures.
type Section struct {
	ID      string // anchor: ASCII letters, digits, '-' and '_', different in each section
	Title   string
	Intro   string
	Tables  []Table
	Figures []Figure
}

// A Table is a table of the report. Its Name makes its anchor and the name of its
// download, so it differs from the names of other tables.
type Table struct {
	*table.Table
	Collapsed bool    // folded until opened; in print always open
	Places    []Place // by row: where the page draws what its first value names; none, or one for each row
}

// A Place is an element of a picture that a table's row leads to, if the page has it.
type Place struct {
	Figure string // by its Name
	ID     string // of the element in its SVG
}

// A Figure is pictures with their data.
type Figure struct {
	Name    string // makes its anchor and the name of its download; differs from other figures'
	Title   string
	Caption string
	Panels  []Panel // one at least
	Columns int     // panels side by side where there is room for them; 0 is 1
	Keys    []Key   // what explains their looks
	CSV     []byte  // its data; none, no download
}

// A Panel is a picture. Its SVG is trusted and stands in the page as it is.
type Panel struct {
	Group       string // of panels that follow each other: a line of their own
	Title, Note string // above and below it
	SVG         template.HTML
	Aspect      float64 // its height by its width; 0: 1
	Least       float64 // the least width at which it is legible, in pixels; 0: any
}

// A Key explains a look.
type Key struct {
	Label string
	SVG   template.HTML
}
