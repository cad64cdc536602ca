package jobs

import (
	"context"
	"fmt"
	"time"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/learners"
)

// A worker runs cells of one trial, one at a time. It is not safe for concurrent use.
type worker struct {
	data *trialData
	loss learners.Loss
	ws   *learners.Workspace

	evaluator metrics.Evaluator
	scores    []float64
	average   learners.Model
}

func newWorker(data *trialData, loss learners.Loss) *worker {
	return &worker{data: data, loss: loss, ws: learners.NewWorkspace(data.problem)}
}

// A cellRun is a cell with what its rows are filled in from.
type cellRun struct {
	id          string
	settings    learners.Settings
	layout      results.Layout
	checkpoints []int // ascending
	host        string
	attempt     string
}

// A snapshot builds the model of the row last visited.
type snapshot func() results.Model

// run makes one pass over the training samples and visits a row at every checkpoint. A
// cell that cannot go on visits a failed row for each checkpoint it did not reach; the
// error is of the context or of visit.
func (w *worker) run(ctx context.Context, c *cellRun, visit func(results.Row, snapshot) error) error {
	started := time.Now()
	row := results.Row{
		Cell: c.id, Dataset: w.data.dataset, Trial: w.data.trial,
		Method: c.settings.Method.Name, Params: spread(c.layout, c.settings),
		Host: c.host, Attempt: c.attempt, Started: started,
	}
	learner, failure := w.ws.NewLearner(c.settings, w.loss)
	learning := time.Duration(0)
	for _, checkpoint := range c.checkpoints {
		if failure == nil {
			begin := time.Now()
			failure = w.learn(ctx, learner, checkpoint)
			learning += time.Since(begin)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		row.Checkpoint, row.Seconds = checkpoint, learning.Seconds()
		row.W, row.Wbar = results.NoMetrics(), results.NoMetrics()
		if failure == nil {
			w.evaluate(&row, learner)
		} else {
			row.Error = failure.Error()
		}
		if learner != nil {
			searches := learner.Searches()
			row.Solves, row.Unbracketed = int64(searches.Solves), int64(searches.Unbracketed)
		}
		row.Finished = time.Now()
		if err := visit(row, func() results.Model { return w.model(&row, learner) }); err != nil {
			return err
		}
	}
	return nil
}

// learn takes the learner to a checkpoint.
func (w *worker) learn(ctx context.Context, l *learners.Learner, checkpoint int) error {
	train := &w.data.train
	if checkpoint > train.Rows() {
		return fmt.Errorf("checkpoint %d, but only %d training samples", checkpoint, train.Rows())
	}
	for i := l.Samples(); i < checkpoint; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.Learn(train.Row(i), train.Y[i]); err != nil {
			return err
		}
	}
	return l.CheckFinite()
}

// evaluate fills in the figures of both models.
func (w *worker) evaluate(row *results.Row, l *learners.Learner) {
	l.Average(&w.average)
	w.evaluateModel(&row.W, l.Model(), l.Account())
	w.evaluateModel(&row.Wbar, &w.average, l.AccountBar())
}

func (w *worker) evaluateModel(m *results.Metrics, model *learners.Model, account *learners.Account) {
	test, valid := w.predict(model, &w.data.test), w.predict(model, &w.data.valid)
	m.TestAccuracy, m.ValidAccuracy = test.Accuracy, valid.Accuracy
	m.TestBalancedAccuracy, m.ValidBalancedAccuracy = test.BalancedAccuracy, valid.BalancedAccuracy
	m.TestAUC, m.ValidAUC = test.AUC, valid.AUC
	m.TestMSE, m.ValidMSE = test.mse, valid.mse
	m.CumulativeLoss = account.Loss
	if w.loss.Classifies() {
		m.Mistakes = float64(account.Mistakes())
	}
	support := metrics.SupportOf(model.W, w.data.truth)
	m.Nonzeros = support.Nonzeros
	m.Precision, m.Recall, m.F1 = support.Precision, support.Recall, support.F1
}

// A prediction is the figures of a model on a split: those of classification or the mean
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

// model returns what the learner has learned, for the file of models.
func (w *worker) model(row *results.Row, l *learners.Learner) results.Model {
	l.Average(&w.average)
	return results.Model{
		Cell: row.Cell, Dataset: row.Dataset, Trial: row.Trial, Method: row.Method,
		Checkpoint: row.Checkpoint, P: w.data.problem.P,
		W: sparse(l.Model()), Wbar: sparse(&w.average),
		Mistakes:     append([]int32(nil), l.Account().MistakeAt...),
		MistakesWbar: append([]int32(nil), l.AccountBar().MistakeAt...),
	}
}
