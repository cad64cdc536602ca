package figurekinds

import (
	"math"
	"slices"
	"strconv"

	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/selection"
)

func panelTitle(r *experiment.Report, dataset string, m selection.Model) string {
	if len(r.Models) < 2 {
		return dataset
	}
	return dataset + ", " + m.String()
}

// comparable tells whether the measure has the same unit on all datasets, so that panels can share a y axis.
func comparable(measure string) bool { return metrics.MeasureOf(measure).Unit != metrics.Scale }

// panels adds a panel to the chart for each model and dataset of the report, and calls fill for the panel. If there are
// several models, each model has a row of its own, unless the report sets the number of columns.
func panels(src *source.Source, r *experiment.Report, chart *figures.Chart,
	fill func(p *figures.Panel, cover *coverage, d *plan.Dataset, m selection.Model)) {
	datasets := src.Datasets(r)
	if chart.Columns = r.Columns; r.Columns == 0 && len(r.Models) > 1 {
		chart.Columns = len(datasets)
	}
	for _, model := range experiment.ShownModels(r.Models) {
		for _, d := range datasets {
			var cover coverage
			panel := figures.Panel{LogY: r.Log, Name: panelTitle(r, d.Name, model),
				Title: panelTitle(r, source.DatasetLabel(d.Name), model)}
			if r.Measure != "" {
				panel.YLabel = metrics.MeasureOf(r.Measure).Label()
			}
			fill(&panel, &cover, d, model)
			cover.mark(&panel)
			chart.Panels = append(chart.Panels, panel)
		}
	}
}

const overTrials = "Means over trials. Error bars show the standard deviation over trials. Points with the same x " +
	"are drawn next to each other."

// measured returns a chart of the report's measure, without panels.
func measured(src *source.Source, r *experiment.Report) *figures.Chart {
	return &figures.Chart{Info: info(src, r, overTrials), Columns: r.Columns, SharedY: comparable(r.Measure)}
}

// OverCheckpoints draws a measure over the number of training samples. It makes a panel for each dataset and model.
func OverCheckpoints(src *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	drawn := []figures.Figure{checkpointChart(src, r)}
	if byTruth := src.ByTruth; byTruth != nil && len(experiment.ShownModels(r.Models)) == 1 {
		other := *src
		other.Summary = byTruth
		chart := checkpointChart(&other, r)
		chart.Name += "-by-truth"
		chart.Title += ", chosen as the published curves were"
		chart.Caption += " Like the published curves, these use settings with the best F1 against the truth, which a user " +
			"does not know. The figure before this one chooses settings by the validation split."
		drawn = append(drawn, chart)
	}
	return drawn, nil
}

func checkpointChart(src *source.Source, r *experiment.Report) *figures.Chart {
	chart, shown := measured(src, r), src.Series(r)
	panels(src, r, chart, func(p *figures.Panel, cover *coverage, d *plan.Dataset, m selection.Model) {
		p.XLabel = "training samples"
		for _, s := range shown {
			line := lineOf(s, figures.Bars)
			for _, k := range src.Run.Plan.Checkpoints {
				if g := s.Group(src.Summary, d.Name, k); g != nil {
					cover.add(&line, float64(k), g, r.Measure, m)
				}
			}
			p.Lines = append(p.Lines, line)
		}
	})
	return chart
}

// OverDatasets draws a measure over a parameter of the datasets, such as μ. It makes a panel for each model, with a
// point for each dataset.
func OverDatasets(src *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	chart := measured(src, r)
	for _, model := range experiment.ShownModels(r.Models) {
		var cover coverage
		panel := figures.Panel{XLabel: r.Parameter, YLabel: metrics.MeasureOf(r.Measure).Label(), LogY: r.Log,
			Title: model.String()}
		for _, s := range src.Series(r) {
			line := lineOf(s, figures.Bars)
			for _, d := range src.Datasets(r) {
				x, err := parameterOf(d, r.Parameter)
				if err != nil {
					return nil, err
				}
				if g := s.Group(src.Summary, d.Name, src.Checkpoint(r)); g != nil {
					cover.add(&line, x, g, r.Measure, model)
				}
			}
			panel.Lines = append(panel.Lines, line)
		}
		cover.mark(&panel)
		chart.Panels = append(chart.Panels, panel)
	}
	return []figures.Figure{chart}, nil
}

// parameterOf returns the value of the named parameter with which the dataset was simulated.
func parameterOf(d *plan.Dataset, parameter string) (float64, error) {
	text := d.Trials[0].Metadata[parameter]
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, source.NotDrawnf("the samples of %s were drawn with %s = %q, want a number", d.Name, parameter, text)
	}
	return x, nil
}

// along removes the parameter from the variants of the series, and then removes repeated series.
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

// groupAlong returns the results of a series for one value of the parameter, or nil.
func groupAlong(s source.Series, parameter string, from *merge.Summary, dataset string, checkpoint int) *merge.Group {
	for _, g := range from.Variants(dataset, checkpoint, s.Name) {
		if source.Without(g.Variant, parameter) == s.Variant {
			return g
		}
	}
	return nil
}

// OverParameter draws a measure over a hyperparameter. For each value of this hyperparameter, the rule chooses the
// other hyperparameters. A method without the hyperparameter is a horizontal line.
func OverParameter(src *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	chart, checkpoint := measured(src, r), src.Checkpoint(r)
	cut := src.Grid.Slices(r.Parameter)
	summaries := make([]*merge.Summary, len(cut))
	for i := range cut {
		summaries[i] = cut[i].Grid.Summarize(src.Summary.Rule)
	}
	shown := along(src.Series(r), r.Parameter)
	panels(src, r, chart, func(p *figures.Panel, cover *coverage, d *plan.Dataset, m selection.Model) {
		p.XLabel = r.Parameter
		if support := d.Trials[0].Support; r.Parameter == "s" && support > 0 {
			p.Marks = []float64{float64(support)} // the true sparsity
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, s := range shown {
			line := lineOf(s, figures.Bars)
			for i := range summaries {
				if g := groupAlong(s, r.Parameter, summaries[i], d.Name, checkpoint); g != nil && g.Chosen(m) > 0 {
					cover.add(&line, cut[i].Value, g, r.Measure, m)
					low, high = min(low, cut[i].Value), max(high, cut[i].Value)
				}
			}
			p.Lines = append(p.Lines, line)
		}
		for i, s := range shown {
			if g := s.Group(src.Summary, d.Name, checkpoint); g != nil && len(p.Lines[i].Points) == 0 && low <= high {
				cover.add(&p.Lines[i], low, g, r.Measure, m)
				cover.add(&p.Lines[i], high, g, r.Measure, m)
			}
		}
	})
	return []figures.Figure{chart}, nil
}

// mistakesFrom is the sample at which curves of mistakes begin, as in the paper. Shorter curves, of at most 200
// samples, begin at the first sample.
const mistakesFrom = 100

// MistakeCurves draws the number of wrong predictions over the number of samples, for the cells chosen at the report's
// checkpoint.
func MistakeCurves(src *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	chart := &figures.Chart{SharedY: true, Named: true, Info: info(src, r, "Number of training samples that a method "+
		"predicts wrongly before it learns from them, mean over trials. Bands are standard deviations; if GraphDA is "+
		"shown, only GraphDA has a band. The paper's axis is logarithmic.")}
	checkpoint, first := src.Checkpoint(r), 1
	if checkpoint > 2*mistakesFrom {
		first = mistakesFrom
	}
	shown, rounds := src.Series(r), evenRounds(first, checkpoint)
	counts := map[*plan.Dataset][]mistakeCounts{}
	for _, d := range src.Datasets(r) {
		var err error
		if counts[d], err = countMistakes(src, d, shown, checkpoint, rounds); err != nil {
			return nil, err
		}
	}
	panels(src, r, chart, func(p *figures.Panel, cover *coverage, d *plan.Dataset, m selection.Model) {
		p.XLabel, p.YLabel, p.YHigh = "samples seen", "mistakes", 1 // the y axis begins at 0
		for k, s := range shown {
			line := lineOf(s, figures.Band)
			if g := s.Group(src.Summary, d.Name, checkpoint); g != nil {
				cover.enter(len(counts[d][k][m]), len(g.Choices))
				line = meanCurve(line, rounds, counts[d][k][m])
			}
			p.Lines = append(p.Lines, line)
		}
	})
	return []figures.Figure{chart}, nil
}

// evenRounds returns at most 76 evenly spaced rounds from first to last.
func evenRounds(first, last int) []int {
	const most = 75
	var rounds []int
	for t, step := last, 1+(last-first)/most; t >= first; t -= step {
		rounds = append(rounds, t)
	}
	slices.Reverse(rounds)
	return rounds
}

// mistakeCounts holds the number of mistakes up to a round, by model, trial and round.
type mistakeCounts map[selection.Model][][]float64

func countMistakes(src *source.Source, d *plan.Dataset, shown []source.Series, checkpoint int,
	rounds []int) ([]mistakeCounts, error) {
	counts := make([]mistakeCounts, len(shown))
	for k := range counts {
		counts[k] = mistakeCounts{}
	}
	for i := range d.Trials {
		models, err := src.ChosenModels(shown, d, checkpoint, d.Trials[i].Trial)
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

// upTo returns, for each round, how many elements of samples are at most the round. samples must ascend.
func upTo(rounds []int, samples []int32) []float64 {
	counts := make([]float64, len(rounds))
	for i, t := range rounds {
		n, _ := slices.BinarySearch(samples, int32(t)+1)
		counts[i] = float64(n)
	}
	return counts
}
