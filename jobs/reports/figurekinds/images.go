package figurekinds

import (
	"fmt"
	"math"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/metrics"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
)

// imageSide is the largest number of rows or columns of an image.
const imageSide = 4096

// image returns a picture with each feature's value at the feature's place. Without places or values, it returns the
// zero Picture.
func image(f *samples.Features, values []float64, shade figures.Shade) (p figures.Picture, err error) {
	if f.Row == nil || values == nil {
		return p, nil
	}
	for i := range f.Row {
		for _, at := range []float64{f.Row[i], f.Col[i]} {
			if !(at >= 0 && at < imageSide && at == math.Trunc(at)) {
				return p, fmt.Errorf("feature %s has row %v and column %v, want whole numbers from 0 to %d", f.Names[i], f.Row[i],
					f.Col[i], imageSide-1)
			}
		}
		p.Rows, p.Columns = max(p.Rows, int(f.Row[i])+1), max(p.Columns, int(f.Col[i])+1)
	}
	p.Shade, p.Values = shade, make([]float64, p.Rows*p.Columns)
	for i, v := range values {
		p.Values[int(f.Row[i])*p.Columns+int(f.Col[i])] = v
	}
	return p, nil
}

// shadeOf returns the shade for true weights. This is Intensity if no weight is negative and the nonzero weights
// differ. Otherwise it is Sign.
func shadeOf(truth []float64) figures.Shade {
	level := 0.0
	for _, v := range truth {
		switch {
		case v < 0:
			return figures.Sign
		case v > 0 && level == 0:
			level = v
		case v > 0 && v != level:
			return figures.Intensity
		}
	}
	return figures.Sign
}

// dense returns all p weights of the model m, with zeros.
func dense(m results.Sparse, p int) []float64 {
	w := make([]float64, p)
	for i, j := range m.Index {
		w[j] = m.Value[i]
	}
	return w
}

// noPlaces says why features without places have no pictures.
var noPlaces = source.NotDrawnf("the features have no columns row and col for their places; a report of kind network " +
	"draws them on their graph")

// TruthImages draws a picture of the true weights of each dataset.
func TruthImages(src *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	pictures := &figures.Pictures{Info: figures.Info{Name: r.Name, Title: src.Title(r),
		Caption: "True weights; white: positive. Below each, the number of true features among all features."},
		Rows: []string{"w*"}, Cells: make([][]figures.Picture, 1)}
	placed := false // whether a dataset has features with places
	for _, d := range src.Datasets(r) {
		f, _, err := src.Structure(d, d.Trials[0].Trial)
		if err != nil {
			return nil, err
		}
		truth, err := truthImage(f, shadeOf(f.Truth))
		if err != nil {
			return nil, fmt.Errorf("dataset %s: %w", d.Name, err)
		}
		placed = placed || f.Row != nil
		pictures.Columns = append(pictures.Columns, source.DatasetLabel(d.Name))
		pictures.Cells[0] = append(pictures.Cells[0], truth)
	}
	if !placed {
		return nil, noPlaces
	}
	return []figures.Figure{pictures}, nil
}

// ModelImages draws pictures of the chosen cells' weights w, next to the true weights. A row is a dataset and trial, a
// column is a series.
func ModelImages(src *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	checkpoint := src.Checkpoint(r)
	caption := fmt.Sprintf("Weights w after %d training samples; black: negative, grey: zero, white: positive. "+
		"F1 is the harmonic mean of precision and recall of the nonzeros, against the true ones.", checkpoint)
	pictures := &figures.Pictures{Info: info(src, r, caption), Columns: []string{"w*"}}
	for _, s := range src.Series(r) {
		pictures.Columns = append(pictures.Columns, s.Legend())
	}
	placed := false
	for _, d := range src.Datasets(r) {
		for _, trial := range src.Trials(r, d) {
			f, _, err := src.Structure(d, trial)
			if err != nil {
				return nil, err
			}
			placed = placed || f.Row != nil
			title := source.DatasetLabel(d.Name)
			if len(r.Trials) > 1 {
				title = fmt.Sprintf("%s, trial %d", title, trial)
			}
			row, err := modelRow(src, r, f, d, trial)
			if err != nil {
				return nil, fmt.Errorf("dataset %s: %w", d.Name, err)
			}
			pictures.Rows, pictures.Cells = append(pictures.Rows, title), append(pictures.Cells, row)
		}
	}
	if len(pictures.Rows) == 0 {
		return nil, nil
	} else if !placed {
		return nil, noPlaces
	}
	return []figures.Figure{pictures}, nil
}

func modelRow(src *source.Source, r *experiment.Report, f *samples.Features, d *plan.Dataset,
	trial int) ([]figures.Picture, error) {
	truth, err := truthImage(f, figures.Sign) // the shade of learned weights
	if err != nil {
		return nil, err
	}
	models, err := src.ChosenModels(src.Series(r), d, src.Checkpoint(r), trial)
	if err != nil {
		return nil, err
	}
	row := []figures.Picture{truth}
	for _, model := range models {
		var p figures.Picture
		if model != nil {
			w := dense(model.W, model.P)
			if p, err = image(f, w, figures.Sign); err != nil {
				return nil, err
			}
			if f.Truth != nil {
				p.Note = fmt.Sprintf("F1 %.2f", metrics.SupportOf(w, f.Truth).F1)
			}
		}
		row = append(row, p)
	}
	return row, nil
}

// truthImage returns a picture of the true weights, with a note of their number.
func truthImage(f *samples.Features, shade figures.Shade) (figures.Picture, error) {
	p, err := image(f, f.Truth, shade)
	if f.Truth != nil {
		p.Note = fmt.Sprintf("%.0f of %d", metrics.SupportOf(f.Truth, f.Truth).Nonzeros, len(f.Truth))
	}
	return p, err
}
