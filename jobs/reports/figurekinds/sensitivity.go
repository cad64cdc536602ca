package figurekinds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
	"graphda/jobs/selection"
)

// A profile holds a series' results at each value of one hyperparameter.
type profile struct {
	source.Series
	merge.Profile
}

// Sensitivities shows, for each value of each hyperparameter, the best and the median result over all settings of the
// other hyperparameters. It makes a table for each dataset, and a panel for each method and hyperparameter.
func Sensitivities(src *source.Source, r *experiment.Report) ([]source.Printed, error) {
	e := tablekinds.Of(selection.W, r.Measure)
	caption := fmt.Sprintf("%s of w after %d training samples, for each hyperparameter that varies in a method's grid. "+
		"At each value of the hyperparameter, the best and the median of all cells with that value, by the same measure. "+
		"Means over trials; bands are standard deviations over trials.", e.Label(), src.Checkpoint(r))
	chart := &figures.Chart{Columns: r.Columns, SharedY: comparable(r.Measure)}
	var printed []source.Printed
	datasets := src.Datasets(r)
	for _, d := range datasets {
		found := profilesOn(src, r, d.Name)
		if len(found) == 0 {
			printed = append(printed, source.Printed{Report: *r, NotDrawn: "no hyperparameter varies in the grids on " + d.Name})
			continue
		}
		printed = append(printed, source.TableOf(r, d.Name, sensitivityTable(tablekinds.OptionsOf(src, r, d.Name), e, found)))
		for i := range found {
			panel := sensitivityPanel(r, d, &found[i])
			if len(datasets) > 1 {
				panel.Name, panel.Title = d.Name+", "+panel.Name, source.DatasetLabel(d.Name)+", "+panel.Title
			}
			chart.Panels = append(chart.Panels, panel)
		}
	}
	if n := len(chart.Panels); n > 0 {
		if chart.Columns == 0 && n > 4 {
			chart.Columns = 4
		}
		if slices.ContainsFunc(chart.Panels, func(p figures.Panel) bool { return p.Marks != nil }) {
			caption += " A dotted line marks the true sparsity."
		}
		chart.Info = figures.Info{Name: r.Name + "-curves", Title: src.Title(r) + ": curves",
			Caption: caption + count(src, r)}
		printed = append(printed, source.Printed{Report: *r, Figures: []figures.Figure{chart}})
	}
	return printed, nil
}

func profilesOn(src *source.Source, r *experiment.Report, dataset string) []profile {
	var found []profile
	for _, s := range src.Series(r) {
		for _, p := range src.Grid.Profiles(experiment.Sweep{Measure: r.Measure, Checkpoint: src.Checkpoint(r)}) {
			if p.Dataset == dataset && p.Method == s.Name && p.Variant == s.Variant {
				found = append(found, profile{s, p})
			}
		}
	}
	return found
}

func sensitivityPanel(r *experiment.Report, d *plan.Dataset, p *profile) figures.Panel {
	panel := figures.Panel{Name: p.Key() + ", " + p.Param, Title: p.Legend() + ": " + p.Param,
		YLabel: metrics.MeasureOf(r.Measure).Label()}
	for _, v := range p.Values {
		panel.XLabels = append(panel.XLabels, strconv.FormatFloat(v, 'g', -1, 64))
	}
	if at := slices.Index(p.Values, float64(d.Trials[0].Support)); p.Param == "s" && at >= 0 {
		panel.Marks = []float64{float64(at)} // the true sparsity
	}
	for _, l := range []struct {
		key   string
		stats []merge.Stat
	}{{"best", p.Best}, {"median", p.Median}} {
		line := figures.Line{Key: l.key, Label: l.key, Errors: figures.Band}
		for i, s := range l.stats {
			line.Points = append(line.Points, figures.Point{X: float64(i), Y: s.Mean, Err: s.Std})
		}
		panel.Lines = append(panel.Lines, line)
	}
	return panel
}

// sensitivityTable returns a table with a line for each hyperparameter of a method. For the best and for the median
// results, a line has the highest result, the value that gave it, and the lowest result.
func sensitivityTable(o tablekinds.Options, e tablekinds.Entry, found []profile) *table.Table {
	good, bad := "highest", "lowest"
	if e.Better < 0 {
		good, bad = bad, good
	}
	t := &table.Table{Name: o.Name, Title: o.Title,
		Subtitle: fmt.Sprintf("%s, %d training samples; %s of w, means over trials", o.Dataset, o.Checkpoint, e.Label()),
		Columns: []table.Column{{Key: "method", Head: "Method", Words: true}, {Key: "variant", Words: true, DataOnly: true},
			{Key: "parameter", Head: "Parameter", Words: true}, {Key: "values", Head: "Values"}},
		Notes: []string{
			"Best, Median: the best and the median of this measure over all cells of a trial with this value of the " +
				"hyperparameter. No selection rule is used.",
			fmt.Sprintf("%s, %s: over the values of the hyperparameter. At: the value with the %[1]s result, the first one if "+
				"there are several.",
				good, bad)}}
	for _, group := range []string{"Best", "Median"} {
		key := strings.ToLower(group)
		t.Columns = append(t.Columns, table.Column{Key: key + "_at", Group: group, Head: "at"},
			table.Column{Key: key + "_" + good, Group: group, Head: good},
			table.Column{Key: key + "_" + bad, Group: group, Head: bad})
	}
	for i := range found {
		p := &found[i]
		row := []table.Cell{table.Label(p.Legend(), p.Name), table.Word(p.Variant), table.Word(p.Param),
			table.Count(len(p.Values))}
		for _, stats := range [][]merge.Stat{p.Best, p.Median} {
			first, last := 0, 0 // indices of the best and the worst result; ties go to the first index
			for k, s := range stats {
				if float64(e.Better)*(s.Mean-stats[first].Mean) > 0 {
					first = k
				}
				if float64(e.Better)*(s.Mean-stats[last].Mean) < 0 {
					last = k
				}
			}
			row = append(row, table.Of(p.Values[first], table.Shortest), table.Of(stats[first].Mean, e.Print),
				table.Of(stats[last].Mean, e.Print))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
