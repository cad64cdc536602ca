package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"graphda/jobs/jobstest"
)

// clicks defines the function click. It clicks the heading with the given name and returns the table's row headings in
// order, and with "!" also the heading's aria-sort.
const clicks = `
const table = document.querySelector('table');
const click = (name) => {
  const head = [...table.querySelectorAll('th')].find((th) => th.dataset.name === name);
  head.querySelector('button').click();
  const order = [...table.querySelectorAll('tbody tr')].map((tr) => tr.cells[0].textContent).join(' ');
  const sorted = [...table.querySelectorAll('[aria-sort]')];
  if (sorted.length > 1 || sorted.length === 1 && sorted[0] !== head) throw 'aria-sort is elsewhere';
  return order + ' ' + (head.getAttribute('aria-sort') ?? 'none');
};
`

func TestSortingInBrowser(t *testing.T) {
	t.Parallel()
	table := tableOf([]string{"<M", "G|x", "G|y", "<name"},
		[]string{"a", "1.0", "10", "item 10"},
		[]string{"b", "–", "9", "éclair"},
		[]string{"c", "-2", "10", "item 2"},
		[]string{"d", "1e3", "9", "Zebra"},
		[]string{"e", "1.0", "", "eclipse"},
		[]string{"f", "Inf", "10", ""},
	)
	table.Rows[0][1].Number.Value = 1.0000001 // printed like e's value
	var got []string
	window{width: 900}.run(t, written(t, onePage(table)), clicks+`
return [click('G x'), click('G x'), click('G x'), click('G y'), click('G y'), click('name'), click('name'), click('M'), click('M')];`, &got)
	want := []string{
		"c e a d f b ascending", // by exact value; blanks last
		"f d a e c b descending",
		"a b c d e f none",      // in the original order
		"b d a c f e ascending", // equal values keep their order
		"a c f b d e descending",
		"b e c a d f ascending", // é with e, 2 before 10
		"d a c e b f descending",
		"a b c d e f ascending",
		"f e d c b a descending",
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("click %d: got %q, want %q", i, got, want)
		}
	}
}

func TestGroupsStayTogetherInBrowser(t *testing.T) {
	t.Parallel()
	table := grouped(tableOf([]string{"<Method", "<", "F1|w"},
		[]string{"a", "ours", "0.5"}, []string{"", "paper", "0.1"},
		[]string{"b", "ours", "0.9"}, []string{"", "paper", "0.2"},
		[]string{"c", "ours", "0.1"}, []string{"", "paper", "0.3"},
	))
	var got []string
	window{width: 900}.run(t, written(t, onePage(table)), clicks+`
return [click('F1 w'), click('F1 w'), click('F1 w'), click('Method'), click('Method')];`, &got)
	want := "[c paper a paper b paper ascending b paper a paper c paper descending a paper b paper c paper none " +
		"a paper b paper c paper ascending c paper b paper a paper descending]"
	if fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %s", got, want)
	}
}

// Headings have what a keyboard and a screen reader need.
func TestButtonsInBrowser(t *testing.T) {
	t.Parallel()
	var got struct {
		Heads, Buttons, Hidden int
		Names                  []string
		Outline                string
	}
	window{width: 900}.run(t, written(t, sample()), `
const buttons = [...document.querySelectorAll('th button')];
buttons[3].focus();
return {
  heads: document.querySelectorAll('th[data-sort]').length,
  buttons: buttons.filter((b) => b.type === 'button' && b.tabIndex === 0 && b.textContent).length,
  hidden: document.querySelectorAll('button[hidden]').length,
  names: buttons.slice(0, 6).map((b) => b.ariaLabel ?? b.textContent),
  outline: document.activeElement === buttons[3] ? getComputedStyle(buttons[3]).outlineStyle : 'not focused',
};`, &got)
	if got.Heads < 30 || got.Buttons != got.Heads || got.Hidden != 0 {
		t.Errorf("%d headings sort and have %d buttons; %d buttons are hidden", got.Heads, got.Buttons, got.Hidden)
	}
	if names := strings.Join(got.Names, ", "); names != "Method, Pre, Rec, F1, BalAcc w, BalAcc w̄" {
		t.Errorf("the buttons are called %s", names)
	}
	if got.Outline != "solid" {
		t.Errorf("the focus shows as %q", got.Outline)
	}
}

// measured is a script whose function makes the page as wide as requested. It returns the texts of figures
// whose letters are less than 9 pixels high, elements that are cut or too wide, and rows of scrolled tables
// that lost their names.
const measured = `
const measured = async (width) => {
frameElement.width = width;
while (innerWidth !== width) await new Promise((resolve) => setTimeout(resolve, 50));
document.querySelectorAll('details').forEach((d) => { d.open = true; });
const small = [], cut = [];
let seen = 0, boxes = 0, loose = 0;
for (const e of document.querySelectorAll('body *')) {
  if (e.getBoundingClientRect().right > innerWidth && !e.closest('.scroll')) cut.push(e.outerHTML.slice(0, 80));
  if (e.closest('script') || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
  const svg = e.closest('svg');
  const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  const size = parseFloat(getComputedStyle(e).fontSize) * scale;
  seen++;
  if (!e.classList.contains('spoken') && size < 9) small.push(size.toFixed(1) + ' ' + e.outerHTML.slice(0, 80));
}
const panels = [...document.querySelectorAll('.panel')].map((p) => p.getBoundingClientRect());
for (const p of panels) if (p.width < 60 || p.left < 0) cut.push(JSON.stringify(p));
const side = panels.length > 1 && panels[0].top === panels[1].top;
for (const box of document.querySelectorAll('.scroll')) {
  box.scrollLeft = 1e6;
  if (box.scrollLeft < 100) continue;
  boxes++;
  for (const row of box.querySelectorAll('tbody tr')) {
    const by = row.cells[0].getBoundingClientRect().left - box.getBoundingClientRect().left;
    if (row.cells[0].scope !== 'row' || row.closest('.grouped') ? by < 0 : by !== 0) loose++;
  }
}
return {small: small.slice(0, 5), cut: cut.slice(0, 5), seen, side, boxes, loose, scroll: document.documentElement.scrollWidth - innerWidth};
};
`

// On a phone, panels are below each other and letters are legible. On a wide screen, panels are side by side. The page
// never scrolls sideways, and tables that do so keep the names of their rows visible.
func TestLayoutInBrowser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		page   *Page
		widths []int
	}{{sample(), []int{360, 820, 1280}}, {hostile(), []int{360}}} {
		var all []struct {
			Small, Cut                 []string
			Seen, Boxes, Loose, Scroll int
			Side                       bool
		}
		script := fmt.Sprintf("const all = [];\nfor (const width of %s) all.push(await measured(width));\nreturn all;",
			jobstest.Must1(json.Marshal(c.widths)))
		window{width: 1000}.run(t, written(t, c.page), measured+script, &all)
		whole := len(c.page.Sections) > 1
		for i, width := range c.widths {
			got := all[i]
			if len(got.Cut) > 0 || got.Scroll > 0 || got.Loose > 0 {
				t.Errorf("at %d: cut %q, %d pixels too wide, %d rows lose their names", width, got.Cut, got.Scroll, got.Loose)
			}
			if whole && (len(got.Small) > 0 || got.Seen < 300 || got.Side != (width > 500) || width < 500 && got.Boxes != 3) {
				t.Errorf("at %d: side by side %t, %d tables scroll, of %d texts these are too small: %q", width, got.Side, got.Boxes,
					got.Seen, got.Small)
			}
		}
	}
}

// contrasts is a script that returns the texts with too little contrast (WCAG 2.2, AA), and the number of
// texts that it checked.
const contrasts = `
const parse = (s) => s.match(/[\d.]+/g).map(Number);
const luminance = ([r, g, b]) => {
  const [R, G, B] = [r, g, b].map((v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * R + 0.7152 * G + 0.0722 * B;
};
const paper = (e) => {
  for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] === 1) return c;
  }
  throw 'no background';
};
const check = () => {
  document.querySelectorAll('details').forEach((d) => { d.open = true; });
  const bad = [];
  let seen = 0;
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('svg, script') || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    seen++;
    const [a, b] = [luminance(parse(getComputedStyle(e).color)), luminance(paper(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(ratio.toFixed(2) + ' ' + e.outerHTML.slice(0, 80));
  }
  const background = luminance(parse(getComputedStyle(document.documentElement).backgroundColor));
  const figure = getComputedStyle(document.querySelector('.paper')).backgroundColor;
  return {bad: bad.slice(0, 5), seen, dark: background < 0.2, figure, label: document.getElementById('theme').textContent};
};
`

func TestColoursInBrowser(t *testing.T) {
	t.Parallel()
	type look struct {
		Bad           []string
		Seen          int
		Dark          bool
		Figure, Label string
	}
	for _, dark := range []bool{false, true} {
		var got struct {
			Looks []look
			Kept  int
		}
		window{width: 1280, dark: dark}.run(t, written(t, sample()), contrasts+`
const looks = [check()];
document.getElementById('theme').click();
looks.push(check());
document.getElementById('theme').click();
looks.push(check());
let kept = document.cookie.length;
try { kept += localStorage.length + sessionStorage.length; } catch {}
return {looks, kept};`, &got)
		if len(got.Looks) != 3 || got.Kept != 0 {
			t.Fatalf("%d looks, %d kept", len(got.Looks), got.Kept)
		}
		for i, l := range got.Looks {
			wantDark := dark != (i == 1)
			wantLabel := map[bool]string{true: "Light colours", false: "Dark colours"}[wantDark]
			if l.Dark != wantDark || l.Label != wantLabel || l.Figure != map[bool]string{true: "rgb(23, 25, 29)", false: "rgb(255, 255, 255)"}[wantDark] {
				t.Errorf("system dark %t, %d clicks: dark %t, button %q, figures on %s", dark, i, l.Dark, l.Label, l.Figure)
			}
			if len(l.Bad) > 0 || l.Seen < 300 {
				t.Errorf("system dark %t, %d clicks: too little contrast, of %d texts: %q", dark, i, l.Seen, l.Bad)
			}
		}
	}
}

// Folds open for a link into them and for print. Nothing else opens them.
func TestFoldsInBrowser(t *testing.T) {
	t.Parallel()
	var got []bool
	window{width: 900}.run(t, written(t, sample()), `
const fold = document.querySelector('#table-table1-settings > details');
const states = [fold.open];
dispatchEvent(new Event('beforeprint'));
states.push(fold.open);
dispatchEvent(new Event('afterprint'));
states.push(fold.open);
location.hash = '#table-table1';
await new Promise((resolve) => setTimeout(resolve, 50));
states.push(fold.open);
location.hash = '#table-table1-settings';
await new Promise((resolve) => setTimeout(resolve, 50));
states.push(fold.open);
return states;`, &got)
	if fmt.Sprint(got) != "[false true false false true]" {
		t.Errorf("open: %v", got)
	}
}

// The policy blocks forbidden requests of a page.
func TestPolicyInBrowser(t *testing.T) {
	t.Parallel()
	var got []string
	window{width: 900, loud: true}.run(t, written(t, sample()), `
const stopped = [];
addEventListener('securitypolicyviolation', (e) => { e.stopImmediatePropagation(); stopped.push(e.effectiveDirective); }, true);
new Image().src = 'http://localhost:9/x.png';
const script = document.createElement('script');
script.textContent = 'document.title = "taken over"';
document.body.append(script);
await fetch('http://localhost:9/').catch(() => {});
await new Promise((resolve) => setTimeout(resolve, 50));
return [...stopped.sort(), document.title];`, &got)
	if want := "[connect-src img-src script-src-elem " + sample().Title + "]"; fmt.Sprint(got) != want {
		t.Errorf("stopped: %v, want %v", got, want)
	}
}

type window struct {
	width int // CSS pixels
	dark  bool
	loud  bool // messages on the console are expected
}

func chromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("needs Chromium; as root on Debian, .ci/browser.sh installs it")
	return ""
}

// run opens the page, runs the body of an async function in it, and decodes the result into out. Errors of the page's
// own scripts and violations of its policy fail the test.
//
// The policy is unchanged, except that it also has the hash of the added script. The page is in a frame, because a
// Chromium window cannot be narrower than 500 pixels.
func (w window) run(t *testing.T, page, body string, out any) {
	t.Helper()
	browser := chromium(t)
	added := `'use strict';
const problems = [];
addEventListener('error', (e) => problems.push(String(e.message)));
addEventListener('unhandledrejection', (e) => problems.push(String(e.reason)));
addEventListener('securitypolicyviolation', (e) => problems.push('policy: ' + e.effectiveDirective + ' ' + e.blockedURI));
addEventListener('load', async () => {
  const outcome = {problems};
  try {
    outcome.value = await (async () => {` + body + `})();
  } catch (e) {
    problems.push(String(e));
  }
  const pre = parent.document.createElement('pre');
  pre.id = 'outcome';
  pre.textContent = JSON.stringify(outcome);
  parent.document.body.replaceChildren(pre);
});`
	own := html.EscapeString(hash(script))
	own = strings.ReplaceAll(own, "+", "&#43;") // html/template escapes more
	if strings.Count(page, own) != 1 {
		t.Fatalf("the policy with %s is not there", own)
	}
	page = strings.Replace(page, own, own+" "+html.EscapeString(hash(added)), 1)
	page = strings.Replace(page, "<title>", "<script>"+added+"</script><title>", 1)
	framed := fmt.Sprintf(`<!DOCTYPE html><meta charset="utf-8"><title>frame</title><iframe style="border:0" width="%d" height="800" srcdoc="%s"></iframe>`,
		w.width, html.EscapeString(page))

	dir := jobstest.Must1(os.MkdirTemp("", "page"))
	t.Cleanup(func() { os.RemoveAll(dir) }) // helpers of the browser may still write, which does no harm
	file := filepath.Join(dir, "page.html")
	must(t, os.WriteFile(file, []byte(framed), 0o666))
	theme := "1"
	if w.dark {
		theme = "0"
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--user-data-dir="+filepath.Join(dir, "profile"), "--blink-settings=preferredColorScheme="+theme,
		"--enable-logging=stderr", "--window-size=1400,900", "--virtual-time-budget=20000", "--dump-dom", "file://"+file)
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", browser, err, stderr.String())
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") && !w.loud {
			t.Errorf("console: %s", line)
		}
	}
	match := outcomes.FindStringSubmatch(stdout.String())
	if match == nil {
		t.Fatalf("%s reports nothing\n%s", browser, stderr.String())
	}
	var outcome struct {
		Problems []string
		Value    json.RawMessage
	}
	must(t, json.Unmarshal([]byte(html.UnescapeString(match[1])), &outcome))
	for _, p := range outcome.Problems {
		t.Errorf("in the page: %s", p)
	}
	if outcome.Value == nil {
		t.Fatal("the script returned nothing")
	}
	must(t, json.Unmarshal(outcome.Value, out))
}

var outcomes = regexp.MustCompile(`(?s)<pre id="outcome">(.*?)</pre>`)

// panelled returns a figure of groups of square panels with notes, such as networks.
func panelled(groups, columns int, caption string) Figure {
	f := Figure{Name: fmt.Sprintf("panels-%d-%d", groups, columns), Title: fmt.Sprintf("%d × %d panels", groups, columns),
		Columns: columns, Caption: caption}
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 176 176"><rect width="176" height="176"/></svg>`
	for g := range groups {
		for c := range columns {
			f.Panels = append(f.Panels, Panel{Group: fmt.Sprintf("trial %d", g), Title: fmt.Sprintf("Method %d", c), SVG: svg,
				Note: "42 true, 10 false; F1 0.91; 52 selected", Least: 294})
		}
	}
	return f
}

// If a figure fits the page, it stays unchanged, with as many panels side by side as are legible.
func TestPrintedColumns(t *testing.T) {
	for _, c := range []struct {
		groups, columns int
		want            int
		least, most     float64
	}{
		{1, 1, 1, 400, 400},
		{1, 2, 2, 340, 341},
		{2, 3, 3, 224, 225},
		{1, 6, 3, 224, 225},
		{5, 6, 6, 80, 108},   // side by side, but smaller
		{10, 6, 3, 224, 225}, // on several pages
	} {
		f := panelled(c.groups, c.columns, "")
		columns, width := f.printed()
		if columns != c.want || width < c.least || width > c.most {
			t.Errorf("%d × %d panels: %d side by side of width %v, want %d of %v to %v", c.groups, c.columns, columns, width, c.want,
				c.least, c.most)
		}
		if h := f.height(columns, width); h > printHeight && c.groups < 10 {
			t.Errorf("%d × %d panels: %v high", c.groups, c.columns, h)
		}
	}
}

// In print, every figure with its heading and caption fits a page of A4's width and Letter's height. Headings stay with
// the following text.
func TestFiguresFitTheirPageInBrowser(t *testing.T) {
	t.Parallel()
	p := sample()
	caption := strings.Repeat("A caption of some words about what the figure shows. ", 10)
	p.Sections = append(p.Sections, Section{ID: "many", Title: "Many panels",
		Figures: []Figure{panelled(5, 6, caption), panelled(4, 5, caption), panelled(3, 3, caption), panelled(1, 7, caption)}})
	var got struct {
		Heads, Alone int
		Figures      []struct {
			ID            string
			Height, Right float64
		}
	}
	window{width: printWidth}.run(t, written(t, p), `
const print = [...document.styleSheets[0].cssRules].find((r) => r.media?.mediaText === 'print');
const rules = [...print.cssRules].map((r) => r.cssText).filter((text) => !text.startsWith('@page'));
for (const text of rules) document.styleSheets[0].insertRule(text, document.styleSheets[0].cssRules.length);
const heads = [...document.querySelectorAll('h2, h3')];
const alone = heads.filter((h) => getComputedStyle(h).breakAfter !== 'avoid').length;
return {heads: heads.length, alone, figures: [...document.querySelectorAll('figure')].map((f) => ({id: f.id, height: f.getBoundingClientRect().height,
  right: Math.max(...[...f.querySelectorAll('.panel')].map((p) => p.getBoundingClientRect().right))}))};`, &got)
	if len(got.Figures) < 7 || got.Heads < 8 || got.Alone > 0 {
		t.Fatalf("%d figures, %d headings, of which %d may end a page", len(got.Figures), got.Heads, got.Alone)
	}
	for _, f := range got.Figures {
		if f.Height > 933 || f.Right > printWidth+1 {
			t.Errorf("%s is %.0f pixels high and reaches to %.0f, want 933 and %d at most", f.ID, f.Height, f.Right, printWidth)
		}
	}
}
