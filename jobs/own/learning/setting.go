package learning

import (
	"fmt"
	"math"

	"graphda/learners"
)

// A Setting is a method with values that do not depend on the data's scale. Values that the method lacks are 0.
type Setting struct {
	Method *learners.Method
	F      float64 // see package tuning
	R      float64 // strength of the penalty as a share of λ_max; for marginal tests, the level q
	S      int     // number of features to select
	Root   int     // number of a feature that must be selected, from 1; 0 means none

	Components int  // number of trees that the selected features form in the network; 0 means 1
	Exact      bool // GraphDA never selects more than S features; otherwise it may select a few more
	Supports   int  // smallest number of supports that GraphDA finds; for 0, see Fill
}

// Trees returns the number of trees that the selected features form in the network.
func (s Setting) Trees() int { return max(1, s.Components) }

// String returns the setting in the form "GraphDA f=3 s=26".
func (s Setting) String() string {
	text := s.Method.Label
	if s.F > 0 {
		text += fmt.Sprintf(" f=%g", s.F)
	}
	if s.R > 0 {
		text += fmt.Sprintf(" %s=%.3g", s.Strength(), s.R)
	}
	if s.S > 0 {
		text += fmt.Sprintf(" s=%d", s.S)
	}
	if s.Components > 1 {
		text += fmt.Sprintf(" components=%d", s.Components)
	}
	return text
}

// Strength returns the name of R: q for marginal tests, and r for all other methods.
func (s Setting) Strength() string {
	if _, err := s.Method.Param("q"); err == nil {
		return "q"
	}
	return "r"
}

// Rounds returns 1 if the method makes only one pass (Method.Once), else the given number of passes.
func (s Setting) Rounds(others int) int {
	if s.Method.Once {
		return 1
	}
	return others
}

// supports is the smallest number of supports that GraphDA finds in one pass over samples of two classes. On 14
// datasets, 64 supports gave models as good as a support after each sample.
const supports = 64

// keep is the value of GraphDA's parameter keep, unless GraphDA finds a support after each sample. On 24 random
// datasets, 0.9 took 60 % of the time of 0.98 and found 99 % as many true features.
const keep = 0.9

// Fill returns the values of the method's parameters for the split sp. GraphDA usually finds a support after each
// round. If s.Supports is set, it finds fewer supports, evenly spaced, but at least s.Supports. In a single pass over
// samples of two classes, the default of s.Supports is the constant supports, unless sp.Each is set.
func (s Setting) Fill(sp *Split, rounds int) (learners.Settings, error) {
	step := s.F * math.Sqrt(float64(rounds)) // γ = step·σ²
	given := map[string]float64{}
	set := func(name string, value float64) {
		if _, err := s.Method.Param(name); err == nil {
			given[name] = value
		}
	}
	set("gamma", step*sp.Variance)
	set("eta", 1/(step*math.Sqrt(sp.Variance)))
	set("lambda", s.R*sp.LambdaMax)
	set("q", s.R)
	set("s", float64(s.S))
	set("rho", 0)
	set("root", float64(s.Root))
	set("components", float64(s.Trees()))
	if s.Exact {
		set("omega", 0)
	}
	least := s.Supports
	if least == 0 && !sp.Each && rounds == sp.Train.Rows() && OutcomeOf(sp.Loss) == Classes {
		least = supports
	}
	if least > 0 && rounds/least > 1 {
		set("every", float64(rounds/least))
		set("keep", keep)
	}
	if p, err := s.Method.Param("search"); err == nil {
		lazy, err := p.Parse("lazy")
		if err != nil {
			return learners.Settings{}, err
		}
		given["search"] = lazy
	}
	values, err := s.Method.Fill(given)
	return learners.Settings{Method: s.Method, Values: values}, err
}
