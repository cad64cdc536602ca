package executor

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/jobs/plan"
	"graphda/learners"
)

// A worker runs cells of one trial. It is not safe for concurrent use.
type worker struct {
	data *trial
	loss learners.Loss
	ws   *learners.Workspace

	progress func(done int) // if not nil, called after every sample
	tracedAt []int          // checkpoints whose models get a trace

	evaluator metrics.Evaluator
	scores    [2][]float64 // scores of w and of w̄
}

func newWorker(data *trial, loss learners.Loss) *worker {
	return &worker{data: data, loss: loss, ws: learners.NewWorkspace(data.Problem)}
}

// A cellRun is the state of a running cell.
type cellRun struct {
	planned  plan.TaskCell // zero for a cell without a plan
	settings learners.Settings

	row    results.Row // row of the last checkpoint reached
	rows   []results.Row
	answer Answer // answer at the last checkpoint reached
}

func newCellRun(id string, settings learners.Settings, host, attempt string) *cellRun {
	return &cellRun{settings: settings, row: results.Row{
		Cell: id, Method: settings.Method.Name, Params: plan.Spread(plan.Layout(), settings), Host: host, CPU: CPUKind(),
		Settings: plan.FreeSettings(settings), Attempt: attempt,
	}}
}

// begin returns a new Pass for cells of one method.
func (w *worker) begin(cells []*cellRun, checkpoints []int) Pass {
	if cells[0].settings.Method.Free {
		f := &foreign{data: w.data, loss: w.loss, checkpoints: checkpoints}
		for _, c := range cells {
			f.cells = append(f.cells, told{id: c.row.Cell, settings: c.settings})
		}
		return f
	}
	b := &builtIn{data: w.data, traced: len(w.tracedAt) > 0, told: w.progress}
	for _, c := range cells {
		l, err := w.ws.NewLearner(c.settings, w.loss)
		b.learners, b.answers = append(b.learners, l), append(b.answers, Answer{Failure: err})
	}
	return b
}

// run lets cells of one method learn the training samples. At every checkpoint it appends a row to each cell and yields
// the cell. A cell that cannot continue gets failed rows for the other checkpoints. An error ends the run: the context
// ended, or no cell can continue.
func (w *worker) run(ctx context.Context, cells []*cellRun, checkpoints []int) iter.Seq2[*cellRun, error] {
	return func(yield func(*cellRun, error) bool) {
		for _, c := range cells {
			c.row.Dataset, c.row.Trial, c.row.Started = w.data.Dataset, w.data.Trial.Trial, time.Now()
		}
		pass := w.begin(cells, checkpoints)
		for _, checkpoint := range checkpoints {
			if err := pass.Learn(ctx, checkpoint); err != nil {
				yield(nil, err)
				return
			}
			for k, c := range cells {
				c.answer = pass.Answer(k)
				w.report(c, checkpoint)
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

func (c *cellRun) failed() bool { return c.answer.Failure != nil }

func (w *worker) report(c *cellRun, checkpoint int) {
	r := &c.row
	r.Checkpoint, r.Seconds = checkpoint, c.answer.Seconds
	r.W, r.Wbar = results.NoMetrics(), results.NoMetrics()
	if !c.failed() {
		w.evaluate(r, &c.answer)
	}
	if c.failed() {
		r.Error, r.W, r.Wbar = c.answer.Failure.Error(), results.NoMetrics(), results.NoMetrics()
	}
	searches := &c.answer.Searches
	r.Solves, r.Unbracketed = int64(searches.Solves), int64(searches.Unbracketed)
	r.KeptHeads, r.HeadBound = int64(searches.KeptHeads), searches.HeadBound
	if r.HeadBound == 0 {
		r.HeadBound = math.NaN()
	}
	r.Finished = time.Now()
	c.rows = append(c.rows, *r)
}

func (w *worker) evaluate(row *results.Row, a *Answer) {
	both := [2]*results.Metrics{&row.W, &row.Wbar}
	w.score(a, &w.data.Test, [2][]float64{a.W.Test, a.Wbar.Test})
	for k, m := range both {
		m.TestAccuracy, m.TestBalancedAccuracy, m.TestAUC, m.TestMSE = w.measure(k, w.data.Test.Y)
	}
	w.score(a, &w.data.Valid, [2][]float64{a.W.Valid, a.Wbar.Valid})
	for k, m := range both {
		m.ValidAccuracy, m.ValidBalancedAccuracy, m.ValidAUC, m.ValidMSE = w.measure(k, w.data.Valid.Y)
	}
	least := w.data.leastLoss(w.loss, row.Checkpoint)
	for k, l := range [2]*Learned{&a.W, &a.Wbar} {
		m := both[k]
		if l.Account != nil {
			m.CumulativeLoss = l.Account.Loss
			m.Regret = m.CumulativeLoss - least
		}
		if l.Account != nil && w.loss.Classifies() {
			m.Mistakes = float64(l.Account.Mistakes)
		}
		if l.Model != nil {
			support := metrics.SupportOf(l.Model.W, w.data.Features.Truth)
			m.Nonzeros = support.Nonzeros
			m.Precision, m.Recall, m.F1 = support.Precision, support.Recall, support.F1
		}
	}
}

// score sets w.scores to the scores of both models, w and w̄, on the samples of b. It computes missing scores sample by
// sample, so that a sample is in the cache for both models. If a score is not finite, the cell fails.
func (w *worker) score(a *Answer, b *samples.Block, given [2][]float64) {
	models := [2]*learners.Model{a.W.Model, a.Wbar.Model}
	for k := range models {
		w.scores[k] = append(w.scores[k][:0], given[k]...)
	}
	for i := range b.Rows() {
		for k, model := range models {
			if given[k] == nil && model != nil {
				z := model.Score(b.Row(i))
				if w.scores[k] = append(w.scores[k], z); z-z != 0 {
					a.Failure = fmt.Errorf("weights and values are too large: the score of a sample is %v", z)
				}
			}
		}
	}
}

// measure computes the measures of w (k = 0) or of w̄ (k = 1). For classification, mse is NaN. For regression, all
// other measures are NaN.
func (w *worker) measure(k int, y []float64) (accuracy, balanced, area, mse float64) {
	nan := math.NaN()
	switch z := w.scores[k]; {
	case len(z) == 0: // the cell has no such model
		return nan, nan, nan, nan
	case w.loss.Classifies():
		c := w.evaluator.Classify(z, y)
		return c.Accuracy, c.BalancedAccuracy, c.AUC, nan
	default:
		return nan, nan, nan, metrics.MSE(z, y)
	}
}

// model returns a cell's models at the last checkpoint reached, for storing.
func (w *worker) model(c *cellRun) results.Model {
	a := &c.answer
	m := results.Model{
		Cell: c.row.Cell, Dataset: c.row.Dataset, Trial: c.row.Trial, Method: c.row.Method,
		Checkpoint: c.row.Checkpoint, P: w.data.Problem.P,
		W: sparse(a.W.Model), Wbar: sparse(a.Wbar.Model), Mistakes: a.W.mistakes(), MistakesWbar: a.Wbar.mistakes(),
	}
	if slices.Contains(w.tracedAt, m.Checkpoint) {
		t := &a.Trace
		m.Trace = results.Trace{Losses: slices.Clone(t.Losses), LossesWbar: slices.Clone(t.LossesWbar),
			LargestNorm: t.LargestNorm}
	}
	return m
}

// mistakes returns the positions of the mispredicted samples, counted from 1, or nil if they are unknown.
func (l *Learned) mistakes() []int32 {
	if l.Account == nil {
		return nil
	}
	return slices.Clone(l.Account.MistakeAt)
}

func sparse(m *learners.Model) results.Sparse {
	if m == nil {
		return results.Sparse{}
	}
	s := results.Sparse{Intercept: m.Intercept}
	for i, w := range m.W {
		if w != 0 {
			s.Index = append(s.Index, int32(i))
			s.Value = append(s.Value, w)
		}
	}
	return s
}
