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
	Negative bool   // the answer says that no result is reliable
	Lead     string // what was run; each line is a paragraph
	Citation string // the reproduced work
	Files    string // folder of the page's data and of files that the Markdown links to; "" means the page's folder
	Warnings []Warning
	Sections []Section
	Made     string // a sentence that says from what the page was made, and by which version
	Facts    []Fact // data and settings of the run; shown last
}

// Made returns the beginning of a sentence for Page.Made.
func Made(command, from string) string {
	return fmt.Sprintf("Made by graphda %s with %s from %s", seal.Version, command, from)
}

// A Warning tells readers what they must know. Cases are the places where the warning applies.
type Warning struct {
	Text  string
	Cases []string // the places, if there are several; folded until opened
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
	Places    []Place // for each row, the place of the row's first value in a figure; nil if rows have no links
}

// A Place is an element of a figure. A table's row links to its place if the page has this element.
type Place struct {
	Figure string // the figure's Name
	ID     string // id of the element in the figure's SVG
}

// A Figure is a group of pictures with their data.
type Figure struct {
	Name    string // unique, because it names the figure's anchor and download
	Title   string
	Caption string
	Panels  []Panel // at least one panel
	Columns int     // panels side by side if there is space; 0 means 1
	Keys    []Key   // what colours, lines and markers mean
	CSV     []byte  // the figure's data; without data there is no download

	Collapsed bool // folded until opened; always open in print
}

// A Panel is a picture. The page trusts the SVG and inserts it unchanged.
type Panel struct {
	Group       string // neighbouring panels with the same group share a row
	Title, Note string // texts above and below the picture
	SVG         template.HTML
	Aspect      float64 // height divided by width; 0 means 1
	Least       float64 // smallest legible width in pixels; 0 means any
}

// A Key explains a colour, a line or a marker.
type Key struct {
	Label string
	SVG   template.HTML
}
