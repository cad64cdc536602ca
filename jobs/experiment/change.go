package experiment

import (
	"slices"
	"strings"

	"graphda/jobs/paper"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// A Change is a user's change to a built-in experiment. Empty fields change nothing.
type Change struct {
	Methods     []string // run only these methods of the experiment
	Set         []Axis   // new values of a parameter, for every method that has it
	Datasets    []string
	Checkpoints Samples
}

// ReadChanged reads a built-in experiment at the given scale and applies a change.
func ReadChanged(name, scale string, c Change) (*Experiment, error) {
	data, err := paper.Experiment(name)
	if err != nil {
		return nil, &userinput.Error{Err: err}
	}
	base, _, err := parse(name, data, nil)
	if err != nil {
		return nil, err
	}
	e := &Experiment{Name: base.Name, Title: base.Title, Datasets: c.Datasets, Checkpoints: c.Checkpoints}
	if e.Methods, err = c.grids(base.Methods, base); err != nil {
		return nil, err
	}
	if base.Quick != nil {
		e.Quick = base.Quick.without(e)
		if e.Quick.Methods, err = c.grids(base.Quick.Methods, base); err != nil {
			return nil, err
		}
	}
	e.inherit(base)
	return e.finish(name, nil, scale)
}

// grids applies the change to a list of grids, and drops grids that have no dataset left.
func (c *Change) grids(of []Grid, base *Experiment) ([]Grid, error) {
	var known []string
	for _, g := range base.Methods {
		known = append(known, g.Method)
	}
	for _, m := range c.Methods {
		if !slices.Contains(known, m) {
			return nil, userinput.Errorf("experiment %s has no method %q; it has %s", base.Name, m,
				strings.Join(slices.Compact(known), ", "))
		}
	}
	datasets := firstNonEmpty(c.Datasets, base.Datasets)
	of = forDatasets(of, (*Grid).limits, func(d string) bool { return slices.Contains(datasets, d) })
	used, parameters := make([]bool, len(c.Set)), []string{}
	var grids []Grid
	for _, g := range of {
		if len(c.Methods) > 0 && !slices.Contains(c.Methods, g.Method) {
			continue
		}
		m, err := learners.Lookup(g.Method)
		if err != nil {
			return nil, err
		}
		for i := range m.Params {
			parameters = append(parameters, m.Params[i].Name)
		}
		var axes []Axis
		for k, a := range c.Set {
			p, err := m.Param(a.Name)
			if err != nil {
				continue
			}
			axis := Axis{Name: a.Name}
			for _, text := range a.Values {
				v, err := p.Parse(text)
				if err != nil {
					return nil, userinput.Errorf("%s: %w", m.Name, err)
				}
				axis.Values = append(axis.Values, p.Format(v))
			}
			axes, used[k] = append(axes, axis), true
		}
		grids = append(grids, g.with(axes))
	}
	if k := slices.Index(used, false); k >= 0 && len(grids) > 0 {
		return nil, userinput.Errorf("no method of the run has a parameter %q%s; see gdrun methods", c.Set[k].Name,
			learners.DidYouMean(c.Set[k].Name, parameters))
	}
	return grids, nil
}
