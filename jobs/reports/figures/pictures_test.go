package figures

import (
	"encoding/base64"
	"image/color"
	"math"
	"strings"
	"testing"

	"graphda/jobs/reports/figures/canvas"
)

// models are two rows of pictures, with one missing.
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
	if len(images) != 3 {
		t.Fatalf("%d images, want 3", len(images))
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

// TestPicturesAreSmall: a page shows hundreds of models.
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
