package plan

import (
	"fmt"
	"slices"

	"graphda/jobs/experiment"
	"graphda/learners"
)

// A methodGrid is a method with all combinations of its parameters.
type methodGrid struct {
	experiment.Grid
	method *learners.Method
	values [][]float64
	params []string // as canonical JSON
	left   leftOut
}

func expandAll(e *experiment.Experiment) ([]methodGrid, error) {
	var grids []methodGrid
	for i := range e.Methods {
		m, err := e.Methods[i].Lookup()
		if err != nil {
			return nil, err
		}
		g := methodGrid{Grid: e.Methods[i], method: m, left: leftOut{}}
		err = e.Methods[i].Expand(func(values []float64) {
			g.values = append(g.values, slices.Clone(values))
			g.params = append(g.params, canonicalParams(m, values))
		})
		if err != nil {
			return nil, err
		}
		grids = append(grids, g)
	}
	return grids, nil
}

// A leftOut is the settings of a taken grid that do not fit a dataset, with the reasons.
type leftOut map[string]map[int]error // by dataset and place among the grid's settings

// judge keeps what does not fit a dataset's trial. The error is about a grid that is the
// experiment's own.
func (g *methodGrid) judge(dataset string, data *TrialData) error {
	for k, values := range g.values {
		err := g.method.Check(data.Problem, learners.Settings{Method: g.method, Values: values})
		switch {
		case err == nil:
			continue
		case g.Origin == experiment.Own:
			return err
		case g.left[dataset] == nil:
			g.left[dataset] = map[int]error{}
		}
		if g.left[dataset][k] == nil {
			g.left[dataset][k] = err
		}
	}
	return nil
}

// note tells what of a taken grid is left out on a dataset; "" if nothing. A method that the
// experiment names itself and that has no setting left is an error.
func (g *methodGrid) note(dataset string) (string, error) {
	left := g.left[dataset]
	for k := range g.values { // in their order
		if left[k] == nil {
			continue
		}
		if len(left) < len(g.values) {
			return fmt.Sprintf("%s: %d of %d settings are left out: %v", dataset, len(left), len(g.values), left[k]), nil
		} else if g.Origin == experiment.TakenValues {
			return "", left[k]
		}
		return fmt.Sprintf("%s: method %s is left out: %v", dataset, g.Method, left[k]), nil
	}
	return "", nil
}
