package table

import (
	"io"
	"strings"
)

var markdownFormat = Format{Name: "markdown", Extension: ".md", write: (*Table).markdown}

// markdown writes a GitHub table. Best values are bold, and values that differ from published values have a dagger.
func (t *Table) markdown(w io.Writer) error {
	t = t.printable()
	for i, note := range t.Notes {
		t.Notes[i] = EscapeMarkdown(note)
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("### " + EscapeMarkdown(t.Title) + "\n\n")
	}
	if t.Subtitle != "" {
		b.WriteString(EscapeMarkdown(t.Subtitle) + "\n\n")
	}
	at := t.Printed()
	line := func(cell func(i int) string) {
		for _, i := range at {
			b.WriteString("| " + cell(i) + " ")
		}
		b.WriteString("|\n")
	}
	line(func(i int) string { return EscapeMarkdown(t.Columns[i].Heading()) })
	line(func(i int) string {
		if t.Columns[i].Words {
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

func (c *Cell) markdown() string {
	s := EscapeMarkdown(c.Text())
	if c.Best {
		s = "**" + s + "**"
	}
	if c.Off {
		s += " †"
	}
	return s
}

// EscapeMarkdown escapes Markdown's special characters in texts and table cells.
var EscapeMarkdown = strings.NewReplacer(`\`, `\\`, `|`, `\|`, `*`, `\*`, `_`, `\_`, "`", "\\`", `<`, `\<`).Replace
