package learners

import (
	"graphda/graph"
	"graphda/projection"
)

// A Problem holds the inputs of methods besides the samples. It is immutable, so goroutines may share it.
type Problem struct {
	P      int          // number of features
	Graph  *graph.Graph // graph of the features, or nil; nodes from index P on are connectors, without values
	Groups [][]int32    // features of each group; groups may overlap; nil if there are no groups
	Truth  []int32      // indices of the true features, ascending; nil if unknown
}

// A Workspace holds what passes on one problem can share: the graph's solver, the layout of the groups, and scratch
// memory. Interleaved passes may share it, but it is not safe for concurrent use.
type Workspace struct {
	problem  *Problem
	search   *projection.Search
	groups   *groupLayout
	selector projection.Selector
	scratch  []float64 // scratch memory of a step, of length p
	found    projection.Result
}

// NewWorkspace returns a workspace for pr.
func NewWorkspace(pr *Problem) *Workspace {
	return &Workspace{problem: pr, scratch: make([]float64, pr.P)}
}

// NewLearner returns a learner for one pass. If the problem lacks an input that the method needs, the
// error names this input.
func (ws *Workspace) NewLearner(s Settings, loss Loss) (*Learner, error) {
	if err := s.Method.Check(ws.problem, s); err != nil {
		return nil, err
	}
	return NewLearner(s.Method.New(ws, s), loss, ws.problem.P), nil
}
