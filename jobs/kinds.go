package jobs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"graphda/io/results"
	"graphda/jobs/merge"
	"graphda/jobs/report"
	"graphda/jobs/reports/tables"
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

// A Kind of report.
type Kind struct {
	Name   string
	Doc    string
	needs  []string // keys that it must have besides name and kind
	takes  []string // keys that it may have, besides those of every report
	labels bool     // only under losses that predict labels
	print  printer  // makes the report
}

// A printer makes what a report prints.
type printer func(il *illustrator, rep *Report) ([]Printed, error)

// Kinds are the kinds of reports. A new one is a line here.
func Kinds() []Kind {
	return []Kind{
		{Name: "classification", Doc: "table of support recovery and accuracy", takes: []string{"checkpoint", "published"},
			print: tabled(report.Classification, report.ClassificationTests)},
		{Name: "regression", Doc: "table of support recovery and squared error", takes: []string{"checkpoint", "published"},
			print: tabled(report.Regression, report.RegressionTests)},
		{Name: "checkpoints", Doc: "a measure over training samples", needs: []string{"measure"},
			takes: []string{"models", "log", "columns"}, print: drawn(overCheckpoints)},
		{Name: "parameter", Doc: "a measure over a hyperparameter, the others chosen", needs: []string{"measure", "parameter"},
			takes: []string{"checkpoint", "models", "log", "columns"}, print: drawn(overParameter)},
		{Name: "datasets", Doc: "a measure over a number that the datasets were drawn with", needs: []string{"measure", "parameter"},
			takes: []string{"checkpoint", "models", "log", "columns"}, print: drawn(overDatasets)},
		{Name: "mistakes", Doc: "wrong predictions over samples seen", takes: []string{"checkpoint", "columns"}, labels: true, print: drawn(mistakeCurves)},
		{Name: "truth", Doc: "the true weights as images", print: drawn(truthImages)},
		{Name: "models", Doc: "learned weights as images beside the true ones", takes: []string{"checkpoint", "trials"}, print: drawn(modelImages)},
		{Name: "network", Doc: "selected features as a subnetwork", takes: []string{"checkpoint", "trials"}, print: drawn(subnetworks)},
	}
}

// drawn prints a report by drawing its figures.
func drawn(draw figureMaker) printer {
	return func(il *illustrator, rep *Report) ([]Printed, error) {
		il.lacking = 0
		p := Printed{Report: *rep}
		var err error
		var reason *notDrawn
		if p.Figures, err = draw(il, rep); errors.As(err, &reason) {
			p.NotDrawn = reason.Error()
		} else if err != nil {
			return nil, err
		}
		p.Lacks = il.lacks()
		return []Printed{p}, nil
	}
}

// Makers of a table, and of the tests beside it.
type (
	tableMaker func(*merge.Summary, report.Options) (*tables.Table, error)
	testMaker  func(*merge.Summary, report.Options) (*report.Tests, error)
)

// tabled prints a report as a table for each of its datasets.
func tabled(table tableMaker, tests testMaker) printer {
	return func(il *illustrator, rep *Report) ([]Printed, error) {
		var printed []Printed
		datasets := il.datasets(rep)
		for _, d := range datasets {
			p, err := il.tables(rep, il.tableOptions(rep, d, len(datasets) > 1), table, tests)
			if err != nil {
				return nil, err
			}
			printed = append(printed, p)
		}
		return printed, nil
	}
}

// under tells whether the kind has anything to report under a loss.
func (k *Kind) under(loss string) bool {
	l, err := learners.LookupLoss(loss)
	return err != nil || l.Classifies() || !k.labels
}

// lookupKind returns the kind of that name among all; the error lists the known ones. A kind
// that nothing prints is an error too.
func lookupKind(all []Kind, name string) (*Kind, error) {
	var known []string
	for i := range all {
		switch k := &all[i]; {
		case k.Name != name:
			known = append(known, k.Name)
		case k.print == nil:
			return nil, fmt.Errorf("kind %q has nothing that prints it: its line in Kinds lacks a printer", name)
		default:
			return k, nil
		}
	}
	return nil, fmt.Errorf("kind %q, want one of %s", name, strings.Join(known, ", "))
}

// faults lists what is wrong with a report's keys, by key.
func (k *Kind) faults(e *Experiment, r *Report) map[string]string {
	given := map[string]bool{
		"models": len(r.Models) > 0, "log": r.Log, "columns": r.Columns != 0,
		"trials": len(r.Trials) > 0, "checkpoint": r.Checkpoint != 0, "measure": r.Measure != "",
		"parameter": r.Parameter != "", "published": r.Published != "",
	}
	found := map[string]string{}
	lacking := slices.DeleteFunc(slices.Clone(k.needs), func(key string) bool { return given[key] })
	if len(lacking) > 0 {
		found["kind"] = fmt.Sprintf("report %s: a report of kind %s needs a %s", r.Name, k.Name, strings.Join(lacking, " and a "))
	}
	for key, there := range given {
		if there && !slices.Contains(k.needs, key) && !slices.Contains(k.takes, key) {
			found[key] = fmt.Sprintf("report %s: a report of kind %s has no %s", r.Name, k.Name, key)
		}
	}
	if !k.under(e.Loss) {
		found["kind"] = fmt.Sprintf("report %s: there is nothing to report of kind %s under loss %s", r.Name, k.Name, e.Loss)
	}
	if r.Measure != "" && !measuredUnder(r.Measure, e.Loss) {
		found["measure"] = fmt.Sprintf("report %s: there is no %s under loss %s", r.Name, r.Measure, e.Loss)
	}
	if known := append([]string{testError}, merge.Measures...); r.Measure != "" && !slices.Contains(known, r.Measure) {
		found["measure"] = fmt.Sprintf("report %s: measure %q, want one of %s", r.Name, r.Measure, strings.Join(known, ", "))
	}
	if r.Kind == "parameter" && !slices.ContainsFunc(Layout(), func(c results.ParamColumn) bool { return c.Name == r.Parameter && c.Words == nil }) {
		found["parameter"] = fmt.Sprintf("report %s: no method has a parameter %q of numbers", r.Name, r.Parameter)
	}
	if r.Columns < 0 {
		found["columns"] = fmt.Sprintf("report %s: %d columns, want at least 1, or 0 for as many as look well", r.Name, r.Columns)
	}
	for _, m := range r.Models {
		if m != selection.W.Name() && m != selection.Wbar.Name() {
			found["models"] = fmt.Sprintf("report %s: model %q, want w or wbar", r.Name, m)
		}
	}
	for _, m := range r.Methods {
		if _, err := learners.Lookup(m); err != nil {
			found["methods"] = fmt.Sprintf("report %s: %v", r.Name, err)
		}
	}
	if found["methods"] == "" && !e.runsSome(r.Methods) {
		found["methods"] = fmt.Sprintf("report %s: none of its methods is among the experiment's", r.Name)
	}
	return found
}

// runsSome tells whether the experiment has one of these methods; the empty list means all.
func (e *Experiment) runsSome(methods []string) bool {
	return len(methods) == 0 || slices.ContainsFunc(e.Methods, func(g Grid) bool { return slices.Contains(methods, g.Method) })
}

// measuredUnder tells whether a measure is defined under a loss: those of predicted signs
// where the loss classifies, the squared error where it does not.
func measuredUnder(measure, loss string) bool {
	l, err := learners.LookupLoss(loss)
	if err != nil {
		return true // which is another fault
	}
	switch {
	case strings.HasSuffix(measure, "_mse"):
		return !l.Classifies()
	case strings.HasSuffix(measure, "accuracy"), strings.HasSuffix(measure, "_auc"), measure == "mistakes", measure == testError:
		return l.Classifies()
	}
	return true
}
