package learnertest

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/learners"
)

type subject struct {
	method  *learners.Method
	loss    learners.Loss
	params  map[string]float64
	problem *learners.Problem
	x       [][]float64
	y       []float64
}

const (
	width, height = 7, 5
	features      = width*height + 5 // a grid, a path of four nodes, and an isolated node
	samples       = 60
	zeroFeature   = 3 // index of a feature that is 0 in every sample
)

// ordinary holds values of parameters with which every method learns.
var ordinary = map[string]float64{
	"lambda": 0.05, "gamma": 50, "rho": 0.001, "eta": 0.02, "alpha": 0.01, "s": 6,
}

func newSubject(m *learners.Method, loss learners.Loss) *subject {
	s := &subject{method: m, loss: loss, params: map[string]float64{}, problem: newProblem()}
	for _, p := range m.Params {
		if v, ok := ordinary[p.Name]; ok {
			s.params[p.Name] = v
		} else if p.Required() {
			s.params[p.Name] = within(p)
		}
	}
	s.sample()
	return s
}

func within(p learners.Param) float64 {
	if p.Below != 0 {
		return (p.Min + p.Below) / 2
	}
	return p.Min + 1
}

// newProblem returns a problem whose graph has three components and random costs. The true support is connected. Groups
// overlap, and the last features are in no group.
func newProblem() *learners.Problem {
	r := rand.New(rand.NewPCG(1, 1))
	edges := slices.Clone(graph.Grid(width, height).Edges())
	for u := int32(width * height); u < features-2; u++ {
		edges = append(edges, graph.Edge{U: u, V: u + 1})
	}
	costs := make([]float64, len(edges))
	for i := range costs {
		costs[i] = 0.5 + r.Float64()
	}
	g, err := graph.New(features, edges, costs)
	if err != nil {
		panic(err)
	}
	pr := &learners.Problem{P: features, Graph: g, Truth: []int32{9, 10, 11, 17, 18, 24}}
	for first := int32(0); first < features-5; first += 3 {
		pr.Groups = append(pr.Groups, []int32{first, first + 1, first + 2, first + 3})
	}
	return pr
}

// sample draws the samples. Features have a normal distribution, and the true features determine the target.
func (s *subject) sample() {
	r := rand.New(rand.NewPCG(2, 1))
	s.x, s.y = make([][]float64, samples), make([]float64, samples)
	for k := range s.x {
		x := make([]float64, features)
		score := 0.3 + 0.3*r.NormFloat64()
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for j, i := range s.problem.Truth {
			score += x[i] * (0.4 + 0.1*float64(j))
		}
		x[zeroFeature] = 0
		s.x[k], s.y[k] = x, score
		if s.loss.Classifies() {
			s.y[k] = math.Copysign(1, score)
		}
	}
}

// Drawn returns n samples of p features and their labels. The first two features determine the labels; about a third of
// the labels are flipped.
func Drawn(n, p int) (x [][]float64, y []float64) {
	r := rand.New(rand.NewPCG(7, 1))
	for range n {
		row := make([]float64, p)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		label := 1.0
		if (row[0]+row[1] < 0.3) != (r.IntN(3) == 0) {
			label = -1
		}
		x, y = append(x, row), append(y, label)
	}
	return x, y
}

// PartialLoss computes the negative log partial likelihood from its definition, for tests of package cox.
func PartialLoss(y []float64, strata []string, scores []float64) (loss float64) {
	for i := range y {
		if y[i] < 0 {
			continue
		}
		sum := 0.0
		for k := range y {
			if math.Abs(y[k]) >= y[i] && (strata == nil || strata[k] == strata[i]) {
				sum += math.Exp(scores[k])
			}
		}
		loss += math.Log(sum) - scores[i]
	}
	return loss
}

func (s *subject) has(param string) bool {
	_, err := s.method.Param(param)
	return err == nil
}

// with returns a copy of the subject with the given parameter values. It ignores parameters that the method lacks.
func (s *subject) with(params map[string]float64) *subject {
	other := *s
	other.params = maps.Clone(s.params)
	for name, v := range params {
		if s.has(name) {
			other.params[name] = v
		}
	}
	return &other
}

func (s *subject) settings(t *testing.T) learners.Settings {
	t.Helper()
	return learners.Settings{Method: s.method, Values: must1(s.method.Fill(s.params))}
}

func (s *subject) learner(t *testing.T, ws *learners.Workspace) *learners.Learner {
	t.Helper()
	return must1(ws.NewLearner(s.settings(t), s.loss))
}

func (s *subject) pass(t *testing.T) *learners.Learner {
	t.Helper()
	return s.passOn(t, learners.NewWorkspace(s.problem))
}

func (s *subject) passOn(t *testing.T, ws *learners.Workspace) *learners.Learner {
	t.Helper()
	l := s.learner(t, ws)
	s.learn(t, l, 0, samples)
	return l
}

func (s *subject) learn(t *testing.T, l *learners.Learner, from, to int) {
	t.Helper()
	for k := from; k < to; k++ {
		must(t, l.Learn(s.x[k], s.y[k]))
	}
}

type state struct {
	samples             int
	w, wbar             []float64 // weights, followed by the intercept
	account, accountBar learners.Account
	searches            learners.SearchStats
}

func stateOf(l *learners.Learner) state {
	var average learners.Model
	l.Average(&average)
	return state{
		samples:    l.Samples(),
		w:          append(slices.Clone(l.Model().W), l.Model().Intercept),
		wbar:       append(average.W, average.Intercept),
		account:    clone(l.Account()),
		accountBar: clone(l.AccountBar()),
		searches:   l.Searches(),
	}
}

func clone(a *learners.Account) learners.Account {
	return learners.Account{Loss: a.Loss, Mistakes: a.Mistakes, MistakeAt: slices.Clone(a.MistakeAt)}
}

// wantSame fails the test unless got and want are equal, bit for bit.
func wantSame(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprintf("%x", got), fmt.Sprintf("%x", want); g != w {
		t.Errorf("%s: %v (%s), want %v (%s)", what, got, g, want, w)
	}
}

// wantClose fails the test if an entry of got and want differs by more than tolerance·(1 + |entry of want|).
func wantClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*(1+math.Abs(want[i]))) {
			t.Errorf("%s: entry %d is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
