package learners

import (
	"graphda/graph"
	"graphda/projection"
)

// A Problem is what methods may know beside the samples. It is not modified and may be
// shared by workers.
type Problem struct {
	P      int          // number of features
	Graph  *graph.Graph // on the features; nil if unknown
	Groups [][]int32    // features of each group, which may overlap; nil if unknown
	Truth  []int32      // ascending true support; nil if unknown
}

// A Workspace holds what the passes of one worker on one problem can share: the solver of
// the graph, the layout of the groups, scratch. It is not safe for concurrent use; passes
// that take turns may share it, since nothing in it outlives a step.
type Workspace struct {
	problem  *Problem
	search   *projection.Search
	groups   *groupLayout
	selector projection.Selector
	scratch  []float64 // of length p; a rule may use it within a step
	found    projection.Result
}

// NewWorkspace returns a workspace for passes on the problem.
func NewWorkspace(pr *Problem) *Workspace {
	return &Workspace{problem: pr, scratch: make([]float64, pr.P)}
}

// NewLearner returns a learner for one pass of the method. The error says what the method
// needs and the problem lacks.
func (ws *Workspace) NewLearner(s Settings, loss Loss) (*Learner, error) {
	if err := s.Method.Check(ws.problem, s); err != nil {
		return nil, err
	}
	return NewLearner(s.Method.New(ws, s), loss, ws.problem.P), nil
}
