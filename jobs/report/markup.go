package report

import (
	"encoding/csv"
	"io"
	"strings"
)

// Markdown writes the table as a GitHub table: the best values are bold, deviations
// carry a dagger.
func (t *Table) Markdown(w io.Writer) error {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("### " + escape(t.Title) + "\n\n")
	}
	if t.Subtitle != "" {
		b.WriteString(escape(t.Subtitle) + "\n\n")
	}
	at := t.printed()
	line := func(cell func(i int) string) {
		for _, i := range at {
			b.WriteString("| " + cell(i) + " ")
		}
		b.WriteString("|\n")
	}
	line(func(i int) string { return escape(t.Columns[i].heading()) })
	line(func(i int) string {
		if t.Columns[i].Left {
			return ":--"
		}
		return "--:"
	})
	for _, row := range t.Rows {
		line(func(i int) string { return row[i].markdown() })
	}
	for i, note := range t.notes("**Bold**:", "†") {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + note + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (v *Value) markdown() string {
	s := escape(v.Text)
	if v.Best {
		s = "**" + s + "**"
	}
	if v.Off {
		s += " †"
	}
	return s
}

// escape protects what a Markdown table cell would take for markup.
var escape = strings.NewReplacer(`\`, `\\`, `|`, `\|`, `*`, `\*`, `_`, `\_`, "`", "\\`", `<`, `\<`).Replace

// CSV writes the table for programs, without title and notes.
func (t *Table) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	record := make([]string, len(t.Columns))
	write := func(cell func(i int) string) {
		for i := range record {
			record[i] = cell(i)
		}
		c.Write(record) // an error shows in c.Error
	}
	write(func(i int) string { return t.Columns[i].Key })
	for _, row := range t.Rows {
		write(func(i int) string { return row[i].Data })
	}
	c.Flush()
	return c.Error()
}
