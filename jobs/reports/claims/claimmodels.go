package claims

import (
	"errors"
	"io/fs"
	"math"
	"slices"

	"graphda/graph"
	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/paper"
	"graphda/jobs/reports/source"
)

// A modelMeasure is a measure that is computed from stored weights w, because the rows of results lack it.
type modelMeasure struct {
	metrics.Measure
	of func(f *samples.Features, g *graph.Graph, w results.Sparse) float64
}

var modelMeasures = []modelMeasure{
	{metrics.Measure{Name: "cosine", Unit: metrics.Share, Better: 1}, cosine},
	{metrics.Measure{Name: "isolated_features", Unit: metrics.Count, Better: -1}, isolated},
}

func modelMeasureOf(name string) *modelMeasure {
	i := slices.IndexFunc(modelMeasures, func(m modelMeasure) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &modelMeasures[i]
}

func claimMeasure(name string) *metrics.Measure {
	if m := modelMeasureOf(name); m != nil {
		return &m.Measure
	}
	return metrics.MeasureOf(name)
}

// cosine returns the cosine of the angle between w and the true weights, or NaN if the true weights are unknown.
func cosine(f *samples.Features, _ *graph.Graph, w results.Sparse) float64 {
	dot, own, truth := 0.0, 0.0, 0.0
	for _, v := range f.Truth {
		truth += v * v
	}
	for k, j := range w.Index {
		own += w.Value[k] * w.Value[k]
		if f.Truth != nil {
			dot += w.Value[k] * f.Truth[j]
		}
	}
	if own == 0 && truth > 0 {
		return 0
	}
	return dot / math.Sqrt(own*truth)
}

// isolated counts the selected features that no path of selected features joins to a true feature. Without a network or
// true features, it returns NaN.
func isolated(f *samples.Features, g *graph.Graph, w results.Sparse) float64 {
	if g == nil || f.Truth == nil {
		return math.NaN()
	}
	away, joined := map[int32]bool{}, []int32(nil)
	for _, j := range w.Index {
		if f.Truth[j] == 0 {
			away[j] = true
		} else {
			joined = append(joined, j)
		}
	}
	for len(joined) > 0 {
		u := joined[len(joined)-1]
		joined = joined[:len(joined)-1]
		for _, arc := range g.Arcs(u) {
			if away[arc.Node] {
				delete(away, arc.Node)
				joined = append(joined, arc.Node)
			}
		}
	}
	return float64(len(away))
}

// ofModels computes a modelMeasure from the stored models. It returns nil for other measures. Rows without a model or
// data have no entry.
func ofModels(src *source.Source, c *paper.Claim, from *merge.Summary) (map[results.Key]*float64, error) {
	measure := modelMeasureOf(c.Measure)
	if measure == nil {
		return nil, nil
	}
	values := map[results.Key]*float64{}
	for i := range src.Run.Plan.Datasets {
		d := &src.Run.Plan.Datasets[i]
		if !slices.Contains(c.Datasets, d.Name) || d.Dir == "" {
			continue
		}
		for _, t := range d.Trials {
			f, g, err := src.Structure(d, t.Trial)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			var chosen []*merge.ChosenRow
			for i := range from.Groups {
				of := &from.Groups[i]
				k := slices.IndexFunc(of.Choices, func(c merge.Choice) bool { return c.Trial == t.Trial })
				if k >= 0 && of.Dataset == d.Name && slices.Contains(c.Checkpoints, of.Checkpoint) {
					chosen = append(chosen, of.Choices[k].W)
				}
			}
			for key, model := range src.KeptModels(d, t.Trial, chosen) {
				if model != nil {
					v := measure.of(f, g, model.W)
					values[key] = &v
				}
			}
		}
	}
	return values, nil
}
