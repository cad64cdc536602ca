package reports

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"graphda/graph"
	"graphda/io/plain"
	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/run"
	"graphda/jobs/selection"
	"graphda/jobs/usage"
	"graphda/learners"
)

// A notDrawn is why a figure cannot be drawn of results that are otherwise good. It is a
// warning to the report's reader, not a failure of the report.
type notDrawn struct{ reason string }

func (e *notDrawn) Error() string { return e.reason }

// A figureMaker draws the figures of a report, or says with a notDrawn why it cannot.
type figureMaker func(*maker, *experiment.Report) ([]figures.Figure, error)

// A maker holds what reports are made from.
type maker struct {
	run     *run.Run
	grid    *merge.Grid
	summary *merge.Summary
	// asPublished is by the rule by which numbers are compared with published ones.
	asPublished *merge.Summary
	// byTruth is by rule paper where that is not the reports' rule and chooses by the truth, else nil.
	byTruth *merge.Summary

	// Of the report at hand:
	lacking int           // chosen models that are not there
	lost    map[int]error // by number of the task: why its models cannot be had
}

// title returns a report's title, or its experiment's, with the report's name if it has several;
// else their names. Of a reduced
// experiment it says so.
func (mk *maker) title(r *experiment.Report) string {
	e := mk.run.Plan.Experiment
	title := cmp.Or(r.Title, e.Title, r.Name, e.Name)
	if title == e.Title && r.Name != "" && len(e.Reports) > 1 {
		title += " (" + r.Name + ")"
	}
	if e.Scale == experiment.ScaleQuick {
		title += ", reduced"
	}
	return title
}

// info names a figure of a report, and says how hyperparameters were chosen.
func (mk *maker) info(r *experiment.Report, caption string) figures.Info {
	caption += fmt.Sprintf(" Hyperparameters by rule %s: %s", mk.summary.Rule, mk.summary.Rule.Describe())
	caption += mk.count(r)
	if slices.ContainsFunc(mk.datasets(r), func(d string) bool { return mk.grid.Overlap(d) != 0 }) {
		caption += " Trials of the same samples, split otherwise, are not independent."
	}
	return figures.Info{Name: r.Name, Title: mk.title(r), Caption: caption}
}

// count tells of how many trials a figure of a report is, and what is missing of its results.
func (mk *maker) count(r *experiment.Report) string {
	names := mk.datasets(r)
	least, most, missing := math.MaxInt, 0, 0
	for i := range mk.run.Plan.Datasets {
		if d := &mk.run.Plan.Datasets[i]; slices.Contains(names, d.Name) {
			least, most = min(least, len(d.Trials)), max(most, len(d.Trials))
		}
	}
	for i := range mk.summary.Groups {
		if g := &mk.summary.Groups[i]; slices.Contains(names, g.Dataset) {
			missing += g.Missing + g.Failed
		}
	}
	trials := plain.Count(most, "trial")
	if least < most {
		trials = fmt.Sprintf("%d to %s", least, trials)
	}
	if missing == 0 {
		return fmt.Sprintf(" Of %s; no result is missing.", trials)
	}
	return fmt.Sprintf(" Of %s; %s missing.", trials, plain.Count(missing, "result"))
}

// datasets returns the names of a report's datasets, in its order. An experiment may have paths in their place.
func (mk *maker) datasets(r *experiment.Report) []string {
	plan := mk.run.Plan
	named, wanted := plan.Experiment.Datasets, r.Datasets
	if len(wanted) == 0 {
		wanted = named
	}
	var names []string
	for _, name := range wanted {
		if i := slices.Index(named, name); i >= 0 && i < len(plan.Datasets) {
			name = plan.Datasets[i].Name
		}
		names = append(names, name)
	}
	return names
}

// checkpoint returns a report's checkpoint, or the last one.
func (mk *maker) checkpoint(r *experiment.Report) int {
	if r.Checkpoint != 0 {
		return r.Checkpoint
	}
	return mk.run.Plan.Checkpoints[len(mk.run.Plan.Checkpoints)-1]
}

// methods returns the methods that a report shows, in the registry's order.
func (mk *maker) methods(r *experiment.Report) []*learners.Method {
	var shown []*learners.Method
	for _, m := range learners.Methods {
		planned := slices.ContainsFunc(mk.run.Plan.Experiment.Methods,
			func(g experiment.Grid) bool { return g.Method == m.Name })
		if planned && (len(r.Methods) == 0 || slices.Contains(r.Methods, m.Name)) {
			shown = append(shown, m)
		}
	}
	return shown
}

// trials returns the trials that a report shows one by one, of those planned; the first if
// it names none.
func (mk *maker) trials(r *experiment.Report, d *plan.Dataset) []int {
	var found []int
	for _, t := range d.Trials {
		if slices.Contains(r.Trials, t.Trial) {
			found = append(found, t.Trial)
		}
	}
	if len(r.Trials) == 0 && len(d.Trials) > 0 {
		found = []int{d.Trials[0].Trial}
	}
	return found
}

// dataset returns the planned dataset of a name.
func (mk *maker) dataset(name string) (*plan.Dataset, error) {
	for i := range mk.run.Plan.Datasets {
		if d := &mk.run.Plan.Datasets[i]; d.Name == name {
			return d, nil
		}
	}
	return nil, usage.Errorf("dataset %s is not part of the plan", name)
}

// structure reads a trial's features and graph.
func (mk *maker) structure(d *plan.Dataset, trial int) (*samples.Features, *graph.Graph, error) {
	ds, err := samples.Open(d.Dir)
	if err != nil {
		return nil, nil, err
	}
	return ds.LoadStructure(trial)
}

// keepsModels tells whether tasks keep the models that the summary's rule chooses.
func (mk *maker) keepsModels() bool {
	return slices.Contains(mk.run.Plan.Experiment.Selection, mk.summary.Rule.Name())
}

// keptModels reads, of the models that the sealed tasks of a trial kept, those of the given rows.
// Of which tasks they cannot be had, and why, is noted.
func (mk *maker) keptModels(d *plan.Dataset, trial int, rows []*results.Row) map[results.Key]*results.Model {
	kept := map[results.Key]*results.Model{}
	for _, row := range rows {
		if row != nil {
			kept[row.Key()] = nil
		}
	}
	for _, t := range mk.run.Tasks {
		if len(kept) == 0 || t.Trial != trial || &mk.run.Plan.Datasets[t.Dataset] != d {
			continue
		}
		models, err := mk.run.Models(t)
		if errors.Is(err, fs.ErrNotExist) {
			continue // not sealed yet
		}
		if err != nil {
			mk.lost[t.Number] = err
		}
		for i := range models {
			if _, wanted := kept[models[i].Key()]; wanted {
				kept[models[i].Key()] = &models[i]
			}
		}
	}
	return kept
}

// lacks says what is lacking of the models that the report at hand is drawn from; nothing if
// all are there.
func (mk *maker) lacks() string {
	if mk.lacking == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of the models chosen for it are not there: ", mk.lacking)
	tasks := slices.Sorted(maps.Keys(mk.lost))
	switch n := len(tasks); n {
	case 0:
		text += "their tasks are not sealed"
	case 1:
		text += mk.lost[tasks[0]].Error()
	default:
		text += fmt.Sprintf("%v, and %d more like it", mk.lost[tasks[0]], n-1)
	}
	return text + "; gdrun local learns them again"
}

// A series is a method, or one of its variants, as a line or a row of pictures.
type series struct {
	*learners.Method
	variant string // see merge.Series
}

// key tells the series apart; the look of a method in figures depends on it.
func (s series) key() string { return strings.TrimSpace(s.Name + " " + s.variant) }

func (s series) label() string {
	label := s.Label
	if s.Needs&learners.NeedsTruth != 0 {
		label += " (oracle)"
	}
	return strings.TrimSpace(label + " " + s.variant)
}

// line returns the line of the series, without points.
func (s series) line() figures.Line { return figures.Line{Key: s.key(), Label: s.label()} }

// group returns the series' group of a summary, or nil.
func (s series) group(from *merge.Summary, dataset string, checkpoint int) *merge.Group {
	for _, g := range from.Variants(dataset, checkpoint, s.Name) {
		if g.Variant == s.variant {
			return g
		}
	}
	return nil
}

// series returns the series that a report shows, in the registry's order of methods.
func (mk *maker) series(r *experiment.Report) []series {
	var shown []series
	for _, m := range mk.methods(r) {
		var variants []string
		for i := range mk.summary.Groups {
			g := &mk.summary.Groups[i]
			if g.Method == m.Name && !slices.Contains(variants, g.Variant) {
				variants = append(variants, g.Variant)
			}
		}
		for _, v := range variants {
			shown = append(shown, series{m, v})
		}
	}
	return shown
}

// chosenModels returns, by series, the models w of the cells chosen in a trial; nil where nothing was
// chosen or the model is not there, which is counted. One trial's models are in memory at a time: those
// of all take gigabytes. Tasks keep the models that the experiment's own rules would choose: of another
// rule it is an error.
func (mk *maker) chosenModels(shown []series, d *plan.Dataset, checkpoint, trial int) ([]*results.Model, error) {
	rows := make([]*results.Row, len(shown))
	for k, s := range shown {
		rows[k] = mk.choice(s, d.Name, checkpoint, trial)
	}
	kept := mk.keptModels(d, trial, rows)
	models := make([]*results.Model, len(shown))
	for k, row := range rows {
		if row == nil {
			continue
		}
		if models[k] = kept[row.Key()]; models[k] != nil {
			continue
		}
		if !mk.keepsModels() {
			return nil, &notDrawn{fmt.Sprintf("no model of %s on %s, trial %d, at %d was kept for rule %s; they are kept "+
				"for the experiment's own rules, %s", shown[k].label(), d.Name, trial, checkpoint, mk.summary.Rule,
				strings.Join(mk.run.Plan.Experiment.Selection, ", "))}
		}
		mk.lacking++
	}
	return models, nil
}

// choice returns what the summary's rule chose for w in a trial, nil if nothing.
func (mk *maker) choice(s series, dataset string, checkpoint, trial int) *results.Row {
	g := s.group(mk.summary, dataset, checkpoint)
	if g == nil {
		return nil
	}
	for i := range g.Choices {
		if g.Choices[i].Trial == trial {
			return g.Choices[i].Row(selection.W)
		}
	}
	return nil
}
