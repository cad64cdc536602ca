package page

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestInlineSVG(t *testing.T) {
	const picture = `<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- Generated -->
<svg width="8px" height='4' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:e="http://e" e:zoom="2" role="x" aria-label="y">
<defs><clipPath id="c"><rect width="1"/></clipPath></defs>
<g id="g" clip-path="url(#c)" style="fill:url( '#c' );stroke:#000"><use xlink:href="#g"/><text xml:space="preserve">a &lt; b &amp; "c"</text></g>
<image href="data:image/png;base64,AA=="/>
</svg>
`
	const want = `<svg role="img" aria-label="A &#34;title&#34;" width="8px" height="4" viewBox="0 0 8 4">
<defs><clipPath id="f--c"><rect width="1"></rect></clipPath></defs>
<g id="f--g" clip-path="url(#f--c)" style="fill:url(#f--c);stroke:#000"><use href="#f--g"></use><text>a &lt; b &amp; &#34;c&#34;</text></g>
<image href="data:image/png;base64,AA=="></image>
</svg>`
	got, _, err := inlineSVG([]byte(picture), "f", `A "title"`)
	must(t, err)
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSVGRefusals(t *testing.T) {
	for picture, want := range map[string]string{
		"":                                     "there is no element svg",
		"  <!-- nothing -->":                   "there is no element svg",
		"<g/>":                                 "line 1: the first element is g, not svg",
		"<svg viewBox='0'>":                    "element svg is not closed",
		"<svg viewBox='0'></g>":                "</g> closes no element",
		"<svg/>":                               "neither a viewBox nor a width and height",
		"<svg width='8' height='50%'/>":        `attribute height is "50%", not a number`,
		"<svg width='8' height='-1'/>":         "neither a viewBox nor a width and height",
		"<svg width='auto' height='1'/>":       `attribute width is "auto", not a number`,
		"<svg width='NaN' height='1'/>":        "neither a viewBox nor",
		"<svg viewBox='0'/><svg viewBox='0'/>": "a second picture",
		"<svg viewBox='0'/>text":               "text outside the picture",
		"<svg viewBox='0'>\n<script>alert(1)</script></svg>":                 "line 2: element script is not part of a still picture",
		"<svg viewBox='0'><style>p{}</style></svg>":                          "element style is not",
		"<svg viewBox='0'><foreignObject/></svg>":                            "element foreignObject is not",
		"<svg viewBox='0'><g onclick='x'/></svg>":                            "attribute onclick: a still picture has no script",
		"<svg viewBox='0'><use href='http://x/y#z'/></svg>":                  `attribute href: "http://x/y#z" is outside the picture`,
		"<svg viewBox='0'><image href='javascript:x'/></svg>":                "is outside the picture",
		"<svg viewBox='0'><g fill='url(http://x)'/></svg>":                   `attribute fill: "http://x" is outside the picture`,
		"<svg viewBox='0'><use href='#a' xlink:href='#b'/></svg>":            "element use has two attributes href",
		"<svg viewBox='0'><g a='1' a='2'/></svg>":                            "element g has two attributes a",
		"<svg viewBox='0'><g a=1/></svg>":                                    "unquoted",
		"<svg viewBox='0'>&nbsp;</svg>":                                      "entity",
		"<svg viewBox='0'><g \"onclick='x'/></svg>":                          "attribute",
		"<?xml version='1.0' encoding='latin1'?><svg viewBox='0'>\xe4</svg>": "latin1",
		"<svg viewBox='0'><g fill=\"url(#a) url(http://x)\"/></svg>":         "outside",
		"<svg viewBox='0'><g style='background:URL(http://x)'/></svg>":       "outside",
	} {
		got, _, err := inlineSVG([]byte(picture), "f", "title")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %q; want %s", picture, err, got, want)
		}
	}
}

// FuzzInlineSVG: what is taken is well-formed, and refers to nothing outside.
func FuzzInlineSVG(f *testing.F) {
	f.Add(dot)
	f.Add(`<svg viewBox="0 0 1 1"><g id="a" fill="url(#a)"/><use xlink:href="#a"/></svg>`)
	f.Add(`<?xml version="1.0"?><!DOCTYPE svg><svg viewBox="0"><![CDATA[<b>]]></svg>`)
	f.Fuzz(func(t *testing.T, picture string) {
		got, _, err := inlineSVG([]byte(picture), "f", "title")
		if err != nil {
			return
		}
		if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
			t.Errorf("%q gives %q: %v", picture, got, err)
		}
		again, _, err := inlineSVG([]byte(got), "g", "title")
		if err != nil || strings.Count(string(again), "g--f--") != strings.Count(string(got), "f--") {
			t.Errorf("%q gives %q, which gives %q (%v)", picture, got, again, err)
		}
	})
}
