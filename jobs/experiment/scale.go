package experiment

import (
	"fmt"
	"slices"
	"strings"
)

const (
	ScaleFull  = "full"  // the experiment as written
	ScaleQuick = "quick" // the quick form, for a laptop
)

// Scales returns the names of the scales.
func Scales() []string { return []string{ScaleFull, ScaleQuick} }

// at returns the experiment at the given scale. It drops grids and reports that have no dataset or method at this
// scale.
func (e *Experiment) at(scale string) (*Experiment, error) {
	out := *e
	switch {
	case !slices.Contains(Scales(), scale):
		return nil, fmt.Errorf("unknown scale %q; known: %s", scale, strings.Join(Scales(), ", "))
	case scale == ScaleFull:
		return &out, nil
	case e.Quick == nil:
		return nil, fmt.Errorf("this experiment has no quick form; add the key quick, or run it with --scale full")
	}
	out.Scale = scale
	out.Datasets = firstNonEmpty(e.Quick.Datasets, e.Datasets)
	out.Trials = firstNonEmpty(e.Quick.Trials, e.Trials)
	out.Checkpoints = firstSet(e.Quick.Checkpoints, e.Checkpoints)
	// Keep datasets that the full form lacks, so that validate refuses them.
	kept := func(name string) bool {
		return slices.Contains(out.Datasets, name) || !slices.Contains(e.Datasets, name)
	}
	out.Methods = forDatasets(firstNonEmpty(e.Quick.Methods, e.Methods), (*Grid).limits, kept)
	out.Reports = slices.DeleteFunc(forDatasets(e.Reports, (*Report).limits, kept),
		func(r Report) bool {
			full := e.Reports[slices.IndexFunc(e.Reports, func(o Report) bool { return o.Name == r.Name })]
			return e.runsSome(r.Methods) && !out.runsSome(r.Methods) || !e.tooFew(&full) && out.tooFew(&r)
		})
	return &out, nil
}

// limits returns the datasets of a grid or report. An empty list means all datasets.
func (g *Grid) limits() *[]string   { return &g.Datasets }
func (r *Report) limits() *[]string { return &r.Datasets }

// forDatasets limits grids or reports to the datasets that `kept` accepts. It drops a grid or report that has no
// dataset left.
func forDatasets[T any](all []T, limits func(*T) *[]string, kept func(dataset string) bool) []T {
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

// RunName returns the default name of the experiment's run folder and report.
func (e *Experiment) RunName() string {
	if e.Scale == ScaleQuick {
		return e.Name + "-" + e.Scale
	}
	return e.Name
}
