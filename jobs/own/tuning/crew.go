package tuning

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// A crew runs numbered jobs in parallel and tells how far it is. Its journal keeps results. The key of a result is its
// number and all that the crew was given before it, in order.
type crew struct {
	workers     int // 0: 1
	progress    func(done, total int)
	done, total int

	journal *Journal // nil: nothing is kept
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
	next, done := make(chan int), make(chan struct{})
	var workers errgroup.Group
	for range max(1, c.workers) {
		workers.Go(func() error {
			do := newWorker()
			for i := range next {
				key := given + string(binary.LittleEndian.AppendUint32(nil, uint32(i)))
				if values == nil {
					do(i)
				} else if !c.journal.recall(key, values(i)) {
					do(i)
					c.journal.keep(key, values(i))
				}
				done <- struct{}{}
			}
			return nil
		})
	}
	go func() {
		defer close(next)
		for i := range n {
			if ctx.Err() != nil {
				return
			}
			next <- i
		}
	}()
	go func() { _ = workers.Wait(); close(done) }()
	for range done {
		c.done++
		if c.progress != nil {
			c.progress(c.done, c.total)
		}
	}
	return ctx.Err()
}
