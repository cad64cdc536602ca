package figurekinds

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/io/message"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
	"graphda/jobs/selection"
)

// info returns the name, title and caption of a report's figure. It adds the selection rule to the caption.
func info(src *source.Source, r *experiment.Report, caption string) figures.Info {
	caption += fmt.Sprintf(" Hyperparameters by rule %s: %s", src.Summary.Rule, src.Summary.Rule.Describe())
	caption += count(src, r)
	if slices.ContainsFunc(src.Datasets(r), func(d *plan.Dataset) bool { return d.Overlap() != 0 }) {
		caption += " The trials split the same samples, so they are not independent."
	}
	return figures.Info{Name: r.Name, Title: src.Title(r), Caption: caption}
}

// count says how many trials the report's figure has, and how many results are missing.
func count(src *source.Source, r *experiment.Report) string {
	least, most, missing := math.MaxInt, 0, 0
	for _, d := range src.Datasets(r) {
		least, most = min(least, len(d.Trials)), max(most, len(d.Trials))
		for i := range src.Summary.Groups {
			if g := &src.Summary.Groups[i]; g.Dataset == d.Name {
				missing += g.Missing + g.Failed
			}
		}
	}
	lack := "no result is"
	if missing > 0 {
		lack = message.Count(missing, "result")
	}
	return fmt.Sprintf(" Of %s; %s missing.", source.CountTrials(least, most), lack)
}

func mostTrials(src *source.Source, r *experiment.Report) (most int) {
	for _, d := range src.Datasets(r) {
		most = max(most, len(d.Trials))
	}
	return most
}

func lineOf(s source.Series, errors figures.Errors) figures.Line {
	return figures.Line{Key: s.Key(), Label: s.Legend(), Errors: errors}
}

// Figures returns a Printer for a function that draws figures. If the function returns a NotDrawn, the report shows the
// reason.
func Figures(draw func(*source.Source, *experiment.Report) ([]figures.Figure, error)) source.Printer {
	return func(src *source.Source, rep *experiment.Report) ([]source.Printed, error) {
		p := source.Printed{Report: *rep}
		var err error
		var reason *source.NotDrawn
		if p.Figures, err = draw(src, rep); errors.As(err, &reason) {
			p.NotDrawn = reason.Error()
		} else if err != nil {
			return nil, err
		} else if len(p.Figures) == 0 {
			p.NotDrawn = "the run has none of its trials"
		} else if !slices.ContainsFunc(p.Figures, shows) {
			p.Figures, p.NotDrawn = nil, "no result has a value of "+cmp.Or(rep.Measure, rep.Kind)
		}
		p.Lacks = src.Lacks()
		if p.Figures != nil && rep.Kind != "truth" { // the picture of the truth does not depend on trials
			p.Warnings = tablekinds.FewTrials(rep.Name, mostTrials(src, rep))
		}
		return []source.Printed{p}, nil
	}
}

// shows reports whether a figure shows anything. A chart without any point shows nothing.
func shows(f figures.Figure) bool {
	chart, is := f.(*figures.Chart)
	return !is || slices.ContainsFunc(chart.Panels, func(p figures.Panel) bool {
		return slices.ContainsFunc(p.Lines, func(l figures.Line) bool {
			return slices.ContainsFunc(l.Points, func(at figures.Point) bool { return at.Y-at.Y == 0 })
		})
	})
}

// A coverage adds points to a panel's lines. Each point is a mean over trials, and the coverage records the fewest
// trials.
type coverage struct{ fewest, planned int } // 0 if no point lacks trials

// add appends a point to the line l, with the measure's mean in the group g as y.
func (c *coverage) add(l *figures.Line, x float64, g *merge.Group, measure string, m selection.Model) {
	s := g.Stat(measure, m)
	l.Points = append(l.Points, figures.Point{X: x, Y: s.Mean, Err: s.Std})
	c.enter(s.N, len(g.Choices))
}

func (c *coverage) enter(trials, planned int) {
	if trials > 0 && trials < planned && (c.fewest == 0 || trials < c.fewest) {
		c.fewest, c.planned = trials, planned
	}
}

// mark adds the smallest number of trials to the panel's title if some point lacks trials.
func (c *coverage) mark(p *figures.Panel) {
	if c.fewest == 0 {
		return
	}
	of := fmt.Sprintf(" (of %d of %d trials)", c.fewest, c.planned)
	p.Title += of
	if p.Name != "" {
		p.Name += of
	}
}

// meanCurve adds the mean of the curves at each round as a point.
func meanCurve(line figures.Line, rounds []int, curves [][]float64) figures.Line {
	if len(curves) == 0 {
		return line
	}
	values := make([]float64, len(curves))
	for k, round := range rounds {
		for i := range curves {
			values[i] = curves[i][k]
		}
		mean, std := stat.PopMeanStdDev(values, nil)
		line.Points = append(line.Points, figures.Point{X: float64(round), Y: mean, Err: std})
	}
	return line
}
