package learning

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A Crew runs numbered jobs in parallel. The journal key of a result has the job's number and all values passed to
// Give.
type Crew struct {
	Workers  int                   // 0 means one worker
	Progress func(done, total int) // called after each job; may be nil
	Journal  *Journal              // may be nil
	Total    int

	mu    sync.Mutex // guards done and the calls of Progress
	done  int
	given [sha256.Size]byte
}

// Give adds values to the journal keys of all later results. Callers pass everything that these results depend on, so
// that a repeated command never reuses results of other values.
func (c *Crew) Give(what ...any) {
	c.given = sha256.Sum256(fmt.Appendf(c.given[:], "%q", fmt.Sprint(what...)))
}

// Parallel runs the jobs 0 to n−1. newWorker returns a function that runs the job of a given number. Parallel calls it
// once for each worker.
func (c *Crew) Parallel(ctx context.Context, n int, newWorker func() func(i int)) error {
	return c.Keep(ctx, n, newWorker, nil)
}

// Keep is like Parallel, but the journal stores the results. The function values returns pointers to the results of job
// i, or nil if there is nothing to store.
func (c *Crew) Keep(ctx context.Context, n int, newWorker func() func(i int), values func(i int) []any) error {
	c.Give(n)
	given := string(c.given[:])
	idle := make(chan func(int), max(1, min(n, c.Workers)))
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
			} else if !c.Journal.Recall(key, values(i)) {
				do(i)
				c.Journal.Keep(key, values(i))
			}
			idle <- do
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.done++; c.Progress != nil {
				c.Progress(c.done, c.Total)
			}
			return nil
		})
	}
	return cmp.Or(jobs.Wait(), ctx.Err())
}
