package jobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/learners"
)

// A worker runs cells of one trial. It is not safe for concurrent use.
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
	id       string
	settings learners.Settings
	layout   results.Layout
	host     string
	attempt  string
}

// A snapshot builds the model of the row last visited.
type snapshot func() results.Model

// A pass is a cell on its way through the samples.
type pass struct {
	row     results.Row // of the checkpoint last reached
	learner *learners.Learner
	failure error         // why the cell cannot go on
	learned time.Duration // time spent learning
}

// run takes cells of one method through the training samples together, each sample to
// all of them while it is in the cache, and visits a row of each at every checkpoint (the
// cell's index, its row, its model). A cell that cannot go on visits a failed row for
// each checkpoint it did not reach; the error is of the context or of visit.
func (w *worker) run(ctx context.Context, cells []*cellRun, checkpoints []int, visit func(int, results.Row, snapshot) error) error {
	passes := make([]pass, len(cells))
	for k, c := range cells {
		p := &passes[k]
		p.row = results.Row{
			Cell: c.id, Dataset: w.data.dataset, Trial: w.data.trial,
			Method: c.settings.Method.Name, Params: spread(c.layout, c.settings),
			Host: c.host, Attempt: c.attempt, Started: time.Now(),
		}
		p.learner, p.failure = w.ws.NewLearner(c.settings, w.loss)
	}
	from := 0
	for _, checkpoint := range checkpoints {
		if err := w.learn(ctx, passes, from, checkpoint); err != nil {
			return err
		}
		from = checkpoint
		for k := range passes {
			p := &passes[k]
			w.report(p, checkpoint)
			if err := visit(k, p.row, func() results.Model { return w.model(p) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// learn takes the passes that can go on from one checkpoint to the next. The time is
// divided between them: cells of one method take about the same.
func (w *worker) learn(ctx context.Context, passes []pass, from, to int) error {
	var live []*pass
	for k := range passes {
		if p := &passes[k]; p.failure == nil {
			live = append(live, p)
		}
	}
	if train := &w.data.train; to > train.Rows() {
		for _, p := range live {
			p.failure = fmt.Errorf("checkpoint %d, but only %d training samples", to, train.Rows())
		}
		return nil
	}
	begin, share := time.Now(), len(live)
	for i := from; i < to && len(live) > 0; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		x, y := w.data.train.Row(i), w.data.train.Y[i]
		for _, p := range live {
			p.failure = p.learner.Learn(x, y)
		}
		live = slices.DeleteFunc(live, func(p *pass) bool { return p.failure != nil })
	}
	elapsed := time.Since(begin)
	for _, p := range live {
		p.failure = p.learner.CheckFinite()
		p.learned += elapsed / time.Duration(share)
	}
	return ctx.Err()
}

// report fills in the row of the checkpoint that a pass has reached.
func (w *worker) report(p *pass, checkpoint int) {
	p.row.Checkpoint, p.row.Seconds = checkpoint, p.learned.Seconds()
	p.row.W, p.row.Wbar = results.NoMetrics(), results.NoMetrics()
	if p.failure == nil {
		w.evaluate(&p.row, p.learner)
	} else {
		p.row.Error = p.failure.Error()
	}
	if p.learner != nil {
		searches := p.learner.Searches()
		p.row.Solves, p.row.Unbracketed = int64(searches.Solves), int64(searches.Unbracketed)
	}
	p.row.Finished = time.Now()
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

// model returns what a pass has learned, for the file of models.
func (w *worker) model(p *pass) results.Model {
	l := p.learner
	l.Average(&w.average)
	return results.Model{
		Cell: p.row.Cell, Dataset: p.row.Dataset, Trial: p.row.Trial, Method: p.row.Method,
		Checkpoint: p.row.Checkpoint, P: w.data.problem.P,
		W: sparse(l.Model()), Wbar: sparse(&w.average),
		Mistakes:     append([]int32(nil), l.Account().MistakeAt...),
		MistakesWbar: append([]int32(nil), l.AccountBar().MistakeAt...),
	}
}
