package jobs

import (
	"cmp"
	"slices"
	"strings"

	"graphda/io/plain"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/selection"
	"graphda/learners"
)

// An Extension is values beyond an edge of a method's grid on a dataset, at which a third of the
// trials have chosen. What an edge is, merge.Group.AtEdges says.
type Extension struct {
	Dataset    string    `json:"dataset"`
	Method     string    `json:"method"`
	Variant    string    `json:"variant,omitempty"` // as in merge.Series
	Checkpoint int       `json:"checkpoint"`        // of the reports', that at which most trials chose the edge
	Parameter  string    `json:"parameter"`
	Edge       float64   `json:"edge"`
	Side       string    `json:"side"` // largest or smallest
	ChoseW     int       `json:"chose_w"`
	ChoseWbar  int       `json:"chose_wbar"`
	Trials     int       `json:"trials"`
	Values     []float64 `json:"values"` // to be tried, from the edge outwards
	Cells      int       `json:"cells"`  // that they add to those of the extensions before
}

// Extended is a run's plan with values beyond the edges of its grids.
type Extended struct {
	Rule       string      `json:"selection"`
	Extensions []Extension `json:"extensions"` // in plan order
	Cells      int         `json:"cells"`      // new ones

	run   *Run
	plan  *Plan
	ids   map[string]bool    // of all cells, also the new ones
	added map[trialOf][]Cell // the new ones, which go behind those that the trial has
}

// ExtendOptions say by which choice grids are extended, and how far.
type ExtendOptions struct {
	Selection string // rule; "" is the experiment's
	Values    int    // beyond each edge
}

// Extend proposes values beyond the edges at which a rule has chosen, at the checkpoints and on the
// datasets of the run's reports. Each comes with all values that the other parameters have at
// the edge; of two edges of one grid, the corner between them is tried too. A run that lacks
// results is refused: its choices are not known. Nothing is written.
func (r *Run) Extend(o ExtendOptions) (*Extended, error) {
	rule, err := r.Plan.Experiment.Rule(o.Selection)
	if err != nil {
		return nil, err
	}
	grid, err := r.Collect()
	if err != nil {
		return nil, err
	}
	if n := grid.Missing.N; n > 0 {
		return nil, plain.Because(ErrIncomplete, "%s: %d of %d results are missing, and what is best is not known; run "+
			"gdrun local or gdrun submit first", r.Dir, n, grid.Planned())
	}
	x := &Extended{Rule: rule.Name(), Extensions: []Extension{}, run: r, plan: r.Plan.copy(),
		ids: make(map[string]bool, len(r.Plan.Cells)), added: map[trialOf][]Cell{}}
	for i := range r.Plan.Cells {
		x.ids[r.Plan.Cells[i].ID] = true
	}
	for _, found := range r.Plan.atEdges(grid.Summarize(rule)) {
		if err := x.add(found, o.Values); err != nil {
			return nil, err
		}
	}
	x.place()
	return x, nil
}

// place puts the new cells into the plan.
func (x *Extended) place() {
	old := x.run.Plan.Cells
	x.plan.Cells = make([]Cell, 0, len(old)+x.Cells)
	for i := range old {
		x.plan.Cells = append(x.plan.Cells, old[i])
		at := old[i].trialOf()
		if i+1 == len(old) || at != old[i+1].trialOf() {
			x.plan.Cells = append(x.plan.Cells, x.added[at]...)
		}
	}
}

// Grow makes the extended plan the run's, and packs the new cells into tasks.
func (x *Extended) Grow(rates func() Rates) (*Run, error) {
	return x.run.become(x.plan, x.run.Plan.Target, rates)
}

// Complete is Open of a run whose growth may have been interrupted: it packs the cells that are
// in no task yet.
func Complete(dir string, rates func() Rates) (*Run, error) {
	run, err := open(dir)
	if err != nil {
		return nil, err
	}
	if run.Added, err = run.addMissing(rates); err != nil || run.Added == 0 {
		return run, err
	}
	added := run.Added
	if run, err = Open(dir); err == nil {
		run.Added = added
	}
	return run, err
}

// copy returns a plan that may become another one. Cells and their values are shared.
func (plan *Plan) copy() *Plan {
	grown, e := *plan, *plan.Experiment
	grown.Experiment, grown.placeOf = &e, nil
	e.Methods = slices.Clone(e.Methods)
	return &grown
}

// ReportDatasets returns the names of a report's datasets, in its order. An experiment may have
// paths in their place.
func (plan *Plan) ReportDatasets(r *experiment.Report) []string {
	named := plan.Experiment.Datasets
	wanted := r.Datasets
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

// atEdges lists the edges that were chosen where the experiment reports on it, each once.
func (plan *Plan) atEdges(s *merge.Summary) []Extension {
	last := plan.Checkpoints[len(plan.Checkpoints)-1]
	reported := func(g *merge.Group) bool {
		return slices.ContainsFunc(plan.Experiment.AllReports(), func(r experiment.Report) bool {
			return cmp.Or(r.Checkpoint, last) == g.Checkpoint && slices.Contains(plan.ReportDatasets(&r), g.Dataset)
		})
	}
	var found []Extension
	for i := range s.Groups {
		g := &s.Groups[i]
		if !reported(g) {
			continue
		}
		for _, e := range g.AtEdges() {
			x := Extension{Dataset: g.Dataset, Method: g.Method, Variant: g.Variant, Checkpoint: g.Checkpoint,
				Parameter: e.Param, Edge: e.Value, Side: e.Side(),
				ChoseW: e.Chose[selection.W], ChoseWbar: e.Chose[selection.Wbar], Trials: e.Of}
			k := slices.IndexFunc(found, x.sameEdge)
			if k < 0 {
				found = append(found, x)
			} else if max(x.ChoseW, x.ChoseWbar) > max(found[k].ChoseW, found[k].ChoseWbar) {
				found[k] = x
			}
		}
	}
	return found
}

// sameEdge tells whether another extension is beyond the same edge.
func (x *Extension) sameEdge(o Extension) bool {
	return x.Dataset == o.Dataset && x.Method == o.Method && x.Variant == o.Variant && x.Parameter == o.Parameter &&
		x.Side == o.Side
}

// add extends the plan by up to n values beyond an edge; by nothing where the parameter ends there.
func (x *Extended) add(e Extension, n int) error {
	m, err := learners.Lookup(e.Method)
	if err != nil {
		return err
	}
	param := slices.IndexFunc(m.Params, func(p learners.Param) bool { return p.Name == e.Parameter })
	dataset := slices.IndexFunc(x.plan.Datasets, func(d Dataset) bool { return d.Name == e.Dataset })
	b := beyond{Extension: e, method: m, param: param, dataset: dataset}
	b.variants = x.run.Plan.varying()[methodOn{dataset, m}].params
	var values []float64
	features := x.plan.Datasets[dataset].Features
	for _, t := range x.plan.Datasets[dataset].Trials {
		if t.Features > 0 {
			features = min(features, t.Features)
		}
	}
	gather := func(cells []Cell) {
		for i := range cells {
			if b.isOf(&cells[i]) {
				values = append(values, cells[i].Values[param])
			}
		}
	}
	gather(x.run.Plan.Cells)
	for _, cells := range x.added {
		gather(cells)
	}
	slices.Sort(values)
	b.Values = experiment.Beyond(slices.Compact(values), e.Side == "largest", n, &m.Params[param], features)
	if len(b.Values) == 0 {
		return nil
	}
	grids, err := expandAll(&experiment.Experiment{Methods: b.extendGrids(x.plan.Experiment)})
	if err != nil {
		return err
	}
	for _, t := range x.plan.Datasets[dataset].Trials {
		at := trialOf{dataset, t.Trial}
		for k := range grids {
			added := b.cellsOf(x.plan, t.Trial, &grids[k], x.ids)
			x.added[at] = append(x.added[at], added...)
			b.Cells += len(added)
		}
	}
	x.Extensions = append(x.Extensions, b.Extension)
	x.Cells += b.Cells
	return nil
}

// A beyond is an extension while it is made.
type beyond struct {
	Extension
	method         *learners.Method
	param, dataset int    // places in the method and in the plan
	variants       []bool // which of the method's parameters tell its series apart
}

// isOf tells whether a cell is of the series that is extended.
func (b *beyond) isOf(c *Cell) bool {
	return c.Dataset == b.dataset && c.Method == b.method &&
		c.assignments(func(k int) bool { return b.variants[k] }) == b.Variant
}

// extendGrids adds grids with the values beyond to the experiment: one for each that has the
// edge, with all else as it is there.
func (b *beyond) extendGrids(e *experiment.Experiment) (added []experiment.Grid) {
	name, p := e.Datasets[b.dataset], &b.method.Params[b.param]
	var values []string
	for _, v := range b.Values {
		values = append(values, p.Format(v))
	}
	for _, g := range e.Methods {
		at := slices.IndexFunc(g.Axes, func(a experiment.Axis) bool { return a.Name == p.Name })
		if g.Method != b.method.Name || len(g.Datasets) > 0 && !slices.Contains(g.Datasets, name) ||
			at < 0 || !slices.Contains(g.Axes[at].Values, p.Format(b.Edge)) {
			continue
		}
		g.Datasets, g.Axes = []string{name}, slices.Clone(g.Axes)
		g.Axes[at].Values = values
		if b.limit(&g) {
			added = append(added, g)
		}
	}
	e.Methods = append(e.Methods, added...)
	return added
}

// limit limits a grid, whose axes are its own, to the series that is extended, and tells whether it has any
// of it.
func (b *beyond) limit(g *experiment.Grid) bool {
	words := strings.Fields(b.Variant)
	for i := range b.method.Params {
		p := &b.method.Params[i]
		if !b.variants[i] {
			continue
		}
		k := slices.IndexFunc(g.Axes, func(a experiment.Axis) bool { return a.Name == p.Name })
		values := []string{p.Format(p.Default)}
		if k >= 0 {
			values = g.Axes[k].Values
		}
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !slices.Contains(words, p.Name+"="+v) })
		if len(values) == 0 {
			return false
		}
		if k >= 0 {
			g.Axes[k].Values = values
		}
	}
	return true
}

// cellsOf returns the new cells of a grid in a trial, in the order of any plan of the experiment, and notes their
// ids. A setting whose like at the edge is no cell is left out with it.
func (b *beyond) cellsOf(plan *Plan, trial int, g *methodGrid, ids map[string]bool) (cells []Cell) {
	d := &plan.Datasets[b.dataset]
	if !g.RunsOn(plan.Experiment.Datasets[b.dataset], trial) {
		return nil
	}
	t, loss := d.trial(trial), plan.Experiment.Loss
	for k, values := range g.values {
		like := slices.Clone(values)
		like[b.param] = b.Edge
		c := Cell{Dataset: b.dataset, Trial: trial, Method: b.method, Values: values,
			ID: cellID(t.Digest, loss, b.method.Name, g.params[k], trial)}
		if ids[c.ID] || !ids[cellID(t.Digest, loss, b.method.Name, canonicalParams(b.method, like), trial)] ||
			b.method.CheckSizes(cmp.Or(t.Features, d.Features), c.settings()) != nil {
			continue
		}
		ids[c.ID] = true
		cells = append(cells, c)
	}
	return cells
}
