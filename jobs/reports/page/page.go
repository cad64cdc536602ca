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
	Answer   string // a sentence; if it is "", a line says if there are no warnings
	Negative bool   // Answer says that no result is reliable
	Lead     string // says what was run; each line is a paragraph
	Citation string // the reproduced work
	Files    string // folder of the page's data and of files that the Markdown links to; "" means the page's folder
	Warnings []Warning
	Sections []Section
	Made     string // a sentence: which version of graphda made the page, and from what
	Facts    []Fact // data and settings of the run; shown last
}

// Made returns the beginning of the sentence Page.Made.
func Made(command, from string) string {
	return fmt.Sprintf("Made by graphda %s with %s from %s", seal.Version, command, from)
}

// A Warning is a text that readers must know. Cases are the places to which it applies.
type Warning struct {
	Text  string
	Cases []string // places to which the warning applies, if there are several; collapsed at first
}

// A Fact is a line of the list at the end of the page.
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

// A Table is a table on the page. Its Name is unique, because the anchor and the download are named after it.
type Table struct {
	*table.Table
	Collapsed bool    // collapsed at first; always open in print
	Places    []Place // by row: the place in a figure to which the row's first value links; nil if there are no links
}

// A Place is an element of a figure, to which a row of a table links. There is no link if the page lacks the element.
type Place struct {
	Figure string // the figure's Name
	ID     string // id of the element in the SVG
}

// A Figure is a group of pictures with one caption.
type Figure struct {
	Name    string // unique, because the figure's anchor and download are named after it
	Title   string
	Caption string
	Panels  []Panel // at least one panel
	Columns int     // number of panels side by side, if there is space; 0 means 1
	Keys    []Key   // explanations of colours, lines and markers
	CSV     []byte  // the figure's data for download; nil means no download

	Collapsed bool // collapsed at first; always open in print
}

// A Panel is a picture of a figure. The page inserts its SVG unchanged, without checks.
type Panel struct {
	Group       string // neighbouring panels of the same group are in one row
	Title, Note string // texts above and below the picture
	SVG         template.HTML
	Aspect      float64 // height divided by width; 0 means 1
	Least       float64 // smallest legible width, in pixels; 0 means that any width is legible
}

// A Key is an entry of a figure's legend. It explains a colour, a line or a marker.
type Key struct {
	Label string
	SVG   template.HTML
}
