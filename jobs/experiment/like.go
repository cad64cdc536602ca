package experiment

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"

	"graphda/jobs/userinput"
)

func withOrigin(grids []Grid, from origin) []Grid {
	grids = slices.Clone(grids)
	for i := range grids {
		grids[i].Origin = from
	}
	return grids
}

// takeGrids copies missing values from base's grids of the same method. It returns an error if base has no such grid.
func (e *Experiment) takeGrids(base *Experiment, file string, root *yaml.Node) error {
	datasets := firstNonEmpty(e.Datasets, base.Datasets)
	take := func(path string, grids *[]Grid, from ...[]Grid) error {
		var all []Grid
		for i, g := range *grids {
			if g.lacking() == nil {
				all = append(all, g)
				continue
			}
			found := slices.DeleteFunc(slices.Clone(firstNonEmpty(from...)), func(b Grid) bool { return b.Method != g.Method })
			found = forDatasets(found, (*Grid).limits, func(d string) bool { return slices.Contains(datasets, d) })
			if len(found) == 0 {
				return userinput.Errorf("%s:%d: %w", file, lineOf(root, fmt.Sprintf("$.%s[%d]", path, i)), g.lacking())
			}
			for _, b := range withOrigin(found, TakenValues) {
				b.Datasets, b.Trials = firstNonEmpty(g.Datasets, b.Datasets), firstNonEmpty(g.Trials, b.Trials)
				all = append(all, b.with(g.Axes))
			}
		}
		*grids = all
		return nil
	}
	if e.Quick != nil {
		var reduced []Grid
		if base.Quick != nil {
			reduced = base.Quick.Methods
		}
		if err := take("quick.methods", &e.Quick.Methods, reduced, base.Methods); err != nil {
			return err
		}
	}
	return take("methods", &e.Methods, base.Methods)
}

// without returns q without the fields datasets, trials and checkpoints that the experiment e sets itself.
func (q Quick) without(e *Experiment) *Quick {
	if len(e.Datasets) > 0 {
		q.Datasets = nil
	}
	if len(e.Trials) > 0 {
		q.Trials = nil
	}
	if e.Checkpoints != nil {
		q.Checkpoints = nil
	}
	return &q
}

// inherit copies the fields of base that e does not set, except the title. If e has no methods of its own, inherit also
// copies the quick form. It limits copied grids and reports to the datasets of e, and drops grids and reports that have
// no dataset left.
func (e *Experiment) inherit(base *Experiment) {
	datasets, ownData := firstNonEmpty(e.Datasets, base.Datasets), len(e.Datasets) > 0
	has := func(dataset string) bool { return slices.Contains(datasets, dataset) }
	if base.Quick != nil && len(e.Methods) == 0 {
		q, own := base.Quick.without(e), e.Quick
		if own == nil {
			own = new(Quick)
		}
		q.Methods = forDatasets(q.Methods, (*Grid).limits, func(dataset string) bool {
			return has(dataset) || slices.Contains(own.Datasets, dataset)
		})
		e.Quick = &Quick{
			Datasets:    firstNonEmpty(own.Datasets, q.Datasets),
			Trials:      firstNonEmpty(own.Trials, q.Trials),
			Checkpoints: firstSet(own.Checkpoints, q.Checkpoints),
			Methods:     firstNonEmpty(own.Methods, withOrigin(q.Methods, takenMethod)),
		}
	}
	e.Loss = cmp.Or(e.Loss, base.Loss)
	e.Paper = cmp.Or(e.Paper, base.Paper)
	e.Datasets = datasets
	e.Trials = firstNonEmpty(e.Trials, base.Trials)
	e.Checkpoints = firstSet(e.Checkpoints, base.Checkpoints)
	e.Selection = firstNonEmpty(e.Selection, base.Selection)
	e.Methods = firstNonEmpty(e.Methods, withOrigin(forDatasets(base.Methods, (*Grid).limits, has), takenMethod))
	reports := slices.Clone(base.Reports)
	for i := range reports { // use the last checkpoint, because the user's data may have too few samples for this one
		if r := &reports[i]; ownData && r.Published == "" && !slices.Contains(e.Checkpoints, r.Checkpoint) {
			r.Checkpoint = 0
		}
	}
	for i := range e.Reports {
		r := &e.Reports[i]
		k := slices.IndexFunc(reports, func(b Report) bool { return b.Name == r.Name })
		if k < 0 || !reflect.DeepEqual(*r, Report{Name: r.Name}) {
			continue // the experiment's own report
		}
		*r = reports[k]
		if left := forDatasets(reports[k:k+1], (*Report).limits, has); len(left) > 0 {
			*r = left[0] // with no dataset left, validate refuses the report
		}
	}
	e.Reports = firstNonEmpty(e.Reports, slices.DeleteFunc(forDatasets(reports, (*Report).limits, has),
		func(r Report) bool { return !e.runsSome(r.Methods) || e.tooFew(&r) }))
}
