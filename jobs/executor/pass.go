package executor

import (
	"context"
	"slices"
	"sync"

	"graphda/io/results"
	"graphda/learners"
)

// A Pass lets cells of one method learn the training samples of a trial. A cell's number is its index in the batch.
type Pass interface {
	// Learn lets all cells without a Failure learn the samples up to a checkpoint. Checkpoints are ascending. The last
	// checkpoint may come before the last sample. An error ends the session.
	Learn(ctx context.Context, checkpoint int) error

	// Answer returns what a cell has learned by the last checkpoint reached. The answer is valid until the next call of
	// Answer or Learn.
	Answer(cell int) Answer
}

// An Answer is what a cell has learned by a checkpoint. Fields that the method lacks are nil or 0, and measures that
// need these fields stay empty.
type Answer struct {
	W, Wbar  Learned
	Seconds  float64 // CPU time of the cell so far
	Searches learners.SearchStats
	Trace    results.Trace // empty if the pass keeps no traces
	Failure  error         // why the cell cannot continue, or nil
}

// A Learned is one of a cell's two models: the last iterate w, or the average w̄.
type Learned struct {
	Model   *learners.Model
	Account *learners.Account // losses and mistakes of the online predictions

	Valid, Test []float64 // scores of the samples; if nil, Model computes them
}

// A builtIn is the Pass of the methods in package learners. All cells learn a sample before the next sample, while it
// is in the cache.
type builtIn struct {
	data     *trial
	learners []*learners.Learner // for each cell; nil if the cell's settings do not fit the problem
	answers  []Answer            // for each cell; only Failure, Seconds and Trace are set
	from     int                 // number of samples learned so far
	traced   bool
	told     func(samples int) // if not nil, called after every sample

	average learners.Model
}

// A processorTime divides the CPU time of the process evenly among the passes that run at once.
type processorTime struct {
	mu     sync.Mutex
	passes int
	read   float64 // CPU seconds of the process when passes last changed
	each   float64 // CPU seconds that a pass would have if it had run all the time
}

var processor processorTime

// change changes p.passes, and returns p.each at this time.
func (p *processorTime) change(by int) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := results.CPUSeconds()
	if p.passes > 0 {
		p.each += (now - p.read) / float64(p.passes)
	}
	p.read, p.passes = now, p.passes+by
	return p.each
}

// Learn implements Pass. It divides the CPU time evenly among the cells, because cells of one method take about the
// same time.
func (b *builtIn) Learn(ctx context.Context, checkpoint int) error {
	var live []int
	for k := range b.answers {
		if b.answers[k].Failure == nil {
			live = append(live, k)
		}
	}
	begin, share := processor.change(1), len(live)
	for ; b.from < checkpoint && len(live) > 0; b.from++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		x, y := b.data.Train.Row(b.from), b.data.Train.Y[b.from]
		for _, k := range live {
			b.answers[k].Failure = b.learners[k].Learn(x, y)
			if b.traced {
				follow(&b.answers[k].Trace, b.learners[k])
			}
		}
		live = slices.DeleteFunc(live, func(k int) bool { return b.answers[k].Failure != nil })
		if b.told != nil {
			b.told(b.from + 1)
		}
	}
	seconds := processor.change(-1) - begin
	for _, k := range live {
		b.answers[k].Failure = b.learners[k].CheckFinite()
		b.answers[k].Seconds += seconds / float64(share)
	}
	return ctx.Err()
}

func follow(t *results.Trace, l *learners.Learner) {
	t.Losses = append(t.Losses, l.Account().Last)
	t.LossesWbar = append(t.LossesWbar, l.AccountBar().Last)
	t.LargestNorm = max(t.LargestNorm, l.Model().Norm())
}

func (b *builtIn) Answer(cell int) Answer {
	a := b.answers[cell]
	if l := b.learners[cell]; l != nil {
		l.Average(&b.average)
		a.W, a.Wbar = Learned{Model: l.Model(), Account: l.Account()}, Learned{Model: &b.average, Account: l.AccountBar()}
		a.Searches = l.Searches()
	}
	return a
}
