package experiment

import (
	"cmp"
	"fmt"
	"reflect"
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
	Checkpoints Samples  `yaml:"checkpoints"`
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

// inherit takes what e leaves out from the experiment it is like; not its title, and not its
// reduced form if e has methods of its own. Of the reduced form it takes what e says nothing
// of. What is taken over and is for datasets or methods that e does not have goes; what e
// says itself stays, for validate to judge.
func (e *Experiment) inherit(base *Experiment) {
	datasets, ownData := replaced(e.Datasets, base.Datasets), len(e.Datasets) > 0
	has := func(dataset string) bool { return slices.Contains(datasets, dataset) }
	if base.Quick != nil && len(e.Methods) == 0 {
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
		if e.Checkpoints != nil {
			q.Checkpoints = nil
		}
		q.Methods = restricted(q.Methods, (*Grid).limits, func(dataset string) bool {
			return has(dataset) || slices.Contains(own.Datasets, dataset)
		})
		e.Quick = &Quick{
			Datasets:    replaced(own.Datasets, q.Datasets),
			Trials:      replaced(own.Trials, q.Trials),
			Checkpoints: given(own.Checkpoints, q.Checkpoints),
			Methods:     replaced(own.Methods, taken(q.Methods, takenMethod)),
		}
	}
	e.Loss = cmp.Or(e.Loss, base.Loss)
	e.Paper = cmp.Or(e.Paper, base.Paper)
	e.Datasets = datasets
	e.Trials = replaced(e.Trials, base.Trials)
	e.Checkpoints = given(e.Checkpoints, base.Checkpoints)
	e.Selection = replaced(e.Selection, base.Selection)
	e.Methods = replaced(e.Methods, taken(restricted(base.Methods, (*Grid).limits, has), takenMethod))
	reports := slices.Clone(base.Reports)
	for i := range reports { // of own data a checkpoint that they do not have is the last one
		if r := &reports[i]; ownData && r.Published == "" && !slices.Contains(e.Checkpoints, r.Checkpoint) {
			r.Checkpoint = 0
		}
	}
	for i := range e.Reports {
		r := &e.Reports[i]
		k := slices.IndexFunc(reports, func(b Report) bool { return b.Name == r.Name })
		if k < 0 || !reflect.DeepEqual(*r, Report{Name: r.Name}) {
			continue // not only named
		}
		*r = reports[k]
		if left := restricted(reports[k:k+1], (*Report).limits, has); len(left) > 0 {
			*r = left[0] // else it is refused: what is named ought to be there
		}
	}
	e.Reports = replaced(e.Reports, slices.DeleteFunc(restricted(reports, (*Report).limits, has),
		func(r Report) bool { return !e.runsSome(r.Methods) }))
}

// at returns the experiment at a scale. What is for datasets or methods that its reduced
// form no longer has is left out of that.
func (e *Experiment) at(scale string) (*Experiment, error) {
	out := *e
	switch {
	case !slices.Contains(Scales(), scale):
		return nil, fmt.Errorf("unknown scale %q; known: %s", scale, strings.Join(Scales(), ", "))
	case scale == ScaleFull:
		return &out, nil
	case e.Quick == nil:
		return nil, fmt.Errorf("this experiment has no quick form: give it one under the key quick, or run it in full")
	}
	out.Scale = scale
	out.Datasets = replaced(e.Quick.Datasets, e.Datasets)
	out.Trials = replaced(e.Quick.Trials, e.Trials)
	out.Checkpoints = given(e.Quick.Checkpoints, e.Checkpoints)
	// What not even the full form has stays, and is refused.
	kept := func(name string) bool {
		return slices.Contains(out.Datasets, name) || !slices.Contains(e.Datasets, name)
	}
	out.Methods = restricted(replaced(e.Quick.Methods, e.Methods), (*Grid).limits, kept)
	out.Reports = slices.DeleteFunc(restricted(e.Reports, (*Report).limits, kept),
		func(r Report) bool { return e.runsSome(r.Methods) && !out.runsSome(r.Methods) })
	return &out, nil
}

// limits are the datasets that a grid or a report is for; none mean all.
func (g *Grid) limits() *[]string   { return &g.Datasets }
func (r *Report) limits() *[]string { return &r.Datasets }

// restricted returns those of all that are for datasets that are kept, each for those alone.
func restricted[T any](all []T, limits func(*T) *[]string, kept func(dataset string) bool) []T {
	var found []T
	for _, x := range all {
		names := limits(&x)
		left := slices.DeleteFunc(slices.Clone(*names), func(name string) bool { return !kept(name) })
		if len(*names) > 0 && len(left) == 0 {
			continue
		}
		*names = left
		found = append(found, x)
	}
	return found
}

// RunName is what the experiment's run and report are called where the user names no
// folder.
func (e *Experiment) RunName() string {
	if e.Scale == ScaleQuick {
		return e.Name + "-" + e.Scale
	}
	return e.Name
}
