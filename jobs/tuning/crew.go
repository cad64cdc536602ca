package tuning

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// A crew does things in parallel and tells how far it is.
type crew struct {
	workers     int // 0: 1
	progress    func(done, total int)
	done, total int
}

// parallel does n things, each worker with what newWorker makes for it.
func (c *crew) parallel(ctx context.Context, n int, newWorker func() func(i int)) error {
	next, done := make(chan int), make(chan struct{})
	var workers errgroup.Group
	for range max(1, c.workers) {
		workers.Go(func() error {
			do := newWorker()
			for i := range next {
				do(i)
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
