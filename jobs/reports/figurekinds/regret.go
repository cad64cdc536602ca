package figurekinds

import (
	"fmt"
	"math"
	"slices"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/learners"
)

// zeroModel and rootOfT are lines that belong to no method.
var (
	zeroModel = figures.Line{Key: "w = 0", Label: "w = 0"}
	rootOfT   = figures.Line{Key: "√t", Label: "√t"}
)

const regretCaption = "Regret: a method's loss up to sample t, minus the loss of the best fixed model in hindsight. " +
	"The fixed model has %s, and its norm is at most the norm of the method's largest iterate. Each method and trial " +
	"shows one cell, chosen at the last sample. Means over trials. Bands are standard deviations; if GraphDA is shown, " +
	"only GraphDA has a band. For the model w = 0, the norm is the largest norm of all methods. The line √t starts at " +
	"the regret of w = 0 at the first sample. The axis ends at four times GraphDA's regret. The paper proves that its " +
	"two projections are equivalent and cites a bound of order √t for convex constraints. For supports on a graph, " +
	"neither the paper nor this figure shows a bound."

// RegretCurves draws each method's regret over the number of samples. There is a panel for each dataset.
func RegretCurves(src *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	on, remarks := "the true support", ""
	var panels []figures.Panel
	for _, d := range src.Datasets(r) {
		p, err := regretPanelOf(src, r, d)
		if err != nil {
			return nil, err
		}
		panels = append(panels, p.Panel)
		if p.chosen {
			on = "the chosen support (the true one is not known)"
		}
		if p.separable > 0 {
			remarks += fmt.Sprintf(" %s: in %d of %d trials the samples are separable, so without a limit on the norm the "+
				"best model's loss would be 0.", source.DatasetLabel(d.Name), p.separable, p.trials)
		}
	}
	chart := &figures.Chart{Info: info(src, r, fmt.Sprintf(regretCaption, on)+remarks), Panels: panels, Columns: r.Columns,
		Named: true}
	return []figures.Figure{chart}, nil
}

// A regretPanel is a panel, with facts for the figure's caption.
type regretPanel struct {
	figures.Panel
	chosen            bool // set if the truth is unknown, so that the best model has a chosen model's support
	separable, trials int
}

func regretPanelOf(src *source.Source, r *experiment.Report, d *plan.Dataset) (*regretPanel, error) {
	ds, err := src.Open(d)
	if err != nil {
		return nil, err
	}
	loss, err := learners.LookupLoss(src.Run.Plan.Experiment.Loss)
	if err != nil {
		return nil, err
	}
	checkpoint, shown := src.Checkpoint(r), src.Series(r)
	rounds, panel := spacedRounds(checkpoint), &regretPanel{}
	curves := make([][][]float64, len(shown)+1) // by series, trial and round; the zero model is last
	var cover coverage
	for i := range d.Trials {
		models, err := src.ChosenModels(shown, d, checkpoint, d.Trials[i].Trial)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(models, func(m *results.Model) bool { return m != nil && len(m.Losses) == 0 }) {
			return nil, source.NotDrawnf("the run has no losses of its models, because its plan has no report of kind regret")
		}
		data, err := ds.Load(d.Trials[i].Trial, samples.AnyLabels)
		if err != nil {
			return nil, err
		}
		panel.trials++
		for k, curve := range panel.trial(data, loss, models, rounds) {
			if curve != nil {
				curves[k] = append(curves[k], curve)
			}
		}
	}
	for k := range curves {
		line := zeroModel
		if k < len(shown) {
			line = lineOf(shown[k], figures.Band)
			cover.enter(len(curves[k]), panel.trials)
		}
		line = meanCurve(line, rounds, curves[k])
		if n := len(line.Points); n > 0 && line.Key == "graphda" && line.Points[n-1].Y > 0 {
			panel.YMost = 4 * line.Points[n-1].Y
		}
		panel.Lines = append(panel.Lines, line)
	}
	panel.addRoot(rounds)
	panel.Title, panel.XLabel, panel.YLabel = source.DatasetLabel(d.Name), "samples seen", "regret"
	panel.Name = d.Name
	cover.mark(&panel.Panel)
	return panel, nil
}

// trial returns each model's regret at the rounds, or nil for a missing model. The zero model's regret is last. The
// norm of the best fixed model is at most the largest norm of a learned model.
func (p *regretPanel) trial(t *samples.Trial, loss learners.Loss, models []*results.Model, rounds []int) [][]float64 {
	last := rounds[len(rounds)-1]
	y := t.Train.Y[:last]
	truth := t.Features.Support()
	var known *Comparator
	if truth != nil {
		known = NewComparator(loss, t.Train.Row, y, truth)
		free, err := learners.Hindsight(loss, t.Train.P, t.Train.Row, y, truth)
		if zero, _ := known.Least(last, 0); err == nil && free < 1e-6*zero {
			p.separable++
		}
	}
	curves := make([][]float64, len(models)+1)
	largest := 0.0
	for k, m := range models {
		if m == nil {
			continue
		}
		c := known
		if c == nil {
			p.chosen = true
			c = NewComparator(loss, t.Train.Row, y, m.W.Index)
		}
		curves[k] = regretOf(c, m.Losses, m.LargestNorm, rounds)
		largest = max(largest, m.LargestNorm)
	}
	if known != nil {
		losses := make([]float64, last)
		for i := range losses {
			losses[i], _ = loss.Eval(0, y[i])
		}
		curves[len(models)] = regretOf(known, losses, largest, rounds)
	}
	return curves
}

// regretOf returns the regret at each round. losses has the learner's loss on each sample.
func regretOf(c *Comparator, losses []float64, norm float64, rounds []int) []float64 {
	regret, suffered, t := make([]float64, len(rounds)), 0.0, 0
	for k, round := range rounds {
		for ; t < round; t++ {
			suffered += losses[t]
		}
		least, _ := c.Least(round, norm)
		regret[k] = suffered - least
	}
	return regret
}

// spacedRounds returns about 40 rounds from 1 to last, closer together at the start, where regret bends.
func spacedRounds(last int) []int {
	const points = 40
	var rounds []int
	for k := range points {
		share := float64(k) / (points - 1)
		rounds = append(rounds, 1+int(math.Round(share*share*float64(last-1))))
	}
	return slices.Compact(rounds)
}

// addRoot adds a line proportional to √t. It begins at the zero model's regret.
func (p *regretPanel) addRoot(rounds []int) {
	line := rootOfT
	zero := p.Lines[len(p.Lines)-1].Points
	if len(zero) == 0 || !(zero[0].Y > 0) {
		return
	}
	for _, t := range rounds {
		line.Points = append(line.Points, figures.Point{X: float64(t), Y: zero[0].Y * math.Sqrt(float64(t))})
	}
	p.Lines = append(p.Lines, line)
}
