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
// Cells of a method follow each other, so that processes of others are not needed any more.
type programs struct {
	run        *run.Run
	scratch    string
	data       *plan.TrialData
	processors *semaphore.Weighted // of the session: as many as it has workers
	workers    int

	mu    sync.Mutex
	files map[string]*program.Files // by format
	wait  []*program.Process        // of one method
	kind  string                    // which that is
	tasks int                       // that were begun and are not sealed
	told  map[string]any            // what each method's program has answered to the hello
}

// take returns a process of a method: one that waits, or a new one. It gives the question the files of the trial.
func (pool *programs) take(ctx context.Context, method string, q *program.Question) (p *program.Process, err error) {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	g, checkpoints := pool.run.Plan.Experiment.Program(method), pool.run.Plan.Checkpoints
	files := pool.files[g.Program.Data]
	if files == nil {
		files, err = program.WriteTrial(pool.scratch, g.Program.Data, pool.data.Trial, checkpoints[len(checkpoints)-1])
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errScratch, err)
		}
		files.Loss, pool.files[g.Program.Data] = pool.run.Plan.Experiment.Loss, files
	}
	q.Data = files.Data
	if pool.kind != method {
		pool.end()
		pool.kind = method
	}
	if n := len(pool.wait); n > 0 {
		p, pool.wait = pool.wait[n-1], pool.wait[:n-1]
		return p, nil
	}
	p, err = program.StartPlanned(ctx, pool.run.Dir, g, files)
	if errors.As(err, new(*program.Failure)) {
		err = fmt.Errorf("%w: program %s: %w", errScratch, method, err)
	}
	if err != nil {
		return nil, err
	}
	pool.told[method] = p.Greeting
	return p, nil
}

// give gives a process back.
func (pool *programs) give(method string, p *program.Process) {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	if p.Alive() && pool.kind == method {
		pool.wait = append(pool.wait, p)
	} else {
		p.Close()
	}
}

// greetings are what the programs have told, by method.
func (pool *programs) greetings() map[string]any {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	return maps.Clone(pool.told)
}

// end ends the processes that wait.
func (pool *programs) end() {
	for _, p := range pool.wait {
		p.Close()
	}
	pool.wait = nil
}

// enter tells that a task of the trial has begun.
func (pool *programs) enter() {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	pool.tasks++
}

// leave tells that a task of the trial has learned all its models. After the last one it closes the pool.
func (pool *programs) leave() error {
	pool.mu.Lock()
	defer pool.mu.Unlock()
	if pool.tasks--; pool.tasks > 0 {
		return nil
	}
	return pool.close()
}

// close ends the processes, all of which wait, and removes the files.
func (pool *programs) close() (err error) {
	pool.end()
	for format, f := range pool.files {
		err = errors.Join(err, os.RemoveAll(f.Dir))
		delete(pool.files, format)
	}
	return err
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
