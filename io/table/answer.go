package table

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/rivo/uniseg"

	"graphda/io/message"
)

// An Answer says what a command has found, with tables of the details.
type Answer struct {
	Verdict string // a sentence that says whether anything was found
	Found   *bool  // verdict for programs; nil if undecided

	// The first Notes say what was done. The others say what else a reader must know, the most important first. A
	// screen shows only the first line of a note.
	Notes []string

	Tables []*Table // a screen shows only the first two
	Page   string   // path of a page with everything, or ""
}

const (
	onScreen = 2 // most tables on a screen
	least    = 4 // rows that each table gets before notes get lines
)

type answerObject struct {
	Verdict string   `json:"verdict"`
	Found   *bool    `json:"found"`
	Notes   []string `json:"notes"`
	Tables  []object `json:"tables"`
}

// Print writes the answer in the named format. Text has at most the given number of lines, each at most width columns
// wide. Its last line says what was left out. If lines is 0, nothing is left out. CSV begins with a table of the
// verdict. JSON is one object.
func (a *Answer) Print(w io.Writer, format string, width, lines int) error {
	for _, t := range a.Tables {
		t.Page = a.Page
	}
	switch {
	case format == jsonFormat.Name:
		return JSON(w, answerObject{a.Verdict, a.Found, strings.Split(a.Lead(), "\n"), objects(a.Tables)})
	case format == csvFormat.Name:
		verdict := a.columns(&Table{Rows: [][]Cell{nil}})
		return Print(w, format, 0, append([]*Table{verdict}, a.Tables...)...)
	case format == textFormat.Name && lines > 0:
		_, err := io.WriteString(w, strings.Join(a.screen(width, lines), "\n")+"\n")
		return err
	}
	fmt.Fprintf(w, "%s\n%s\n\n", a.Verdict, a.Lead())
	return Print(w, format, width, a.Tables...)
}

// Add adds notes, except empty ones.
func (a *Answer) Add(notes ...string) {
	for _, note := range notes {
		if note != "" {
			a.Notes = append(a.Notes, note)
		}
	}
}

// Lead returns the notes, one per line.
func (a *Answer) Lead() string {
	lines := slices.Clone(a.Notes)
	for i, note := range lines {
		lines[i] = strings.ReplaceAll(note, "\n", " ")
	}
	return strings.Join(lines, "\n")
}

// CSV returns a function that writes table t, with the verdict in two more columns.
func (a *Answer) CSV(t *Table) func(io.Writer) error { return a.columns(t).CSV }

func (a *Answer) columns(t *Table) *Table {
	with, found := *t, ""
	if a.Found != nil {
		found = fmt.Sprint(*a.Found)
	}
	with.Columns = append(slices.Clone(t.Columns), Column{Key: "found", Words: true}, Column{Key: "verdict", Words: true})
	with.Rows = slices.Clone(t.Rows)
	for i, row := range with.Rows {
		with.Rows[i] = append(slices.Clone(row), Word(found), Word(a.Verdict))
	}
	return &with
}

// screen returns the lines that fit on a screen. The last line says what is left out.
func (a *Answer) screen(width, lines int) []string {
	out, more := a.layout(width, lines)
	if more != "" {
		out, more = a.layout(width, lines-1)
		out = append(out, more)
	}
	return out
}

// layout returns at most the given number of lines: the verdict, notes, and tables without footnotes. `more` says what
// is left out.
func (a *Answer) layout(width, lines int) (out []string, more string) {
	out = Lines(a.Verdict, width, "  ")
	tables := slices.DeleteFunc(slices.Clone(a.Tables[:min(onScreen, len(a.Tables))]),
		func(t *Table) bool { return len(t.Rows) == 0 })
	free, room := lines-len(out), 0
	for _, t := range tables {
		free -= 3 // blank line, title and headings
		room += min(least, len(t.Rows))
	}
	notes := len(a.Notes)
	for i, note := range a.Notes {
		first, _, _ := strings.Cut(note, "\n")
		text := Lines(first, width, "  ")
		if i > 0 && free-len(text) < room {
			break
		}
		out, free, notes = append(out, text...), free-len(text), notes-1
	}
	show := make([]int, len(tables))
	for before := -1; before != free; {
		before = free
		for i, t := range tables {
			if free > 0 && show[i] < len(t.Rows) {
				show[i]++
				free--
			}
		}
	}
	rows, columns := 0, 0
	for i, t := range tables {
		part := *t
		part.Rows, part.cut = t.Rows[:show[i]], true
		fitted, left := part.fit(width)
		var b strings.Builder
		fitted.grid(&b, "")
		out = append(out, "", fitted.caption(width))
		out = append(out, strings.Split(strings.TrimRight(b.String(), "\n"), "\n")...)
		rows, columns = rows+len(t.Rows)-show[i], columns+len(left)
	}
	return out, a.more(rows, columns, notes)
}

// more returns a line that says how many rows, columns and notes were left out, or "" if none.
func (a *Answer) more(counts ...int) string {
	var left []string
	for i, n := range counts {
		if n > 0 {
			left = append(left, message.Count(n, []string{"row", "column", "note"}[i]))
		}
	}
	switch text := "… " + strings.Join(left, ", ") + " more: --verbose"; {
	case left == nil:
		return ""
	case a.Page == "":
		return text
	default:
		return text + ", or the page"
	}
}

// caption returns the title, followed by as many clauses of the subtitle as fit into a line.
func (t *Table) caption(width int) string {
	text, at := t.Title+": "+t.Subtitle, len(t.Title)+1+len(t.Subtitle)
	for at > len(t.Title) && (t.Subtitle == "" || uniseg.StringWidth(text) > width) {
		at = max(len(t.Title), strings.LastIndexAny(text, ",;"))
		text = text[:at]
	}
	return text
}

// shorten cuts the middle out of a text, so that it fits into width terminal columns.
func shorten(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	all := []rune(text)
	cut := func(n int) string { return string(all[:(n+1)/2]) + "…" + string(all[len(all)-n/2:]) }
	return cut(max(1, sort.Search(len(all), func(n int) bool { return uniseg.StringWidth(cut(n)) > width })-1))
}
