package page

import (
	"bytes"
	"errors"
	"net/url"
	"strings"
	"testing"

	"graphda/io/table"
)

// A page that cannot be shown is refused whole, with the part's name.
func TestRefusals(t *testing.T) {
	section := func(change func(*Section)) *Page {
		p := &Page{Title: "t", Sections: []Section{{ID: "first", Title: "s"}, {ID: "s", Title: "s"}}}
		change(&p.Sections[1])
		return p
	}
	made := func(name string, rows [][]table.Cell, columns ...table.Column) Table {
		return Table{Table: &table.Table{Name: name, Columns: columns, Rows: rows}}
	}
	column := table.Column{Key: "k", Head: "k"}
	for want, p := range map[string]*Page{
		`page: title: is empty`: {},
		`page: section "first": another part of the page has this name`: section(func(s *Section) { s.ID = "first" }),
		`page: section "warnings": another part`:                        section(func(s *Section) { s.ID = "warnings" }),
		`page: section "a b": an ID is of ASCII letters`:                section(func(s *Section) { s.ID = "a b" }),
		`page: section "": an ID is of`:                                 section(func(s *Section) { s.ID = "" }),
		`page: section "s": has no title`:                               section(func(s *Section) { s.Title = "" }),
		`page: a table: is nil`:                                         section(func(s *Section) { s.Tables = []Table{{}} }),
		`page: table "": a table needs a name`:                          section(func(s *Section) { s.Tables = []Table{made("", nil, column)} }),
		`page: table "..": a table needs a name`:                        section(func(s *Section) { s.Tables = []Table{made("..", nil, column)} }),
		`page: table "a/b": another part`:                               section(func(s *Section) { s.Tables = []Table{made("a-b", nil, column), made("a/b", nil, column)} }),
		`page: table "a": has no column to print`:                       section(func(s *Section) { s.Tables = []Table{made("a", nil, table.Column{DataOnly: true})} }),
		`page: table "a": row 1 has 2 values for 1 columns`:             section(func(s *Section) { s.Tables = []Table{made("a", [][]table.Cell{{{}}, {{}, {}}}, column)} }),
		`page: figure "f": has no title`:                                section(func(s *Section) { s.Figures = []Figure{{Name: "f", Panels: []Panel{{SVG: dot}}}} }),
		`page: figure "f": has no panel`:                                section(func(s *Section) { s.Figures = []Figure{{Name: "f", Title: "f"}} }),
	} {
		var b bytes.Buffer
		err := p.Write(&b)
		var of *Error
		if !errors.As(err, &of) || !strings.HasPrefix(err.Error(), want) || b.Len() > 0 {
			t.Errorf("got %v and %d bytes, want %s", err, b.Len(), want)
		}
	}
}

func TestWriteReportsItsWriter(t *testing.T) {
	failed := errors.New("the disk is full")
	if err := (&Page{Title: "t"}).Write(failing{failed}); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

func TestFileNamesAreSafe(t *testing.T) {
	for name, want := range map[string]string{
		"figure3":        "figure3",
		"µ = 0.3/ℓ1":     "----0.3--1",
		"../../etc/pass": "-.-..-etc-pass",
		"a.b_C-9":        "a.b_C-9",
		"con\x00":        "con-",
	} {
		if got := safe(name); got != want {
			t.Errorf("safe(%q) is %q, want %q", name, got, want)
		}
		if _, err := url.Parse("#" + safe(name)); err != nil {
			t.Error(err)
		}
	}
}
