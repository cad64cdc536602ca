package page

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

type view struct {
	*Page
	Lead     []string // paragraphs
	Contents bool
	Sections []sectionView
}

type sectionView struct {
	ID, Title string
	Intro     []string // paragraphs
	Tables    []*tableView
	Figures   []figureView
	Notes     []note
}

type note struct {
	About string // the table's title; "" for all tables
	Text  string
}

type figureView struct {
	ID, Title string
	Bare      bool // hide the title, because the page or the section has the same title
	Collapsed bool
	Caption   []string // paragraphs
	Keys      []Key
	Rows      []panelRow
	Columns   template.CSS // CSS declarations
	Download  *download
}

type panelRow struct {
	Group  string
	Least  template.CSS // CSS declaration
	Panels []Panel
}

func (p *Page) view() *view {
	v := &view{Page: p, Lead: p.leads()}
	entries := 0
	drawn := map[string]*Figure{}
	for i := range p.Sections {
		for k := range p.Sections[i].Figures {
			drawn[p.Sections[i].Figures[k].Name] = &p.Sections[i].Figures[k]
		}
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		shown := sectionView{ID: s.ID, Title: s.Title, Intro: paragraphs(s.Intro)}
		for k := range s.Tables {
			shown.Tables = append(shown.Tables, s.Tables[k].view(drawn, p.Files))
		}
		for k := range s.Figures {
			shown.Figures = append(shown.Figures, s.Figures[k].view(p.Files))
		}
		for _, t := range shown.Tables {
			t.Title, t.Bare = below(p.Title, s.Title, t.Title)
			t.Bare = t.Bare && !t.Collapsed
		}
		for k := range shown.Figures {
			shown.Figures[k].Title, shown.Figures[k].Bare = below(p.Title, s.Title, shown.Figures[k].Title)
		}
		shown.Notes = explained(s.Tables)
		entries += len(s.Tables) + len(s.Figures)
		v.Sections = append(v.Sections, shown)
	}
	v.Contents = entries >= contentsFrom
	return v
}

// below shortens a title that begins with the page's or the section's title. If nothing would remain, it returns the
// whole title, and bare is true. A bare title appears only in the contents and for screen readers.
func below(page, section, title string) (rest string, bare bool) {
	rest, says := strings.CutPrefix(title, page)
	if !says {
		rest, says = strings.CutPrefix(title, section)
	}
	if rest == "" || strings.HasPrefix(page, title) {
		return title, true
	}
	trimmed := strings.TrimLeft(rest, ",: ")
	if !says || trimmed == rest {
		return title, false
	}
	if name, ok := strings.CutPrefix(trimmed, "("); ok {
		trimmed = strings.TrimSuffix(name, ")")
	}
	first, size := utf8.DecodeRuneInString(trimmed)
	return string(unicode.ToUpper(first)) + trimmed[size:], false
}

// explained lists the notes of the tables, each note once.
func explained(tables []Table) (notes []note) {
	times := map[string]int{}
	for _, t := range tables {
		for _, text := range t.Notes {
			if times[text]++; times[text] == 1 {
				notes = append(notes, note{cmp.Or(t.Title, t.Name), text})
			}
		}
	}
	for i := range notes {
		if times[notes[i].Text] == len(tables) {
			notes[i].About = ""
		}
	}
	return notes
}

func (f *Figure) view(folder string) figureView {
	columns, width := f.printed()
	v := figureView{ID: anchor("figure", f.Name), Title: f.Title, Caption: paragraphs(f.Caption), Keys: f.Keys,
		Collapsed: f.Collapsed, Columns: template.CSS(fmt.Sprintf("--columns: %d; --in-print: %d; --print-width: %.0fpx",
			max(1, f.Columns), columns, width))}
	for i, p := range f.Panels {
		if i == 0 || p.Group != f.Panels[i-1].Group {
			v.Rows = append(v.Rows, panelRow{Group: p.Group, Least: template.CSS(fmt.Sprintf("--least: %.0fpx", p.Least))})
		}
		row := &v.Rows[len(v.Rows)-1]
		row.Panels = append(row.Panels, p)
	}
	if len(f.CSV) > 0 {
		v.Download = offer(folder, f.Name, f.CSV)
	}
	return v
}

func (p *Page) leads() []string { return paragraphs(strings.ReplaceAll(p.Lead, "\n", "\n\n")) }

func paragraphs(text string) []string {
	var found []string
	for p := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			found = append(found, p)
		}
	}
	return found
}

// These are sizes in print, in CSS pixels. The page without margins fits A4 and US Letter.
const (
	printWidth  = 688 // 182 mm
	printHeight = 750 // 247 mm, without space for a heading, a legend and five lines of caption
	printGap    = 7   // between panels
	titleLine   = 12.5
	noteLine    = 10.5
	noteLetter  = 4.2 // mean width of a letter in a note
	groupLine   = 20  // height of a group's heading, with its margins
	panelSpace  = 5   // below a panel
	shrink      = 0.7 // least width in print, as a share of Panel.Least
	widestPanel = 400
	narrowPanel = 72
)

// printed returns how many panels are side by side in print, and the width of a panel. If the figure is too high for a
// page, it tries more columns and narrower panels. If this does not help, the panels stay legible, and the figure
// continues on the next page.
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

// panelWidth returns the printed width of a panel, if there are this many columns.
func panelWidth(columns int) float64 {
	return min(widestPanel, math.Floor((printWidth-printGap*float64(columns-1))/float64(columns)))
}

// height returns the figure's approximate height in print.
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
