package running

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sync/semaphore"

	"graphda/jobs/plan"
	"graphda/jobs/program"
	"graphda/jobs/run"
	"graphda/learners"
)

// programs are what a trial has of the programs that learn its cells: its files, and processes that wait for a cell.
type programs struct {
	run        *run.Run
	scratch    string
	data       *plan.TrialData
	processors *semaphore.Weighted // of the session: as many as it has workers
	workers    int

	mu    sync.Mutex
	files map[string]*program.Files     // by format
	idle  map[string][]*program.Process // by method
	told  map[string]program.Greeting   // of all that were started
	busy  int                           // processes
}

// take returns a process of a method: one that waits, or a new one. Cells of a method follow each other, so that
// processes of others are not needed any more. It gives the question the files of the trial.
func (pool *programs) take(ctx context.Context, method string, q *program.Question) (p *program.Process, err error) {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	format, checkpoints := pool.run.Plan.Experiment.Program(method).Data, pool.run.Plan.Checkpoints
	if pool.files[format] == nil {
		last := checkpoints[len(checkpoints)-1]
		if pool.files[format], err = program.WriteTrial(pool.scratch, format, pool.data.Trial, last); err != nil {
			return nil, fmt.Errorf("%w: %w", errScratch, err)
		}
	}
	q.Data = pool.files[format].Data
	if all := pool.idle[method]; len(all) > 0 {
		p, pool.idle[method] = all[0], all[1:]
	} else {
		pool.end()
		p, err = program.StartPlanned(ctx, pool.run.Plan, pool.run.Dir, method, pool.files[format], pool.data)
		if errors.As(err, new(*program.Failure)) {
			err = fmt.Errorf("%w: program %s: %w", errScratch, method, err)
		}
		if err != nil {
			return nil, err
		}
		pool.told[method] = p.Greeting
	}
	pool.busy++
	return p, nil
}

// give gives a process back.
func (pool *programs) give(method string, p *program.Process) {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	pool.busy--
	if p.Alive() {
		pool.idle[method] = append(pool.idle[method], p)
	} else {
		p.Close()
	}
}

// greetings are what the programs have told, by method; nil if there were none.
func (pool *programs) greetings() any {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	if len(pool.told) == 0 {
		return nil
	}
	return maps.Clone(pool.told)
}

// end ends the processes that wait.
func (pool *programs) end() {
	for method, all := range pool.idle {
		for _, p := range all {
			p.Close()
		}
		delete(pool.idle, method)
	}
}

// close ends the processes that wait and, unless others are busy, removes the files.
func (pool *programs) close() error {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	pool.end()
	var errs []error
	for format, f := range pool.files {
		if pool.busy == 0 {
			errs = append(errs, os.RemoveAll(f.Dir))
			delete(pool.files, format)
		}
	}
	return errors.Join(errs...)
}

// ask asks a program for a cell. One that ends of itself is started again: a cell may end it three times.
func (pool *programs) ask(ctx context.Context, cell string, settings learners.Settings,
	checkpoints []int) (answers []*program.Answer, err error) {
	const lives = 3
	seed, err := strconv.ParseUint(cell[:8], 16, 32)
	if err != nil {
		return nil, err
	}
	method := settings.Method
	question := &program.Question{Cell: cell, Seed: uint32(seed) >> 1, Checkpoints: checkpoints,
		Parameters: json.RawMessage(plan.FreeSettings(settings))}
	shape := program.Shape{Features: pool.data.Problem.P, Valid: pool.data.Valid.Rows(), Test: pool.data.Test.Rows()}
	n := int64(min(method.Takes.Processors, pool.workers))
	if err := pool.processors.Acquire(ctx, n); err != nil {
		return nil, err
	}
	defer pool.processors.Release(n)
	for try := 1; ; try++ {
		if err := ctx.Err(); err != nil {
			return nil, err // before a process is started for nothing
		}
		p, err := pool.take(ctx, method.Name, question)
		if err != nil {
			return nil, err
		}
		answers, err = p.Ask(ctx, question, shape)
		pool.give(method.Name, p)
		var failure *program.Failure
		switch {
		case !errors.As(err, &failure) || !failure.Died:
			return answers, err
		case try == lives:
			return answers, fmt.Errorf("has ended the program %d times, and is not tried again: %w", lives, err)
		}
	}
}
