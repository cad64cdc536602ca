package page

import (
	"bytes"

	"graphda/jobs/reports/figures"
)

// leastLetter is the size of the smallest letter of a figure on a page, in pixels.
const leastLetter = 9.2

// Draw draws a figure as a page shows it: in pieces, so that they find their places on a
// screen of any width.
func Draw(f figures.Figure) (Figure, error) {
	info := f.Describe()
	shown := Figure{Name: info.Name, Title: info.Title, Caption: info.Caption}
	var csv bytes.Buffer
	if err := f.WriteCSV(&csv); err != nil {
		return shown, err
	}
	shown.CSV = csv.Bytes()
	pieces, keys := figures.Pieces(f)
	for _, p := range pieces {
		svg, err := drawn(p.Figure)
		if err != nil {
			return shown, err
		}
		panel := Panel{Group: p.Group, Title: p.Title, Note: p.Note, SVG: svg}
		if width, _ := p.Size(); p.Letters > 0 {
			panel.Least = width * leastLetter / p.Letters
		}
		shown.Panels = append(shown.Panels, panel)
	}
	shown.Columns = figures.Columns(f)
	for _, k := range keys {
		svg, err := drawn(k.Sample)
		if err != nil {
			return shown, err
		}
		shown.Keys = append(shown.Keys, Key{Label: k.Label, SVG: svg})
	}
	return shown, nil
}

func drawn(f figures.Figure) ([]byte, error) {
	var svg bytes.Buffer
	err := f.Draw(&svg, "svg")
	return svg.Bytes(), err
}
