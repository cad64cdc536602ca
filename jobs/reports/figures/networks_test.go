package figures

import (
	"encoding/base64"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"graphda/graph"
	"graphda/jobs/reports/figures/canvas"
)

// genes returns a subnetwork of two components and two isolated genes, and an empty place.
func genes() *Networks {
	return &Networks{
		Info: Info{Name: "genes"}, Rows: []string{"trial 1"}, Columns: []string{"GraphDA", "ℓ1-RDA", "Adam"},
		Kinds: map[Kind]Meaning{Red: {"target", "in HSA05213", true}, Blue: {Name: "other", Label: "not in HSA05213"}}, Unmeasured: "not measured",
		Cells: [][]Network{{{
			Nodes: []Node{
				{Name: "KRAS", Kind: Red, Weight: 2, Label: true}, {Name: "NRAS", Kind: Red, Weight: -0.5, Label: true}, {Name: "BRAF", Kind: Red, Weight: 0.25},
				{Name: "GRB2", Kind: Blue, Weight: 1, Label: true}, {Name: "SOS1", Kind: Blue, Weight: 0, Unmeasured: true}, {Name: "", Kind: Blue, Weight: math.NaN(), Label: true}, {Name: "AKT1", Kind: Red, Weight: 0.1, Label: true, Unmeasured: true},
			},
			Edges: [][2]int{{0, 1}, {1, 2}, {0, 2}, {3, 4}, {2, 1}, {4, 4}},
		}, {}, {Nodes: []Node{}}}},
	}
}

func TestNetworkStructure(t *testing.T) {
	doc := document(t, drawn(t, genes(), "svg"))
	wantStrokes(t, doc,
		stroke{"targets with that of the legend", "fill", targetColor, 2, 3 + 1},
		stroke{"others with that of the legend", "fill", otherColor, 2, 2 + 1},
		stroke{"outlines of targets, and that of the legend", "stroke", targetColor, 2, 1 + 1},
		stroke{"outlines of others", "stroke", otherColor, 1, 1},
		stroke{"edges between targets", "stroke", pathColor, 1, 3},
		stroke{"other edges", "stroke", linkColor, 1, 1})
	labels := texts(doc)
	slices.Sort(labels)
	want := []string{"AKT1", "Adam", "GRB2", "GraphDA", "KRAS", "NRAS", "in HSA05213", "no nodes", "not in HSA05213", "not measured", "trial 1", "ℓ1-RDA"}
	if !slices.Equal(labels, want) {
		t.Errorf("labels %q, want %q", labels, want)
	}
}

// graphs returns graphs that are difficult for layouts.
func graphs() map[string]struct {
	n     int
	edges [][2]int
} {
	type shape = struct {
		n     int
		edges [][2]int
	}
	var complete, star, path, ring, random [][2]int
	for i := range 40 {
		for j := range i {
			complete = append(complete, [2]int{i, j})
		}
	}
	for i := 1; i < 150; i++ {
		star, path, ring = append(star, [2]int{0, i}), append(path, [2]int{i - 1, i}), append(ring, [2]int{i - 1, i})
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range 600 {
		random = append(random, [2]int{rng.IntN(150), rng.IntN(150)})
	}
	return map[string]shape{
		"nothing":      {0, nil},
		"one node":     {1, [][2]int{{0, 0}}},
		"one edge":     {2, [][2]int{{0, 1}, {1, 0}}},
		"no edges":     {100, nil},
		"complete":     {40, complete},
		"star":         {150, star},
		"path":         {150, path},
		"ring":         {150, append(ring, [2]int{149, 0})},
		"random":       {150, random},
		"disconnected": {60, [][2]int{{0, 1}, {1, 2}, {5, 6}, {7, 8}, {8, 9}, {9, 7}, {30, 31}, {31, 59}, {59, 58}, {58, 30}}},
	}
}

// TestArrange checks what every layout must satisfy.
func TestArrange(t *testing.T) {
	for name, g := range graphs() {
		t.Run(name, func(t *testing.T) {
			at := canvas.Arrange(g.n, g.edges)
			if again := canvas.Arrange(g.n, g.edges); fmt.Sprint(again) != fmt.Sprint(at) {
				t.Error("the same graph has another layout")
			}
			apart := func(i, j int) float64 { return math.Hypot(float64(at[i].X-at[j].X), float64(at[i].Y-at[j].Y)) }
			parts, sets := map[int32][]int{}, graph.NewSets(g.n)
			for _, e := range g.edges {
				sets.Join(int32(e[0]), int32(e[1]))
			}
			for i := range at {
				if !(math.Hypot(float64(at[i].X), float64(at[i].Y)) < 1000) {
					t.Fatalf("node %d lies at %v", i, at[i])
				}
				for j := range i {
					if apart(i, j) < 1e-3 {
						t.Errorf("nodes %d and %d lie at the same place", i, j)
					}
				}
				of := sets.Lowest(int32(i))
				parts[of] = append(parts[of], i)
			}
			for a := range parts {
				for b := range parts {
					p, q := canvas.Around(parts[a], at), canvas.Around(parts[b], at)
					const rounding = 1e-9
					if a != b && p.Min.X < q.Max.X-rounding && q.Min.X < p.Max.X-rounding && p.Min.Y < q.Max.Y-rounding &&
						q.Min.Y < p.Max.Y-rounding {
						t.Errorf("the parts of nodes %d and %d overlap: %v, %v", parts[a][0], parts[b][0], p, q)
					}
				}
			}
			sum, n := 0.0, 0
			for _, e := range canvas.Simplified(g.edges) {
				sum, n = sum+apart(e[0], e[1]), n+1
			}
			if mean := sum / float64(n); n > 0 && (mean < 0.7 || mean > 1.4) {
				t.Errorf("edges are %v long on average", mean)
			}
		})
	}
}

// A path is drawn as a straight line from left to right, and a ring as a ring.
func TestArrangeUnfolds(t *testing.T) {
	const n = 60
	var edges [][2]int
	for i := 1; i < n; i++ {
		edges = append(edges, [2]int{i - 1, i})
	}
	path, ring := canvas.Arrange(n, edges), canvas.Arrange(n, append(edges, [2]int{n - 1, 0}))
	if d := math.Abs(float64(path[0].X - path[n-1].X)); d < 0.9*(n-1) {
		t.Errorf("the ends of a path of %d edges are %.1f apart", n-1, d)
	}
	for i := range n / 2 {
		d := ring[i].Sub(ring[i+n/2])
		if got, want := math.Hypot(float64(d.X), float64(d.Y)), n/math.Pi; math.Abs(got-want) > 0.3*want {
			t.Errorf("node %d is %.1f from what is opposite on the ring, want about %.1f", i, got, want)
		}
	}
}

// TestNodesAndNames checks places in a cell. Nodes do not cover each other. Names cover neither names nor named nodes.
func TestNodesAndNames(t *testing.T) {
	for name, g := range graphs() {
		n := Network{Edges: g.edges}
		rng := rand.New(rand.NewPCG(9, 10))
		for i := range g.n {
			n.Nodes = append(n.Nodes, Node{Name: fmt.Sprint("GENE", i), Kind: Kind(i % 2), Weight: rng.ExpFloat64(), Label: i%3 == 0, Unmeasured: i%4 == 0})
		}
		if g.n == 0 {
			continue
		}
		d := n.place(165, nameSize)
		at, radii, cell := d.at, d.radii, vg.Rectangle{Max: d.size}
		for i := range at {
			if at[i].X < cell.Min.X || at[i].X > cell.Max.X || at[i].Y < cell.Min.Y || at[i].Y > cell.Max.Y {
				t.Errorf("%s: node %d lies outside, %v", name, i, at[i])
			}
			for j := range i {
				v := at[i].Sub(at[j])
				if got, want := vg.Length(math.Hypot(float64(v.X), float64(v.Y))), radii[i]+radii[j]; got < want-0.2 {
					t.Errorf("%s: nodes %d and %d are %.2f apart, with radii %.2f together", name, i, j, got, want)
				}
			}
		}
		plates := d.names()
		if len(plates) < min(g.n/3, 4) {
			t.Errorf("%s: only %d names of %d nodes", name, len(plates), g.n)
		}
		for i, p := range plates {
			a := p.place
			if a.Min.X < cell.Min.X || a.Min.Y < cell.Min.Y || a.Max.X > cell.Max.X || a.Max.Y > cell.Max.Y {
				t.Errorf("%s: %s leaves the cell", name, p.name)
			}
			for _, q := range plates[:i] {
				if b := q.place; a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y {
					t.Errorf("%s: %s covers %s", name, p.name, q.name)
				}
			}
			for k, v := range n.Nodes {
				if v.Label && at[k].X > a.Min.X && at[k].X < a.Max.X && at[k].Y > a.Min.Y && at[k].Y < a.Max.Y {
					t.Errorf("%s: %s covers the node of %s", name, p.name, v.Name)
				}
			}
		}
	}
}

// Figures without content can be drawn too.
func TestDegenerateTables(t *testing.T) {
	inf := math.Inf(1)
	for name, f := range map[string]Figure{
		"nothing":    &Networks{},
		"no nodes":   &Networks{Rows: []string{"a"}, Columns: []string{"b"}, Cells: [][]Network{{{Nodes: []Node{}}}}, Kinds: map[Kind]Meaning{Red: {Label: "t"}}},
		"one node":   &Networks{Rows: []string{"a"}, Columns: []string{"b"}, Cells: [][]Network{{{Nodes: []Node{{Name: strings.Repeat("long", 50), Label: true}}}}}, Kinds: map[Kind]Meaning{Blue: {Label: strings.Repeat("o", 500)}}},
		"many nodes": &Networks{Rows: []string{"a"}, Columns: []string{"b"}, Cells: [][]Network{{{Nodes: make([]Node, 200)}}}},
		"weights": &Networks{Rows: []string{"a"}, Columns: []string{"b"}, Cells: [][]Network{{{
			Nodes: []Node{{Weight: math.Inf(1)}, {Weight: math.NaN()}, {Weight: -1e300}, {Weight: 1e-300}}, Edges: [][2]int{{0, 3}},
		}}}},
		"no pictures":  &Pictures{},
		"no columns":   &Pictures{Rows: []string{"a"}, Cells: [][]Picture{{}}},
		"all missing":  &Pictures{Rows: []string{"a"}, Columns: []string{"b"}, Cells: [][]Picture{{{}}}},
		"one pixel":    &Pictures{Rows: []string{"a"}, Columns: []string{"b"}, Cells: [][]Picture{{{Rows: 1, Columns: 1, Values: []float64{0}, Shade: Intensity}}}},
		"infinite":     &Pictures{Rows: []string{"a"}, Columns: []string{"b"}, Cells: [][]Picture{{{Rows: 1, Columns: 2, Values: []float64{inf, -inf}, Shade: Intensity}}}},
		"a long strip": &Pictures{Rows: []string{"a"}, Columns: []string{"b"}, Cells: [][]Picture{{{Rows: 1, Columns: 1000, Values: make([]float64, 1000)}}}},
		"huge names":   &Pictures{Rows: []string{strings.Repeat("row ", 50)}, Columns: []string{strings.Repeat("column ", 50)}, Cells: [][]Picture{{{}}}},
	} {
		t.Run(name, func(t *testing.T) {
			document(t, drawn(t, f, "svg"))
			drawn(t, f, "png")
			drawn(t, f, "pdf")
		})
	}
}

func TestNetworksCSV(t *testing.T) {
	wantCSV(t, genes(), `row,column,element,name,other,kind,weight,measured
trial 1,GraphDA,node,KRAS,,target,2,
trial 1,GraphDA,node,NRAS,,target,-0.5,
trial 1,GraphDA,node,BRAF,,target,0.25,
trial 1,GraphDA,node,GRB2,,other,1,
trial 1,GraphDA,node,SOS1,,other,0,no
trial 1,GraphDA,node,5,,other,,
trial 1,GraphDA,node,AKT1,,target,0.1,no
trial 1,GraphDA,edge,KRAS,NRAS,,,
trial 1,GraphDA,edge,NRAS,BRAF,,,
trial 1,GraphDA,edge,KRAS,BRAF,,,
trial 1,GraphDA,edge,GRB2,SOS1,,,
trial 1,GraphDA,edge,BRAF,NRAS,,,
trial 1,GraphDA,edge,SOS1,SOS1,,,
`)
}

// signs returns a raising, a lowering and a connecting node in a row.
func signs() *Networks {
	return &Networks{Info: Info{Name: "s"}, Rows: []string{""}, Columns: []string{""}, Large: true,
		Kinds: map[Kind]Meaning{Red: {"raising", "up", true}, Blue: {Name: "lowering", Strong: true}, Grey: {Name: "connecting", Label: "none"}},
		Cells: [][]Network{{{Nodes: []Node{
			{Name: "A", Kind: Red, Weight: 2, Ring: 1, ID: "n0", About: "A <b>"}, {Name: "B", Kind: Blue, Weight: 1, Ring: 0.25, ID: "n1"},
			{Name: "C", Kind: Grey, ID: "n2"}}, Edges: [][2]int{{0, 1}, {1, 2}}}}}}
}

// A large network has a ring for each frequency, marks at its nodes for links, and grey circles for connectors.
func TestSigns(t *testing.T) {
	n := signs()
	svg := string(drawn(t, n, "svg"))
	size := newSheet(n.Parts()).size
	width, height := size.X.Points(), size.Y.Points()
	marks := regexp.MustCompile(`<circle class="mark" id="(n\d)" cx="([\d.]+)" cy="([\d.]+)"`).FindAllStringSubmatch(svg, -1)
	if len(marks) != 3 || marks[0][1] != "n0" || !strings.Contains(svg, "<title>A &lt;b&gt;</title>") {
		t.Errorf("marks %q", marks)
	}
	for _, m := range marks {
		x, _ := strconv.ParseFloat(m[2], 64)
		y, _ := strconv.ParseFloat(m[3], 64)
		if !(x > 0 && x < width && y > 0 && y < height) {
			t.Errorf("mark %s is at %v, %v of %v × %v", m[1], x, y, width, height)
		}
	}
	drawn(t, n, "png")
}

// linear returns the linear RGB intensities of a colour.
func linear(c color.NRGBA) (rgb [3]float64) {
	for i, v := range []uint8{c.R, c.G, c.B} {
		s := float64(v) / 255
		if rgb[i] = s / 12.92; s > 0.04045 {
			rgb[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return rgb
}

func times(m [3][3]float64, v [3]float64) (out [3]float64) {
	for i := range m {
		out[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return out
}

// deuteranope returns what a person without green cones sees (Machado, Oliveira, Fernandes 2009).
func deuteranope(rgb [3]float64) [3]float64 {
	rgb = times([3][3]float64{
		{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}, rgb)
	for i, v := range rgb {
		rgb[i] = max(0, min(1, v))
	}
	return rgb
}

// lab returns the colour in CIELAB under D65.
func lab(rgb [3]float64) [3]float64 {
	xyz := times([3][3]float64{
		{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}, rgb)
	for i, white := range []float64{0.95047, 1, 1.08883} {
		t := xyz[i] / white
		if xyz[i] = 7.787*t + 16.0/116; t > 0.008856 {
			xyz[i] = math.Cbrt(t)
		}
	}
	return [3]float64{116*xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])}
}

// difference returns the colour difference CIEDE2000 (Sharma, Wu, Dalal 2005).
func difference(p, q [3]float64) float64 {
	pow7 := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	grow := 1.5 - 0.5*pow7((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2)
	c1, c2 := math.Hypot(grow*p[1], p[2]), math.Hypot(grow*q[1], q[2])
	angle := func(l [3]float64) float64 { return math.Mod(math.Atan2(l[2], grow*l[1])*180/math.Pi+360, 360) }
	h1, h2 := angle(p), angle(q)
	turn, hue := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		turn, hue = 0, h1+h2
	case math.Abs(turn) > 180:
		turn -= math.Copysign(360, turn)
		hue = math.Mod(hue+180, 360)
	}
	l, c := (p[0]+q[0])/2, (c1+c2)/2
	cos := func(degrees float64) float64 { return math.Cos(degrees * math.Pi / 180) }
	t := 1 - 0.17*cos(hue-30) + 0.24*cos(2*hue) + 0.32*cos(3*hue+6) - 0.20*cos(4*hue-63)
	square := (l - 50) * (l - 50)
	dl := (q[0] - p[0]) / (1 + 0.015*square/math.Sqrt(20+square))
	dc := (c2 - c1) / (1 + 0.045*c)
	dh := 2 * math.Sqrt(c1*c2) * math.Sin(turn*math.Pi/360) / (1 + 0.015*c*t)
	rotate := -2 * pow7(c) * math.Sin(60*math.Exp(-math.Pow((hue-275)/25, 2))*math.Pi/180)
	return math.Sqrt(dl*dl + dc*dc + dh*dh + rotate*dc*dh)
}

// All people can distinguish colours that may share a panel, on white and on dark pages, and can see them there.
func TestColoursAreToldApart(t *testing.T) {
	var methods []color.NRGBA
	for _, s := range styles {
		methods = append(methods, s.color)
	}
	for name, panel := range map[string][]color.NRGBA{"methods": methods, "nodes": {targetColor, otherColor}} {
		for i, a := range panel {
			for _, b := range panel[:i] {
				if a == b {
					continue // two black lines differ in their dashes
				}
				for _, dark := range []bool{false, true} {
					p, q := a, b
					if dark {
						p, q = onDark[a], onDark[b]
					}
					seen := difference(lab(linear(p)), lab(linear(q)))
					blind := difference(lab(deuteranope(linear(p))), lab(deuteranope(linear(q))))
					if min(seen, blind) < 15 {
						t.Errorf("%s, dark %t: %v and %v differ by %.1f, for a deuteranope by %.1f; want 15", name, dark, p, q, seen,
							blind)
					}
				}
			}
		}
	}
	if want := "--fD55E00: light-dark(#D55E00, #FF8A3D);"; !strings.Contains(Themes(), want) {
		t.Errorf("the themes lack %s:\n%s", want, Themes())
	}
	paper := lab(linear(color.NRGBA{0x17, 0x19, 0x1d, 0xff}))[0]
	for _, c := range append(methods, ink, faint, targetColor, otherColor) {
		if l := lab(linear(onDark[c]))[0]; l-paper < 35 {
			t.Errorf("%v is %v on dark, %.0f lighter than its paper; want 35", c, onDark[c], l-paper)
		}
	}
}

// models returns two rows of pictures. One picture is missing.
func models() *Pictures {
	sign := Picture{Rows: 2, Columns: 3, Values: []float64{-1, 0, 2, 0.1, -1e-9, 0}}
	digit := Picture{Rows: 2, Columns: 2, Shade: Intensity, Values: []float64{0, 0.5, 1, math.NaN()}}
	return &Pictures{
		Info: Info{Name: "models"}, Rows: []string{"Graph01", "digit"}, Columns: []string{"true", "ℓ1-RDA"},
		Cells: [][]Picture{{sign, {}}, {digit, sign}},
	}
}

var half = color.NRGBA{0x80, 0x80, 0x80, 0xff}

// TestPicturePixels looks at the middle and near the corners of every pixel.
func TestPicturePixels(t *testing.T) {
	m := models()
	img := pixels(t, drawn(t, m, "png"))
	var places []item
	for _, i := range newSheet(m.Parts()).items {
		if i.height > 2*lineHeight {
			places = append(places, i)
		}
	}
	for i, c := range []struct {
		picture Picture
		want    [][]color.NRGBA
	}{
		{m.Cells[0][0], [][]color.NRGBA{{black, half, white}, {white, black, half}}},
		{Picture{Rows: 1, Columns: 1}, [][]color.NRGBA{{white}}}, // missing
		{m.Cells[1][0], [][]color.NRGBA{{black, half}, {white, orange}}},
	} {
		at := places[i]
		side := (canvas.Dots(at.width) - 2) / c.picture.Columns
		left, top := canvas.Dots(at.x)+1, canvas.Dots(at.y)+1
		for y, row := range c.want {
			for x, want := range row {
				for _, at := range [][2]int{{side / 2, side / 2}, {2, 2}, {side - 3, side - 3}, {2, side - 3}} {
					if got := img.At(left+x*side+at[0], top+y*side+at[1]); !same(got, want) {
						t.Errorf("picture %d pixel %d,%d: %v, want %v", i, y, x, got, want)
					}
				}
			}
		}
	}
}

// TestPicturesSVG reads the images back.
func TestPicturesSVG(t *testing.T) {
	m := models()
	file := drawn(t, m, "svg")
	var images []element
	for _, e := range document(t, file) {
		if e.Name == "image" {
			images = append(images, e)
		}
	}
	if len(images) != 3+3 {
		t.Fatalf("%d images, want 3, and 3 of the legend", len(images))
	}
	data, found := strings.CutPrefix(images[0].Attrs["href"], "data:image/png;base64,")
	raw, err := base64.StdEncoding.DecodeString(data)
	if !found || err != nil {
		t.Fatal(images[0].Attrs, err)
	}
	img := pixels(t, raw)
	for i, want := range []color.NRGBA{black, half, white, white, black, half} {
		x, y := i%3, i/3
		if got := img.At(x, y); !same(got, want) {
			t.Errorf("pixel %d,%d: %v, want %v", y, x, got, want)
		}
	}
}

// TestPicturesAreSmall limits the size of pictures, because a page shows hundreds of models.
func TestPicturesAreSmall(t *testing.T) {
	p := Picture{Rows: 33, Columns: 33, Values: make([]float64, 33*33)}
	for i := range 26 {
		p.Values[400+i*7] = 1
	}
	f := &Pictures{Rows: []string{""}, Columns: []string{""}, Cells: [][]Picture{{p}}}
	if n := len(drawn(t, f, "svg")); n > 3000 {
		t.Errorf("%d bytes of SVG for one sparse model", n)
	}
}

func TestPicturesCSV(t *testing.T) {
	wantCSV(t, models(), `row,column,y,x,value
Graph01,true,0,0,-1
Graph01,true,0,1,0
Graph01,true,0,2,2
Graph01,true,1,0,0.1
Graph01,true,1,1,-1e-09
Graph01,true,1,2,0
digit,true,0,0,0
digit,true,0,1,0.5
digit,true,1,0,1
digit,true,1,1,
digit,ℓ1-RDA,0,0,-1
digit,ℓ1-RDA,0,1,0
digit,ℓ1-RDA,0,2,2
digit,ℓ1-RDA,1,0,0.1
digit,ℓ1-RDA,1,1,-1e-09
digit,ℓ1-RDA,1,2,0
`)
}
