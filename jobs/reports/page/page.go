package page

import (
	"fmt"
	"html/template"

	"graphda/io/seal"
	"graphda/io/table"
)

// A Page is a report, in this order: answer, warnings, lead, contents, sections, citation and facts. All texts are
// plain. Blank lines separate the paragraphs of an Intro.
type Page struct {
	Title    string
	Subtitle string
	Answer   string // a sentence; empty: the page answers no question. It replaces the line about no warnings
	Negative bool   // the answer is that nothing can be relied on
	Lead     string // a sentence: what was run
	Citation string // the reproduced work
	Files    string // folder of the files that the Markdown shows and links to; "": the page's folder
	Warnings []Warning
	Sections []Section
	Made     string // a sentence: its sources and the version
	Facts    []Fact // data and settings of the run; shown last
}

// Made returns the sentence that a command made a page from something.
func Made(command, from string) string {
	return fmt.Sprintf("Made by graphda %s with %s from %s", seal.Version, command, from)
}

// A Warning is something that readers of the page must know, with the places where it applies.
type Warning struct {
	Text  string
	Cases []string // the places, if there are several; folded
}

// A Fact is a line of the page's last list.
type Fact struct {
	Name, Value string
}

// A Section is a chapter of the page: its tables, then its figures.
type Section struct {
	ID      string // anchor: ASCII letters, digits, '-' and '_'; unique
	Title   string
	Intro   string
	Tables  []Table
	Figures []Figure
}

// A Table is a table of the report. Its Name is unique, because it makes the anchor and the name of the download.
type Table struct {
	*table.Table
	Collapsed bool    // folded until opened; always open in print
	Places    []Place // by row: where the page draws the row's first value; none, or one for each row
}

// A Place is an element of a picture that a table's row links to, if the page has it.
type Place struct {
	Figure string // by its Name
	ID     string // of the element in its SVG
}

// A Figure is pictures with their data.
type Figure struct {
	Name    string // makes its anchor and the name of its download; unique
	Title   string
	Caption string
	Panels  []Panel // at least one
	Columns int     // panels side by side if there is space; 0: 1
	Keys    []Key   // explain the looks
	CSV     []byte  // its data; empty: no download

	Collapsed bool // folded until opened; always open in print
}

// A Panel is a picture. Its SVG is trusted and inserted unchanged.
type Panel struct {
	Group       string // panels in a row with one group get a separate line
	Title, Note string // above and below it
	SVG         template.HTML
	Aspect      float64 // height divided by width; 0: 1
	Least       float64 // smallest legible width in pixels; 0: any
}

// A Key explains a look.
type Key struct {
	Label string
	SVG   template.HTML
}
