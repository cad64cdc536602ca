package figures

import (
	"encoding/base64"
	"fmt"
	"image/color"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"graphda/jobs/jobstest"
)

// accuracy returns a small chart with two methods in one panel and one method in another.
func accuracy() *Chart {
	da := Line{Key: "graphda", Label: "GraphDA", Errors: Bars,
		Points: []Point{{100, 0.6, 0.01}, {200, 0.7, 0.02}, {300, 0.72, 0}, {400, 0.75, 0.01}}}
	rda := Line{Key: "l1-rda", Label: "ℓ1-RDA", Points: []Point{{X: 100, Y: 0.55}, {X: 200, Y: math.NaN()}, {X: 300, Y: 0.65}, {X: 400, Y: 0.68}}}
	return &Chart{
		Info: Info{Name: "accuracy", Title: `w̄ & "w" <t>`},
		Panels: []Panel{
			{Title: "Graph01", XLabel: "samples seen", YLabel: "accuracy of w̄ ± std (μ, γ)", Lines: []Line{da, rda}},
			{Title: "Graph02", XLabel: "samples seen", YLabel: "accuracy of w̄ ± std (μ, γ)", Lines: []Line{da}, Marks: []float64{250}},
		},
	}
}

func lineChart(p Panel) *Chart { return &Chart{Info: Info{Name: "line"}, Panels: []Panel{p}} }

func TestChartStructure(t *testing.T) {
	doc := document(t, drawn(t, accuracy(), "svg"))
	wantStrokes(t, doc,
		// Each panel has one line, and bars at three points with two caps each. The legend has one line.
		stroke{"graphda's lines and bars", "stroke", red, 2 + 2 + 1, 2*1 + 2*3*3 + 1},
		stroke{"graphda's markers", "fill", red, 2 + 1, 2*4 + 1},
		stroke{"l1-rda's line, in one part as the other side of the gap is a point", "stroke", sky, 1 + 1, 1 + 1},
		stroke{"l1-rda's markers", "fill", sky, 1 + 1, 3 + 1},
		stroke{"the mark of the second panel", "stroke", faint, 1, 1},
		stroke{"the white paper", "fill", white, 1, 1})
	labels := texts(doc)
	for text, times := range map[string]int{
		"ℓ1-RDA": 1, "GraphDA": 1, "Graph01": 1, "Graph02": 1, "samples seen": 2, "accuracy of w̄ ± std (μ, γ)": 2, "200": 2, "0.60": 2, "0.55": 1,
	} {
		if n := strings.Count("\n"+strings.Join(labels, "\n")+"\n", "\n"+text+"\n"); n != times {
			t.Errorf("%q stands there %d times, want %d, among %q", text, n, times, labels)
		}
	}
	if i, j := slices.Index(labels, "ℓ1-RDA"), slices.Index(labels, "GraphDA"); i > j {
		t.Error("the legend is not in the order of the paper")
	}
	if doc[1].Name != "title" || doc[1].Text != `w̄ & "w" <t>` {
		t.Errorf("title %+v", doc[1])
	}
}

// TestMethodsLookTheSame draws one method among others, and alone.
func TestMethodsLookTheSame(t *testing.T) {
	var keys []string
	seen := map[string]bool{}
	for _, s := range styles {
		alone, among := looks([]string{s.key})[s.key], looks(append(slices.Clone(keys), s.key, "new"))[s.key]
		if fmt.Sprint(alone) != fmt.Sprint(among) {
			t.Errorf("%s: %v alone, %v among others", s.key, alone, among)
		}
		keys = append(keys, s.key)
		for _, feature := range []string{fmt.Sprint("colour ", s.color), fmt.Sprint("marker ", s.mark)} {
			if seen[feature] {
				t.Errorf("%s shares its %s", s.key, feature)
			}
			seen[feature] = true
		}
	}
	if want := []string{"adam", "l1-rda", "adagrad", "da-gl", "da-sgl", "stoiht", "graphstoiht", "da-iht", "graphda", "best-subset"}; !slices.Equal(keys, want) {
		t.Errorf("order %v", keys)
	}
}

// coloursOf returns the colours of a page's element on a light or dark page: of lines and areas as "#D55E00", and of
// the pixels of images.
func coloursOf(t *testing.T, svg string, dark bool) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	digits := func(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }
	for _, m := range regexp.MustCompile(`(?:fill|stroke):(?:#|var\(--f)([0-9A-F]{6})(\)?)`).FindAllStringSubmatch(svg, -1) {
		shown := "#" + m[1]
		for from, to := range onDark {
			if dark && m[2] != "" && digits(from) == shown {
				shown = digits(to)
				break
			}
		}
		found[shown] = true
	}
	for _, m := range regexp.MustCompile(`href="data:image/png;base64,([^"]+)"`).FindAllStringSubmatch(svg, -1) {
		img := pixels(t, jobstest.Must1(base64.StdEncoding.DecodeString(m[1])))
		for x := range img.Bounds().Dx() {
			for y := range img.Bounds().Dy() {
				found[digits(color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA))] = true
			}
		}
	}
	return found
}

// On light and on dark pages, every colour of a legend is in its picture, and no two samples look alike.
func TestLegendsHaveTheColoursOfTheirPictures(t *testing.T) {
	kinds := map[Kind]Meaning{Red: {Label: "true"}, Blue: {Label: "false"}, Grey: {Label: "joins"}}
	net := &Networks{Info: Info{Name: "net"}, Rows: []string{""}, Columns: []string{""}, Kinds: kinds, Unmeasured: "filled in",
		Cells: [][]Network{{{Nodes: []Node{{Kind: Red}, {Kind: Blue}, {Kind: Grey}, {Kind: Red, Unmeasured: true}},
			Edges: [][2]int{{0, 1}, {1, 2}}}}}}
	linesOf := func(keys []style) (all []Line) {
		for _, s := range append(slices.Clone(keys), style{key: "new"}, style{key: "newer"}) {
			all = append(all, Line{Key: s.key, Points: []Point{{X: 1, Y: 1}, {X: 2, Y: 2}}})
		}
		return all
	}
	apart := Line{Key: "best", Apart: true, Points: []Point{{X: 1, Y: 1}, {X: 2, Y: 2}}}
	for _, f := range []Figure{accuracy(), lineChart(Panel{Lines: linesOf(styles)}),
		lineChart(Panel{Lines: linesOf(references)}), lineChart(Panel{Lines: []Line{apart}}), models(), net} {
		for _, dark := range []bool{false, true} {
			parts, drawn, seen := f.Parts(), map[string]bool{}, map[string]string{}
			for i := range parts.Pieces {
				maps.Copy(drawn, coloursOf(t, parts.Pieces[i].Inline("", ""), dark))
			}
			for _, k := range parts.Keys {
				svg := k.Sample.Inline("", "")
				for c := range coloursOf(t, svg, dark) {
					if !drawn[c] {
						t.Errorf("%s, dark %t: the legend's %q is %s, which is not in the picture", f.Describe().Name, dark, k.Label, c)
					}
				}
				if other, twice := seen[svg]; twice {
					t.Errorf("%s: %q and %q look alike", f.Describe().Name, other, k.Label)
				}
				seen[svg] = k.Label
			}
			if len(parts.Keys) == 0 {
				t.Errorf("%s has no legend", f.Describe().Name)
			}
		}
	}
}

// Lines with Apart have separate markers, in the panel and in the legend.
func TestApart(t *testing.T) {
	line := Line{Key: "graphda", Apart: true}
	for i := range 2 * manyPoints {
		line.Points = append(line.Points, Point{X: float64(i), Y: float64(i % 3)})
	}
	doc := document(t, drawn(t, lineChart(Panel{Lines: []Line{line}}), "svg"))
	if paths, _ := strokesOf(doc, "stroke", red); paths != 0 {
		t.Errorf("%d lines, want none", paths)
	}
	if _, parts := strokesOf(doc, "fill", red); parts != 2*manyPoints+1 {
		t.Errorf("%d markers, want one for each point and one in the legend", parts)
	}
}

// A named chart has names at the lines' ends and no legend. The names do not overlap, and the subject's name is bold.
// Only the subject has a band.
func TestNamedLines(t *testing.T) {
	chart := lineChart(Panel{YMost: 10})
	chart.Named = true
	for i, s := range styles {
		chart.Panels[0].Lines = append(chart.Panels[0].Lines, Line{Key: s.key, Label: "method " + s.key, Errors: Band,
			Points: []Point{{X: 1, Y: 1, Err: 1}, {X: 2, Y: 1 + float64(i*i)/4, Err: 1}, {X: 3, Y: math.NaN()}}})
	}
	if keys := chart.Parts().Keys; len(keys) > 0 {
		t.Errorf("%d keys", len(keys))
	}
	doc := document(t, drawn(t, chart, "svg"))
	var heights []float64
	bands := 0
	for _, e := range doc {
		if name, ok := strings.CutPrefix(e.Text, "method "); ok && e.Name == "text" {
			if bold := strings.Contains(e.Attrs["style"], "font-weight:bold"); bold != (name == "graphda") {
				t.Errorf("%s: bold %t", name, bold)
			}
			heights = append(heights, jobstest.Must1(strconv.ParseFloat(e.Attrs["y"], 64)))
		}
		if strings.Contains(e.Attrs["style"], "fill-opacity") {
			bands++
		}
	}
	slices.Sort(heights)
	for i := 1; i < len(heights); i++ {
		if heights[i]-heights[i-1] < tickSize {
			t.Errorf("names at %v and %v", heights[i-1], heights[i])
		}
	}
	if len(heights) != len(styles) || bands != 1 {
		t.Errorf("%d names and %d bands, want %d and 1", len(heights), bands, len(styles))
	}
	for _, format := range Formats() {
		drawn(t, chart, format)
	}
}

// A histogram is filled down to 0, which is on the axis. Below the axis each label has its counts.
func TestFilledAndCounts(t *testing.T) {
	line := Line{Key: "graphda", Filled: true, Points: []Point{{X: 0, Y: 5}, {X: 10, Y: 5}}}
	p := Panel{Lines: []Line{line}, Counts: []Count{{"graphda", func(x float64) int { return 70 + int(x) }}}}
	labels := texts(document(t, drawn(t, lineChart(p), "svg")))
	for _, text := range []string{"0", "10", "70", "80"} {
		if !slices.Contains(labels, text) {
			t.Errorf("%s does not stand there, only %q", text, labels)
		}
	}
	if _, y := p.extent(); y.low != 0 {
		t.Errorf("the axis begins at %v, want 0", y.low)
	}
	doc := document(t, drawn(t, lineChart(p), "svg"))
	if paths, parts := strokesOf(doc, "fill", red); paths != 1 || parts != 1 {
		t.Errorf("%d paths of %d parts are filled, want the area alone", paths, parts)
	}
}

// TestBand draws errors as an area around the line, cut at the edge of the panel. There are no bars.
func TestBand(t *testing.T) {
	band := Line{Key: "graphda", Label: "GraphDA", Errors: Band, Points: []Point{{1, 4, 1}, {2, 5, 5}, {3, 6, 2}}}
	for _, log := range []bool{false, true} {
		doc := document(t, drawn(t, lineChart(Panel{LogY: log, Lines: []Line{band}}), "svg"))
		if paths, parts := strokesOf(doc, "stroke", red); paths != 2 || parts != 2 {
			t.Errorf("log %v: %d paths of %d parts are stroked, want the line and that of the legend", log, paths, parts)
		}
		if paths, parts := strokesOf(doc, "fill", red); paths != 3 || parts != 5 {
			t.Errorf("log %v: %d paths of %d parts are filled, want the band, three markers and that of the legend", log, paths, parts)
		}
		bands := 0
		for _, e := range doc {
			if strings.Contains(e.Attrs["style"], "fill-opacity") {
				bands++
			}
		}
		if bands != 1 {
			t.Errorf("log %v: %d bands, want one", log, bands)
		}
	}
	band.Key = "√t"
	doc := document(t, drawn(t, lineChart(Panel{Lines: []Line{band}}), "svg"))
	if paths, _ := strokesOf(doc, "fill", black); paths != 1 {
		t.Errorf("%d paths are filled, want the band: the line of √t has no markers", paths)
	}
}

// The y axis ends at the panel's limit, and higher points leave at the top.
func TestYMost(t *testing.T) {
	p := Panel{YMost: 5, Lines: []Line{{Key: "graphda", Points: []Point{{X: 1, Y: 1}, {X: 2, Y: 4}, {X: 3, Y: 100}}}}}
	if _, y := p.extent(); y.high < 5 || y.high > 6 {
		t.Errorf("the axis shows %v", y)
	}
	if _, n := strokesOf(document(t, drawn(t, lineChart(p), "svg")), "fill", red); n != 2+1 {
		t.Errorf("%d markers with that of the legend, want those of the points inside", n)
	}
}

// TestUnknownKeys checks that each unknown key has its own look, always the same, whatever other keys there are.
func TestUnknownKeys(t *testing.T) {
	var keys []string
	for i := range 30 {
		keys = append(keys, fmt.Sprint("new", i))
	}
	seen := map[string]string{}
	for key, l := range looks(keys) {
		look := fmt.Sprint(l.color, l.pattern, l.mark)
		if other, ok := seen[look]; ok {
			t.Errorf("%s and %s look the same: %s", key, other, look)
		}
		seen[look] = key
		for _, s := range styles {
			if fmt.Sprint(s.color, s.pattern, s.mark) == look {
				t.Errorf("%s looks as %s does", key, s.key)
			}
		}
	}
	with := looks([]string{"graphda", "new0", "adam", "new1"})
	if fmt.Sprint(with["new1"]) != fmt.Sprint(looks(keys)["new1"]) {
		t.Error("the second unknown key depends on known ones")
	}
}

// TestLongCurve checks that a long curve has only a few markers.
func TestLongCurve(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	l := Line{Key: "adagrad", Label: "AdaGrad"}
	for i := range 1000 {
		l.Points = append(l.Points, Point{X: float64(i + 1), Y: float64(i)*0.3 + rng.Float64()})
	}
	doc := document(t, drawn(t, lineChart(Panel{LogY: true, Lines: []Line{l}}), "svg"))
	if _, n := strokesOf(doc, "fill", orange); n < 9 || n > 12 {
		t.Errorf("%d markers with that of the legend", n)
	}
}

// TestDegenerateCharts draws charts without content. There must be no panic and no NaN, and a note if
// there is nothing to see.
func TestDegenerateCharts(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one := func(x, y, e []float64) []Line {
		l := Line{Key: "graphda", Label: "GraphDA"}
		for i := range x {
			l.Points = append(l.Points, Point{X: x[i], Y: y[i]})
			if e != nil {
				l.Errors, l.Points[i].Err = Bars, e[i]
			}
		}
		return []Line{l}
	}
	for name, c := range map[string]struct {
		panel   Panel
		nothing bool
		marks   int // number of graphda's marks, without the legend
	}{
		"no lines":           {Panel{Title: "empty"}, true, 0},
		"a line of nothing":  {Panel{Lines: one(nil, nil, nil)}, true, 0},
		"all NaN":            {Panel{Lines: one([]float64{1, 2}, []float64{nan, nan}, nil)}, true, 0},
		"NaN and Inf in x":   {Panel{Lines: one([]float64{nan, inf}, []float64{1, 2}, nil)}, true, 0},
		"one point":          {Panel{Lines: one([]float64{5}, []float64{0.3}, []float64{0.1})}, false, 1},
		"one point at zero":  {Panel{Lines: one([]float64{0}, []float64{0}, []float64{0})}, false, 1},
		"zero errors":        {Panel{Lines: one([]float64{1, 2}, []float64{1, 2}, []float64{0, 0})}, false, 2},
		"errors of no size":  {Panel{Lines: one([]float64{1, 2}, []float64{1, 2}, []float64{nan, inf})}, false, 2},
		"constant":           {Panel{Lines: one([]float64{1, 2}, []float64{7, 7}, nil)}, false, 2},
		"equal but rounding": {Panel{Lines: one([]float64{1, 2}, []float64{0.1 + 0.2, 0.3}, nil)}, false, 2},
		"infinite values":    {Panel{Lines: one([]float64{1, 2, 3}, []float64{1, inf, -inf}, nil)}, false, 1},
		"huge values":        {Panel{Lines: one([]float64{-1e300, 1e300}, []float64{-1e300, 1e300}, nil)}, false, 2},
		"tiny values":        {Panel{Lines: one([]float64{1e-320, 2e-320}, []float64{1e-320, 2e-320}, nil)}, false, -1},
		"log of zero":        {Panel{LogY: true, Lines: one([]float64{1, 2, 3}, []float64{0, 10, -1}, []float64{1, 20, 1})}, false, 1},
		"log of nothing":     {Panel{LogY: true, Lines: one([]float64{1, 2}, []float64{0, -1}, nil)}, true, 0},
		"log of all sizes":   {Panel{LogY: true, Lines: one([]float64{1, 2}, []float64{1e-300, 1e300}, nil)}, false, 2},
		"log of tiny values": {Panel{LogY: true, Lines: one([]float64{1, 2}, []float64{5e-324, 1e-310}, nil)}, false, -1},
		"log in one decade":  {Panel{LogY: true, Lines: one([]float64{1, 2}, []float64{130, 180}, nil)}, false, 2},
		"huge labels": {Panel{
			Title: strings.Repeat("title ", 100), XLabel: strings.Repeat("x", 1000), YLabel: strings.Repeat("y ", 1000),
			Lines: []Line{{Key: "graphda", Label: strings.Repeat("GraphDA ", 100), Points: []Point{{X: 1, Y: 1}}}},
		}, false, 1},
		"strange labels": {Panel{Title: "a\x00b\nc\xff𝒩⁰", Lines: one([]float64{1}, []float64{1}, nil)}, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			chart := lineChart(c.panel)
			doc := document(t, drawn(t, chart, "svg"))
			if nothing := slices.Contains(texts(doc), "no data"); nothing != c.nothing {
				t.Errorf(`"no data" is there: %t`, nothing)
			}
			legend := 0
			if len(c.panel.Lines) > 0 && len(c.panel.Lines[0].Points) > 0 {
				legend = 1
			}
			if _, n := strokesOf(doc, "fill", red); c.marks >= 0 && n != c.marks+legend {
				t.Errorf("%d markers with that of the legend, want %d without", n, c.marks)
			}
			drawn(t, chart, "png")
			drawn(t, chart, "pdf")
		})
	}
	drawn(t, &Chart{}, "png")
}

// TestEverythingInside checks that no label leaves the drawing.
func TestEverythingInside(t *testing.T) {
	c := accuracy()
	c.Panels[0].Title = strings.Repeat("a long title ", 10)
	c.Panels[0].Lines[0].Points[0].Y, c.Panels[0].Lines[0].Points[3].Y = -123456, 123456
	for _, columns := range []int{1, 2} {
		c.Columns = columns
		img := pixels(t, drawn(t, c, "png"))
		b := img.Bounds()
		for x := range b.Dx() {
			for y := range b.Dy() {
				edge := x < 3 || y < 3 || x >= b.Dx()-3 || y >= b.Dy()-3
				if edge && !same(img.At(x, y), color.White) {
					t.Fatalf("%d columns: ink at the edge, %d,%d of %v", columns, x, y, b.Max)
				}
			}
		}
	}
}

func TestChartCSV(t *testing.T) {
	c := accuracy()
	c.Panels[1].Title, c.Panels[1].Lines = "", []Line{{Key: "new", Label: "a, b", Errors: Bars, Points: []Point{{0.1, math.Inf(1), 1e-7}}}}
	wantCSV(t, c, `panel,key,label,x,y,err
Graph01,graphda,GraphDA,100,0.6,0.01
Graph01,graphda,GraphDA,200,0.7,0.02
Graph01,graphda,GraphDA,300,0.72,0
Graph01,graphda,GraphDA,400,0.75,0.01
Graph01,l1-rda,ℓ1-RDA,100,0.55,
Graph01,l1-rda,ℓ1-RDA,200,,
Graph01,l1-rda,ℓ1-RDA,300,0.65,
Graph01,l1-rda,ℓ1-RDA,400,0.68,
2,new,"a, b",0.1,,1e-07
`)
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		name string
		got  string
		want string
	}{
		{"accuracies", labelsOf(niceTicks(span{0.49, 1.01}, 6, false)), "0.5 0.6 0.7 0.8 0.9 1.0"},
		{"counts", labelsOf(niceTicks(span{-0.1, 3.1}, 6, true)), "0 1 2 3"},
		{"no half counts", labelsOf(niceTicks(span{0, 10}, 5, true)), "0 5 10"},
		{"through zero", labelsOf(niceTicks(span{-1.1, 1.1}, 6, false)), "−1.0 −0.5 0.0 0.5 1.0"},
		{"quarters", labelsOf(niceTicks(span{0, 1}, 5, false)), "0.00 0.25 0.50 0.75 1.00"},
		{"large", labelsOf(niceTicks(span{0, 5e7}, 3, false)), "0 2e7 4e7"},
		{"small", labelsOf(niceTicks(span{0, 2e-6}, 3, false)), "0 1e−6 2e−6"},
		{"decades", labelsOf(logTicks(span{0.5, 2000})), "1 10 100 1000"},
		{"two decades", labelsOf(logTicks(span{0.9, 110})), "1 2 5 10 20 50 100"},
		{"less than a decade", labelsOf(logTicks(span{130, 180})), "130 140 150 160 170 180"},
		{"many decades", labelsOf(logTicks(span{1e-12, 1})), "1e−12 1e−10 1e−8 1e−6 0.0001 0.01 1"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
}

func labelsOf(ticks []plot.Tick) string {
	var out []string
	for _, t := range ticks {
		if !t.IsMinor() {
			out = append(out, t.Label)
		}
	}
	return strings.Join(out, " ")
}

// If x values have names, the axis shows as many names as fit. CSV has the names too.
func TestNamedAbscissae(t *testing.T) {
	c := &Chart{Info: Info{Name: "named"}, Panels: []Panel{{Title: "a", XLabels: []string{"0.0001", "0.001", "ten"},
		Lines: []Line{{Key: "best", Label: "best", Points: []Point{{X: 0, Y: 1}, {X: 1, Y: 2}, {X: 2, Y: 3}}}}}}}
	labels := texts(document(t, drawn(t, c, "svg")))
	for _, want := range c.Panels[0].XLabels {
		if !slices.Contains(labels, want) {
			t.Errorf("no %q in %q", want, labels)
		}
	}
	wantCSV(t, c, "panel,key,label,x,y,err\na,best,best,0.0001,1,\na,best,best,0.001,2,\na,best,best,ten,3,\n")
	for n := range 60 {
		c.Panels[0].XLabels = append(c.Panels[0].XLabels, fmt.Sprint("name", n))
	}
	if shown := len(texts(document(t, drawn(t, c, "svg")))); shown > 20 {
		t.Errorf("%d texts, want no more names than have room", shown)
	}
}

// ranked returns five methods. The first three do not differ, nor do the last three.
func ranked() *Ranking {
	return &Ranking{
		Info: Info{Name: "ranked"}, Axis: "mean rank of F1 over 10 datasets",
		Ranked: []Ranked{
			{"graphda", "GraphDA", 1.2}, {"da-iht", "DA-IHT", 2.5}, {"adagrad", "AdaGrad", 2.5}, {"l1-rda", "ℓ1-RDA", 3.8},
			{"adam", "Adam", 5},
		},
		Bars: [][2]int{{0, 2}, {2, 4}},
	}
}

func TestRankingStructure(t *testing.T) {
	r := ranked()
	doc := document(t, drawn(t, r, "svg"))
	labels := texts(doc)
	for _, want := range []string{"GraphDA  1.20", "DA-IHT  2.50", "AdaGrad  2.50", "ℓ1-RDA  3.80", "Adam  5.00", r.Axis, "1", "5"} {
		if !slices.Contains(labels, want) {
			t.Errorf("no %q in %q", want, labels)
		}
	}
	if _, n := strokesOf(doc, "stroke", ink); n != 2 {
		t.Errorf("%d strokes of ink, want two bars", n)
	}
	wantCSV(t, r, "key,label,rank,bars\ngraphda,GraphDA,1.2,1\nda-iht,DA-IHT,2.5,1\nadagrad,AdaGrad,2.5,1 2\n"+
		"l1-rda,ℓ1-RDA,3.8,2\nadam,Adam,5,2\n")
	r.Bars = [][2]int{{0, 4}}
	if p := r.Parts(); p.Pieces[0].Note != "No two methods differ: one bar joins them all." || len(p.Pieces) != 1 || len(p.Keys) != 0 || p.Pieces[0].Letters != tickSize {
		t.Errorf("parts %+v", p)
	}
}
