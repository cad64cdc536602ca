package page

import (
	"bytes"
	"html/template"
	"strings"
	"testing"

	"graphda/io/table"
)

// A row leads to the element of a picture that its first value names, whichever panel has it; a place that no
// picture has is refused.
func TestPlaces(t *testing.T) {
	picture := func(id string) template.HTML {
		return template.HTML(`<svg viewBox="0 0 1 1"><circle class="mark" id="` + id + `" r="1"/></svg>`)
	}
	made := &table.Table{Name: "genes", Columns: []table.Column{{Key: "k", Head: "Gene", Words: true}},
		Rows: [][]table.Cell{{table.Word("TP53")}, {table.Word("EGFR")}, {table.Word("MDM2")}}}
	figure := Figure{Name: "net", Title: "n", Panels: []Panel{{SVG: picture("figure-net-1--n1")}, {SVG: picture("figure-net-2--n2")}}}
	page := func(places ...Place) *Page {
		return &Page{Title: "t", Sections: []Section{{ID: "s", Title: "s", Tables: []Table{{Table: made, Places: places}},
			Figures: []Figure{figure}}}}
	}
	var out bytes.Buffer
	if err := page(Place{"net", "n2"}, Place{}, Place{"net", "n1"}).Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<a href="#figure-net-2--n2">TP53</a>`, `>EGFR</th>`, `<a href="#figure-net-1--n1">MDM2</a>`,
		`id="figure-net-2--n2"`, `id="figure-net-1--n1"`, ".mark:target {"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for want, p := range map[string]*Page{
		`leads to "n3" of figure "net"`: page(Place{"net", "n3"}, Place{}, Place{}),
		`has 1 places for 3 rows`:       page(Place{"net", "n2"}),
	} {
		if err := p.Write(&out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
