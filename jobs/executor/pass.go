package executor

import (
	"context"
	"slices"
	"sync"

	"graphda/io/results"
	"graphda/learners"
)

// A Pass takes cells of one method through the training samples of a trial, all together. It is the
// one interface by which a task learns cells: worker.begin chooses among those who implement it, and nothing else
// knows which it is. Cells are named by their place in the batch that the pass began with.
type Pass interface {
	// Learn goes on to a checkpoint with the cells that can. The checkpoints are ascending, and the last one may be
	// before the last sample. An error ends the session: it is the context's, or of what concerns all cells.
	Learn(ctx context.Context, checkpoint int) error

	// Answer tells what a cell has learned by that checkpoint. It stands until Answer or Learn is called again.
	Answer(cell int) Answer
}

// An Answer is what a cell has learned by a checkpoint. What a method does not have is nil or 0, and its measures are
// empty.
type Answer struct {
	W, Wbar  Learned
	Seconds  float64 // of the cell so far
	Searches learners.SearchStats
	Trace    results.Trace // where the pass was begun with Traced
	Failure  error         // why the cell cannot go on; nil if it can
}

// A Learned is one of the two models of a cell: its last iterate w, or the average w̄.
type Learned struct {
	Model   *learners.Model
	Account *learners.Account // of the predictions before each sample was learned from

	Valid, Test []float64 // scores of these samples; nil: those of Model
}

// A builtIn is the Pass of the methods of package learners. Each sample goes to all cells while it is in the cache.
type builtIn struct {
	data     *trial
	learners []*learners.Learner // by cell; nil if its settings do not fit the problem
	answers  []Answer            // by cell, without what its learner tells
	from     int                 // samples that are learned from
	traced   bool
	told     func(samples int) // after every sample; may be nil

	average learners.Model
}

// A processorTime divides the CPU time of the process between the passes that learn at the same time.
type processorTime struct {
	mu     sync.Mutex
	passes int
	read   float64 // CPU seconds of the process when passes last changed
	each   float64 // CPU seconds of a pass that has always learned
}

var processor processorTime

// change adds to the number of passes and returns the CPU seconds so far of a pass that has always learned.
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

// Learn implements Pass. The CPU time is divided between the cells: those of one method take about the same.
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

// follow extends a trace by the sample last learned from.
func follow(t *results.Trace, l *learners.Learner) {
	t.Losses = append(t.Losses, l.Account().Last)
	t.LossesWbar = append(t.LossesWbar, l.AccountBar().Last)
	t.LargestNorm = max(t.LargestNorm, l.Model().Norm())
}

// Answer implements Pass.
func (b *builtIn) Answer(cell int) Answer {
	a := b.answers[cell]
	if l := b.learners[cell]; l != nil {
		l.Average(&b.average)
		a.W, a.Wbar = Learned{Model: l.Model(), Account: l.Account()}, Learned{Model: &b.average, Account: l.AccountBar()}
		a.Searches = l.Searches()
	}
	return a
}
