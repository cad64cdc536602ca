package figures

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

var must = jobstest.Must

func drawn(t *testing.T, f Figure, format string) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Draw(&buf, f, format); err != nil {
		t.Fatalf("%s as %s: %v", f.Describe().Name, format, err)
	}
	return buf.Bytes()
}

type element struct {
	Name  string
	Attrs map[string]string
	Text  string
}

// document parses an SVG. It fails if the SVG is not well-formed, if a coordinate is not a number, or if the SVG could
// conflict with others on a page.
func document(t *testing.T, svg []byte) []element {
	t.Helper()
	if !bytes.HasPrefix(svg, []byte("<svg ")) {
		t.Fatalf("the SVG begins with %.40q", svg)
	}
	var all []element
	var open []int
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%.2000s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{Name: token.Name.Local, Attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.Attrs[a.Name.Local] = a.Value
				if a.Name.Local == "id" || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("<%s %s=%.60q>", e.Name, a.Name.Local, a.Value)
				}
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all[open[len(open)-1]].Text += string(token)
			}
		}
	}
	return all
}

func texts(doc []element) []string {
	var out []string
	for _, e := range doc {
		if e.Name == "text" {
			out = append(out, e.Text)
		}
	}
	return out
}

// A stroke counts what is drawn in a colour. kind is "stroke" or "fill".
type stroke struct {
	what, kind   string
	color        color.NRGBA
	paths, parts int
}

func wantStrokes(t *testing.T, doc []element, wants ...stroke) {
	t.Helper()
	for _, want := range wants {
		if paths, parts := strokesOf(doc, want.kind, want.color); paths != want.paths || parts != want.parts {
			t.Errorf("%s: %d paths of %d parts, want %d of %d", want.what, paths, parts, want.paths, want.parts)
		}
	}
}

func wantCSV(t *testing.T, f Figure, want string) {
	t.Helper()
	var got strings.Builder
	must(t, WriteCSV(&got, f))
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
}

// strokesOf counts the subpaths that are drawn in a colour.
func strokesOf(doc []element, kind string, c color.NRGBA) (paths, parts int) {
	for _, e := range doc {
		if e.Name == "path" && strings.Contains(e.Attrs["style"], fmt.Sprintf("%s:#%02X%02X%02X", kind, c.R, c.G, c.B)) {
			paths++
			parts += strings.Count(e.Attrs["d"], "m")
		}
	}
	return paths, parts
}

func pixels(t *testing.T, file []byte) image.Image {
	t.Helper()
	return jobstest.Must1(png.Decode(bytes.NewReader(file)))
}

func everything() []Figure {
	return []Figure{accuracy(), models(), genes(), ranked()}
}

// TestFormats checks that all figures keep their promises in all formats.
func TestFormats(t *testing.T) {
	for _, f := range everything() {
		size := newSheet(f.Parts()).size
		width, height := size.X.Points(), size.Y.Points()
		for _, format := range Formats() {
			t.Run(f.Describe().Name+"."+format, func(t *testing.T) {
				file := drawn(t, f, format)
				repeats := 3
				if format == "png" { // PNG takes most of the time
					repeats = 1
				}
				for range repeats {
					if again := drawn(t, f, format); sha256.Sum256(again) != sha256.Sum256(file) {
						t.Fatal("the same figure gave other bytes")
					}
				}
				switch format {
				case "svg":
					root := document(t, file)[0]
					if want := fmt.Sprintf("0 0 %.5g %.5g", width, height); root.Attrs["viewBox"] != want {
						t.Errorf("viewBox %q, want %q", root.Attrs["viewBox"], want)
					}
					if !strings.HasSuffix(root.Attrs["font-family"], "sans-serif") || bytes.Contains(file, []byte("font-family:")) {
						t.Errorf("font %q, or another one further down", root.Attrs["font-family"])
					}
				case "png":
					size := pixels(t, file).Bounds().Size()
					for _, d := range [][2]float64{{float64(size.X), width}, {float64(size.Y), height}} {
						if math.Abs(d[0]-d[1]*300/72) > 1 {
							t.Errorf("%v × %v pixels for %v × %v points", size.X, size.Y, width, height)
						}
					}
				case "pdf":
					if !bytes.HasPrefix(file, []byte("%PDF-1.")) || !bytes.HasSuffix(file, []byte("%%EOF\n")) {
						t.Errorf("%.20q … %q", file, file[len(file)-20:])
					}
					if n := bytes.Count(file, []byte("/Type /Page\n")); n != 1 {
						t.Errorf("%d pages", n)
					}
					if box := fmt.Sprintf("[0 0 %.2f %.2f]", width, height); !bytes.Contains(file, []byte(box)) {
						t.Errorf("no page of %s", box)
					}
				}
			})
		}
	}
}

func same(a, b color.Color) bool {
	r, g, bl, al := a.RGBA()
	r2, g2, b2, a2 := b.RGBA()
	return r == r2 && g == g2 && bl == b2 && al == a2
}

// failing is a disk that is full after some bytes.
type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// A full disk and an unknown format are errors, and leave no file.
func TestWriteErrors(t *testing.T) {
	var buf bytes.Buffer
	if err := Draw(&buf, accuracy(), "eps"); err == nil || err.Error() != `unknown format "eps"; known: svg, png, pdf` || buf.Len() > 0 {
		t.Errorf("%v, %d bytes", err, buf.Len())
	}
	for _, f := range everything() {
		for _, format := range Formats() {
			if err := Draw(&failing{10}, f, format); err == nil {
				t.Errorf("%s.%s: the disk was full, and nobody said so", f.Describe().Name, format)
			}
		}
		if err := WriteCSV(&failing{10}, f); err == nil {
			t.Errorf("%s.csv: the disk was full, and nobody said so", f.Describe().Name)
		}
	}
}

// On a page, a drawing has a name, unique ids, and the colours of the page's theme.
func TestInline(t *testing.T) {
	n := signs()
	n.Cells[0][0].Nodes[0].ID = `"><script>`
	got := n.Parts().Pieces[0].Inline("f-1--", `A "title" <b>`)
	jobstest.WantText(t, got, `aria-label="A &#34;title&#34; &lt;b&gt;"`, `id="f-1--n1"`, `id="f-1--&#34;&gt;&lt;script&gt;"`,
		"fill:var(--fCC3311)", "stroke:var(--fFFFFFF)")
	for _, not := range []string{"<script", "xmlns", "#CC3311"} {
		if strings.Contains(got, not) {
			t.Errorf("%s in %s", not, got)
		}
	}
	band := accuracy()
	band.Panels[0].Lines[0].Errors = Band
	jobstest.WantText(t, band.Parts().Pieces[0].Inline("", ""), "fill:var(--fD55E00);fill-opacity:0.11")
}
