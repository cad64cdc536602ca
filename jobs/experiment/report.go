package experiment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"graphda/jobs/metrics"
	"graphda/jobs/selection"
	"graphda/learners"
)

// A Report is a table or a figure of an experiment's results. If a report has only a name, the other keys come from the
// experiment that `like:` names.
type Report struct {
	Name       string   `yaml:"name" json:"name"`
	Kind       string   `yaml:"kind" json:"kind"`                       // name of a registered kind
	Title      string   `yaml:"title" json:"title,omitempty"`           // "" means the experiment's title
	Datasets   []string `yaml:"datasets" json:"datasets,omitempty"`     // if empty, all
	Methods    []string `yaml:"methods" json:"methods,omitempty"`       // if empty, all
	Trials     []int    `yaml:"trials" json:"trials,omitempty"`         // if empty, the first trial
	Checkpoint int      `yaml:"checkpoint" json:"checkpoint,omitempty"` // number of samples; 0 means the last checkpoint
	Measure    string   `yaml:"measure" json:"measure,omitempty"`       // on the vertical axis, such as f1
	Parameter  string   `yaml:"parameter" json:"parameter,omitempty"`   // on the horizontal axis, such as s
	Models     []string `yaml:"models" json:"models,omitempty"`         // w, wbar or both; if empty, only w
	Log        bool     `yaml:"log" json:"log,omitempty"`               // makes the vertical axis logarithmic
	Columns    int      `yaml:"columns" json:"columns,omitempty"`       // columns of panels; 0 means automatic
	Published  string   `yaml:"published" json:"published,omitempty"`   // published table to compare with
}

// isNumber reports whether any method has a numeric parameter of this name.
func isNumber(parameter string) bool {
	for _, m := range learners.Methods {
		if p, err := m.Param(parameter); err == nil && p.Words == nil {
			return true
		}
	}
	return false
}

// Anchor returns the HTML anchor of a report, given by name.
func Anchor(name string) string { return strings.ReplaceAll(name, ".", "-") }

// A Kind is a kind of report in experiment files. Package reports makes the reports.
type Kind struct {
	Name     string
	Needs    []string // required keys, besides name and kind
	Takes    []string // optional keys, besides the keys of every report
	Labels   bool     // set if the loss must predict labels
	Numbers  bool     // set if the loss must predict numbers
	Traces   bool     // set if reports need the chosen models' traces (results.Trace)
	Sweeps   bool     // set if reports need the scores of all settings (see Sweep)
	Curve    bool     // set if reports draw a measure over all checkpoints
	Datasets int      // smallest allowed number of datasets; 0 means 1
}

var registered []Kind

// TracedAt returns the checkpoints at which reports need the chosen models' traces. 0 means the last checkpoint.
func (e *Experiment) TracedAt() []int {
	var at []int
	for i := range e.Reports {
		if r := &e.Reports[i]; r.kind().Traces {
			at = append(at, r.Checkpoint)
		}
	}
	return at
}

// A Sweep is a measure of w at a checkpoint, as a function of each hyperparameter.
type Sweep struct {
	Measure    string // one of metrics.MeasureNames
	Checkpoint int
}

// Sweeps returns the sweeps that reports need. 0 means the last checkpoint.
func (e *Experiment) Sweeps() []Sweep {
	var asked []Sweep
	for i := range e.Reports {
		if r := &e.Reports[i]; r.kind().Sweeps {
			asked = append(asked, Sweep{Measure: r.Measure, Checkpoint: r.Checkpoint})
		}
	}
	return asked
}

// CurvesAt returns the reports that draw a measure over all checkpoints, or nil if another report uses the given
// checkpoint. `alone` is true if only these curves use the checkpoint. The last checkpoint always has other uses.
func (e *Experiment) CurvesAt(checkpoint, last int) (curves []Report, alone bool) {
	for _, r := range e.AllReports() {
		switch {
		case r.kind().Curve:
			curves = append(curves, r)
		case checkpoint == cmp.Or(r.Checkpoint, last):
			return nil, false
		}
	}
	return curves, checkpoint != last
}

// ShownModels returns the models with the given names, in table order. The default is w.
func ShownModels(names []string) []selection.Model {
	var shown []selection.Model
	for _, m := range selection.Models {
		if slices.Contains(names, m.Name()) {
			shown = append(shown, m)
		}
	}
	if len(shown) == 0 {
		return []selection.Model{selection.W}
	}
	return shown
}

// Swept reports whether any report needs the scores of all settings of a method on a dataset at a checkpoint. `last` is
// the run's last checkpoint.
func (e *Experiment) Swept(dataset, method string, checkpoint, last int) bool {
	return slices.ContainsFunc(e.Reports, func(r Report) bool {
		return checkpoint == cmp.Or(r.Checkpoint, last) && r.kind().Sweeps &&
			(len(r.Methods) == 0 || slices.Contains(r.Methods, method)) &&
			(len(r.Datasets) == 0 || slices.ContainsFunc(r.Datasets, func(d string) bool { return filepath.Base(d) == dataset }))
	})
}

// Apart returns the experiment as JSON without datasets, trials and file name.
func (e *Experiment) Apart() string {
	other := *e
	other.Datasets, other.Trials, other.File = nil, nil, ""
	text, err := json.Marshal(other)
	if err != nil {
		panic("experiment: " + err.Error()) // cannot happen with texts and numbers
	}
	return string(text)
}

func (e *Experiment) tooFew(r *Report) bool {
	return len(firstNonEmpty(r.Datasets, e.Datasets)) < r.kind().Datasets
}

// retired lists the kinds of reports that only version 0.1.0 made.
var retired = []string{"cost", "pairs", "stability"}

// DropRetired removes the reports of retired kinds, which some plans in docs/results have.
func (e *Experiment) DropRetired() {
	e.Reports = slices.DeleteFunc(e.Reports, func(r Report) bool { return slices.Contains(retired, r.Kind) })
}

// Register adds a kind of reports that experiment files may have.
func Register(k Kind) { registered = append(registered, k) }

func lookupKind(name string) (*Kind, error) {
	var known []string
	for i := range registered {
		if registered[i].Name == name {
			return &registered[i], nil
		}
		known = append(known, registered[i].Name)
	}
	return nil, fmt.Errorf("unknown kind %q; known: %s", name, strings.Join(known, ", "))
}

func (r *Report) kind() Kind {
	if k, err := lookupKind(r.Kind); err == nil {
		return *k
	}
	return Kind{}
}

// check calls `fault` with the wrong key for every fault in a report.
func (k *Kind) check(e *Experiment, r *Report, fault func(key, format string, args ...any)) {
	given := map[string]bool{
		"models": len(r.Models) > 0, "log": r.Log, "columns": r.Columns != 0,
		"trials": len(r.Trials) > 0, "checkpoint": r.Checkpoint != 0, "measure": r.Measure != "",
		"parameter": r.Parameter != "", "published": r.Published != "",
	}
	lacking := slices.DeleteFunc(slices.Clone(k.Needs), func(key string) bool { return given[key] })
	if len(lacking) > 0 {
		fault("kind", "a report of kind %s needs a %s", k.Name, strings.Join(lacking, " and a "))
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if given[key] && !slices.Contains(k.Needs, key) && !slices.Contains(k.Takes, key) {
			fault(key, "a report of kind %s cannot have the key %s", k.Name, key)
		}
	}
	loss, err := learners.LookupLoss(e.Loss) // validate reports an unknown loss
	if err == nil && (k.Labels && !loss.Classifies() || k.Numbers && loss.Classifies()) {
		fault("kind", "a report of kind %s is not for loss %s", k.Name, e.Loss)
	}
	if known := metrics.MeasureNames(); r.Measure != "" && !slices.Contains(known, r.Measure) {
		fault("measure", "unknown measure %q; known: %s", r.Measure, strings.Join(known, ", "))
	} else if r.Measure != "" && err == nil && !metrics.MeasureOf(r.Measure).Under(loss.Classifies()) {
		fault("measure", "measure %s is not for loss %s", r.Measure, e.Loss)
	}
	if r.Kind == "parameter" && !isNumber(r.Parameter) {
		fault("parameter", "no method has a numeric parameter %q", r.Parameter)
	}
	if e.tooFew(r) {
		fault("kind", "a report of kind %s needs at least %d datasets, and there are %d", k.Name, k.Datasets,
			len(firstNonEmpty(r.Datasets, e.Datasets)))
	}
	if r.Columns < 0 {
		fault("columns", "%d columns, want at least 1, or 0 for an automatic number", r.Columns)
	}
	for _, m := range r.Models {
		if m != selection.W.Name() && m != selection.Wbar.Name() {
			fault("models", "model %q, want w or wbar", m)
		}
	}
	for _, m := range r.Methods {
		if _, err := e.Lookup(m); err != nil {
			fault("methods", "%v", err)
			return
		}
	}
	if !e.runsSome(r.Methods) {
		fault("methods", "the experiment runs none of the report's methods")
	}
}

// runsSome reports whether the experiment runs any of these methods. An empty list means all methods.
func (e *Experiment) runsSome(methods []string) bool {
	return len(methods) == 0 ||
		slices.ContainsFunc(e.Methods, func(g Grid) bool { return slices.Contains(methods, g.Method) })
}
