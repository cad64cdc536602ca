package learners

import (
	"graphda/graph"
	"graphda/projection"
)

// A Problem holds what methods may know besides the samples. A Problem is never modified, so goroutines may share it.
type Problem struct {
	P      int          // number of features
	Graph  *graph.Graph // graph of the features, or nil; nodes from P on are connectors, which have no values
	Groups [][]int32    // the features of each group; groups may overlap; nil if unknown
	Truth  []int32      // the true support, ascending; nil if unknown
}

// A Workspace holds what passes on one problem can share: the graph's solver, the layout of the groups, and scratch
// memory. It is not safe for concurrent use. Passes that take turns may share a Workspace: no step leaves state in
// it.
type Workspace struct {
	problem  *Problem
	search   *projection.Search
	groups   *groupLayout
	selector projection.Selector
	scratch  []float64 // of length p; scratch memory within a step
	found    projection.Result
}

// NewWorkspace returns a workspace for passes on the problem.
func NewWorkspace(pr *Problem) *Workspace {
	return &Workspace{problem: pr, scratch: make([]float64, pr.P)}
}

// NewLearner returns a learner for one pass of the method. The error names what the method needs and the problem lacks.
func (ws *Workspace) NewLearner(s Settings, loss Loss) (*Learner, error) {
	if err := s.Method.Check(ws.problem, s); err != nil {
		return nil, err
	}
	return NewLearner(s.Method.New(ws, s), loss, ws.problem.P), nil
}
