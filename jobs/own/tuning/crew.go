package tuning

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"graphda/jobs/own/resuming"
)

// A crew runs numbered jobs in parallel and tells how far it is. Its journal keeps results. The key of a result is its
// number and all that the crew was given before it, in order.
type crew struct {
	workers     int // 0: 1
	progress    func(done, total int)
	mu          sync.Mutex // while progress is told
	done, total int

	journal *resuming.Journal // nil: nothing is kept
	given   [sha256.Size]byte
}

// give enters what later results depend on.
func (c *crew) give(what ...any) {
	c.given = sha256.Sum256(fmt.Appendf(c.given[:], "%q", fmt.Sprint(what...)))
}

// parallel runs n jobs. newWorker makes the function of one worker, which runs job i.
func (c *crew) parallel(ctx context.Context, n int, newWorker func() func(i int)) error {
	return c.keep(ctx, n, newWorker, nil)
}

// keep is parallel for jobs whose results the journal keeps. values returns pointers to the results of job i; nil:
// they are not kept, as after an error.
func (c *crew) keep(ctx context.Context, n int, newWorker func() func(i int), values func(i int) []any) error {
	c.give(n)
	given := string(c.given[:])
	idle := make(chan func(int), max(1, min(n, c.workers)))
	for range cap(idle) {
		idle <- newWorker()
	}
	var jobs errgroup.Group
	jobs.SetLimit(cap(idle))
	for i := 0; i < n && ctx.Err() == nil; i++ {
		jobs.Go(func() error {
			do := <-idle
			key := given + string(binary.LittleEndian.AppendUint32(nil, uint32(i)))
			if values == nil {
				do(i)
			} else if !c.journal.Recall(key, values(i)) {
				do(i)
				c.journal.Keep(key, values(i))
			}
			idle <- do
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.done++; c.progress != nil {
				c.progress(c.done, c.total)
			}
			return nil
		})
	}
	return cmp.Or(jobs.Wait(), ctx.Err())
}
