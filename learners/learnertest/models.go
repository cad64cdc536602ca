package learnertest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"graphda/learners"
	"graphda/projection"
)

// eachRound makes a pass. After each sample it calls look with the learner and ∂ℓ/∂z at the previous iterate.
func (s *subject) eachRound(t *testing.T, look func(l *learners.Learner, dz float64)) {
	t.Helper()
	l := s.learner(t, learners.NewWorkspace(s.problem))
	for k, x := range s.x {
		_, dz := s.loss.Eval(l.Model().Score(x), s.y[k])
		must(t, l.Learn(x, s.y[k]))
		look(l, dz)
	}
}

func checkFinite(t *testing.T, s *subject) {
	s.eachRound(t, func(l *learners.Learner, _ float64) {
		st := stateOf(l)
		for i, v := range slices.Concat(st.w, st.wbar, []float64{st.account.Loss, st.accountBar.Loss}) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("number %d is %v after %d samples", i, v, st.samples)
			}
		}
	})
	if s.pass(t).Model().Nonzeros() == 0 {
		t.Error("all weights are zero in the end")
	}
}

// checkSupport checks that a sparse model's support ascends and covers all nonzeros. A method with s must select at
// most s features. A method with a graph must select at most ⌊(1+ω)s⌋, if no search missed its window. A method that
// needs the truth must select only true features.
func checkSupport(t *testing.T, s *subject) {
	met, missed := 0, 0
	s.eachRound(t, func(l *learners.Learner, _ float64) {
		m := l.Model()
		if m.Sparse {
			wantCovered(t, m, m.Support)
		}
		if s.method.Needs&learners.NeedsTruth != 0 {
			wantCovered(t, m, s.problem.Truth)
		}
		if now := l.Searches().Unbracketed; now > missed {
			missed = now
			return
		}
		met++
		if limit := s.mostNonzeros(t); m.Nonzeros() > limit {
			t.Errorf("%d nonzeros after %d samples, want at most %d", m.Nonzeros(), l.Samples(), limit)
		}
	})
	if met == 0 {
		t.Errorf("no round met its windows, %d missed", missed)
	}
}

func (s *subject) mostNonzeros(t *testing.T) int {
	t.Helper()
	switch {
	case !s.has("s"):
		return features
	case s.has("omega"):
		set := s.settings(t)
		return projection.TailWindow(int(set.Get("s")), set.Get("omega")).High
	default:
		return int(s.params["s"])
	}
}

func wantCovered(t *testing.T, m *learners.Model, support []int32) {
	t.Helper()
	for k, i := range support {
		if i < 0 || int(i) >= len(m.W) || k > 0 && support[k-1] >= i {
			t.Fatalf("support %v is not ascending within %d features", support, len(m.W))
		}
	}
	for i, w := range m.W {
		if _, in := slices.BinarySearch(support, int32(i)); w != 0 && !in {
			t.Fatalf("weight %v of feature %d is outside the support %v", w, i, support)
		}
	}
}

// checkIntercept checks that the intercept does not depend on the regulariser. In a dual averaging method the intercept
// must be −(√t/γ)·(mean of ∂ℓ/∂z). In a thresholded gradient method it must be the sum of the steps −(η/√t)·∂ℓ/∂z. If
// the method has a rate, the intercept must be nonzero after every round in which the values ∂ℓ/∂z do not add up to 0.
func checkIntercept(t *testing.T, s *subject) {
	for _, lambda := range []float64{ordinary["lambda"], 1e6} {
		s := s.with(map[string]float64{"lambda": lambda})
		sum, steps := 0.0, 0.0
		s.eachRound(t, func(l *learners.Learner, dz float64) {
			n := float64(l.Samples())
			sum += dz
			steps -= s.params["eta"] / math.Sqrt(n) * dz
			got := []float64{l.Model().Intercept}
			switch {
			case s.has("gamma"):
				wantClose(t, "intercept", got, []float64{-math.Sqrt(n) / s.params["gamma"] * (sum / n)}, 1e-12)
			case s.has("eta") && s.has("s"):
				wantClose(t, "intercept", got, []float64{steps}, 1e-12)
			}
			if lambda == 1e6 && s.has("lambda") && l.Model().Nonzeros() != 0 {
				t.Errorf("%d nonzeros under λ = %v", l.Model().Nonzeros(), lambda)
			}
			if rated := s.has("gamma") || s.has("eta") || s.has("alpha"); rated && sum != 0 && l.Model().Intercept == 0 {
				t.Errorf("intercept 0 after %d samples", l.Samples())
			}
		})
	}
}

// checkRate checks that the first iterate is proportional to η, α or 1/γ, bit for bit. It sets ρ to 0,
// because γ scales ρ too.
func checkRate(t *testing.T, s *subject) {
	s = s.with(map[string]float64{"rho": 0})
	for name, factor := range map[string]float64{"gamma": 0.5, "eta": 2, "alpha": 2} {
		if !s.has(name) {
			continue
		}
		one, two := s.first(t), s.with(map[string]float64{name: 2 * s.params[name]}).first(t)
		for i := range one {
			if two[i] != factor*one[i] {
				t.Errorf("%s doubled: entry %d of w is %v, was %v", name, i, two[i], one[i])
			}
		}
	}
}

// first returns the weights w_1, followed by the intercept.
func (s *subject) first(t *testing.T) []float64 {
	t.Helper()
	l := s.learner(t, learners.NewWorkspace(s.problem))
	must(t, l.Learn(s.x[0], s.y[0]))
	return stateOf(l).w
}

// checkAccounts compares mistakes, losses and averages with a plain computation.
func checkAccounts(t *testing.T, s *subject) {
	l := s.learner(t, learners.NewWorkspace(s.problem))
	w, wbar := make([]float64, features+1), make([]float64, features+1)
	var account, accountBar learners.Account
	for k, x := range s.x {
		s.suffer(&account, w, x, s.y[k], k+1)
		s.suffer(&accountBar, wbar, x, s.y[k], k+1)
		must(t, l.Learn(x, s.y[k]))
		w = stateOf(l).w
		for i := range wbar {
			wbar[i] = (float64(k)*wbar[i] + w[i]) / float64(k+1)
		}
		got := stateOf(l)
		wantClose(t, "w̄", got.wbar, wbar, 1e-12)
		wantCloseAccount(t, "w", got.account, account)
		wantCloseAccount(t, "w̄", got.accountBar, accountBar)
	}
	if s.loss.Classifies() && account.Mistakes == 0 {
		t.Error("no mistake was made: they are not tested")
	}
	if !s.loss.Classifies() && l.Account().Mistakes+l.AccountBar().Mistakes != 0 {
		t.Error("mistakes under a loss that does not classify")
	}
}

// suffer adds the loss and the mistake of the model w on sample n to the account `a`.
func (s *subject) suffer(a *learners.Account, w, x []float64, y float64, n int) {
	z := w[features]
	for i, v := range x {
		z += w[i] * v
	}
	loss, _ := s.loss.Eval(z, y)
	a.Loss += loss
	if predicted := z >= 0; s.loss.Classifies() && predicted != (y == 1) {
		a.Mistakes++
		a.MistakeAt = append(a.MistakeAt, int32(n))
	}
}

func wantCloseAccount(t *testing.T, what string, got, want learners.Account) {
	t.Helper()
	wantClose(t, "cumulative loss of "+what, []float64{got.Loss}, []float64{want.Loss}, 1e-12)
	if !slices.Equal(got.MistakeAt, want.MistakeAt) || got.Mistakes != len(want.MistakeAt) {
		t.Errorf("mistakes of %s at %v, want %v", what, got.MistakeAt, want.MistakeAt)
	}
}

func checkZeroFeature(t *testing.T, s *subject) {
	s.eachRound(t, func(l *learners.Learner, _ float64) {
		if w := l.Model().W[zeroFeature]; w != 0 {
			t.Fatalf("weight %v of a feature that is always zero after %d samples", w, l.Samples())
		}
	})
}

// checkDivergence runs a pass at a far too high rate. All numbers must stay finite, or the pass must end with an
// ErrDiverged that names the sample.
func checkDivergence(t *testing.T, s *subject) {
	s = s.with(map[string]float64{"gamma": 1e-12, "eta": 1e12, "alpha": 1e12, "rho": 0})
	l := s.learner(t, learners.NewWorkspace(s.problem))
	for k, x := range s.x {
		err := l.Learn(x, s.y[k])
		if err == nil {
			continue
		}
		if !errors.Is(err, learners.ErrDiverged) {
			t.Errorf("error %q does not wrap ErrDiverged", err)
		}
		if !strings.HasPrefix(err.Error(), fmt.Sprintf("sample %d: ", k+1)) {
			t.Errorf("error %q does not name sample %d", err, k+1)
		}
		return
	}
	must(t, l.CheckFinite())
}

func checkLength(t *testing.T, s *subject) {
	l := s.learner(t, learners.NewWorkspace(s.problem))
	defer func() {
		if recover() == nil {
			t.Error("a sample that is too short does not panic")
		}
	}()
	_ = l.Learn(s.x[0][1:], s.y[0])
}

// checkAllocations checks that after some rounds of an endless pass Learn allocates nothing.
func checkAllocations(t *testing.T, s *subject) {
	l := s.learner(t, learners.NewWorkspace(s.problem))
	l.Endless()
	s.learn(t, l, 0, 5)
	next := 5
	n := testing.AllocsPerRun(1, func() { // AllocsPerRun calls its function twice
		s.learn(t, l, next, next+25)
		next += 25
	})
	if n != 0 {
		t.Errorf("Learn: %v allocations in 25 rounds, want 0", n)
	}
}
