package page

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"path"
	"strings"

	"graphda/io/table"
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

// A download is a CSV file beside the page or below it, and if it is small a copy inside it.
type download struct {
	File string
	Path string
	Copy template.URL // empty: too large
	Size string       // with unit
}

const (
	contentsFrom = 4    // sections from which a table of contents is worth its space
	copyLimit    = 4200 // bytes of a file that is also inside the page
)

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

// anchor is the id of a table or a figure.
func anchor(kind, name string) string { return kind + "-" + strings.ReplaceAll(safe(name), ".", "-") }

// prefix begins the ids of a panel, as all figures share the page's name space.
func (f *Figure) prefix(panel int) string {
	return fmt.Sprintf("%s-%d--", anchor("figure", f.Name), panel+1)
}

// link is the address of a place, "" if no figure has it.
func (to Place) link(drawn map[string]*Figure) string {
	f := drawn[to.Figure]
	for i := 0; f != nil && i < len(f.Panels); i++ {
		if id := f.prefix(i) + to.ID; strings.Contains(string(f.Panels[i].SVG), `id="`+id+`"`) {
			return "#" + id
		}
	}
	return ""
}

// safe replaces what is not fit for a file name on every system, or for an anchor.
func safe(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, name)
	if strings.HasPrefix(name, ".") { // hidden, or a folder
		name = "-" + name[1:]
	}
	return name
}

// offer makes a download of a CSV file in a folder.
func offer(folder, name string, data []byte) *download {
	file := safe(name) + ".csv"
	d := &download{File: file, Path: path.Join(folder, file), Size: size(len(data))}
	if len(data) <= copyLimit {
		d.Copy = template.URL("data:" + table.CSVMime + ";base64," + base64.StdEncoding.EncodeToString(data))
	}
	return d
}

// size prints a number of bytes.
func size(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
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
