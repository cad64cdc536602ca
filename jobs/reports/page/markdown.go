package page

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"graphda/io/table"
)

// Markdown writes the page as Markdown for GitHub. Figures show the files NAME.svg in the folder p.Files. Folded
// figures and tables become links to files.
func (p *Page) Markdown(w io.Writer) error {
	var b bytes.Buffer
	paragraph := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); strings.TrimSpace(text) != "" {
			b.WriteString(text + "\n\n")
		}
	}
	text := table.EscapeMarkdown
	paragraph("# %s", text(p.Title))
	if p.Answer != "" {
		paragraph("**%s**", text(p.Answer))
	}
	for _, lead := range p.leads() {
		paragraph("%s", text(lead))
	}
	paragraph("%s", text(p.Citation))
	for _, warning := range p.Warnings {
		paragraph("**%s**", text(warning.Text))
	}
	for i := range p.Sections {
		if err := p.Sections[i].markdown(&b, p.Files, paragraph); err != nil {
			return err
		}
	}
	paragraph("## How it was made")
	paragraph("%s", text(p.Made))
	for _, fact := range p.Facts {
		fmt.Fprintf(&b, "- %s: %s\n", text(fact.Name), text(fact.Value))
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (s *Section) markdown(b *bytes.Buffer, folder string, paragraph func(string, ...any)) error {
	text := table.EscapeMarkdown
	paragraph("## %s", text(s.Title))
	for _, intro := range paragraphs(s.Intro) {
		paragraph("%s", text(intro))
	}
	folded := false
	for i := range s.Tables {
		t := &s.Tables[i]
		if t.Collapsed {
			fmt.Fprintf(b, "- [%s](%s.md)\n", text(t.Title), path.Join(folder, url.PathEscape(t.Name)))
			folded = true
			continue
		}
		if err := t.Write(b, "markdown"); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	if folded {
		b.WriteByte('\n')
	}
	for i := range s.Figures {
		f := &s.Figures[i]
		if f.Collapsed {
			paragraph("- [%s](%s.svg)", text(f.Title), path.Join(folder, url.PathEscape(f.Name)))
			continue
		}
		paragraph("### %s", text(f.Title))
		paragraph("![%s](%s.svg)", text(f.Title), path.Join(folder, url.PathEscape(f.Name)))
		for _, caption := range paragraphs(f.Caption) {
			paragraph("%s", text(caption))
		}
	}
	return nil
}
