package drawn

import (
	"fmt"
	"math"

	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/selection"
)

// PairCurves draws by how much the first of two series is above the second in each trial: a panel
// for each dataset and model. Methods stand in the registry's order.
func PairCurves(mk *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	shown := mk.Series(r)
	if len(shown) != 2 {
		return nil, source.NotDrawnf("it compares two methods, and there are %d; name two with methods", len(shown))
	}
	measure := merge.MeasureOf(r.Measure).Label()
	line := figures.Line{Key: shown[0].Key(), Label: shown[0].Legend() + " less " + shown[1].Legend()}
	caption := fmt.Sprintf("%s of %s less that of %s, trial by trial, after %d training samples.", measure,
		shown[0].Legend(), shown[1].Legend(), mk.Checkpoint(r))
	datasets := mk.Datasets(r)
	chart := &figures.Chart{Columns: columnsOf(r, len(datasets)), SharedY: comparable(r.Measure)}
	for _, model := range source.ShownModels(r) {
		for _, d := range datasets {
			panel := panelOf(r, d, model)
			panel.XLabel, panel.YLabel = "trial", "difference of "+measure
			l := differences(mk, r, shown, d, model, line)
			above := 0
			mean := 0.0
			for _, p := range l.Points {
				panel.YLow, panel.YHigh = min(panel.YLow, p.Y), max(panel.YHigh, p.Y)
				mean += p.Y / float64(len(l.Points))
				if p.Y > 0 {
					above++
				}
			}
			panel.Lines = []figures.Line{l}
			chart.Panels = append(chart.Panels, panel)
			if n := len(l.Points); n > 0 {
				caption += fmt.Sprintf(" %s: %.3g on average, above 0 in %d of %d.", panel.Title, mean, above, n)
			}
		}
	}
	chart.Info = info(mk, r, caption)
	return []figures.Figure{chart}, nil
}

// differences adds a point for each trial in which both series have the measure.
func differences(mk *source.Source, r *experiment.Report, shown []source.Series, dataset string, model selection.Model,
	line figures.Line) figures.Line {
	values := make([]map[int]float64, len(shown))
	for i, s := range shown {
		values[i] = map[int]float64{}
		if g := s.Group(mk.Summary, dataset, mk.Checkpoint(r)); g != nil {
			for k, v := range g.Values(r.Measure, model) {
				values[i][g.Choices[k].Trial] = v
			}
		}
	}
	d, err := mk.Dataset(dataset)
	if err != nil {
		return line
	}
	for _, t := range d.Trials {
		a, ok := values[0][t.Trial]
		b, too := values[1][t.Trial]
		if ok && too && !math.IsNaN(a-b) {
			line.Points = append(line.Points, figures.Point{X: float64(t.Trial), Y: a - b})
		}
	}
	return line
}
