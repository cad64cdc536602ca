package experiment

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"graphda/jobs/usage"
)

// Samples are numbers of training samples. Read as the word "all", they are not nil, so that
// they replace those of another experiment, and empty.
type Samples []int

var _ yaml.NodeUnmarshaler = (*Samples)(nil)

// UnmarshalYAML reads a list of whole numbers, or "all".
func (s *Samples) UnmarshalYAML(node ast.Node) error {
	if word, ok := node.(*ast.StringNode); ok && word.Value == "all" {
		*s = Samples{}
		return nil
	}
	var list []int
	if err := yaml.NodeToValue(node, &list); err != nil {
		return faultAt(node, "want a list of numbers of samples, or all")
	}
	*s = list
	return nil
}

// given returns the first that is given, be it the word "all".
func given(samples ...Samples) Samples {
	for _, s := range samples {
		if s != nil {
			return s
		}
	}
	return nil
}

// An origin tells what of a grid an experiment has from the one it is like. What it has from
// there may not fit its own datasets, and is left out where it does not.
type origin uint8

const (
	Own         origin = iota
	TakenValues        // the method is its own
	takenMethod        // and its values
)

// taken returns the grids with another origin.
func taken(grids []Grid, from origin) []Grid {
	grids = slices.Clone(grids)
	for i := range grids {
		grids[i].Origin = from
	}
	return grids
}

// takeGrids gives the methods that are only named the values that the base has for them, and
// refuses those for which it has none.
func (e *Experiment) takeGrids(base *Experiment, file string, data []byte) error {
	datasets := replaced(e.Datasets, base.Datasets)
	take := func(path string, grids *[]Grid, from ...[]Grid) error {
		var all []Grid
		for i, g := range *grids {
			if g.lacking() == nil {
				all = append(all, g)
				continue
			}
			found := slices.DeleteFunc(slices.Clone(replaced(from...)), func(b Grid) bool { return b.Method != g.Method })
			found = restricted(found, (*Grid).limits, func(d string) bool { return slices.Contains(datasets, d) })
			if len(found) == 0 {
				return usage.Errorf("%s:%d: %w", file, lineOf(data, fmt.Sprintf("$.%s[%d]", path, i)), g.lacking())
			}
			for _, b := range taken(found, TakenValues) {
				b.Datasets, b.Trials = replaced(g.Datasets, b.Datasets), replaced(g.Trials, b.Trials)
				all = append(all, b)
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
