package drawn

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

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
	chart := &figures.Chart{SharedY: comparable(r.Measure)}
	panels(mk, r, chart, func(p *figures.Panel, _ *coverage, d string, model selection.Model) {
		p.XLabel, p.YLabel = "trial", "difference of "+measure
		var values [2]map[int]float64
		for i, s := range shown {
			if g := s.Group(mk.Summary, d, mk.Checkpoint(r)); g != nil {
				values[i] = source.ByTrial(g, g.Values(r.Measure, model))
			}
		}
		l, differences, above := line, []float64(nil), 0
		for _, trial := range source.Common(values[0], values[1]) {
			v := values[0][trial] - values[1][trial]
			l.Points, differences = append(l.Points, figures.Point{X: float64(trial), Y: v}), append(differences, v)
			if v > 0 {
				above++
			}
		}
		p.Lines = []figures.Line{l}
		if n := len(differences); n > 0 {
			p.YLow, p.YHigh = min(0, slices.Min(differences)), max(0, slices.Max(differences))
			caption += fmt.Sprintf(" %s: %.3g on average, above 0 in %d of %d.", p.Title, stat.Mean(differences, nil), above, n)
		}
	})
	chart.Info = info(mk, r, caption)
	return []figures.Figure{chart}, nil
}
