package prometheus

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// parse reads the text format as its specification says, and refuses all else.
func parse(text string) (gauges []Gauge, err error) {
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		bad := fmt.Errorf("line %d: %q", n+1, line)
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			name, help, _ := strings.Cut(rest, " ")
			gauges = append(gauges, Gauge{Name: name, Help: unescape(help)})
			continue
		}
		if len(gauges) == 0 {
			return nil, bad
		}
		g := &gauges[len(gauges)-1]
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			if rest != g.Name+" gauge" || g.Samples != nil {
				return nil, bad
			}
			continue
		}
		rest, ok := strings.CutPrefix(line, g.Name)
		if !ok {
			return nil, bad
		}
		var s Sample
		if strings.HasPrefix(rest, "{") {
			if s.Labels, rest, err = parseLabels(rest[1:]); err != nil {
				return nil, fmt.Errorf("%w: %w", bad, err)
			}
		}
		if rest, ok = strings.CutPrefix(rest, " "); !ok {
			return nil, bad
		}
		if s.Value, err = strconv.ParseFloat(rest, 64); err != nil {
			return nil, bad
		}
		g.Samples = append(g.Samples, s)
	}
	return gauges, nil
}

func parseLabels(text string) (labels []Label, rest string, err error) {
	for {
		name, after, ok := strings.Cut(text, `="`)
		if !ok {
			return nil, "", fmt.Errorf("no value in %q", text)
		}
		end := 0
		for ; end < len(after) && after[end] != '"'; end++ {
			if after[end] == '\\' {
				end++
			}
		}
		if end >= len(after) {
			return nil, "", fmt.Errorf("no end of %q", after)
		}
		labels = append(labels, Label{name, unescape(after[:end])})
		text = after[end+1:]
		if rest, ok := strings.CutPrefix(text, "}"); ok {
			return labels, rest, nil
		}
		if text, ok = strings.CutPrefix(text, ","); !ok {
			return nil, "", fmt.Errorf("%q after a label", text)
		}
	}
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			b.WriteByte(map[byte]byte{'n': '\n', '"': '"', '\\': '\\'}[s[i]])
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// What is written is read back as it was, whatever texts hold.
func TestRoundTrip(t *testing.T) {
	odd := []string{"", "plain", `back\slash`, `\n`, "two\nlines", `"quoted"`, `a="b",c`, "}", "w̄ ≤ 3", `\"`, "\\\n\""}
	g := []Gauge{{Name: "graphda_odd", Help: "Odd texts:\na \\ and \"quotes\"."}, {Name: "graphda_numbers", Help: "Numbers."}}
	for i, text := range odd {
		g[0].Samples = append(g[0].Samples, Sample{Labels("a", strconv.Itoa(i), "text", text), float64(i)})
	}
	for _, v := range []float64{0, 1.5, -2e-300, 1e21, math.Inf(1), math.Inf(-1)} {
		g[1].Samples = append(g[1].Samples, Sample{Labels("value", fmt.Sprint(v)), v})
	}
	g = append(g, Gauge{Name: "graphda_one", Help: "Without labels.", Samples: []Sample{{Value: 7}}})
	var b strings.Builder
	if err := Write(&b, append(g, Gauge{Name: "graphda_none", Help: "Nothing."})); err != nil {
		t.Fatal(err)
	}
	got, err := parse(b.String())
	if err != nil || !reflect.DeepEqual(got, g) {
		t.Errorf("%v: %q\nis read as %+v,\nwant %+v", err, b.String(), got, g)
	}
	b.Reset()
	if err := Write(&b, []Gauge{{Name: "x", Help: "h", Samples: []Sample{{Labels("b", "\xff", "a", "1"), math.NaN()}}}}); err != nil ||
		b.String() != "# HELP x h\n# TYPE x gauge\nx{a=\"1\",b=\"\uFFFD\"} NaN\n" {
		t.Errorf("%v, %q", err, b.String())
	}
}

// What the collector would refuse is not written.
func TestSlips(t *testing.T) {
	for _, bad := range [][]Gauge{
		{{Name: "a-b"}}, {{Name: ""}}, {{Name: "a"}, {Name: "a"}},
		{{Name: "a", Samples: []Sample{{Value: 1}, {Value: 2}}}},
		{{Name: "a", Samples: []Sample{{Labels: Labels("x-y", "1")}}}},
		{{Name: "a", Samples: []Sample{{Labels: Labels("x", "1", "x", "2")}}}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v was written", bad)
				}
			}()
			_ = Write(new(strings.Builder), bad)
		}()
	}
}
