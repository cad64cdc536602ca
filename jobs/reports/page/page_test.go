package page

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"graphda/io/table"
	"graphda/jobs/jobstest"
)

// A figure with nothing in it.
const dot = `<svg width="4" height="4"><circle r="1"/></svg>`

// hostile is a page whose every text would break out of its place if it were not escaped.
func hostile() *Page {
	const bad = `</title></style></script><script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp; javascript:alert(3) ]]>`
	return &Page{
		Title: bad, Subtitle: bad,
		Facts:    []Fact{{bad, bad}},
		Warnings: []Warning{{Text: bad, Cases: []string{bad, bad}}, {Text: bad}}, Lead: bad, Citation: bad,
		Sections: []Section{{
			ID: "s", Title: bad, Intro: bad,
			Tables: []Table{{Table: &table.Table{
				Name: bad, Title: bad, Subtitle: bad, Notes: []string{bad},
				Columns: []table.Column{{Key: bad, Head: bad, Words: true}, {Key: "k", Group: bad, Head: bad}},
				Rows: [][]table.Cell{
					{{Word: bad, ID: bad}, {Word: bad, ID: bad, Best: true}},
					{{Word: bad, ID: bad}, {Word: bad, ID: bad, Off: true}},
				},
			}, Collapsed: true}},
			Figures: []Figure{{Name: bad, Title: bad, Caption: bad, CSV: []byte(bad),
				Panels: []Panel{{Group: bad, Title: bad, Note: bad, SVG: dot}}, Keys: []Key{{bad, dot}}}},
		}},
	}
}

func parse(t *testing.T, page string) *html.Node {
	t.Helper()
	return jobstest.Must1(html.Parse(strings.NewReader(page)))
}

// all returns the elements of these names in document order.
func all(root *html.Node, names ...string) []*html.Node {
	var found []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && slices.Contains(names, n.Data) {
			found = append(found, n)
		}
	}
	return found
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func TestHostileTextsStayTexts(t *testing.T) {
	p := hostile()
	root := parse(t, written(t, p))
	for _, name := range []string{"script", "style", "title"} {
		if n := len(all(root, name)); n != 1 {
			t.Errorf("%d elements %s, want 1", n, name)
		}
	}
	if n := len(all(root, "img")); n != 0 {
		t.Errorf("%d elements img, want none", n)
	}
	shown := text(all(root, "body")[0])
	// title, subtitle, lead, citation, warnings with two cases, section, intro, table's title, subtitle,
	// footnote, three heads, four values, figure's title, caption, three texts of its panel, key,
	// fact twice
	want := 4 + 2 + 2 + 2 + 3 + 3 + 4 + 2 + 3 + 1 + 2
	if n := strings.Count(shown, p.Title); n != want {
		t.Errorf("the text appears %d times, want %d", n, want)
	}
	if got := text(all(root, "title")[0]); got != p.Title {
		t.Errorf("the title is %q", got)
	}
	for _, a := range all(root, "a") {
		if file := attribute(a, "download"); strings.ContainsAny(file, `/\<>"'& :`) {
			t.Errorf("download as %q", file)
		}
	}
}

// Tags are closed in the order they were opened, which a browser would forgive.
func TestTagsBalance(t *testing.T) {
	void := []string{"meta", "link", "br", "img"}
	for _, p := range []*Page{sample(), hostile(), {Title: "empty"}} {
		var open []string
		z := html.NewTokenizer(strings.NewReader(written(t, p)))
		for {
			kind := z.Next()
			if kind == html.ErrorToken {
				break
			}
			name, _ := z.TagName()
			switch {
			case kind == html.StartTagToken && !slices.Contains(void, string(name)):
				open = append(open, string(name))
			case kind == html.EndTagToken:
				if len(open) == 0 || open[len(open)-1] != string(name) {
					t.Fatalf("</%s> while %v are open", name, open)
				}
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Errorf("%v stay open", open)
		}
	}
}

func TestAnchorsAndNames(t *testing.T) {
	for _, p := range []*Page{sample(), hostile()} {
		root := parse(t, written(t, p))
		ids := map[string]bool{}
		for n := range root.Descendants() {
			if id := attribute(n, "id"); id != "" {
				if ids[id] {
					t.Errorf("two elements have the id %q", id)
				}
				ids[id] = true
			}
		}
		for n := range root.Descendants() {
			if to, ok := strings.CutPrefix(attribute(n, "href"), "#"); ok && !ids[to] {
				t.Errorf("a link leads to %q, which is nowhere", to)
			}
			if by := attribute(n, "aria-labelledby"); by != "" && !ids[by] {
				t.Errorf("%s is named by %q, which is nowhere", n.Data, by)
			}
		}
		if len(ids) < 10 {
			t.Errorf("only %d ids", len(ids))
		}
	}
}

func TestHeadingsDescendByOne(t *testing.T) {
	level := 0
	for i, h := range all(parse(t, written(t, sample())), "h1", "h2", "h3", "h4", "h5", "h6") {
		now := int(h.Data[1] - '0')
		if now > level+1 || (i > 0) != (now > 1) {
			t.Errorf("heading %q is of level %d after one of %d", text(h), now, level)
		}
		level = now
	}
}

func TestWarningsComeFirst(t *testing.T) {
	p := sample()
	p.Lead = "what was run"
	page := written(t, p)
	for _, w := range p.Warnings {
		if at := strings.Index(page, html.EscapeString(w.Text)); at < 0 || at > strings.Index(page, `id="graph01"`) {
			t.Errorf("warning %q is at %d, after the first section or nowhere", w.Text, at)
		}
	}
	if at := strings.Index(page, html.EscapeString(p.Lead)); at < strings.Index(page, p.Warnings[2].Text) {
		t.Error("the lead stands before the warnings")
	}
	p.Warnings = nil
	page = written(t, p)
	if !strings.Contains(page, "nothing is missing and nothing failed") || strings.Contains(page, `class="warnings"`) {
		t.Error("a page without warnings does not say so")
	}
	p.Warnings = []Warning{{Text: "again", Cases: []string{"one", "two", "three"}}}
	page = written(t, p)
	if !strings.Contains(page, "<summary>3 cases</summary>") || strings.Count(page, "<li>again") != 1 {
		t.Error("the cases of a warning are not below it")
	}
}

func TestContentsOfLongPages(t *testing.T) {
	p := sample()
	if !strings.Contains(written(t, p), `<nav id="contents"`) {
		t.Error("four sections have no contents")
	}
	p.Sections = p.Sections[:3]
	if strings.Contains(written(t, p), `<nav id="contents"`) {
		t.Error("three sections have contents")
	}
}

// Files beside the page are linked; what copies hold is what CSV writes.
func TestDownloads(t *testing.T) {
	p := sample()
	want := map[string][]byte{}
	for _, s := range p.Sections {
		for _, made := range s.Tables {
			var b bytes.Buffer
			must(t, made.CSV(&b))
			want[made.Name+".csv"] = b.Bytes()
		}
		for _, f := range s.Figures {
			want[f.Name+".csv"] = f.CSV
		}
	}
	copies := maps.Clone(want)
	for _, a := range all(parse(t, written(t, p)), "a") {
		if attribute(a, "class") == "download" {
			delete(want, attribute(a, "href"))
		}
		file := attribute(a, "download")
		if file == "" {
			continue
		}
		data, ok := strings.CutPrefix(attribute(a, "href"), "data:text/csv;charset=utf-8;base64,")
		got, err := base64.StdEncoding.DecodeString(data)
		if !ok || err != nil || len(got) > copyLimit || !bytes.Equal(got, copies[file]) {
			t.Errorf("%s holds %.80q (%v), want %.80q", file, got, err, copies[file])
		}
	}
	if len(want) > 0 {
		t.Errorf("no link for %v", slices.Sorted(maps.Keys(want)))
	}
}

func TestLargeDataStaysBeside(t *testing.T) {
	p := &Page{Title: "t", Sections: []Section{{ID: "s", Title: "s", Figures: []Figure{
		{Name: "f", Title: "f", Panels: []Panel{{SVG: dot}}, CSV: make([]byte, 6e6)}}}}}
	page := written(t, p)
	if len(page) > 50*copyLimit || !strings.Contains(page, `href="f.csv">f.csv</a> <span class="quiet">(6.0 MB, beside this page)`) {
		t.Errorf("a page of %d bytes", len(page))
	}
}

var addresses = regexp.MustCompile(`(?i)https?:|//[a-z]|@import|url\((?:[^#)]|$)`)

// Nothing in the page leads out of it.
func TestNoAddresses(t *testing.T) {
	page := written(t, sample())
	if at := addresses.FindStringIndex(page); at != nil {
		t.Errorf("an address: %q", page[max(0, at[0]-60):min(len(page), at[1]+60)])
	}
}

func TestPolicyNamesWhatIsThere(t *testing.T) {
	root := parse(t, written(t, sample()))
	policy := ""
	for _, m := range all(root, "meta") {
		if attribute(m, "http-equiv") == "Content-Security-Policy" {
			policy = attribute(m, "content")
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none';") {
		t.Fatalf("policy %q", policy)
	}
	for directive, element := range map[string]string{"style-src": "style", "script-src": "script"} {
		if want := directive + " " + hash(text(all(root, element)[0])) + ";"; !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %q", policy, want)
		}
	}
}

// Without a script nothing is offered that needs one.
func TestNoDeadButtons(t *testing.T) {
	for _, b := range all(parse(t, written(t, sample())), "button", "input", "select") {
		hidden := slices.ContainsFunc(b.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
		if !hidden {
			t.Errorf("%s %q does nothing without a script", b.Data, text(b))
		}
	}
}

func TestParagraphs(t *testing.T) {
	got := fmt.Sprintf("%q", paragraphs("\n\none\ntwo\n\n\n  three \r\n\r\nfour\n"))
	if want := `["one\ntwo" "three" "four"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFileNamesAreSafe(t *testing.T) {
	for name, want := range map[string]string{
		"figure3": "figure3", "µ = 0.3/ℓ1": "----0.3--1", "../../etc/pass": "-.-..-etc-pass", "a.b_C-9": "a.b_C-9", "con\x00": "con-",
	} {
		if got := safe(name); got != want {
			t.Errorf("safe(%q) is %q, want %q", name, got, want)
		}
	}
}

// A row leads to the element of a picture that its first value names, whichever panel has it; one that no picture
// has leads nowhere.
func TestPlaces(t *testing.T) {
	picture := func(id string) Panel {
		return Panel{SVG: template.HTML(`<svg viewBox="0 0 1 1"><circle class="mark" id="` + id + `" r="1"/></svg>`)}
	}
	made := tableOf([]string{"<Gene"}, []string{"TP53"}, []string{"EGFR"}, []string{"MDM2"})
	page := written(t, &Page{Title: "t", Sections: []Section{{ID: "s", Title: "s",
		Tables:  []Table{{Table: made, Places: []Place{{"net", "n2"}, {"net", "n3"}, {"net", "n1"}}}},
		Figures: []Figure{{Name: "net", Title: "n", Panels: []Panel{picture("figure-net-1--n1"), picture("figure-net-2--n2")}}}}}})
	jobstest.WantText(t, page, `<a href="#figure-net-2--n2">TP53</a>`, `>EGFR</th>`, `<a href="#figure-net-1--n1">MDM2</a>`)
}

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
