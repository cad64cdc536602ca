package page

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"html/template"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"graphda/io/table"
)

type tableView struct {
	ID, Title, Subtitle string
	Collapsed           bool
	Bare                bool         // hide the title, because the page or the section has the same title
	Grouped             bool         // sorting keeps groups of rows together; each group is a table body
	Letters             template.CSS // CSS declaration of --letters, the number of letters in the widest line
	Spans               []int        // number of columns below each heading
	Heads               []head       // first row of headings
	Subheads            []head       // second row of headings, or nil
	Groups              [][]row      // rows by group; a single group unless Grouped is set
	Best                string       // meaning of bold values; "" if no value is bold
	HasOff              bool
	Download            *download
}

type head struct {
	Text       string
	Name       string // heading for screen readers, including a shared heading
	Help       string // notes on the column
	Column     int    // index among the printed columns, for sorting
	Sort       string // "number", "text", or "" if the column does not sort
	Rows, Cols int
	Left       bool
	Long       bool // left-aligned and wrapped
}

// A row is a line of cells. A cell that spans several rows is only in the first row.
type row []cell

type cell struct {
	Scope  string // "row" or "rowgroup" for a heading; "" for a value
	Rows   int    // number of rows that the cell spans
	Text   string
	Spread string // standard deviation, shown after the text
	Key    string
	Keyed  bool // sort rows by Key, not by Text
	Left   bool
	Long   bool // left-aligned and wrapped
	Best   bool
	Off    bool
	Link   string // address to which the cell links, or ""
}

// wrapFrom is the largest number of characters in a text without line breaks.
const wrapFrom = 40

// view prepares the table for the template. drawn holds the page's figures by name, for links.
func (t *Table) view(drawn map[string]*Figure, folder string) *tableView {
	at := t.Printed()
	v := &tableView{
		ID: anchor("table", t.Name), Title: cmp.Or(t.Title, t.Name), Subtitle: t.Subtitle,
		Collapsed: t.Collapsed, Grouped: t.PerGroup > 1,
		Letters: template.CSS(fmt.Sprintf("--letters: %d", lettersOf(t.Table, at))),
	}
	groups := slices.Collect(slices.Chunk(t.Rows, max(t.PerGroup, 1)))
	kinds := make([]string, len(at))
	for k, i := range at {
		kinds[k] = kind(&t.Columns[i], groups, i)
	}
	best, off := t.Marked()
	v.HasOff = off
	if best {
		v.Best = t.BestMeans()
	}
	v.addHeads(t.Table, at, kinds, len(groups) > 1)
	for _, g := range groups {
		v.addGroup(t.Columns, g, at, kinds)
	}
	for i, to := range t.Places {
		v.Groups[0][i][0].Link = to.link(drawn)
	}
	var data bytes.Buffer
	_ = t.CSV(&data) // cannot fail in memory
	v.Download = offer(folder, t.Name, data.Bytes())
	return v
}

func lettersOf(t *table.Table, at []int) int {
	total := 0
	for _, i := range at {
		widest := utf8.RuneCountInString(t.Columns[i].Head)
		for _, r := range t.Rows {
			widest = max(widest, utf8.RuneCountInString(r[i].Text()))
		}
		if t.Columns[i].Words {
			widest = min(widest, wrapFrom)
		}
		total += widest + 2 // the gap between columns
	}
	return total
}

// kind tells whether a column sorts by numbers or by text. A column without words sorts by numbers if any group has a
// number in its first row.
func kind(c *table.Column, groups [][][]table.Cell, column int) string {
	number := func(g [][]table.Cell) bool { return g[0][column].Number != nil }
	if !c.Words && slices.ContainsFunc(groups, number) {
		return "number"
	}
	return "text"
}

// key returns the sorting key of a number, or "" for a cell without a number.
func key(c *table.Cell) string {
	switch {
	case c.Number == nil || c.Blank():
		return ""
	case math.IsInf(c.Number.Value, 0): // JavaScript spells infinity so
		return strings.Replace(table.Shortest(c.Number.Value), "Inf", "Infinity", 1)
	}
	return table.Shortest(c.Number.Value)
}

// addHeads adds the headings. If several columns share a heading, there are two lines.
func (v *tableView) addHeads(t *table.Table, at []int, kinds []string, sortable bool) {
	lines := 1
	if slices.ContainsFunc(at, func(i int) bool { return t.Columns[i].Group != "" }) {
		lines = 2
	}
	for k := 0; k < len(at); {
		c := &t.Columns[at[k]]
		end := t.Span(at, k)
		v.Spans = append(v.Spans, end-k)
		if c.Group == "" {
			v.Heads = append(v.Heads, newHead(t, at[k], k, kinds[k], lines, sortable))
		} else {
			v.Heads = append(v.Heads, head{Text: c.Group, Help: help(t, c.Group), Rows: 1, Cols: end - k})
			for j := k; j < end; j++ {
				v.Subheads = append(v.Subheads, newHead(t, at[j], j, kinds[j], 1, sortable))
			}
		}
		k = end
	}
}

// newHead returns the heading of a column. `of` is the column's index in the table, and `column` its index among the
// printed columns.
func newHead(t *table.Table, of, column int, kind string, rows int, sortable bool) head {
	c := &t.Columns[of]
	h := head{Text: c.Head, Help: help(t, c.Head), Column: column, Rows: rows, Cols: 1, Left: c.Words,
		Long: long(c.Head, c.Words)}
	if sortable && c.Head != "" {
		h.Sort = kind
		h.Name = c.Heading()
	}
	return h
}

// help returns the part of the table's notes after "Heading: ", up to the next heading.
func help(t *table.Table, heading string) string {
	if heading == "" {
		return ""
	}
	for _, text := range t.Notes {
		_, after, found := strings.Cut(" "+text, " "+heading+": ")
		if !found {
			continue
		}
		for i := range t.Columns {
			for _, next := range []string{t.Columns[i].Head, t.Columns[i].Group} {
				if before, _, ok := strings.Cut(after, ". "+next+": "); ok && next != "" {
					after = before + "."
				}
			}
		}
		return strings.ToUpper(after[:1]) + after[1:]
	}
	return ""
}

// long tells whether a text is wrapped. Numbers, which are not left-aligned, are never wrapped.
func long(text string, left bool) bool { return left && utf8.RuneCountInString(text) > wrapFrom }

func (v *tableView) addGroup(columns []table.Column, rows [][]table.Cell, at []int, kinds []string) {
	if v.Grouped || len(v.Groups) == 0 {
		v.Groups = append(v.Groups, nil)
	}
	body := &v.Groups[len(v.Groups)-1]
	for i, values := range rows {
		var r row
		for k, column := range at {
			if k == 0 && i > 0 {
				continue // the heading of the group's first row spans this row
			}
			c := newCell(&values[column], kinds[k], columns[column].Words)
			switch {
			case k == 0 && v.Grouped:
				c.Scope, c.Rows = "rowgroup", len(rows)
			case k == 0 && c.Left, k == 1 && c.Left && v.Grouped:
				c.Scope = "row"
			}
			r = append(r, c)
		}
		*body = append(*body, r)
	}
}

func newCell(value *table.Cell, kind string, left bool) cell {
	text := value.Text()
	c := cell{Text: text, Rows: 1, Left: left, Long: long(text, left), Best: value.Best, Off: value.Off}
	switch {
	case kind == "number":
		c.Key, c.Keyed = key(value), true
		c.Text, c.Spread = minus(value.Main()), minus(value.Spread())
	case c.Best || c.Off: // the page's text does not have the marks
		c.Key, c.Keyed = text, true
	case value.Blank():
		c.Keyed = true
	}
	return c
}

func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// A download is a CSV file in the page's folder or below it. Small files are also inside the page.
type download struct {
	File string
	Path string
	Copy template.URL // the data as a URL; "" if the file is large
	Size string       // with a unit
}

func anchor(kind, name string) string { return kind + "-" + strings.ReplaceAll(safe(name), ".", "-") }

// link returns the address of the place, or "" if the page lacks it.
func (to Place) link(drawn map[string]*Figure) string {
	f := drawn[to.Figure]
	for i := 0; f != nil && i < len(f.Panels); i++ {
		if id := f.prefix(i) + to.ID; strings.Contains(string(f.Panels[i].SVG), `id="`+id+`"`) {
			return "#" + id
		}
	}
	return ""
}

// safe replaces characters that are not safe in file names or anchors.
func safe(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, name)
	if strings.HasPrefix(name, ".") { // a leading dot would hide the file or name a folder
		name = "-" + name[1:]
	}
	return name
}

// offer returns the download of name.csv with the content data.
func offer(folder, name string, data []byte) *download {
	file := safe(name) + ".csv"
	d := &download{File: file, Path: path.Join(folder, file), Size: size(len(data))}
	if len(data) <= copyLimit {
		d.Copy = template.URL("data:" + table.CSVMime + ";base64," + base64.StdEncoding.EncodeToString(data))
	}
	return d
}

func size(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

const (
	contentsFrom = 4    // least number of tables and figures for a table of contents
	copyLimit    = 4200 // largest file, in bytes, that is also inside the page
)

// prefix returns the beginning of a panel's ids, which makes them unique on the page.
func (f *Figure) prefix(panel int) string {
	return fmt.Sprintf("%s-%d--", anchor("figure", f.Name), panel+1)
}
