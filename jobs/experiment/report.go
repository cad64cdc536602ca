package experiment

import (
	"fmt"
	"slices"
	"strings"

	"graphda/jobs/merge"
	"graphda/jobs/selection"
	"graphda/learners"
)

// A Report is a table or a figure made of an experiment's results. A report that an
// experiment only names is that of the experiment it is like.
type Report struct {
	Name       string   `yaml:"name" json:"name"`
	Kind       string   `yaml:"kind" json:"kind"`                       // one of Kinds
	Title      string   `yaml:"title" json:"title,omitempty"`           // none: the experiment's
	Datasets   []string `yaml:"datasets" json:"datasets,omitempty"`     // none: all
	Methods    []string `yaml:"methods" json:"methods,omitempty"`       // none: all
	Trials     []int    `yaml:"trials" json:"trials,omitempty"`         // shown one by one; none: the first
	Checkpoint int      `yaml:"checkpoint" json:"checkpoint,omitempty"` // 0: the last one
	Measure    string   `yaml:"measure" json:"measure,omitempty"`       // on the vertical axis, such as f1
	Parameter  string   `yaml:"parameter" json:"parameter,omitempty"`   // on the horizontal axis, such as s
	Models     []string `yaml:"models" json:"models,omitempty"`         // w, wbar; none: w
	Log        bool     `yaml:"log" json:"log,omitempty"`               // a logarithmic vertical axis
	Columns    int      `yaml:"columns" json:"columns,omitempty"`       // of panels; 0: as many as look well
	Published  string   `yaml:"published" json:"published,omitempty"`   // a published table to compare with
}

// faults lists what is wrong with a report's keys, by key.
func (k *Kind) faults(e *Experiment, r *Report) map[string]string {
	given := map[string]bool{
		"models": len(r.Models) > 0, "log": r.Log, "columns": r.Columns != 0,
		"trials": len(r.Trials) > 0, "checkpoint": r.Checkpoint != 0, "measure": r.Measure != "",
		"parameter": r.Parameter != "", "published": r.Published != "",
	}
	found := map[string]string{}
	lacking := slices.DeleteFunc(slices.Clone(k.Needs), func(key string) bool { return given[key] })
	if len(lacking) > 0 {
		found["kind"] = fmt.Sprintf("report %s: a report of kind %s needs a %s", r.Name, k.Name,
			strings.Join(lacking, " and a "))
	}
	for key, there := range given {
		if there && !slices.Contains(k.Needs, key) && !slices.Contains(k.Takes, key) {
			found[key] = fmt.Sprintf("report %s: a report of kind %s has no %s", r.Name, k.Name, key)
		}
	}
	loss, err := learners.LookupLoss(e.Loss) // an unknown one is another fault
	if k.Labels && err == nil && !loss.Classifies() {
		found["kind"] = fmt.Sprintf("report %s: there is nothing to report of kind %s under loss %s", r.Name, k.Name, e.Loss)
	}
	if known := merge.MeasureNames(); r.Measure != "" && !slices.Contains(known, r.Measure) {
		found["measure"] = fmt.Sprintf("report %s: unknown measure %q; known: %s", r.Name, r.Measure,
			strings.Join(known, ", "))
	} else if r.Measure != "" && err == nil && !merge.MeasureOf(r.Measure).Under(loss.Classifies()) {
		found["measure"] = fmt.Sprintf("report %s: there is no %s under loss %s", r.Name, r.Measure, e.Loss)
	}
	if r.Kind == "parameter" && !isNumber(r.Parameter) {
		found["parameter"] = fmt.Sprintf("report %s: no method has a parameter %q of numbers", r.Name, r.Parameter)
	}
	if e.tooFew(r) {
		found["kind"] = fmt.Sprintf("report %s: a report of kind %s needs at least %d datasets, and there are %d", r.Name,
			k.Name, k.Datasets, len(firstNonEmpty(r.Datasets, e.Datasets)))
	}
	if r.Columns < 0 {
		found["columns"] = fmt.Sprintf("report %s: %d columns, want at least 1, or 0 for as many as look well", r.Name,
			r.Columns)
	}
	for _, m := range r.Models {
		if m != selection.W.Name() && m != selection.Wbar.Name() {
			found["models"] = fmt.Sprintf("report %s: model %q, want w or wbar", r.Name, m)
		}
	}
	for _, m := range r.Methods {
		if _, err := e.Lookup(m); err != nil {
			found["methods"] = fmt.Sprintf("report %s: %v", r.Name, err)
		}
	}
	if found["methods"] == "" && !e.runsSome(r.Methods) {
		found["methods"] = fmt.Sprintf("report %s: the experiment runs none of its methods", r.Name)
	}
	return found
}

// runsSome tells whether the experiment has one of these methods; the empty list means all.
func (e *Experiment) runsSome(methods []string) bool {
	return len(methods) == 0 || slices.ContainsFunc(e.Methods, func(g Grid) bool {
		return slices.Contains(methods,
			g.Method)
	})
}

// isNumber tells whether a method has a parameter of that name whose values are numbers.
func isNumber(parameter string) bool {
	for _, m := range learners.Methods {
		if p, err := m.Param(parameter); err == nil && p.Words == nil {
			return true
		}
	}
	return false
}

// Anchor is the name of a report's place on the page.
func Anchor(name string) string { return strings.ReplaceAll(name, ".", "-") }
