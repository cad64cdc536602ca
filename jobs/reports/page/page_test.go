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
	"graphda/jobs/reports/figures"
)

// dot is a figure with nothing in it.
const dot = `<svg width="4" height="4"><circle r="1"/></svg>`

// hostile returns a page whose every text would break the markup if it were not escaped.
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
	// These are: title, subtitle, lead, citation, warnings with two cases, section, intro, table's title, subtitle,
	// footnote, three headings, four values, figure's title, caption, three texts of its panel, key, and two facts.
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

// Tags are closed in the right order. A browser would forgive other orders.
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
	p.Lead = "what was run\nand what came of it"
	page := written(t, p)
	if !strings.Contains(page, `<p class="lead">and what came of it</p>`) {
		t.Error("a line of the lead is no paragraph")
	}
	for _, w := range p.Warnings {
		if at := strings.Index(page, html.EscapeString(w.Text)); at < 0 || at > strings.Index(page, `id="graph01"`) {
			t.Errorf("warning %q is at %d, after the first section or nowhere", w.Text, at)
		}
	}
	if at := strings.Index(page, "what was run"); at < strings.Index(page, p.Warnings[2].Text) {
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

// The contents link to every section, table and figure, in the page's order, and to how the page was made. A page with
// few tables has no contents.
func TestContents(t *testing.T) {
	p := sample()
	root := parse(t, written(t, p))
	var want, got []string
	for _, e := range all(root, "section", "div", "figure") {
		if class := attribute(e, "class"); class == "chapter" || class == "table" || e.Data == "figure" {
			want = append(want, "#"+attribute(e, "id"))
		}
	}
	for _, nav := range all(root, "nav") {
		for _, a := range all(nav, "a") {
			got = append(got, attribute(a, "href"))
		}
	}
	if len(want) < 8 || !slices.Equal(got, want) {
		t.Errorf("the contents lead to %q, want %q", got, want)
	}
	p.Sections = []Section{{ID: "few", Title: "Few", Tables: p.Sections[0].Tables[:1]}}
	if strings.Contains(written(t, p), `<nav id="contents"`) {
		t.Error("one table has contents")
	}
}

// Notes appear once, below the tables of a section. A note about one table has this table's title. Notes about a column
// are also the heading's help.
func TestNotesAreReadOnce(t *testing.T) {
	made := func(title string, notes ...string) Table {
		return Table{Table: &table.Table{Name: title, Title: title, Notes: notes,
			Columns: []table.Column{{Key: "a", Head: "Method", Words: true}, {Key: "b", Head: "F1"}, {Key: "c", Head: "Mean w"}},
			Rows:    [][]table.Cell{{{Word: "x"}, {Word: "y"}, {Word: "z"}}}}}
	}
	const both = "F1: of features, e.g. of 3: 2. Mean w: over trials."
	page := written(t, &Page{Title: "t", Sections: []Section{{ID: "s", Title: "S",
		Tables: []Table{made("One", both, "only here"), made("Two", both)}}}})
	for text, times := range map[string]int{`<li>` + both + `</li>`: 1, `<li><b>One</b>: only here</li>`: 1,
		`title="Of features, e.g. of 3: 2."`: 2, `title="Over trials."`: 2, "How to read this": 1} {
		if n := strings.Count(page, text); n != times {
			t.Errorf("%s stands there %d times, want %d", text, n, times)
		}
	}
}

// Files next to the page are linked. Inline copies have the same content as the CSV files.
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

// Without a script, the page offers nothing that needs one.
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

// A row links to the element of a picture that its first value names, in any panel. If no picture has the element,
// there is no link.
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

// A folded figure shows only its title, and in Markdown only a link. A title does not repeat the title above it.
func TestFoldedFigures(t *testing.T) {
	folded, open := curves("net", "Noticed: what is selected", "A caption.", 1), curves("roc", "ROC curve", "", 1)
	folded.Collapsed = true
	p := &Page{Title: "Page", Sections: []Section{{ID: "noticed", Title: "Noticed", Figures: []Figure{folded, open}}}}
	for _, figure := range all(parse(t, written(t, p)), "figure") {
		want, inside := 0, all(figure, "details")
		if attribute(figure, "id") == "figure-net" {
			want = 1
		}
		if len(inside) != want || want == 1 && len(all(inside[0], "figcaption")) != 1 {
			t.Errorf("%s: %d folds, want %d around its caption", attribute(figure, "id"), len(inside), want)
		}
	}
	jobstest.WantText(t, written(t, p), "<summary><h3>What is selected</h3></summary>")
	text := markdown(t, p)
	jobstest.WantText(t, text, "- [Noticed: what is selected](net.svg)", "![ROC curve](roc.svg)")
	if strings.Contains(text, "![Noticed") || strings.Contains(text, "A caption.") {
		t.Errorf("a folded figure is open in\n%s", text)
	}
}

// No text of a page becomes markup, and no name breaks its link.
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

var must = jobstest.Must

func written(tb testing.TB, p *Page) string {
	tb.Helper()
	var b bytes.Buffer
	must(tb, p.Write(&b))
	return b.String()
}

// sample returns a page like the page of the paper's first experiment.
func sample() *Page {
	const recovery = "graph01-mu0.3, 400 training samples; means over 20 trials; hyperparameters by rule paper (benchmark)"
	p := &Page{
		Title:    "Classification on the benchmark graphs",
		Subtitle: "Experiment benchmark, four subgraphs of a 33 × 33 grid, ten methods",
		Facts: []Fact{
			{"Experiment", "benchmark"},
			{"Program", "gdrun v0.4.0-12-gef2957b"},
			{"Plan", "3f7c1a9e5b0d44e28f6c"},
			{"Datasets", "graph01-mu0.3, graph02-mu0.3, graph03-mu0.3, graph04-mu0.3"},
			{"Trials", "20 (5 of graphda and graphstoiht)"},
			{"Cells", "61,860 planned: 61,858 done, 1 failed, 1 missing"},
			{"Checkpoints", "100, 200, 300, 400, 600, 800, 1000"},
			{"Selection rule", "paper (benchmark): best validation accuracy, ties by fewer online mistakes"},
		},
		Warnings: []Warning{
			{Text: "1 of 61,860 results is missing: graphstoiht, eta=1, s=46, trial 13 of graph02-mu0.3."},
			{Text: "1 of 61,860 results failed: graphda, gamma=500, s=26, trial 4 of graph01-mu0.3: learners: w is not finite at sample 311."},
			{Text: "GraphDA: gamma=500, the largest of its grid, was chosen in 12 (w) and 14 (w̄) of 20 trials."},
		},
	}
	p.Sections = []Section{
		{
			ID: "graph01", Title: "Table 1: Graph01",
			Intro: "The smallest subgraph: 26 of 1,089 nodes. Half of the samples are positive.\n\n" +
				"Two readings of the paper's “AUC” are shown: the area under the ROC curve of hard labels, which the paper prints, and that of the scores.",
			Tables: []Table{
				{Table: numbers("table1", "Classification performance on Graph01", recovery, 1)},
				{Table: numbers("table1-published", "The same beside Table 1 of the paper", recovery, 3)},
				{Table: settings("table1-settings"), Collapsed: true},
			},
		},
		{
			ID: "mistakes", Title: "Figure 3: mistakes over samples",
			Intro: "Online mistakes divided by samples seen so far.",
			Figures: []Figure{
				curves("figure3", "Error rate of w", "Means over 20 trials; bars are one standard deviation.", 0.5),
				curves("figure3-wbar", "Error rate of w̄", "The running average errs more at first.", 0.7),
				curves("figure3-long", "Error rate of w, all samples", "", 0.3),
			},
		},
		{ID: "models", Title: "Figure 4: learned models", Intro: "Left out: no models were kept."},
		{
			ID: "graph02", Title: "Table 2: Graph02",
			Tables: []Table{{Table: numbers("table2", "Classification performance on Graph02", "means over 3 trials", 1)}},
		},
	}
	return p
}

// numbers returns a table of ten methods with invented numbers for recovery and for measures of w and w̄. Each method
// has the given number of lines.
func numbers(name, title, subtitle string, lines int) *table.Table {
	t := &table.Table{Name: name, Title: title, Subtitle: subtitle, PerGroup: lines, Columns: []table.Column{
		{Key: "dataset", Words: true, DataOnly: true}, {Key: "method", Head: "Method", Words: true},
	}, Notes: []string{
		"BalAcc: balanced accuracy, the mean of the two classes' accuracies. The paper prints it as AUC.",
		"Pre, Rec, F1: of the support of w, with the standard deviation over trials. Miss: training samples predicted wrongly before " +
			"learning from them. NR: nonzeros in percent of all features. w: last iterate, w̄: running average.",
		"GraphDA: projections of the chosen cell returned fewer than s or more than (1 + ω)s nodes in 10 of 20 trials (50 a trial).",
	}}
	if lines > 1 {
		t.Columns = append(t.Columns, table.Column{Key: "source", Words: true})
	}
	words := len(t.Columns)
	for _, head := range []string{"Pre", "Rec", "F1"} {
		t.Columns = append(t.Columns, table.Column{Key: head, Head: head})
	}
	for _, group := range []string{"BalAcc", "Acc", "Miss", "NR %"} {
		t.Columns = append(t.Columns, table.Column{Key: group, Group: group, Head: "w"}, table.Column{Key: group + "_wbar", Group: group, Head: "w̄"})
	}
	for i := range 10 * lines {
		row := []table.Cell{table.Word("graph01-mu0.3"), table.Word(fmt.Sprint("Method ", i/lines)), table.Word([]string{"ours", "paper", "diff"}[i%3])}[:words]
		for k := words; k < len(t.Columns); k++ {
			cell := table.Of(float64((7*i+3*k)%101-10)/100, table.Fixed(3))
			cell.Best, cell.Off = lines == 1 && i == 8, lines > 1 && (i+k)%9 == 0
			if k < words+3 {
				cell.Number.Std, cell.Number.PrintStd = 0.05, table.Fixed(2)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func settings(name string) *table.Table {
	t := tableOf([]string{"<Method", "<Model", "Trials", "<Setting"}, []string{"GraphDA", "w", "12", "gamma=500, s=26"},
		[]string{"GraphDA", "w̄", "7", "gamma=100, s=30"})
	t.Name, t.Title = name, "Hyperparameters chosen"
	return t
}

func curves(name, title, caption string, slope float64) Figure {
	panel := figures.Panel{Title: "w", XLabel: "samples", YLabel: "mistakes / samples"}
	for i, method := range []string{"l1-rda", "da-iht", "graphda"} {
		line := figures.Line{Key: method, Label: strings.ToUpper(method)}
		for t := 100.0; t <= 1000; t += 100 {
			line.Points = append(line.Points, figures.Point{X: t, Y: 0.2 + slope*0.2*float64(3-i)*100/t})
		}
		panel.Lines = append(panel.Lines, line)
	}
	other := panel
	other.Title = "w̄"
	return Draw(&figures.Chart{Info: figures.Info{Name: name, Title: title, Caption: caption}, Panels: []figures.Panel{panel, other}})
}
