package page

import (
	"fmt"
	"strings"
	"testing"
)

// panelled is a figure of groups of square panels with notes, such as networks.
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

// A figure that fits a page as it is stays so: with as many panels side by side as are legible.
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
		{5, 6, 6, 80, 108},   // side by side, and smaller
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

// In print every figure, with its heading and caption, fits a page of A4's width and Letter's height, and headings are
// kept with what follows.
func TestFiguresFitTheirPageInBrowser(t *testing.T) {
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
