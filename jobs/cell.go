package jobs

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
	"graphda/learners"
)

var nan = math.NaN()

// A worker takes cells of one trial through its samples. It is not safe for concurrent use.
type worker struct {
	data *trialData
	loss learners.Loss
	ws   *learners.Workspace

	progress func(done int) // told after every sample; may be nil
	tracedAt []int          // the checkpoints whose models have traces

	evaluator metrics.Evaluator
	scores    []float64
	average   learners.Model
}

func newWorker(data *trialData, loss learners.Loss) *worker {
	return &worker{data: data, loss: loss, ws: learners.NewWorkspace(data.problem)}
}

// A cellRun is a cell on its way through the samples.
type cellRun struct {
	task     *taskRun // nil for a cell outside any plan
	planned  TaskCell
	settings learners.Settings

	row     results.Row   // of the checkpoint last reached
	rows    []results.Row // of all checkpoints reached
	learner *learners.Learner
	trace   results.Trace // if the worker keeps them
	failure error         // why the cell cannot go on
	learned time.Duration // time spent learning
}

// newCellRun prepares the cell of an id, whose rows say where they were computed.
func newCellRun(id string, settings learners.Settings, host, attempt string) *cellRun {
	return &cellRun{settings: settings, row: results.Row{
		Cell: id, Method: settings.Method.Name, Params: spread(Layout(), settings), Host: host, CPU: CPUKind(),
		Attempt: attempt,
	}}
}

// run takes cells of one method through the training samples together, each sample to all of
// them while it is in the cache, and yields each cell at every checkpoint, with the row of it.
// A cell that cannot go on has a failed row for each checkpoint that it did not reach; the error
// is the context's, and ends the run.
func (w *worker) run(ctx context.Context, cells []*cellRun, checkpoints []int) iter.Seq2[*cellRun, error] {
	return func(yield func(*cellRun, error) bool) {
		for _, c := range cells {
			c.row.Dataset, c.row.Trial, c.row.Started = w.data.Dataset, w.data.Trial.Trial, time.Now()
			c.learner, c.failure = w.ws.NewLearner(c.settings, w.loss)
		}
		from := 0
		for _, checkpoint := range checkpoints {
			if err := w.learn(ctx, cells, from, checkpoint); err != nil {
				yield(nil, err)
				return
			}
			from = checkpoint
			for _, c := range cells {
				w.report(c, checkpoint)
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// learn takes the cells that can go on from one checkpoint to the next. The time is divided
// between them: cells of one method take about the same.
func (w *worker) learn(ctx context.Context, cells []*cellRun, from, to int) error {
	live := slices.DeleteFunc(slices.Clone(cells), (*cellRun).failed)
	if train := &w.data.Train; to > train.Rows() {
		for _, c := range live {
			c.failure = fmt.Errorf("checkpoint %d, want at most the %d training samples", to, train.Rows())
		}
		return nil
	}
	begin, share := time.Now(), len(live)
	for i := from; i < to && len(live) > 0; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		x, y := w.data.Train.Row(i), w.data.Train.Y[i]
		for _, c := range live {
			c.failure = c.learner.Learn(x, y)
			if len(w.tracedAt) > 0 {
				c.follow()
			}
		}
		live = slices.DeleteFunc(live, (*cellRun).failed)
		if w.progress != nil {
			w.progress(i + 1)
		}
	}
	elapsed := time.Since(begin)
	for _, c := range live {
		c.failure = c.learner.CheckFinite()
		c.learned += elapsed / time.Duration(share)
	}
	return ctx.Err()
}

// follow extends the trace by the sample last learned from.
func (c *cellRun) follow() {
	l, t := c.learner, &c.trace
	t.Losses = append(t.Losses, l.Account().Last)
	t.LossesWbar = append(t.LossesWbar, l.AccountBar().Last)
	t.LargestNorm = max(t.LargestNorm, l.Model().Norm())
}

func (c *cellRun) failed() bool { return c.failure != nil }

// report fills in and keeps the row of the checkpoint that a cell has reached.
func (w *worker) report(c *cellRun, checkpoint int) {
	r := &c.row
	r.Checkpoint, r.Seconds = checkpoint, c.learned.Seconds()
	r.W, r.Wbar = results.NoMetrics(), results.NoMetrics()
	if c.failure == nil {
		w.evaluate(r, c.learner)
	} else {
		r.Error = c.failure.Error()
	}
	if c.learner != nil {
		searches := c.learner.Searches()
		r.Solves, r.Unbracketed = int64(searches.Solves), int64(searches.Unbracketed)
		r.KeptHeads, r.HeadBound = int64(searches.KeptHeads), searches.HeadBound
	}
	if r.HeadBound == 0 {
		r.HeadBound = nan
	}
	r.Finished = time.Now()
	c.rows = append(c.rows, *r)
}

// evaluate fills in the measures of both models.
func (w *worker) evaluate(row *results.Row, l *learners.Learner) {
	l.Average(&w.average)
	w.evaluateModel(&row.W, l.Model(), l.Account())
	w.evaluateModel(&row.Wbar, &w.average, l.AccountBar())
	least := w.data.leastLoss(w.loss, row.Checkpoint)
	row.W.Regret, row.Wbar.Regret = row.W.CumulativeLoss-least, row.Wbar.CumulativeLoss-least
}

func (w *worker) evaluateModel(m *results.Metrics, model *learners.Model, account *learners.Account) {
	test, valid := w.predict(model, &w.data.Test), w.predict(model, &w.data.Valid)
	m.TestAccuracy, m.ValidAccuracy = test.Accuracy, valid.Accuracy
	m.TestBalancedAccuracy, m.ValidBalancedAccuracy = test.BalancedAccuracy, valid.BalancedAccuracy
	m.TestAUC, m.ValidAUC = test.AUC, valid.AUC
	m.TestMSE, m.ValidMSE = test.mse, valid.mse
	m.CumulativeLoss = account.Loss
	if w.loss.Classifies() {
		m.Mistakes = float64(account.Mistakes)
	}
	support := metrics.SupportOf(model.W, w.data.Features.Truth)
	m.Nonzeros = support.Nonzeros
	m.Precision, m.Recall, m.F1 = support.Precision, support.Recall, support.F1
}

// A prediction is the measures of a model on a split: those of classification or the mean
// squared error, the others NaN.
type prediction struct {
	metrics.Classification
	mse float64
}

func (w *worker) predict(model *learners.Model, b *samples.Block) prediction {
	w.scores = w.scores[:0]
	for i := range b.Rows() {
		w.scores = append(w.scores, model.Score(b.Row(i)))
	}
	if w.loss.Classifies() {
		return prediction{w.evaluator.Classify(w.scores, b.Y), nan}
	}
	return prediction{metrics.Classification{Accuracy: nan, BalancedAccuracy: nan, AUC: nan}, metrics.MSE(w.scores, b.Y)}
}

// model returns what a cell has learned, for the file of models.
func (w *worker) model(c *cellRun) results.Model {
	l := c.learner
	l.Average(&w.average)
	m := results.Model{
		Cell: c.row.Cell, Dataset: c.row.Dataset, Trial: c.row.Trial, Method: c.row.Method,
		Checkpoint: c.row.Checkpoint, P: w.data.problem.P,
		W: sparse(l.Model()), Wbar: sparse(&w.average),
		Mistakes:     append([]int32(nil), l.Account().MistakeAt...),
		MistakesWbar: append([]int32(nil), l.AccountBar().MistakeAt...),
	}
	if slices.Contains(w.tracedAt, m.Checkpoint) {
		t := &c.trace
		m.Trace = results.Trace{Losses: slices.Clone(t.Losses), LossesWbar: slices.Clone(t.LossesWbar),
			LargestNorm: t.LargestNorm}
	}
	return m
}
