package page

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"strings"

	"graphda/jobs/reports/tables"
)

// A view is a page as the template wants it: everything decided, nothing left to compute.
type view struct {
	*Page
	Listed   []string // the warnings shown at once
	Folded   []string // those behind a fold
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
	SVG       template.HTML
	Download  *download
}

// A download is a file inside the page.
type download struct {
	File string
	Href template.URL // empty: too large
	Size string       // with unit
}

const (
	warningsListed = 12      // warnings shown at once
	contentsFrom   = 4       // sections from which a table of contents is worth its space
	linkLimit      = 1 << 20 // bytes; Chromium refuses data addresses of more than 2 MiB
)

// view checks the page and decides how it is shown.
func (p *Page) view() (*view, error) {
	if p.Title == "" {
		return nil, &Error{"title", errors.New("is empty")}
	}
	v := &view{Page: p, Listed: p.Warnings, Contents: len(p.Sections) >= contentsFrom}
	if len(p.Warnings) > warningsListed {
		v.Listed, v.Folded = p.Warnings[:warningsListed], p.Warnings[warningsListed:]
	}
	names := newNames()
	for i := range p.Sections {
		s, err := p.Sections[i].view(names)
		if err != nil {
			return nil, err
		}
		v.Sections = append(v.Sections, s)
	}
	return v, nil
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
	v = figureView{ID: id, Title: f.Title, Caption: paragraphs(f.Caption)}
	if v.SVG, err = inlineSVG(f.SVG, id, f.Title); err != nil {
		return v, &Error{part, err}
	}
	if len(f.CSV) > 0 {
		v.Download = offer(file+".csv", tables.CSVMime, f.CSV)
	}
	return v, nil
}

// offer makes a download of a file of some type.
func offer(file, mime string, data []byte) *download {
	d := &download{File: file, Size: size(len(data))}
	if len(data) <= linkLimit {
		d.Href = template.URL("data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data))
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
