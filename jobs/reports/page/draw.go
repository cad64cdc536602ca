package page

import (
	"bytes"
	"html/template"
	"strings"

	"graphda/jobs/reports/figures"
)

// leastLetter is the smallest size of letters in figures, in CSS pixels.
const leastLetter = 11

// Draw draws a figure for a page.
func Draw(f figures.Figure) Figure {
	info := f.Describe()
	shown := Figure{Name: info.Name, Title: info.Title, Caption: info.Caption}
	var csv bytes.Buffer
	_ = figures.WriteCSV(&csv, f) // cannot fail in memory
	shown.CSV = csv.Bytes()
	parts := f.Parts()
	shown.Columns = parts.Columns
	for i := range parts.Pieces {
		p := &parts.Pieces[i]
		width, height := p.Size()
		panel := Panel{Group: p.Group, Title: p.Title, Note: p.Note, Aspect: height / width,
			SVG: template.HTML(p.Inline(shown.prefix(i), strings.Trim(info.Title+": "+p.Group+" "+p.Title, ": ")))}
		if p.Letters > 0 {
			panel.Least = width * leastLetter / p.Letters
		}
		shown.Panels = append(shown.Panels, panel)
	}
	for _, k := range parts.Keys {
		shown.Keys = append(shown.Keys, Key{k.Label, template.HTML(k.Sample.Inline("", k.Label))})
	}
	return shown
}
