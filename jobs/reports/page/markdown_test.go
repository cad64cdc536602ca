package page

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func markdown(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	must(t, p.Markdown(&b))
	return b.String()
}

func TestMarkdown(t *testing.T) {
	p := sample()
	text := markdown(t, p)
	from := 0
	for _, want := range []string{"# " + p.Title, "## " + p.Sections[0].Title, "| Method |", "](figure3.svg)",
		"## How it was made", "- Experiment: benchmark\n"} {
		at := strings.Index(text[from:], want)
		if at < 0 {
			t.Fatalf("no %q after byte %d of\n%s", want, from, text)
		}
		from += at
	}
	for _, s := range p.Sections {
		for _, table := range s.Tables {
			if link := "](" + table.Name + ".md)"; strings.Contains(text, link) != table.Collapsed {
				t.Errorf("table %s, folded %v: link %v", table.Name, table.Collapsed, !table.Collapsed)
			}
		}
	}
}

// No text of a page becomes markup, and no name leaves its link.
func TestMarkdownEscapes(t *testing.T) {
	p := hostile()
	p.Sections[0].Tables[0].Collapsed = false
	text := markdown(t, p)
	if bare := regexp.MustCompile(`(^|[^\\])<`).FindString(text); bare != "" {
		t.Errorf("%q is in\n%s", bare, text)
	}
	if n := strings.Count(text, ".svg)"); n != 1 {
		t.Errorf("%d pictures, want 1", n)
	}
}
