package learners

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
)

// ErrDiverged is the cause of the error of a pass whose model is no longer finite.
var ErrDiverged = errors.New("the model is no longer finite")

// A Learner is one online pass: it predicts each sample with the models learned from the
// samples before it, counts mistakes and losses, and lets its rule update the iterate.
type Learner struct {
	rule Rule
	loss Loss

	w   *Model
	sum *Model // Σ w_i over the rounds so far; w̄_t is sum/t
	t   int

	account, accountBar Account
}

// An Account is what a sequence of models has suffered, each predicting the sample after
// those it was learned from.
type Account struct {
	Loss      float64 // Σ ℓ
	Last      float64 // ℓ of the last sample
	Mistakes  int     // samples whose sign was wrong; 0 unless the loss classifies
	MistakeAt []int32 // which they were, ascending from 1; of an endless pass none
	endless   bool
}

// NewLearner returns a learner of p weights that starts at zero.
func NewLearner(rule Rule, loss Loss, p int) *Learner {
	l := &Learner{rule: rule, loss: loss, w: newModel(p), sum: newModel(p)}
	l.sum.Sparse = false
	return l
}

// Learn runs one round: the next sample x (of length p, not retained) with label or
// target y. An error ends the pass; it wraps ErrDiverged if the score, or a vector to be
// projected, is not finite.
func (l *Learner) Learn(x []float64, y float64) error { return l.LearnFrom(0, 1, x, y) }

// LearnFrom is Learn for a sample to whose score an offset is added: what is known of it without its features. A number
// is learned as what the offset leaves of it. The sample's gradient is multiplied by its weight, at least 0; in
// accounts all samples count alike.
func (l *Learner) LearnFrom(offset, weight float64, x []float64, y float64) error {
	if len(x) != len(l.w.W) {
		panic("learners: the sample's length is not the model's")
	}
	z := l.w.Score(x) + offset
	if !finite(z) {
		return fmt.Errorf("sample %d: score %v: %w", l.t+1, z, ErrDiverged)
	}
	loss, dz := l.loss.Eval(z, y)
	l.account.Enter(l.loss, loss, z, y, l.t+1)
	zbar := offset
	if l.t > 0 {
		zbar += l.sum.Score(x) / float64(l.t)
	}
	loss, _ = l.loss.Eval(zbar, y)
	l.accountBar.Enter(l.loss, loss, zbar, y, l.t+1)

	l.t++
	g := Gradient{X: x, Scale: weight * dz, Intercept: weight * dz, Target: y, Labels: l.loss.Classifies()}
	if !g.Labels {
		g.Target -= offset
	}
	if err := l.rule.Step(l.w, g, l.t); err != nil {
		return fmt.Errorf("sample %d: %w", l.t, err)
	}
	l.sum.add(l.w)
	return nil
}

// Descend runs one round of a pass over all samples: gradient is that of a function of the p weights at the iterate,
// without an intercept, such as of a Cox model's partial likelihood. It is not retained. What a sample would tell
// beside it, such as mistakes, is not counted. An error is one of LearnFrom.
func (l *Learner) Descend(gradient []float64) error {
	if len(gradient) != len(l.w.W) {
		panic("learners: the gradient's length is not the model's")
	}
	l.t++
	if err := l.rule.Step(l.w, Gradient{X: gradient, Scale: 1}, l.t); err != nil {
		return fmt.Errorf("pass %d: %w", l.t, err)
	}
	l.sum.add(l.w)
	return nil
}

// Enter enters a score z given to sample t, from 1, and its value under the loss; a score of 0 predicts +1.
func (a *Account) Enter(loss Loss, value, z, y float64, t int) {
	a.Loss += value
	a.Last = value
	if loss.Classifies() && (z >= 0) != (y > 0) {
		a.Mistakes++
		if !a.endless {
			a.MistakeAt = append(a.MistakeAt, int32(t))
		}
	}
}

// Endless makes the learner count mistakes without a list of them, for samples that never end.
func (l *Learner) Endless() { l.account.endless, l.accountBar.endless = true, true }

func (m *Model) add(w *Model) {
	m.Intercept += w.Intercept
	if !w.Sparse {
		floats.Add(m.W, w.W)
		return
	}
	for _, i := range w.Support {
		m.W[i] += w.W[i]
	}
}

// Samples returns the number of samples seen, t.
func (l *Learner) Samples() int { return l.t }

// Model returns the iterate w_t. It is the learner's own: the next round changes it.
func (l *Learner) Model() *Model { return l.w }

// Average overwrites dst with w̄_t, the mean of w_1 … w_t; before the first sample it is zero.
func (l *Learner) Average(dst *Model) {
	n := float64(max(l.t, 1))
	dst.W = append(dst.W[:0], l.sum.W...)
	for i := range dst.W {
		dst.W[i] /= n
	}
	dst.Intercept, dst.Sparse, dst.Support = l.sum.Intercept/n, false, dst.Support[:0]
}

// Account returns what the iterates w_{t−1} have suffered. It is the learner's own.
func (l *Learner) Account() *Account { return &l.account }

// AccountBar returns what the averages w̄_{t−1} have suffered. It is the learner's own.
func (l *Learner) AccountBar() *Account { return &l.accountBar }

// Searches returns what the rule's projections have cost so far.
func (l *Learner) Searches() SearchStats {
	if s, ok := l.rule.(searcher); ok {
		return s.Searches()
	}
	return SearchStats{}
}

// CheckFinite returns an error that wraps ErrDiverged unless w_t and w̄_t are finite.
func (l *Learner) CheckFinite() error {
	if l.w.finite() && l.sum.finite() {
		return nil
	}
	return fmt.Errorf("sample %d: %w", l.t, ErrDiverged)
}
