package online

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"graphda/io/model"
	"graphda/jobs/plan"
	"graphda/learners"
)

// NewState returns a state from which the learner l, with targets (y − center)/scale, can continue.
func NewState(l *learners.Learner, s learners.Settings, pr *learners.Problem, center, scale float64) *model.State {
	state := &model.State{Method: s.Method.Name, Parameters: map[string]string{}, Center: center, Scale: scale,
		Graph: pr.Graph, Groups: pr.Groups, Truth: pr.Truth}
	for i := range s.Method.Params {
		p := &s.Method.Params[i]
		state.Parameters[p.Name] = p.Format(s.Values[i])
	}
	remember(state, l)
	return state
}

func remember(s *model.State, l *learners.Learner) {
	n := l.Snapshot()
	s.Vectors, s.Sets, s.Numbers = n.Vectors, n.Sets, n.Numbers
}

// newLearner returns a learner that continues from the state in m.
func newLearner(m *model.Model) (*learners.Learner, error) {
	l, err := freshLearner(m)
	if err != nil {
		return nil, err
	}
	err = l.Restore(&learners.Snapshot{Vectors: m.State.Vectors, Sets: m.State.Sets, Numbers: m.State.Numbers})
	if err != nil {
		return nil, fmt.Errorf("its state does not belong to method %s: %w", m.State.Method, err)
	}
	return l, nil
}

// Settings returns the method of the state s, with the values of its parameters.
func Settings(s *model.State) (learners.Settings, error) {
	var params []plan.Param
	for _, name := range slices.Sorted(maps.Keys(s.Parameters)) {
		params = append(params, plan.Param{Name: name, Value: s.Parameters[name]})
	}
	return plan.Settings(s.Method, params)
}

// freshLearner returns a new learner for the problem and the settings of m.
func freshLearner(m *model.Model) (*learners.Learner, error) {
	s := m.State
	loss, err := learners.LookupLoss(m.Loss)
	if err != nil {
		return nil, err
	}
	settings, err := Settings(s)
	if err != nil {
		return nil, err
	}
	pr := &learners.Problem{P: len(m.Features), Graph: s.Graph, Groups: s.Groups, Truth: s.Truth}
	l, err := learners.NewWorkspace(pr).NewLearner(settings, loss)
	if err == nil {
		l.Endless()
	}
	return l, err
}

// enter copies the memory and the weights of the learner l into m.
func enter(m *model.Model, l *learners.Learner) {
	remember(m.State, l)
	var average learners.Model
	l.Average(&average)
	m.Weights = nil
	for _, of := range []struct {
		name string
		*learners.Model
	}{{model.W, l.Model()}, {model.Wbar, &average}} {
		m.Weights = append(m.Weights, NewWeights(of.name, of.Model, m.State.Center, m.State.Scale))
	}
}

// NewWeights converts a model that predicts (y − center)/scale into weights that predict y.
func NewWeights(name string, of *learners.Model, center, scale float64) model.Weights {
	w := model.Weights{Name: name, W: make([]float64, len(of.W)), Intercept: center + scale*of.Intercept}
	for j, v := range of.W {
		w.W[j] = scale*v + 0 // + 0 turns −0 into 0
	}
	return w
}

// before returns how many samples a model's learner had learned when the model began.
func before(m *model.Model) float64 { return m.State.Numbers["samples"] - float64(m.State.Learned) }

// difference names the first difference between the ways in which a and b learn, or returns "".
func difference(a, b *model.Model) string {
	for _, of := range []struct {
		what string
		a, b any
	}{
		{"methods", a.State.Method, b.State.Method}, {"parameters", a.State.Parameters, b.State.Parameters},
		{"losses", a.Loss, b.Loss}, {"classes", [2]string{a.Negative, a.Positive}, [2]string{b.Negative, b.Positive}},
		{"features", a.Features, b.Features}, {"probes", a.Probes, b.Probes}, {"means and deviations", a.Scaling, b.Scaling},
		{"centres and scales of the targets", [2]float64{a.State.Center, a.State.Scale},
			[2]float64{b.State.Center, b.State.Scale}},
		{"groups", a.State.Groups, b.State.Groups}, {"true features", a.State.Truth, b.State.Truth},
		{"networks", a.State.Graph, b.State.Graph}, {"samples before the stream", before(a), before(b)},
	} {
		if !reflect.DeepEqual(of.a, of.b) {
			return of.what
		}
	}
	return ""
}
