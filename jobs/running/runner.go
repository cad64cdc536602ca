package running

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"time"

	"graphda/io/plain"
	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/learners"
)

// ErrStopped is the cause of the error of a run that was interrupted. What was finished
// is on the disk, and the same command goes on from there.
var ErrStopped = errors.New("stopped early; the same command goes on from here")

// A Runner runs tasks on this machine.
type Runner struct {
	Run     *run.Run
	Workers int         // cells that run at once, at least 1
	Attempt string      // names this run of the tasks; empty: host and process
	Node    string      // the cluster's name of this machine; empty outside a cluster's jobs
	Notify  func(Event) // if not nil, called for what happens, never twice at once

	// Deadline is when the time limit strikes; zero: never. Cells that are not expected to
	// end before it are not begun.
	Deadline time.Time
	// Scratch is a folder on this machine where parts are written, in files that only this
	// process can reach; they are copied to the run's folder once a minute and at every stop.
	// It may be shared with other users. Empty: parts are written in place.
	Scratch string
}

// An EventKind says what happened.
type EventKind uint8

const (
	TaskSkipped   EventKind = iota // it was sealed before
	TaskTakenOver                  // Cells of it were done before
	TaskDamaged                    // its shard or its models were damaged and are made again; Text names them
	CellDone
	CellFailed // Text says why
)

// An Event is something a person who watches may want to know.
type Event struct {
	Kind    EventKind
	Task    *plan.Task
	Cells   int     // that it concerns
	Seconds float64 // estimated CPU time of those cells
	Text    string
}

// ErrOutOfTime is ErrStopped where the deadline was the reason.
var ErrOutOfTime = fmt.Errorf("the time limit is near: %w", ErrStopped)

// Outcome counts the cells of the tasks that were asked for.
type Outcome struct {
	Done, Failed int // of the tasks that are sealed
	Computed     int // by this call, also of tasks that are not
}

// RunTasks runs what is missing of the tasks and seals them. The error wraps ErrStopped
// if ctx ended first. A cell that fails is a row of the results and no error.
func (r *Runner) RunTasks(ctx context.Context, tasks []*plan.Task) (Outcome, error) {
	asked := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{Runner: r, layout: plan.Layout(), cancel: cancel, host: hostname(), counted: map[string]bool{},
		told: map[int]bool{}, open: map[*taskRun]bool{}}
	s.attempt = r.Attempt
	if s.attempt == "" {
		s.attempt = s.host + "-" + strconv.Itoa(os.Getpid())
	}
	loss, err := learners.LookupLoss(r.Run.Plan.Experiment.Loss)
	if err != nil {
		return Outcome{}, err
	}
	s.loss = loss
	s.single = len(tasks) == 1
	if r.Run.Repacked() { // what is done in one task is not run again in another
		rows, err := r.Run.Results()
		if err != nil {
			return Outcome{}, err
		}
		s.known = map[string][]results.Row{}
		s.learnOf(rows)
	}

	feeding, enough := context.WithCancel(ctx)
	defer enough()
	s.enough = enough
	work := make(chan []*cellRun)
	var pool sync.WaitGroup
	for range max(1, r.Workers) {
		pool.Go(func() { s.work(ctx, work) })
	}
	s.feed(feeding, tasks, work)
	close(work)
	pool.Wait()
	if err := s.closeAll(); err != nil {
		s.fail(err) // what was finished is not all on the disk
	}
	for _, done := range s.counted {
		if done {
			s.outcome.Done++
		} else {
			s.outcome.Failed++
		}
	}
	err = s.ended(asked)
	s.recorder.end(asked, err)
	return s.outcome, err
}

// ended is the error of a session that has ended.
func (s *session) ended(asked context.Context) error {
	switch {
	case s.failure != nil:
		return s.failure
	case asked.Err() != nil:
		return ErrStopped
	case s.outOfTime:
		return ErrOutOfTime
	}
	return nil
}

// A session is one call of RunTasks.
type session struct {
	*Runner
	layout  results.Layout
	loss    learners.Loss
	host    string
	attempt string
	cancel  context.CancelFunc       // ends all work
	enough  context.CancelFunc       // lets what is begun end
	single  bool                     // there is one task, which is all that this process takes time for
	known   map[string][]results.Row // good rows by cell; nil if no cell is in several tasks

	mu        sync.Mutex
	failure   error // the first one
	outcome   Outcome
	counted   map[string]bool   // cells of sealed tasks; whether they are done
	told      map[int]bool      // cells of events
	open      map[*taskRun]bool // begun and not sealed
	recorder  *recorder
	loaded    *trial // the trial of the task begun last
	pace      pace
	outOfTime bool
}

// fail ends the session with an error; of several the first counts.
func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure == nil {
		s.failure = err
	}
	s.cancel()
}

// feed begins one task after the other and hands its cells to the workers.
func (s *session) feed(ctx context.Context, tasks []*plan.Task, work chan<- []*cellRun) {
	for _, t := range tasks {
		if ctx.Err() != nil {
			return
		}
		run, err := s.begin(ctx, t)
		if err != nil {
			if ctx.Err() == nil {
				s.fail(err)
			}
			return
		}
		if run == nil {
			continue
		}
		for batch := range run.batches {
			select {
			case work <- batch:
			case <-ctx.Done():
				return
			}
		}
	}
}

// work runs cells until there are no more. It keeps the workspace of the trial it has
// worked on last.
func (s *session) work(ctx context.Context, work <-chan []*cellRun) {
	var w *worker
	for batch := range work {
		task := batch[0].task
		if w == nil || w.data != task.data {
			w = s.worker(task.data)
		}
		if !s.timeFor(batch) {
			s.enough()
			continue
		}
		begin := time.Now()
		s.recorder.watch(w)
		err := task.run(ctx, w, batch)
		if err != nil && ctx.Err() == nil {
			s.fail(err)
		}
		s.ran(batch, time.Since(begin), err)
	}
}

// begin opens a task that is not sealed, or whose models are not there: it loads its trial
// and takes over what earlier attempts have finished. It returns nil if nothing is left to run.
func (s *session) begin(ctx context.Context, t *plan.Task) (*taskRun, error) {
	if err := s.Run.CheckPlace(); err != nil {
		return nil, err
	}
	rows, err := s.Run.ReadShard(t, s.layout)
	var lost error // why the models must be learned again
	if err == nil {
		lost = s.Run.CheckModels(t, true)
	}
	switch {
	case lost != nil:
		s.notify(Event{Kind: TaskDamaged, Task: t, Text: lost.Error() + "; its models are learned again"})
	case err == nil:
		s.count(rows)
		s.notify(Event{Kind: TaskSkipped, Task: t, Seconds: t.Seconds()}, t.Cells...)
		return nil, results.RemoveParts(s.Run.Folder(t), t.Number) // of an attempt that was killed just then
	case errors.Is(err, plan.ErrPlan):
		return nil, err
	case !errors.Is(err, fs.ErrNotExist):
		if run.Unreadable(err) {
			return nil, err // the shard may be good
		}
		if err := s.setAside(t, err); err != nil {
			return nil, err
		}
	}
	s.record(ctx, t)
	data, err := s.load(t)
	if err != nil {
		return nil, err
	}
	r, err := s.takeOver(t, data, rows)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.open[r] = true
	s.mu.Unlock()
	if len(r.missing) == 0 {
		return nil, r.seal(ctx, s.worker(data))
	}
	return r, nil
}

// worker returns a worker that keeps the traces that the experiment's reports need.
func (s *session) worker(data *trial) *worker {
	w, checkpoints := newWorker(data, s.loss), s.Run.Plan.Checkpoints
	for _, at := range s.Run.Plan.Experiment.TracedAt() {
		if at == 0 {
			at = checkpoints[len(checkpoints)-1]
		}
		w.tracedAt = append(w.tracedAt, at)
	}
	return w
}

// setAside renames a damaged shard, so that its task runs again.
func (s *session) setAside(t *plan.Task, damage error) error {
	path := s.Run.ShardPath(t)
	if err := os.Rename(path, path+".damaged"); err != nil {
		return errors.Join(damage, err)
	}
	s.notify(Event{Kind: TaskDamaged, Task: t, Text: damage.Error() + "; set aside, its task runs again"})
	return nil
}

// load returns the task's trial, which must be as it was when the plan was made. Tasks
// that follow each other on one trial share it.
func (s *session) load(t *plan.Task) (*trial, error) {
	d := &s.Run.Plan.Datasets[t.Dataset]
	if s.loaded != nil && s.loaded.Dataset == d.Name && s.loaded.Trial.Trial == t.Trial {
		return s.loaded, nil
	}
	s.loaded = nil // the collector may have it before the next one is read
	ds, err := samples.Open(d.Dir)
	if err != nil {
		return nil, err
	}
	data, err := plan.LoadTrial(ds, t.Trial, s.loss.Name())
	if err != nil {
		return nil, err
	}
	if want := d.Trial(t.Trial).Digest; data.Digest != want {
		return nil, plain.Because(plan.ErrPlan, "%s, trial %d: the data have changed since the plan was made "+
			"(%.12s…, planned %.12s…); make a new plan in another folder: gdrun plan … --out", d.Dir, t.Trial, data.Digest, want)
	}
	s.loaded = &trial{TrialData: data}
	return s.loaded, nil
}

// learnOf remembers good rows for tasks that have the same cells.
func (s *session) learnOf(rows []results.Row) {
	if s.known == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, row := range rows {
		if !row.Failed() {
			s.known[row.Cell] = append(s.known[row.Cell], row)
		}
	}
}

// count enters the cells of a sealed task's rows. A cell of several tasks counts once, as done
// if one of them has it without a failed row.
func (s *session) count(rows []results.Row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	failed := map[string]bool{}
	for i := range rows {
		failed[rows[i].Cell] = failed[rows[i].Cell] || rows[i].Failed()
	}
	for id, bad := range failed {
		s.counted[id] = s.counted[id] || !bad
	}
}

// notify tells of an event that concerns these cells, of which those of earlier events, as
// part of other tasks, are not counted again.
func (s *session) notify(e Event, cells ...plan.TaskCell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range cells {
		if !s.told[c.Cell] {
			s.told[c.Cell] = true
			e.Cells++
		}
	}
	if s.Notify != nil {
		s.Notify(e)
	}
}

// closeAll brings what is pending of unsealed tasks to the disk.
func (s *session) closeAll() error {
	var errs []error
	for run := range s.open {
		errs = append(errs, run.close())
	}
	return errors.Join(errs...)
}

func hostname() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return host
}
