package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"graphda/graph"
	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/selection"
	"graphda/learners"
)

// A NotDrawn says why a report has no figure. The report does not fail.
type NotDrawn struct{ reason string }

func (e *NotDrawn) Error() string { return e.reason }

// NotDrawnf makes a NotDrawn.
func NotDrawnf(format string, args ...any) error { return &NotDrawn{fmt.Sprintf(format, args...)} }

// A Source is a merged run.
type Source struct {
	Run     *run.Run
	Grid    *merge.Grid
	Summary *merge.Summary
	// AsPublished is the summary for comparisons with published numbers.
	AsPublished *merge.Summary
	// ByTruth is the summary by the rule "paper". It is nil if Summary already has this rule, or if the
	// rule ignores the truth.
	ByTruth *merge.Summary

	// The following fields are the state of the current report.
	lacking int           // number of missing models
	lost    map[int]error // by task number: why the task's models cannot be read
}

// Title returns the report's title, the experiment's title or a name. It marks the quick form with ", reduced".
func (src *Source) Title(r *experiment.Report) string {
	e := src.Run.Plan.Experiment
	title := cmp.Or(r.Title, e.Title, r.Name, e.Name)
	if r.Title == "" && title == e.Title && r.Name != "" && len(e.Reports) > 1 {
		title += " (" + r.Name + ")"
	}
	if e.Scale == experiment.ScaleQuick {
		title += ", reduced"
	}
	return title
}

// Datasets returns the datasets of the report r, in its order.
func (src *Source) Datasets(r *experiment.Report) []*plan.Dataset {
	named, wanted := src.Run.Plan.Experiment.Datasets, r.Datasets
	if len(wanted) == 0 {
		wanted = named
	}
	found := make([]*plan.Dataset, len(wanted))
	for i, name := range wanted {
		found[i] = &src.Run.Plan.Datasets[slices.Index(named, name)]
	}
	return found
}

// Checkpoint returns the checkpoint of the report r. The default is the last checkpoint.
func (src *Source) Checkpoint(r *experiment.Report) int {
	if r.Checkpoint != 0 {
		return r.Checkpoint
	}
	return src.Run.Plan.Checkpoints[len(src.Run.Plan.Checkpoints)-1]
}

// Methods returns the methods in the report r, in the registry's order.
func (src *Source) Methods(r *experiment.Report) []*learners.Method {
	var shown []*learners.Method
	all := slices.Clone(learners.Methods)
	for _, g := range src.Run.Plan.Experiment.Programs() {
		m, _ := g.Lookup() // cannot fail for a program
		all = append(all, m)
	}
	for _, m := range all {
		planned := slices.ContainsFunc(src.Run.Plan.Experiment.Methods,
			func(g experiment.Grid) bool { return g.Method == m.Name })
		if planned && (len(r.Methods) == 0 || slices.Contains(r.Methods, m.Name)) {
			shown = append(shown, m)
		}
	}
	return shown
}

// Trials returns the trials of d that the report r shows one by one. The default is the first trial.
func (src *Source) Trials(r *experiment.Report, d *plan.Dataset) []int {
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

// Structure reads a trial's features and graph.
func (src *Source) Structure(d *plan.Dataset, trial int) (*samples.Features, *graph.Graph, error) {
	ds, err := src.Open(d)
	if err != nil {
		return nil, nil, err
	}
	return ds.LoadStructure(trial)
}

// Open opens the samples of a dataset. A file of chosen rows has no samples, so Open then returns a NotDrawn.
func (src *Source) Open(d *plan.Dataset) (*samples.Dataset, error) {
	if d.Dir == "" {
		return nil, NotDrawnf("a file of chosen rows does not have the samples of %s; merge the folder of the run", d.Name)
	}
	return samples.Open(d.Dir)
}

// KeptModels reads the models of the given rows of a trial. If it cannot read a task's models, it stores the reason in
// src.lost.
func (src *Source) KeptModels(d *plan.Dataset, trial int, rows []*merge.ChosenRow) map[results.Key]*results.Model {
	kept := map[results.Key]*results.Model{}
	for _, row := range rows {
		if row != nil {
			kept[row.Key()] = nil
		}
	}
	for _, t := range src.Run.Tasks {
		if len(kept) == 0 || t.Trial != trial || &src.Run.Plan.Datasets[t.Dataset] != d {
			continue
		}
		models, err := src.Run.Models(t)
		if errors.Is(err, fs.ErrNotExist) {
			continue // not sealed
		}
		if err != nil {
			src.lost[t.Number] = err
		}
		for i := range models {
			if _, wanted := kept[models[i].Key()]; wanted {
				kept[models[i].Key()] = &models[i]
			}
		}
	}
	return kept
}

// Begin forgets which models were missing. Call Begin before each report.
func (src *Source) Begin() { src.lacking, src.lost = 0, map[int]error{} }

// Lacks says how many models the current report lacks, and why, or returns "".
func (src *Source) Lacks() string {
	if src.lacking == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of the models chosen for it are missing: ", src.lacking)
	tasks := slices.Sorted(maps.Keys(src.lost))
	switch n := len(tasks); n {
	case 0:
		text += "their tasks are not finished"
	case 1:
		text += src.lost[tasks[0]].Error()
	default:
		text += fmt.Sprintf("%v, and %d more like it", src.lost[tasks[0]], n-1)
	}
	return text + "; gdrun local learns them again"
}

// Oracle tells whether the method knows the true support. Reports show such a method, but never rank it.
func Oracle(m *learners.Method) bool { return m.Needs&learners.NeedsTruth != 0 }

// A Series is a method or a variant of a method.
type Series struct {
	*learners.Method
	Variant string // see merge.Series
}

// Key returns the name that identifies the series, also in figures.
func (s Series) Key() string { return strings.TrimSpace(s.Name + " " + s.Variant) }

// Legend returns the name of the series for readers.
func (s Series) Legend() string {
	label := s.Label
	if Oracle(s.Method) {
		label += " (oracle)"
	}
	return strings.TrimSpace(label + " " + s.Variant)
}

// Group returns the results of the series in a summary, or nil.
func (s Series) Group(from *merge.Summary, dataset string, checkpoint int) *merge.Group {
	for _, g := range from.Variants(dataset, checkpoint, s.Name) {
		if g.Variant == s.Variant {
			return g
		}
	}
	return nil
}

// Series returns the series in the report r, in the registry's order of methods.
func (src *Source) Series(r *experiment.Report) []Series {
	var shown []Series
	for _, m := range src.Methods(r) {
		var variants []string
		for i := range src.Summary.Groups {
			g := &src.Summary.Groups[i]
			if g.Method == m.Name && !slices.Contains(variants, g.Variant) {
				variants = append(variants, g.Variant)
			}
		}
		for _, v := range variants {
			shown = append(shown, Series{m, v})
		}
	}
	return shown
}

// ChosenModels returns the model w of each series' chosen cell in one trial. It loads one trial, because the models of
// all trials take gigabytes. A model is nil if no cell was chosen, or if the model is missing. Tasks store only models
// that the experiment's own rules choose, so a missing model of another rule is an error.
func (src *Source) ChosenModels(shown []Series, d *plan.Dataset, checkpoint, trial int) ([]*results.Model, error) {
	rows := make([]*merge.ChosenRow, len(shown))
	for k, s := range shown {
		rows[k] = src.choice(s, d.Name, checkpoint, trial)
	}
	kept := src.KeptModels(d, trial, rows)
	models := make([]*results.Model, len(shown))
	for k, row := range rows {
		if row == nil {
			continue
		}
		if models[k] = kept[row.Key()]; models[k] != nil {
			continue
		}
		if !slices.Contains(src.Run.Plan.Experiment.Selection, src.Summary.Rule.Name()) {
			return nil, NotDrawnf("the run has no model of %s on %s, trial %d, at %d for rule %s; it saves models only for the "+
				"experiment's rules, %s", shown[k].Legend(), d.Name, trial, checkpoint, src.Summary.Rule,
				strings.Join(src.Run.Plan.Experiment.Selection, ", "))
		}
		if src.Run.FromFile() {
			return nil, NotDrawnf("a file of chosen rows has no models; merge the folder of the run")
		}
		src.lacking++
	}
	return models, nil
}

// choice returns the row that was chosen for w in a trial, or nil.
func (src *Source) choice(s Series, dataset string, checkpoint, trial int) *merge.ChosenRow {
	g := s.Group(src.Summary, dataset, checkpoint)
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

// Without returns the variant's text without the given parameter.
func Without(variant, parameter string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(variant), func(setting string) bool {
		return strings.HasPrefix(setting, parameter+"=")
	}), " ")
}

// Measures tells whether a series in the report r has values of the named measure.
func (src *Source) Measures(r *experiment.Report, name string) bool {
	for _, d := range src.Datasets(r) {
		for _, s := range src.Series(r) {
			if g := s.Group(src.Summary, d.Name, src.Checkpoint(r)); g != nil && g.Stat(name, selection.W).N > 0 {
				return true
			}
		}
	}
	return false
}
