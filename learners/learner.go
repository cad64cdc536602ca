package learners

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
)

// ErrDiverged says that a model is no longer finite.
var ErrDiverged = errors.New("the model is no longer finite")

// A Learner makes one online pass. It predicts each sample, counts losses and mistakes, and updates the iterate.
type Learner struct {
	rule Rule
	loss Loss

	w   *Model
	sum *Model // sum of all iterates so far; w̄_t is sum/t
	t   int

	account, accountBar Account
	unaccounted         bool
}

// An Account counts the losses and mistakes of online predictions.
type Account struct {
	Loss      float64 // sum of the losses
	Last      float64 // loss of the last sample
	Mistakes  int     // number of predictions with the wrong sign; 0 unless the loss classifies
	MistakeAt []int32 // ascending numbers of the mispredicted samples, from 1; empty in an endless pass
	endless   bool
}

// NewLearner returns a learner for models with p weights.
func NewLearner(rule Rule, loss Loss, p int) *Learner {
	l := &Learner{rule: rule, loss: loss, w: newModel(p), sum: newModel(p)}
	l.sum.Sparse = false
	return l
}

// Learn runs one round with the next sample, which has the p features x and the label or target y. It does not retain
// x. An error ends the pass. It wraps ErrDiverged if numbers are no longer finite.
func (l *Learner) Learn(x []float64, y float64) error { return l.LearnFrom(0, 1, x, y) }

// LearnFrom is Learn with an offset and a weight. The offset, such as a score from covariates alone, is added to the
// score. If targets are numbers, the rule gets the target minus the offset. The weight, at least 0, multiplies the
// sample's gradient. Accounts ignore the weight.
func (l *Learner) LearnFrom(offset, weight float64, x []float64, y float64) error {
	if len(x) != len(l.w.W) {
		panic("learners: the sample and the model have different lengths")
	}
	z := l.w.Score(x) + offset
	if !finite(z) {
		return fmt.Errorf("sample %d: score %v: %w", l.t+1, z, ErrDiverged)
	}
	loss, dz := l.loss.Eval(z, y)
	if !l.unaccounted {
		l.account.Enter(l.loss, loss, z, y, l.t+1)
		zbar := offset
		if l.t > 0 {
			zbar += l.sum.Score(x) / float64(l.t)
		}
		loss, _ = l.loss.Eval(zbar, y)
		l.accountBar.Enter(l.loss, loss, zbar, y, l.t+1)
	}

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

// Descend runs one round with the gradient of a function of the p weights, such as a Cox model's partial likelihood of
// all samples. It does not retain the gradient, and counts no losses or mistakes. Errors are the same as for LearnFrom.
func (l *Learner) Descend(gradient []float64) error {
	if len(gradient) != len(l.w.W) {
		panic("learners: the gradient and the model have different lengths")
	}
	l.t++
	if err := l.rule.Step(l.w, Gradient{X: gradient, Scale: 1}, l.t); err != nil {
		return fmt.Errorf("pass %d: %w", l.t, err)
	}
	l.sum.add(l.w)
	return nil
}

// Enter adds the prediction of sample t, counted from 1. The sample has the loss `value`, the score z and the label y.
// A score of 0 predicts +1.
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

// Endless makes the learner count mistakes without listing them, for a pass without end.
func (l *Learner) Endless() { l.account.endless, l.accountBar.endless = true, true }

// Unaccounted makes the learner count neither losses nor mistakes, which saves time.
func (l *Learner) Unaccounted() { l.unaccounted = true }

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

// Samples returns t, the number of samples that the learner has seen.
func (l *Learner) Samples() int { return l.t }

// Model returns the iterate w_t. The next round changes the returned model.
func (l *Learner) Model() *Model { return l.w }

// Average overwrites dst with w̄_t, the mean of w_1 to w_t, or with zeros before the first sample.
func (l *Learner) Average(dst *Model) {
	n := float64(max(l.t, 1))
	dst.W = append(dst.W[:0], l.sum.W...)
	for i := range dst.W {
		dst.W[i] /= n
	}
	dst.Intercept, dst.Sparse, dst.Support = l.sum.Intercept/n, false, dst.Support[:0]
}

// Account returns the account of the iterates. The next round changes the returned account.
func (l *Learner) Account() *Account { return &l.account }

// AccountBar returns the account of the averaged iterates. The next round changes the returned account.
func (l *Learner) AccountBar() *Account { return &l.accountBar }

// Searches returns the counts of the projections' work so far.
func (l *Learner) Searches() SearchStats {
	if s, ok := l.rule.(searcher); ok {
		return s.Searches()
	}
	return SearchStats{}
}

// CheckFinite returns an error that wraps ErrDiverged if w_t or w̄_t is not finite.
func (l *Learner) CheckFinite() error {
	if l.w.finite() && l.sum.finite() {
		return nil
	}
	return fmt.Errorf("sample %d: %w", l.t, ErrDiverged)
}
