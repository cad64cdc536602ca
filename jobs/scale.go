package jobs

import (
	"fmt"
	"slices"
	"strings"
)

// The scales of an experiment.
const (
	ScaleFull  = "full"  // as it stands
	ScaleQuick = "quick" // the reduced form that it names, for a laptop
)

// Scales are the names of the scales.
func Scales() []string { return []string{ScaleFull, ScaleQuick} }

// Quick is what the reduced form of an experiment has instead of its own; what it leaves
// out stays.
type Quick struct {
	Datasets    []string `yaml:"datasets"`
	Trials      []int    `yaml:"trials"`
	Checkpoints []int    `yaml:"checkpoints"`
	Methods     []Grid   `yaml:"methods"`
}

// replaced returns the first list that is not empty.
func replaced[T any](lists ...[]T) []T {
	for _, l := range lists {
		if len(l) > 0 {
			return l
		}
	}
	return nil
}

// inherit takes what e leaves out from the experiment it is like. The base's reduced form
// counts only where e says nothing of its own.
func (e *Experiment) inherit(base *Experiment) {
	if base.Quick != nil {
		q, own := *base.Quick, e.Quick
		if own == nil {
			own = new(Quick)
		}
		if len(e.Datasets) > 0 {
			q.Datasets = nil
		}
		if len(e.Trials) > 0 {
			q.Trials = nil
		}
		if len(e.Checkpoints) > 0 {
			q.Checkpoints = nil
		}
		if len(e.Methods) > 0 {
			q.Methods = nil
		}
		e.Quick = &Quick{
			Datasets:    replaced(own.Datasets, q.Datasets),
			Trials:      replaced(own.Trials, q.Trials),
			Checkpoints: replaced(own.Checkpoints, q.Checkpoints),
			Methods:     replaced(own.Methods, q.Methods),
		}
	}
	e.Title = otherwise(e.Title, base.Title)
	e.Loss = otherwise(e.Loss, base.Loss)
	e.Paper = otherwise(e.Paper, base.Paper)
	e.Datasets = replaced(e.Datasets, base.Datasets)
	e.Trials = replaced(e.Trials, base.Trials)
	e.Checkpoints = replaced(e.Checkpoints, base.Checkpoints)
	e.Selection = replaced(e.Selection, base.Selection)
	e.Methods = replaced(e.Methods, base.Methods)
	for i := range e.Reports {
		if r := &e.Reports[i]; r.Kind == "" { // only named
			if k := slices.IndexFunc(base.Reports, func(b Report) bool { return b.Name == r.Name }); k >= 0 {
				*r = base.Reports[k]
			}
		}
	}
	e.Reports = replaced(e.Reports, base.Reports)
}

func otherwise(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}

// at returns the experiment at a scale. What it took over, or what its reduced form no
// longer has the datasets for, is left out.
func (e *Experiment) at(scale string) (*Experiment, error) {
	out := *e
	switch {
	case !slices.Contains(Scales(), scale):
		return nil, fmt.Errorf("no scale %q; the scales are %s", scale, strings.Join(Scales(), ", "))
	case scale == ScaleQuick && e.Quick == nil:
		return nil, fmt.Errorf("this experiment has no quick form: give it one under the key quick, or run it in full")
	case scale == ScaleQuick:
		out.Scale = scale
		out.Datasets = replaced(e.Quick.Datasets, e.Datasets)
		out.Trials = replaced(e.Quick.Trials, e.Trials)
		out.Checkpoints = replaced(e.Quick.Checkpoints, e.Checkpoints)
		out.Methods = replaced(e.Quick.Methods, e.Methods)
	case e.Like == "":
		return &out, nil // all is its own: what does not fit is a fault
	}
	reports, methods := out.Reports, out.Methods
	out.Reports, out.Methods = nil, nil
	for _, g := range methods {
		if out.restrict(&g.Datasets) {
			out.Methods = append(out.Methods, g)
		}
	}
	for _, r := range reports {
		if out.restrict(&r.Datasets) && out.runsSome(r.Methods) {
			out.Reports = append(out.Reports, r)
		}
	}
	return &out, nil
}

// restrict leaves of a list of datasets those that the experiment has, and tells whether
// anything is left. The empty list means all.
func (e *Experiment) restrict(names *[]string) bool {
	if len(*names) == 0 {
		return true
	}
	var found []string
	for _, n := range *names {
		if slices.Contains(e.Datasets, n) {
			found = append(found, n)
		}
	}
	*names = found
	return len(found) > 0
}

// RunName is what the experiment's run and report are called where the user names no
// folder.
func (e *Experiment) RunName() string {
	if e.Scale == ScaleQuick {
		return e.Name + "-" + e.Scale
	}
	return e.Name
}
