package page

import (
	"fmt"
	"html/template"
	"strings"
)

// A view is a page as the template wants it: everything decided, nothing left to compute.
type view struct {
	*Page
	Contents bool
	Sections []sectionView
}

type sectionView struct {
	ID, Title string
	Intro     []string // paragraphs
	Tables    []*tableView
	Figures   []figureView
}

type figureView struct {
	ID, Title string
	Caption   []string // paragraphs
	Keys      []Key
	Rows      []panelRow
	Columns   template.CSS // declarations
	Download  *download
}

// A panelRow is panels of one group.
type panelRow struct {
	Group  string
	Least  template.CSS // a declaration
	Panels []Panel
}

// view decides how the page is shown.
func (p *Page) view() *view {
	v := &view{Page: p, Contents: len(p.Sections) >= contentsFrom}
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
		v.Sections = append(v.Sections, shown)
	}
	return v
}

func (f *Figure) view(folder string) figureView {
	columns, width := f.printed()
	v := figureView{ID: anchor("figure", f.Name), Title: f.Title, Caption: paragraphs(f.Caption), Keys: f.Keys,
		Columns: template.CSS(fmt.Sprintf("--columns: %d; --in-print: %d; --print-width: %.0fpx", max(1, f.Columns), columns,
			width))}
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

// paragraphs splits a text at blank lines.
func paragraphs(text string) []string {
	var found []string
	for p := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			found = append(found, p)
		}
	}
	return found
}
