package page

import (
	"strings"
	"testing"
)

func TestShorten(t *testing.T) {
	for path, want := range map[string]string{
		"M4.0526,21L24.053,21L24.1,10.5Z": "m 4.1 21 20 0 0-10.5z",
		"M1,1L2,2M3,3L3.04,3L3.5,3":       "m 1 1 1 1m 1 1 0 0 .5 0",
		"M0,0C1,0,2,1,2,2Z":               "m 0 0c 1 0 2 1 2 2z",
		"M10,10L20.5,10Z L0,0":            "m 10 10 10.5 0zl-10-10",
		"m1,1 2,2":                        "m1,1 2,2", // another's
		"M1,1A2,2,0,0,1,3,3":              "M1,1A2,2,0,0,1,3,3",
	} {
		if got := shorten(path); got != want {
			t.Errorf("%s becomes %q, want %q", path, got, want)
		}
	}
}

// Colours of figures follow the page's, those that shine through too; others stay.
func TestThemedColours(t *testing.T) {
	svg := []byte(`<svg viewBox="0 0 1 1"><path d="M0,0L1,1" style="fill:#FEFEFE;fill-opacity:0.7;stroke:#D55E00"/>` +
		`<path style="fill:#123456"/></svg>`)
	got, _, err := inlineSVG(svg, "x", "x")
	must(t, err)
	for _, want := range []string{"fill:var(--fFFFFFF);fill-opacity:0.7;stroke:var(--fD55E00)", "fill:#123456"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}
