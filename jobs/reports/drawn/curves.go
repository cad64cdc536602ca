package drawn

import (
	"math"
	"slices"
	"strconv"

	"graphda/io/results"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/selection"
	"graphda/jobs/usage"
)

// panelTitle names the panel of a dataset and a model.
func panelTitle(r *experiment.Report, dataset string, m selection.Model) string {
	if len(r.Models) < 2 {
		return dataset
	}
	return dataset + ", " + m.String()
}

// panelOf is the panel of a dataset and a model with a measure on its y axis.
func panelOf(r *experiment.Report, dataset string, m selection.Model) figures.Panel {
	return figures.Panel{YLabel: merge.MeasureOf(r.Measure).Label(), LogY: r.Log, Name: panelTitle(r, dataset, m),
		Title: panelTitle(r, source.DatasetLabel(dataset), m)}
}

// comparable tells whether the values of a measure mean the same on all datasets, so that panels
// share their axis.
func comparable(measure string) bool { return merge.MeasureOf(measure).Unit != merge.Scale }

// columnsOf returns the columns of a grid of panels: those of the report, or one a dataset
// where the models of all fit into rows.
func columnsOf(r *experiment.Report, datasets int) int {
	if r.Columns == 0 && len(r.Models) > 1 {
		return datasets
	}
	return r.Columns
}

const overTrials = "Mean over trials; error bars are their standard deviation. Points of one x stand side by side."

// OverCheckpoints draws a measure over the training samples seen: a panel for each dataset
// and model, a line for each method.
func OverCheckpoints(mk *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	drawn := []figures.Figure{checkpointChart(mk, r)}
	if byTruth := mk.ByTruth; byTruth != nil && len(source.ShownModels(r)) == 1 {
		other := *mk
		other.Summary = byTruth
		chart := checkpointChart(&other, r)
		chart.Name += "-by-truth"
		chart.Title += ", chosen as the published curves were"
		chart.Caption += " That is how the published curves were chosen: by F1 against the truth, which nobody who looks " +
			"for it knows. The figure before it chooses by the validation split."
		drawn = append(drawn, chart)
	}
	return drawn, nil
}

func checkpointChart(mk *source.Source, r *experiment.Report) *figures.Chart {
	datasets, shown := mk.Datasets(r), mk.Series(r)
	chart := &figures.Chart{Info: info(mk, r, overTrials), Columns: columnsOf(r, len(datasets)),
		SharedY: comparable(r.Measure)}
	for _, model := range source.ShownModels(r) {
		for _, d := range datasets {
			var cover coverage
			panel := panelOf(r, d, model)
			panel.XLabel = "training samples"
			for _, s := range shown {
				line := lineOf(s, figures.Bars)
				for _, k := range mk.Run.Plan.Checkpoints {
					if g := s.Group(mk.Summary, d, k); g != nil {
						cover.add(&line, float64(k), g, r.Measure, model)
					}
				}
				panel.Lines = append(panel.Lines, line)
			}
			cover.mark(&panel)
			chart.Panels = append(chart.Panels, panel)
		}
	}
	return chart
}

// OverDatasets draws a measure over a number that the datasets differ in: a panel for each
// model, a line for each method, a point for each dataset.
func OverDatasets(mk *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	chart := &figures.Chart{Info: info(mk, r, overTrials), Columns: r.Columns, SharedY: comparable(r.Measure)}
	checkpoint := mk.Checkpoint(r)
	for _, model := range source.ShownModels(r) {
		var cover coverage
		panel := figures.Panel{XLabel: r.Parameter, YLabel: merge.MeasureOf(r.Measure).Label(), LogY: r.Log}
		for _, s := range mk.Series(r) {
			line := lineOf(s, figures.Bars)
			for _, name := range mk.Datasets(r) {
				d, err := mk.Dataset(name)
				if err != nil {
					return nil, err
				}
				x, err := parameterOf(d, r.Parameter)
				if err != nil {
					return nil, err
				}
				if g := s.Group(mk.Summary, name, checkpoint); g != nil {
					cover.add(&line, x, g, r.Measure, model)
				}
			}
			panel.Lines = append(panel.Lines, line)
		}
		panel.Title = model.String()
		cover.mark(&panel)
		chart.Panels = append(chart.Panels, panel)
	}
	return []figures.Figure{chart}, nil
}

// parameterOf returns a number that the dataset's samples were drawn with.
func parameterOf(d *plan.Dataset, parameter string) (float64, error) {
	text := d.Trials[0].Metadata[parameter]
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, usage.Errorf("dataset %s: its samples were drawn with %s = %q, want a number", d.Name, parameter, text)
	}
	return x, nil
}

// along joins the series that differ in a parameter only.
func along(shown []source.Series, parameter string) []source.Series {
	var joined []source.Series
	for _, s := range shown {
		s.Variant = source.Without(s.Variant, parameter)
		if !slices.Contains(joined, s) {
			joined = append(joined, s)
		}
	}
	return joined
}

// groupAlong returns the group of a series that along has joined, in a summary of one value
// of the parameter, or nil.
func groupAlong(s source.Series, parameter string, from *merge.Summary, dataset string, checkpoint int) *merge.Group {
	for _, g := range from.Variants(dataset, checkpoint, s.Name) {
		if source.Without(g.Variant, parameter) == s.Variant {
			return g
		}
	}
	return nil
}

// OverParameter draws a measure over a hyperparameter: for each of its values the others
// are chosen. Over s, a dotted line marks the true sparsity. A method without that
// parameter is a level line.
func OverParameter(mk *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	datasets, checkpoint := mk.Datasets(r), mk.Checkpoint(r)
	chart := &figures.Chart{Info: info(mk, r, overTrials), Columns: columnsOf(r, len(datasets)),
		SharedY: comparable(r.Measure)}
	column := slices.IndexFunc(plan.Layout(), func(c results.ParamColumn) bool { return c.Name == r.Parameter })
	cut := mk.Grid.Slices(column)
	summaries := make([]*merge.Summary, len(cut))
	for i := range cut {
		summaries[i] = cut[i].Grid.Summarize(mk.Summary.Rule)
	}
	shown := along(mk.Series(r), r.Parameter)
	for _, model := range source.ShownModels(r) {
		for _, d := range datasets {
			var cover coverage
			panel := panelOf(r, d, model)
			panel.XLabel = r.Parameter
			if planned, err := mk.Dataset(d); err == nil && r.Parameter == "s" && planned.Trials[0].Support > 0 {
				panel.Marks = []float64{float64(planned.Trials[0].Support)} // the true sparsity
			}
			low, high := math.Inf(1), math.Inf(-1)
			for _, s := range shown {
				line := lineOf(s, figures.Bars)
				for i := range summaries {
					if g := groupAlong(s, r.Parameter, summaries[i], d, checkpoint); g != nil && g.Chosen(model) > 0 {
						cover.add(&line, cut[i].Value, g, r.Measure, model)
						low, high = min(low, cut[i].Value), max(high, cut[i].Value)
					}
				}
				panel.Lines = append(panel.Lines, line)
			}
			for i, s := range shown {
				if g := s.Group(mk.Summary, d, checkpoint); g != nil && len(panel.Lines[i].Points) == 0 && low <= high {
					cover.add(&panel.Lines[i], low, g, r.Measure, model)
					cover.add(&panel.Lines[i], high, g, r.Measure, model)
				}
			}
			cover.mark(&panel)
			chart.Panels = append(chart.Panels, panel)
		}
	}
	return []figures.Figure{chart}, nil
}

// mistakesFrom is the sample from which mistakes are drawn, as the paper does, where there are more
// than twice as many; its axis of log₁₀ mistakes is from 1.6 to 2.2.
const mistakesFrom = 100

var paperMistakes = [2]float64{math.Pow(10, 1.6), math.Pow(10, 2.2)}

// MistakeCurves draws the number of wrong predictions over the samples seen, sample by
// sample, of the cells chosen at the report's checkpoint.
func MistakeCurves(mk *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	caption := "Mean over trials of the training samples predicted wrongly before learning from them; bands are their " +
		"standard deviation. The axis is logarithmic."
	datasets, checkpoint := mk.Datasets(r), mk.Checkpoint(r)
	chart := &figures.Chart{Info: info(mk, r, caption), Columns: columnsOf(r, len(datasets)), SharedY: true}
	late := checkpoint > 2*mistakesFrom
	first := 1
	if late {
		first = mistakesFrom
	}
	shown, rounds := mk.Series(r), evenRounds(first, checkpoint)
	counts := make([][]mistakeCounts, len(datasets))
	for i, d := range datasets {
		var err error
		if counts[i], err = countMistakes(mk, d, shown, checkpoint, rounds); err != nil {
			return nil, err
		}
	}
	for _, model := range source.ShownModels(r) {
		for i, d := range datasets {
			var cover coverage
			panel := figures.Panel{XLabel: "samples seen", YLabel: "mistakes", LogY: true,
				Name: panelTitle(r, d, model), Title: panelTitle(r, source.DatasetLabel(d), model)}
			if late {
				panel.YLow, panel.YHigh = paperMistakes[0], paperMistakes[1]
			}
			for k, s := range shown {
				line := lineOf(s, figures.Band)
				if g := s.Group(mk.Summary, d, checkpoint); g != nil {
					cover.enter(len(counts[i][k][model]), len(g.Choices))
					line = meanCurve(line, rounds, counts[i][k][model])
				}
				panel.Lines = append(panel.Lines, line)
			}
			cover.mark(&panel)
			chart.Panels = append(chart.Panels, panel)
		}
	}
	return []figures.Figure{chart}, nil
}

// evenRounds returns rounds from first on up to last, evenly spaced: at most 76, which nobody tells
// from a curve.
func evenRounds(first, last int) []int {
	const most = 75
	var rounds []int
	for t, step := last, 1+(last-first)/most; t >= first; t -= step {
		rounds = append(rounds, t)
	}
	slices.Reverse(rounds)
	return rounds
}

// mistakeCounts are the mistakes of w and of w̄ up to each round, by trial.
type mistakeCounts map[selection.Model][][]float64

// countMistakes counts, by series, the mistakes of the models chosen in each trial.
func countMistakes(mk *source.Source, dataset string, shown []source.Series, checkpoint int,
	rounds []int) ([]mistakeCounts, error) {
	d, err := mk.Dataset(dataset)
	if err != nil {
		return nil, err
	}
	counts := make([]mistakeCounts, len(shown))
	for k := range counts {
		counts[k] = mistakeCounts{}
	}
	for i := range d.Trials {
		models, err := mk.ChosenModels(shown, d, checkpoint, d.Trials[i].Trial)
		if err != nil {
			return nil, err
		}
		for k, m := range models {
			if m != nil {
				counts[k][selection.W] = append(counts[k][selection.W], upTo(rounds, m.Mistakes))
				counts[k][selection.Wbar] = append(counts[k][selection.Wbar], upTo(rounds, m.MistakesWbar))
			}
		}
	}
	return counts, nil
}

// upTo counts the samples, given ascending, up to each round.
func upTo(rounds []int, samples []int32) []float64 {
	counts := make([]float64, len(rounds))
	for i, t := range rounds {
		n, _ := slices.BinarySearch(samples, int32(t)+1)
		counts[i] = float64(n)
	}
	return counts
}
