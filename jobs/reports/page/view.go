package page

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
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

// A download is a file beside the page, and if it is small a copy inside it.
type download struct {
	File string
	Copy template.URL // empty: too large
	Size string       // with unit
}

const (
	contentsFrom = 4    // sections from which a table of contents is worth its space
	copyLimit    = 4200 // bytes of a file that is also inside the page
)

// view checks the page and decides how it is shown.
func (p *Page) view() (*view, error) {
	if p.Title == "" {
		return nil, &Error{"title", errors.New("is empty")}
	}
	v := &view{Page: p, Contents: len(p.Sections) >= contentsFrom}
	names := newNames()
	for i := range p.Sections {
		s, err := p.Sections[i].view(names)
		if err != nil {
			return nil, err
		}
		v.Sections = append(v.Sections, s)
	}
	return v, names.follow()
}

func (s *Section) view(names *names) (v sectionView, err error) {
	part := fmt.Sprintf("section %q", s.ID)
	if err := names.section(s.ID); err != nil {
		return v, &Error{part, err}
	}
	if s.Title == "" {
		return v, &Error{part, errors.New("has no title")}
	}
	v = sectionView{ID: s.ID, Title: s.Title, Intro: paragraphs(s.Intro)}
	for i := range s.Tables {
		t, err := s.Tables[i].view(names)
		if err != nil {
			return v, err
		}
		v.Tables = append(v.Tables, t)
	}
	for i := range s.Figures {
		f, err := s.Figures[i].view(names)
		if err != nil {
			return v, err
		}
		v.Figures = append(v.Figures, f)
	}
	return v, nil
}

func (f *Figure) view(names *names) (v figureView, err error) {
	part := fmt.Sprintf("figure %q", f.Name)
	id, file, err := names.take("figure", f.Name)
	if err != nil {
		return v, &Error{part, err}
	}
	if f.Title == "" {
		return v, &Error{part, errors.New("has no title")}
	}
	columns, width := f.printed()
	v = figureView{ID: id, Title: f.Title, Caption: paragraphs(f.Caption), Keys: f.Keys,
		Columns: template.CSS(fmt.Sprintf("--columns: %d; --in-print: %d; --print-width: %.0fpx", max(1, f.Columns), columns,
			width))}
	if len(f.Panels) == 0 {
		return v, &Error{part, errors.New("has no panel")}
	}
	names.drawn[f.Name] = f
	for i, p := range f.Panels {
		if i == 0 || p.Group != f.Panels[i-1].Group {
			v.Rows = append(v.Rows, panelRow{Group: p.Group, Least: template.CSS(fmt.Sprintf("--least: %.0fpx", p.Least))})
		}
		row := &v.Rows[len(v.Rows)-1]
		row.Panels = append(row.Panels, p)
	}
	if len(f.CSV) > 0 {
		v.Download = offer(file+".csv", table.CSVMime, f.CSV)
	}
	return v, nil
}

// offer makes a download of a file of some type.
func offer(file, mime string, data []byte) *download {
	d := &download{File: file, Size: size(len(data))}
	if len(data) <= copyLimit && mime == table.CSVMime {
		d.Copy = template.URL("data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data))
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
