package learnertest

import (
	"errors"
	"maps"
	"math"
	"strings"
	"testing"

	"graphda/learners"
)

func checkDescription(t *testing.T, s *subject) {
	m := s.method
	for what, text := range map[string]string{"name": m.Name, "label": m.Label, "source": m.Source, "update": m.Update} {
		if strings.TrimSpace(text) == "" {
			t.Errorf("the method has no %s", what)
		}
	}
	if found, err := learners.Lookup(m.Name); err != nil || found != m {
		t.Errorf("Lookup(%q) finds another method, or %v", m.Name, err)
	}
	for i := range m.Params {
		p := &m.Params[i]
		if p.Name == "" || p.Symbol == "" || p.Doc == "" {
			t.Errorf("parameter %d is not described: %+v", i, p)
		}
		if found, err := m.Param(p.Name); err != nil || found != p {
			t.Errorf("Param(%q) finds another parameter, or %v", p.Name, err)
		}
		if !p.Required() {
			if err := p.Check(p.Default); err != nil {
				t.Errorf("a default is refused: %v", err)
			}
		}
	}
}

// checkParams checks that parameters refuse values out of range, that a parameter without a default is required, and
// that Parse reverses Format.
func checkParams(t *testing.T, s *subject) {
	for _, p := range s.method.Params {
		bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1), p.Min - 1}
		if p.Above {
			bad = append(bad, p.Min)
		}
		if p.Below != 0 {
			bad = append(bad, p.Below, p.Below+1)
		}
		if p.Integer || p.Words != nil {
			bad = append(bad, p.Min+0.5, 1e18)
		}
		if p.Words != nil {
			bad = append(bad, float64(len(p.Words)))
		}
		for _, v := range bad {
			wantRefused(t, s, p.Name, &v)
		}
		if p.Required() {
			wantRefused(t, s, p.Name, nil)
		}
		checkText(t, p, s.settings(t).Get(p.Name))
	}
}

// wantRefused fails unless Fill refuses the value of the named parameter. If value is nil, Fill must refuse that the
// parameter is missing. The error must name the method, the parameter and the range.
func wantRefused(t *testing.T, s *subject, name string, value *float64) {
	t.Helper()
	params := maps.Clone(s.params)
	delete(params, name)
	if value != nil {
		params[name] = *value
	}
	_, err := s.method.Fill(params)
	var fault *learners.ParamsError
	if !errors.As(err, &fault) || fault.Method != s.method.Name {
		t.Errorf("%s: error %v, want a ParamsError of %s", name, err, s.method.Name)
		return
	}
	p, _ := s.method.Param(name)
	if text := err.Error(); !strings.Contains(text, name) || !strings.Contains(text, p.Range()) {
		t.Errorf("error %q does not name %s and its range %q", text, name, p.Range())
	}
}

func checkText(t *testing.T, p learners.Param, v float64) {
	t.Helper()
	if back, err := p.Parse(p.Format(v)); err != nil || back != v {
		t.Errorf("%s: %v is written %q and read back as %v, %v", p.Name, v, p.Format(v), back, err)
	}
}

// checkNeeds checks that a method refuses a problem without a needed input, accepts a problem without other inputs, and
// refuses an s above the number of features.
func checkNeeds(t *testing.T, s *subject) {
	full := *s.problem
	for _, lack := range []struct {
		need   learners.Needs
		remove func(pr *learners.Problem)
		word   string
	}{
		{learners.NeedsGraph, func(pr *learners.Problem) { pr.Graph = nil }, "needs a network"},
		{learners.NeedsGroups, func(pr *learners.Problem) { pr.Groups = nil }, "needs groups"},
		{learners.NeedsTruth, func(pr *learners.Problem) { pr.Truth = nil }, "needs the true support"},
	} {
		pr := full
		lack.remove(&pr)
		_, err := learners.NewWorkspace(&pr).NewLearner(s.settings(t), s.loss)
		var fault *learners.ParamsError
		switch needed := s.method.Needs&lack.need != 0; {
		case !needed && err != nil:
			t.Errorf("refuses a problem that lacks what it does not need: %v", err)
		case needed && (!errors.As(err, &fault) || !strings.Contains(err.Error(), lack.word)):
			t.Errorf("error %v for a problem without its input does not say %q", err, lack.word)
		}
	}
	if !s.has("s") {
		return
	}
	must(t, s.method.Check(s.problem, s.with(map[string]float64{"s": features}).settings(t)))
	if err := s.method.Check(s.problem, s.with(map[string]float64{"s": features + 1}).settings(t)); err == nil {
		t.Errorf("accepts s = %d for %d features", features+1, features)
	}
}
