package figurekinds

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"graphda/io/message"
	"graphda/io/samples"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
)

// listedFeatures is how many features are printed: the ones selected most often. Data files have all.
const listedFeatures = 60

// A stable is how often a series selected each feature of a dataset, by the chosen cells.
type stable struct {
	source.Series
	counts []float64 // trials, by feature
	trials int       // with a model
}

// Stabilities shows how often each feature was selected over the trials: a table for each dataset,
// and pictures where the features have places.
func Stabilities(mk *source.Source, r *experiment.Report) ([]source.Printed, error) {
	caption := fmt.Sprintf("How often the chosen cells selected each feature over the trials, after %d training samples: "+
		"black: never, white: in as many trials as the most selected one.", mk.Checkpoint(r))
	pictures := &figures.Pictures{Info: info(mk, r, caption), Columns: []string{"w*"}}
	for _, s := range mk.Series(r) {
		pictures.Columns = append(pictures.Columns, s.Legend())
	}
	var printed []source.Printed
	for _, d := range mk.Datasets(r) {
		f, found, err := stabilityOn(mk, r, d)
		if err != nil {
			return nil, err
		}
		made := stabilityTable(tablekinds.OptionsOf(mk, r, d.Name), f, found)
		if mk.Grid.Overlap(d.Name) != 0 {
			made.Notes = append(made.Notes, "The trials are splits of the same samples: a high count says how steady a "+
				"choice is, and is no evidence that the feature matters.")
		}
		all := *made
		if n := len(all.Rows); n > listedFeatures {
			made.Rows = made.Rows[:listedFeatures]
			made.Notes = append(made.Notes, fmt.Sprintf("The %d selected most often, of %d; all are in %s-all.csv.",
				listedFeatures, n, made.Name))
		}
		p := source.TableOf(r, d.Name, made)
		p.Add(source.Data, "-all", &all)
		printed = append(printed, p)
		row := make([]figures.Picture, 1, len(found)+1)
		if row[0], err = image(f, f.Truth, figures.Intensity); err != nil {
			return nil, fmt.Errorf("dataset %s: %w", d.Name, err)
		}
		for _, s := range found {
			p, err := image(f, s.counts, figures.Intensity)
			if err != nil {
				return nil, fmt.Errorf("dataset %s: %w", d.Name, err)
			}
			p.Note = fmt.Sprintf("at most %.0f of %d", slices.Max(s.counts), s.trials)
			row = append(row, p)
		}
		if f.Row != nil {
			pictures.Rows, pictures.Cells = append(pictures.Rows, source.DatasetLabel(d.Name)), append(pictures.Cells, row)
		}
	}
	if len(pictures.Rows) > 0 {
		pictures.Name += "-pictures"
		pictures.Title += ": pictures"
		printed = append(printed, source.Printed{Report: *r, Figures: []figures.Figure{pictures}, Lacks: mk.Lacks()})
	}
	return printed, nil
}

// stabilityOn counts the selections of a dataset's trials, whose features are the same.
func stabilityOn(mk *source.Source, r *experiment.Report, d *plan.Dataset) (*samples.Features, []stable, error) {
	f, _, err := mk.Structure(d, d.Trials[0].Trial)
	if err != nil {
		return nil, nil, err
	}
	shown := mk.Series(r)
	found := make([]stable, len(shown))
	for k, s := range shown {
		found[k] = stable{Series: s, counts: make([]float64, len(f.Names))}
	}
	for i := range d.Trials {
		models, err := mk.ChosenModels(shown, d, mk.Checkpoint(r), d.Trials[i].Trial)
		if err != nil {
			return nil, nil, err
		}
		for k, model := range models {
			if model == nil {
				continue
			}
			if model.P != len(f.Names) {
				return nil, nil, errors.New("the trials have features of their own; stability compares the same ones")
			}
			found[k].trials++
			for _, j := range model.W.Index {
				found[k].counts[j]++
			}
		}
	}
	return f, found, nil
}

// stabilityTable lists the selected features, the most often selected by all series together first; among equals the
// true ones first.
func stabilityTable(o tablekinds.Options, f *samples.Features, found []stable) *table.Table {
	t := &table.Table{Name: o.Name, Title: o.Title,
		Subtitle: fmt.Sprintf("%s, %d training samples; trials in which each feature was selected", o.Dataset, o.Checkpoint),
		Columns:  []table.Column{{Key: "feature", Head: "Feature", Words: true}, {Key: "true", Head: "True", Words: true}},
		Notes:    []string{"Selected: with a nonzero weight in w of the chosen cell."}}
	trials, sums, order := 0, make([]float64, len(f.Names)), []int{}
	for _, s := range found {
		t.Columns = append(t.Columns, table.Column{Key: s.Key(), Head: s.Legend()})
		trials = max(trials, s.trials)
		for j, n := range s.counts {
			sums[j] += n
		}
	}
	truth := func(j int) float64 {
		if f.Truth != nil && f.Truth[j] != 0 {
			return 1
		}
		return 0
	}
	for j, n := range sums {
		if n > 0 {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(truth(b), truth(a)))
	})
	t.Subtitle += fmt.Sprintf(", of %s", message.Count(trials, "trial"))
	for _, j := range order {
		mark := ""
		if truth(j) > 0 {
			mark = "yes"
		}
		row := []table.Cell{table.Word(f.Names[j]), table.Word(mark)}
		for _, s := range found {
			row = append(row, table.Count(int(s.counts[j])))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
