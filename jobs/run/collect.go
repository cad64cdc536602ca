package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/io/results"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
	"graphda/learners"
)

// Collect reads the results trial by trial, and keeps what the rules choose of them. Every use
// is given all rows, in plan order.
func (r *Run) Collect(uses ...merge.Use) (*merge.Grid, error) {
	m := mergePlan(r.Plan)
	if r.chosen != nil { // other rules would choose other rows
		m.Rules = m.Rules[:m.Own]
	}
	return merge.Stream(m, r.batches(), uses...)
}

// mergePlan returns the plan as package merge knows it, but for its cells.
func mergePlan(p *plan.Plan) merge.Plan {
	m := merge.Plan{
		Checkpoints: p.Checkpoints,
		Features:    map[string]int{},
		Trials:      map[string][]merge.Trial{},
		Params:      slices.Concat(plan.Layout(), ownParams(p)),
		Along:       along(p),
		Sweeps:      sweeps(p),
		Bounds:      bounds,
	}
	for i := range p.Datasets {
		d := &p.Datasets[i]
		m.Features[d.Name] = d.Features
		m.Trials[d.Name] = d.Merged()
	}
	for _, name := range selection.Names() {
		rule, err := p.Experiment.Rule(name)
		switch {
		case err != nil: // it is not for this experiment
		case slices.Contains(p.Experiment.Selection, name) || name == selection.Paper:
			m.Rules, m.Own = slices.Insert(m.Rules, m.Own, rule), m.Own+1
		default:
			m.Rules = append(m.Rules, rule)
		}
	}
	return m
}

// bounds returns the bounds of a method's parameter.
func bounds(method, param string, features int) (least, most float64) {
	m, err := learners.Lookup(method)
	if err != nil {
		return math.Inf(-1), math.Inf(1)
	}
	p, err := m.Param(param)
	if err != nil {
		return math.Inf(-1), math.Inf(1)
	}
	return p.Bounds(features)
}

// ownParams are the parameters of the experiment's programs, which follow those of all results. One that is a word
// somewhere is a word everywhere.
func ownParams(p *plan.Plan) (own results.Layout) {
	texts, words := map[string][]string{}, map[string]bool{}
	for _, g := range p.Experiment.Programs() {
		m, _ := g.Lookup() // of a program it does not fail
		for k, a := range g.Axes {
			if texts[a.Name] == nil {
				own = append(own, results.ParamColumn{Name: a.Name})
			}
			texts[a.Name] = append(texts[a.Name], a.Values...)
			words[a.Name] = words[a.Name] || m.Params[k].Words != nil
		}
	}
	for i := range own {
		if words[own[i].Name] {
			own[i].Words = texts[own[i].Name]
		}
	}
	return own
}

// addOwn adds the parameters that a row has in its settings.
func addOwn(own results.Layout, r *results.Row) error {
	all := map[string]any{}
	if r.Settings != "" && len(own) > 0 {
		if err := json.Unmarshal([]byte(r.Settings), &all); err != nil {
			return fmt.Errorf("cell %s: settings %q: %w", r.Cell, r.Settings, err)
		}
	}
	r.Params = slices.Clip(r.Params) // rows may share what is behind
	for _, c := range own {
		v, _ := all[c.Name].(float64)
		if given, there := all[c.Name]; !there {
			v = math.NaN()
		} else if c.Words != nil {
			v = float64(slices.Index(c.Words, fmt.Sprint(given)))
		}
		r.Params = append(r.Params, v)
	}
	return nil
}

// along lists the parameters that reports are drawn over, with the checkpoints of these reports and
// of the paper's claims about the parameter.
func along(p *plan.Plan) []merge.Along {
	var found []merge.Along
	for _, rep := range p.Experiment.AllReports() {
		column := slices.IndexFunc(plan.Layout(), func(c results.ParamColumn) bool { return c.Name == rep.Parameter })
		if column < 0 {
			continue
		}
		i := slices.IndexFunc(found, func(a merge.Along) bool { return a.Param == column })
		if i < 0 {
			i = len(found)
			found = append(found, merge.Along{Param: column})
		}
		a := &found[i]
		a.Checkpoints = append(a.Checkpoints, cmp.Or(rep.Checkpoint, p.Checkpoints[len(p.Checkpoints)-1]))
		for _, c := range paper.Claims() {
			if c.Parameter == rep.Parameter {
				a.Checkpoints = append(a.Checkpoints, c.Checkpoints...)
			}
		}
		a.Checkpoints = slices.DeleteFunc(a.Checkpoints, func(k int) bool { return !slices.Contains(p.Checkpoints, k) })
		slices.Sort(a.Checkpoints)
		a.Checkpoints = slices.Compact(a.Checkpoints)
	}
	return found
}

// sweeps lists the measures that reports show over all settings, with their checkpoints.
func sweeps(p *plan.Plan) []merge.Sweep {
	var found []merge.Sweep
	for _, s := range p.Experiment.Sweeps() {
		s.Checkpoint = cmp.Or(s.Checkpoint, p.Checkpoints[len(p.Checkpoints)-1])
		if !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found
}

// batches are the trials of the run in plan order, with what there is of their results. A task
// has cells of one trial only.
func (r *Run) batches() []merge.Read {
	tasks := map[trialOf][]*plan.Task{}
	for _, t := range r.Tasks {
		k := trialOf{t.Dataset, t.Trial}
		tasks[k] = append(tasks[k], t)
	}
	cells, order := map[trialOf][]int{}, []trialOf(nil)
	for i := range r.Plan.Cells {
		k := trialOf{r.Plan.Cells[i].Dataset, r.Plan.Cells[i].Trial}
		if cells[k] == nil {
			order = append(order, k)
		}
		cells[k] = append(cells[k], i)
	}
	variant, own := r.Plan.Variants(), ownParams(r.Plan)
	var batches []merge.Read
	for _, k := range order {
		batches = append(batches, func() (merge.Batch, error) {
			rows, err := r.resultsOf(tasks[k], len(cells[k])*len(r.Plan.Checkpoints))
			if err == nil && len(rows) < len(cells[k])*len(r.Plan.Checkpoints) {
				rows = r.fromChosen(rows, cells[k])
			}
			for i := range rows {
				err = errors.Join(err, addOwn(own, &rows[i]))
			}
			return merge.Batch{Cells: mergedCells(r.Plan, cells[k], variant), Rows: rows}, err
		})
	}
	return batches
}

// mergedCells returns cells as package merge knows them. Those that may not be averaged are of
// different series there.
func mergedCells(p *plan.Plan, cells []int, variant func(*plan.Cell) string) []merge.Cell {
	merged := make([]merge.Cell, len(cells))
	for i, at := range cells {
		c := &p.Cells[at]
		merged[i] = merge.Cell{ID: c.ID, Dataset: p.Dataset(c).Name, Trial: c.Trial, Method: c.Method.Name,
			Variant: variant(c)}
	}
	return merged
}

// A trialOf is a trial of one of the plan's datasets.
type trialOf struct{ dataset, trial int }
