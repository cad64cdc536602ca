package learners

import (
	"graphda/graph"
	"graphda/projection"
)

// A Problem holds what methods may know besides the samples. Goroutines may share it, because nobody modifies it.
type Problem struct {
	P      int          // number of features
	Graph  *graph.Graph // graph of the features, or nil; nodes P, P+1, … are connectors: nodes without values
	Groups [][]int32    // by group: its features; groups may overlap; nil if there are no groups
	Truth  []int32      // indices of the true features, ascending; nil if unknown
}

// A Workspace holds what passes on one problem can share: the graph's solver, the layout of the groups, and scratch
// memory. It is not safe for concurrent use. Passes that take turns may share a Workspace: no step leaves state in
// it.
type Workspace struct {
	problem  *Problem
	search   *projection.Search
	groups   *groupLayout
	selector projection.Selector
	scratch  []float64 // scratch memory of a step; its length is p
	found    projection.Result
}

// NewWorkspace returns a workspace for passes on the problem pr.
func NewWorkspace(pr *Problem) *Workspace {
	return &Workspace{problem: pr, scratch: make([]float64, pr.P)}
}

// NewLearner returns a learner for one pass. If pr lacks what the method needs, the error says what is missing.
func (ws *Workspace) NewLearner(s Settings, loss Loss) (*Learner, error) {
	if err := s.Method.Check(ws.problem, s); err != nil {
		return nil, err
	}
	return NewLearner(s.Method.New(ws, s), loss, ws.problem.P), nil
}
