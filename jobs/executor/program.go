package executor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"graphda/jobs/plan"
	"graphda/jobs/program"
	"graphda/learners"
)

// take returns a waiting process of a method, or starts a process. It also puts the trial's files into the question.
func (d *trial) take(ctx context.Context, method string, q *program.Question) (p *program.Process, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g, checkpoints := d.run.Plan.Experiment.Program(method), d.run.Plan.Checkpoints
	files := d.files[method] // each method has its own files, because a program may change them
	if files == nil {
		files, err = program.WriteTrial(d.scratch, g.Program.Data, d.Trial, checkpoints[len(checkpoints)-1])
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errScratch, err)
		}
		files.Loss, d.files[method] = d.run.Plan.Experiment.Loss, files
	}
	q.Data = files.Data
	if d.kind != method {
		d.end()
		d.kind = method
	}
	if n := len(d.wait); n > 0 {
		p, d.wait = d.wait[n-1], d.wait[:n-1]
		return p, nil
	}
	p, err = program.StartPlanned(ctx, d.run.Dir, g, files)
	if errors.As(err, new(*program.Failure)) {
		err = fmt.Errorf("%w: program %s: %v", errScratch, method, err) // not a Failure, which would count as a result
	}
	if err != nil {
		return nil, err
	}
	d.told[method] = p.Greeting
	return p, nil
}

// give keeps a process for the next question, or closes a process that cannot be used again.
func (d *trial) give(method string, p *program.Process) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.Alive() && d.kind == method {
		d.wait = append(d.wait, p)
	} else {
		p.Close()
	}
}

// changed returns an error if a program has changed the data files of a question. If so, the next
// process gets new files.
func (d *trial) changed(method string, data program.Data) error {
	d.mu.Lock()
	files := d.files[method]
	d.mu.Unlock()
	if files == nil || files.Data != data { // another cell has found the change already
		return program.Changed("files")
	}
	err := files.Check()
	if err == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files[method] == files {
		d.old = append(d.old, files)
		delete(d.files, method)
		if d.kind == method {
			d.end()
		}
	}
	return err
}

func (d *trial) greetings() map[string]any {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.told)
}

func (d *trial) end() {
	for _, p := range d.wait {
		p.Close()
	}
	d.wait = nil
}

func (d *trial) enter() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tasks++
}

func (d *trial) idle() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tasks == 0
}

// leave is called when a task needs no more programs. After the last open task of the trial, it ends the programs.
func (d *trial) leave() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tasks--; d.tasks > 0 {
		return nil
	}
	return d.close()
}

// close ends the trial's processes and removes the files. No process may be in use.
func (d *trial) close() (err error) {
	d.end()
	for _, f := range slices.AppendSeq(d.old, maps.Values(d.files)) {
		err = errors.Join(err, f.Remove())
	}
	clear(d.files)
	d.old = nil
	return err
}

// errMemory means that a program was killed because memory was short. With more memory, the program might answer.
var errMemory = errors.New("out of memory")

// ask asks a program about a cell. If the program dies, ask starts it again and repeats the question, with at most
// three starts in all. The error wraps errMemory if the kernel killed the program for lack of memory. In a job of a
// cluster, any SIGKILL counts as lack of memory.
func (d *trial) ask(ctx context.Context, cell string, settings learners.Settings,
	checkpoints []int) (answers []*program.Answer, err error) {
	const lives = 3
	seed, err := strconv.ParseUint(cell[:8], 16, 32)
	if err != nil {
		return nil, err
	}
	method := settings.Method
	question := &program.Question{Cell: cell, Seed: uint32(seed) >> 1, Checkpoints: checkpoints,
		Parameters: json.RawMessage(plan.FreeSettings(settings))}
	shape := program.Shape{Features: d.Problem.P, Valid: d.Valid.Rows(), Test: d.Test.Rows()}
	n := int64(min(method.Takes.Processors, d.workers))
	if err := d.processors.Acquire(ctx, n); err != nil {
		return nil, err
	}
	defer d.processors.Release(n)
	kills := program.KernelKills()
	for try := 1; ; try++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := d.take(ctx, method.Name, question)
		if err != nil {
			return nil, err
		}
		answers, err = p.Ask(ctx, question, shape)
		if changed := d.changed(method.Name, question.Data); changed != nil && ctx.Err() == nil {
			p.Close()
			return nil, changed
		}
		d.give(method.Name, p)
		var failure *program.Failure
		if !errors.As(err, &failure) {
			return answers, err
		}
		switch last := !failure.Died || try == lives; {
		case failure.Killed && d.inJob, last && program.KernelKills() > kills:
			return nil, fmt.Errorf("%w: program %s was killed, probably because memory was short; give it more memory, or run "+
				"fewer cells at once: %v", errMemory, method.Name, err)
		case last && failure.Died:
			return answers, fmt.Errorf("the program ended %d times on this cell, which has failed: %w", lives, err)
		case last:
			return answers, err
		}
	}
}
