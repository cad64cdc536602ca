package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"graphda/jobs/reports/tables"
)

func TestKeys(t *testing.T) {
	spread := tables.Of(0.26699999999999996, tables.Fixed(3))
	spread.Number.Std, spread.Number.PrintStd = 0.11, tables.Fixed(2)
	for _, c := range []struct {
		cell  tables.Cell
		blank bool
		key   string
	}{
		{spread, false, "0.26699999999999996"},
		{tables.Of(math.Nextafter(0.3, 1), tables.Fixed(1)), false, "0.30000000000000004"},
		{tables.Of(1e300, tables.Shortest), false, "1e+300"},
		{tables.Count(0), false, "0"},
		{tables.Of(math.Inf(1), tables.Fixed(1)), false, "+Infinity"},
		{tables.Of(math.Inf(-1), tables.Fixed(1)), false, "-Infinity"},
		{tables.Of(math.NaN(), tables.Fixed(1)), true, ""},
		{tables.Cell{}, true, ""},
		{tables.Word("–"), true, ""},
		{tables.Word("graphda"), false, ""},
	} {
		if c.cell.Blank() != c.blank || key(&c.cell) != c.key {
			t.Errorf("%q: blank %t, key %q; want %t, %q", c.cell.Text(), c.cell.Blank(), key(&c.cell), c.blank, c.key)
		}
	}
}

// A table of words and numbers: columns are given as "Group|Head", '<' for those of words.
func table(heads []string, rows ...[]string) *tables.Table {
	t := &tables.Table{Name: "t", Title: "T"}
	for i, h := range heads {
		h, left := strings.CutPrefix(h, "<")
		c := tables.Column{Key: strconv.Itoa(i), Head: h, Words: left}
		if group, head, ok := strings.Cut(h, "|"); ok {
			c.Group, c.Head = group, head
		}
		t.Columns = append(t.Columns, c)
	}
	for _, r := range rows {
		var cells []tables.Cell
		for _, s := range r {
			if v, err := strconv.ParseFloat(s, 64); err == nil {
				cells = append(cells, tables.Of(v, func(float64) string { return s }))
			} else {
				cells = append(cells, tables.Word(s))
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// grouped puts every two rows of a table together.
func grouped(t *tables.Table) *tables.Table {
	t.PerGroup = 2
	return t
}

// onePage is a page with one table.
func onePage(t *tables.Table) *Page {
	return &Page{Title: "t", Sections: []Section{{ID: "s", Title: "s", Tables: []Table{{Table: t}}}}}
}

func TestColumnsThatSort(t *testing.T) {
	table := grouped(table([]string{"<Method", "<", "Acc|w", "Acc|w̄", "<Note", "Empty"},
		[]string{"a", "ours", "0.5", "0.1", "12 %", ""},
		[]string{"", "paper", "0.6", "unknown", "3", ""},
		[]string{"b", "ours", "–", "best", "4", "–"},
		[]string{"", "paper", "0.4", "", "x", ""},
	))
	var got []string
	for _, h := range all(parse(t, written(t, onePage(table))), "th") {
		if sort := attribute(h, "data-sort"); sort != "" {
			got = append(got, attribute(h, "data-column")+" "+attribute(h, "data-name")+": "+sort)
		}
	}
	want := "0 Method: text, 4 Note: text, 5 Empty: text, 2 Acc w: number, 3 Acc w̄: number"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}

func TestOneRowDoesNotSort(t *testing.T) {
	page := written(t, onePage(grouped(table([]string{"<Method", "F1"}, []string{"a", "1"}, []string{"", "2"}))))
	if strings.Contains(page, "data-sort=") {
		t.Error("a single group has headings that sort")
	}
}

// Every place of every table belongs to exactly one cell.
func TestTablesAreWhole(t *testing.T) {
	pages := []*Page{sample(t), hostile(),
		onePage(table([]string{"<M"})),
		onePage(table([]string{"G|a", "G|b", "c"}, []string{"1", "2", "3"}, []string{"4", "5", "6"})),
		onePage(grouped(table([]string{"<M", "<", "G|a", "H|a"}, []string{"", "1", "2", "3"}, []string{"", "4", "5", "6"}, []string{"x", "4", "5", "6"}))),
	}
	for _, p := range pages {
		for _, table := range all(parse(t, written(t, p)), "table") {
			columns := 0
			for _, g := range all(table, "colgroup") {
				columns += span(g, "span")
			}
			for _, part := range all(table, "thead", "tbody") {
				if err := whole(part, columns); err != "" {
					t.Errorf("page %.20q, %s: %s", p.Title, part.Data, err)
				}
			}
		}
	}
}

func span(n *html.Node, key string) int {
	if i, err := strconv.Atoi(attribute(n, key)); err == nil {
		return i
	}
	return 1
}

// whole lays out a part of a table and says what is wrong with it.
func whole(part *html.Node, columns int) string {
	rows := all(part, "tr")
	taken := make([][]bool, len(rows))
	for i := range taken {
		taken[i] = make([]bool, columns)
	}
	for i, r := range rows {
		at := 0
		for _, c := range all(r, "th", "td") {
			for at < columns && taken[i][at] {
				at++
			}
			for down := range span(c, "rowspan") {
				for right := range span(c, "colspan") {
					if i+down >= len(rows) || at+right >= columns || taken[i+down][at+right] {
						return fmt.Sprintf("row %d: cell %q does not fit", i, text(c))
					}
					taken[i+down][at+right] = true
				}
			}
			if c.Data == "th" && attribute(c, "scope") == "" {
				return fmt.Sprintf("heading %q has no scope", text(c))
			}
		}
	}
	for i, r := range taken {
		for k, ok := range r {
			if !ok {
				return fmt.Sprintf("row %d has nothing in column %d", i, k)
			}
		}
	}
	return ""
}

// Marks are said in words, too.
func TestMarks(t *testing.T) {
	table := table([]string{"<Method", "F1"}, []string{"a", "0.50"}, []string{"b", "-0.25"})
	n := table.Rows[0][1].Number
	n.Std, n.PrintStd = 0.1, tables.Fixed(2)
	table.Rows[0][1].Best, table.Rows[1][1].Off = true, true
	page := written(t, onePage(table))
	for _, want := range []string{
		`<td data-key="0.5"><b>0.50</b><span class="spread">±0.10</span><span class="spoken"> (best)</span></td>`,
		`<td data-key="-0.25"><span class="off">−0.25</span><span class="off mark" aria-hidden="true">!</span><span class="spoken"> (differs)</span></td>`,
		"the best of its column", "differs from the published value",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not there", want)
		}
	}
	table.Rows[0][1].Best, table.Rows[1][1].Off = false, false
	page = written(t, onePage(table))
	for _, not := range []string{"the best of its column", "differs from the published value"} {
		if strings.Contains(page, not) {
			t.Errorf("%q explains a mark that is not there", not)
		}
	}
}
