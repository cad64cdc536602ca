package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"graphda/jobs/report"
)

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		value report.Value
		blank bool
		key   string
	}{
		{report.Value{Text: "0.267±0.11", Data: "0.26699999999999996"}, false, "0.26699999999999996"},
		{report.Value{Text: "0.267±0.11"}, false, "0.267"},
		{report.Value{Text: "−0.5±0.11"}, false, "-0.5"},
		{report.Value{Text: "+3", Data: "+3"}, false, "3"},
		{report.Value{Text: "1.2e-04", Data: "0.00012"}, false, "0.00012"},
		{report.Value{Text: "1e300", Data: "1e+300"}, false, "1e+300"},
		{report.Value{Text: "0", Data: "0"}, false, "0"},
		{report.Value{Text: "∞", Data: "+Inf"}, false, "+Infinity"},
		{report.Value{Text: "−∞", Data: "-Inf"}, false, "-Infinity"},
		{report.Value{}, true, ""},
		{report.Value{Text: "–"}, true, ""},
		{report.Value{Text: "–", Data: "–"}, true, ""},
		{report.Value{Text: "-", Data: "-"}, true, ""},
		{report.Value{Text: "NaN", Data: "NaN"}, true, ""},
		{report.Value{Text: "–", Data: "NaN"}, true, ""},
		{report.Value{Text: "graphda", Data: "graphda"}, false, ""},
	} {
		if blank(c.value) != c.blank || key(c.value) != c.key {
			t.Errorf("%+v: blank %t, key %q; want %t, %q", c.value, blank(c.value), key(c.value), c.blank, c.key)
		}
	}
	x := 0.1 + 0.2
	if got, _ := strconv.ParseFloat(key(report.Value{Text: "0.3", Data: fmt.Sprint(x)}), 64); got != x {
		t.Errorf("the key of %v is %v", x, got)
	}
	if _, ok := number(report.Value{Data: fmt.Sprint(math.NaN())}); ok {
		t.Error("NaN is a number")
	}
}

func TestTypeset(t *testing.T) {
	for text, want := range map[string][2]string{
		"0.267±0.11": {"0.267", "±0.11"},
		"-0.038":     {"−0.038", ""},
		"-1.2e-04":   {"−1.2e−04", ""},
		"±1":         {"", "±1"},
		"7":          {"7", ""},
	} {
		if number, spread := typeset(text); number != want[0] || spread != want[1] {
			t.Errorf("%q is set as %q and %q, want %q", text, number, spread, want)
		}
	}
}

// A table of words: columns are given as "Group|Head", '<' for those set left.
func words(heads []string, rows ...[]string) *report.Table {
	t := &report.Table{Name: "t", Title: "T"}
	for i, h := range heads {
		h, left := strings.CutPrefix(h, "<")
		c := report.Column{Key: strconv.Itoa(i), Head: h, Left: left}
		if group, head, ok := strings.Cut(h, "|"); ok {
			c.Group, c.Head = group, head
		}
		t.Columns = append(t.Columns, c)
	}
	for _, r := range rows {
		var values []report.Value
		for _, s := range r {
			values = append(values, report.Value{Text: s, Data: s})
		}
		t.Rows = append(t.Rows, values)
	}
	return t
}

// onePage is a page with one table.
func onePage(t *report.Table) *Page {
	return &Page{Title: "t", Sections: []Section{{ID: "s", Title: "s", Tables: []Table{{Table: t}}}}}
}

func TestColumnsThatSort(t *testing.T) {
	table := words([]string{"<Method", "<", "Acc|w", "Acc|w̄", "Note", "Empty"},
		[]string{"a", "ours", "0.5", "0.1", "12 %", ""},
		[]string{"", "paper", "0.6", "unknown", "3", ""},
		[]string{"b", "ours", "–", "0.2", "4", "–"},
		[]string{"", "paper", "0.4", "", "x", ""},
	)
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
	page := written(t, onePage(words([]string{"<Method", "F1"}, []string{"a", "1"}, []string{"", "2"})))
	if strings.Contains(page, "data-sort=") {
		t.Error("a single group has headings that sort")
	}
}

// Every place of every table belongs to exactly one cell.
func TestTablesAreWhole(t *testing.T) {
	pages := []*Page{sample(t), hostile(),
		onePage(words([]string{"<M"})),
		onePage(words([]string{"G|a", "G|b", "c"}, []string{"1", "2", "3"}, []string{"4", "5", "6"})),
		onePage(words([]string{"<M", "<", "G|a", "H|a"}, []string{"", "1", "2", "3"}, []string{"", "4", "5", "6"}, []string{"x", "4", "5", "6"})),
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
	table := words([]string{"<Method", "F1"}, []string{"a", "0.50±0.10"}, []string{"b", "-0.25"})
	table.Rows[0][1].Best, table.Rows[1][1].Off = true, true
	page := written(t, onePage(table))
	for _, want := range []string{
		`<td data-key="0.5"><b>0.50</b><span class="spread">±0.10</span><span class="spoken"> (best)</span></td>`,
		`<td data-key="-0.25"><span class="off">−0.25</span><span class="off mark" aria-hidden="true">!</span><span class="spoken"> (deviates)</span></td>`,
		"the best of its column", "deviates from the published value",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not there", want)
		}
	}
	table.Rows[0][1].Best, table.Rows[1][1].Off = false, false
	page = written(t, onePage(table))
	for _, not := range []string{"the best of its column", "deviates from the published value"} {
		if strings.Contains(page, not) {
			t.Errorf("%q explains a mark that is not there", not)
		}
	}
}
