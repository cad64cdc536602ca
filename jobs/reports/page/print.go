package page

import (
	"cmp"
	"math"
	"unicode/utf8"
)

// A printed page in CSS pixels, as wide as A4 and as high as US Letter without their margins; and what
// stands around the panels of a figure.
const (
	printWidth  = 688 // 182 mm
	printHeight = 750 // 247 mm less a heading, keys and a caption of five lines
	printGap    = 7   // between panels
	titleLine   = 12.5
	noteLine    = 10.5
	noteLetter  = 4.2 // the mean width of a letter of a note
	groupLine   = 20  // with the space around it
	panelSpace  = 5   // below a panel
	shrink      = 0.7 // of the least width on a screen: letters that are legible on paper
	widestPanel = 400
	narrowPanel = 72
)

// printed decides how many panels stand side by side in print, and how wide they are, such that the
// figure fits a page: as many as are legible; if it were too high then, all, and as small as they
// must be. One that fits a page in no way is as legible as others, and goes on on the next page.
func (f *Figure) printed() (columns int, width float64) {
	most, least := max(1, f.Columns), 0.0
	for i := range f.Panels {
		least = max(least, shrink*f.Panels[i].Least)
	}
	legible := 1
	for legible < most && panelWidth(legible+1) >= least {
		legible++
	}
	for columns = legible; columns < most && f.height(columns, panelWidth(columns)) > printHeight; {
		columns++
	}
	for width = panelWidth(columns); width >= narrowPanel; width = math.Floor(0.97 * width) {
		if f.height(columns, width) <= printHeight {
			return columns, width
		}
	}
	return legible, panelWidth(legible)
}

// panelWidth is the width of one of several panels side by side.
func panelWidth(columns int) float64 {
	return min(widestPanel, math.Floor((printWidth-printGap*float64(columns-1))/float64(columns)))
}

// height is about the height of all panels in print.
func (f *Figure) height(columns int, width float64) float64 {
	lines := func(text string) float64 {
		return math.Ceil(noteLetter * float64(utf8.RuneCountInString(text)) / width)
	}
	sum, row, n := 0.0, 0.0, 0
	for i := range f.Panels {
		p := &f.Panels[i]
		grouped := i == 0 || p.Group != f.Panels[i-1].Group
		if grouped || n == columns {
			sum, row, n = sum+row, 0, 0
		}
		if grouped && p.Group != "" {
			sum += groupLine
		}
		row = max(row, width*cmp.Or(p.Aspect, 1)+titleLine*lines(p.Title)+noteLine*lines(p.Note)+panelSpace)
		n++
	}
	return sum + row
}
