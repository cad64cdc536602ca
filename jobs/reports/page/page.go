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
	Answer   string // a sentence; if it is empty and there are no warnings, the page says so
	Negative bool   // the answer is that no result is reliable
	Lead     string // what was run, with a paragraph for each line
	Citation string // the reproduced work
	Files    string // folder of data files and of files for Markdown; "" is the page's folder
	Warnings []Warning
	Sections []Section
	Made     string // a sentence on the version of graphda and its input
	Facts    []Fact // data and settings of the run, shown last
}

// Made returns the beginning of the sentence Page.Made.
func Made(command, from string) string {
	return fmt.Sprintf("Made by graphda %s with %s from %s", seal.Version, command, from)
}

// A Warning is a text that readers must know.
type Warning struct {
	Text  string
	Cases []string // places to which the warning applies; collapsed at first
}

// A Fact is an entry of the list at the end of the page.
type Fact struct {
	Name, Value string
}

// A Section is a chapter of the page: its tables, then its figures.
type Section struct {
	ID      string // unique anchor of ASCII letters, digits, '-' and '_'
	Title   string
	Intro   string
	Tables  []Table
	Figures []Figure
}

// A Table is a table on the page. Its Name is unique, because anchor and download use it.
type Table struct {
	*table.Table
	Collapsed bool    // collapsed at first; always open in print
	Places    []Place // link of each row's first value; nil without links
}

// A Place is an element of a figure. A row of a table links to it, if the page has the element.
type Place struct {
	Figure string // the figure's Name
	ID     string // id in the SVG
}

// A Figure is a group of pictures with one caption.
type Figure struct {
	Name    string // unique, because anchor and download use it
	Title   string
	Caption string
	Panels  []Panel // at least one
	Columns int     // number of panels side by side, if there is space; 0 means 1
	Keys    []Key
	CSV     []byte // data for download; nil for none

	Collapsed bool // collapsed at first; always open in print
}

// A Panel is a picture of a figure. The page inserts its SVG unchanged.
type Panel struct {
	Group       string // neighbours with the same Group share a row
	Title, Note string
	SVG         template.HTML
	Aspect      float64 // height divided by width; 0 means 1
	Least       float64 // smallest legible width, in CSS pixels; 0 means any
}

// A Key explains a colour, a line or a marker in a legend.
type Key struct {
	Label string
	SVG   template.HTML
}
