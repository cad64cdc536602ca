package page

import "testing"

// letters is a script that returns, for each text of figures, how high its letters are drawn if
// that is less than 9 pixels; and panels that are cut, or that cover others.
const letters = `
document.querySelectorAll('details').forEach((d) => { d.open = true; });
const small = [], cut = [];
let seen = 0;
for (const e of document.querySelectorAll('body *')) {
  if (e.closest('script') || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
  const svg = e.closest('svg');
  const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  const size = parseFloat(getComputedStyle(e).fontSize) * scale;
  seen++;
  if (!e.classList.contains('spoken') && size < 9) small.push(size.toFixed(1) + ' ' + e.outerHTML.slice(0, 80));
}
const panels = [...document.querySelectorAll('.panel')].map((p) => p.getBoundingClientRect());
for (const p of panels) if (p.width < 60 || p.right > innerWidth + 0.5 || p.left < 0) cut.push(JSON.stringify(p));
const side = panels.length > 1 && panels[0].top === panels[1].top;
return {small: small.slice(0, 5), cut, seen, side, scroll: document.documentElement.scrollWidth - innerWidth};`

// On a phone panels stand below each other and letters can be read; on a screen they stand side by
// side; nowhere does the page scroll to the side.
func TestLayoutInBrowser(t *testing.T) {
	for _, width := range []int{390, 820, 1280} {
		var got struct {
			Small, Cut []string
			Seen       int
			Side       bool
			Scroll     int
		}
		window{width: width, dark: width == 820}.run(t, written(t, sample(t)), letters, &got)
		if len(got.Small) > 0 || got.Seen < 300 {
			t.Errorf("at %d, of %d texts these are too small: %q", width, got.Seen, got.Small)
		}
		if len(got.Cut) > 0 || got.Scroll > 0 || got.Side != (width > 500) {
			t.Errorf("at %d: side by side %t, cut %q, %d pixels too wide", width, got.Side, got.Cut, got.Scroll)
		}
	}
}

// In print a figure is no wider than its page, and headings are kept with what follows.
func TestPrintRulesInBrowser(t *testing.T) {
	var got struct {
		Heads, Alone int
		Wide         []string
	}
	window{width: 680}.run(t, written(t, sample(t)), `
const print = [...document.styleSheets[0].cssRules].find((r) => r.media?.mediaText === 'print');
const style = document.createElement('style');
const rules = [...print.cssRules].map((r) => r.cssText).filter((text) => !text.startsWith('@page'));
for (const text of rules) document.styleSheets[0].insertRule(text, document.styleSheets[0].cssRules.length);
const heads = [...document.querySelectorAll('h2, h3')];
const alone = heads.filter((h) => getComputedStyle(h).breakAfter !== 'avoid').length;
const wide = [...document.querySelectorAll('.row, .panel, .paper svg')].filter((e) => e.getBoundingClientRect().right > innerWidth)
  .map((e) => e.outerHTML.slice(0, 60));
return {heads: heads.length, alone, wide};`, &got)
	if got.Heads < 8 || got.Alone > 0 || len(got.Wide) > 0 {
		t.Errorf("of %d headings %d may end a page; too wide: %q", got.Heads, got.Alone, got.Wide)
	}
}
