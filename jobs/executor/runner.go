package executor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"graphda/io/results"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/learners"
)

// RunTasks runs the missing cells of the tasks and seals the tasks. If ctx ends first, the error wraps ErrStopped. A
// failed cell gets a row with an error, and RunTasks continues.
func (r *Runner) RunTasks(ctx context.Context, tasks []*plan.Task) (Outcome, error) {
	asked := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{Runner: r, cancel: cancel, host: hostname(), counted: map[string]bool{},
		told: map[int]bool{}, open: map[*part]bool{}}
	s.until = sync.OnceValue(func() (never time.Time) {
		if r.Deadline == nil {
			return never
		}
		return r.Deadline(ctx)
	})
	s.processors = semaphore.NewWeighted(int64(max(1, r.Workers)))
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
	if r.Run.Repacked() { // a cell may be in several tasks, but must run only once
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
	work := make(chan batch)
	var pool sync.WaitGroup
	for range max(1, r.Workers) {
		pool.Go(func() { s.work(ctx, work) })
	}
	s.feed(feeding, tasks, work)
	close(work)
	pool.Wait()
	if err := s.closeAll(); err != nil {
		s.fail(err) // rows of some finished cells are not on the disk
	}
	outcome := Outcome{Computed: s.computed}
	for _, done := range s.counted {
		if done {
			outcome.Done++
		} else {
			outcome.Failed++
		}
	}
	err = s.ended(asked)
	s.recorder.end(asked, err)
	return outcome, err
}

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

func (s *session) feed(ctx context.Context, tasks []*plan.Task, work chan<- batch) {
	for _, t := range tasks {
		if ctx.Err() != nil {
			return
		}
		begun, err := s.begin(ctx, t)
		if err != nil {
			if ctx.Err() == nil {
				s.fail(err)
			}
			return
		}
		if begun == nil {
			continue
		}
		for batch := range begun.batches {
			select {
			case work <- batch:
			case <-ctx.Done():
				return
			}
		}
	}
}

// work runs batches until there are no more. It reuses memory for consecutive batches of a trial.
func (s *session) work(ctx context.Context, work <-chan batch) {
	var w *worker
	for b := range work {
		if w == nil || w.data != b.task.data {
			w = s.worker(b.task.data)
		}
		if !s.timeFor(b.seconds) {
			s.enough()
			continue
		}
		begin := time.Now()
		w.progress = s.recorder.watch()
		err := b.task.run(ctx, w, b.cells)
		switch {
		case err == nil:
			s.ran(len(b.cells), b.seconds, time.Since(begin))
		case ctx.Err() == nil:
			s.fail(err)
		}
	}
}

// begin loads a task's trial and takes over the finished cells of earlier attempts. It returns nil if no cell is left
// to run.
func (s *session) begin(ctx context.Context, t *plan.Task) (*taskRun, error) {
	if err := s.Run.CheckPlace(); err != nil {
		return nil, err
	}
	rows, err := s.Run.ReadShard(t)
	var lost error // why the models must be learned again; nil if they need not
	if err == nil {
		lost = s.Run.CheckModels(t, true)
	}
	switch {
	case lost != nil:
		s.notify(Event{Kind: TaskDamaged, Task: t, Text: lost.Error() + "; gdrun learns the task's models again"})
	case err == nil:
		s.count(rows)
		s.notify(Event{Kind: TaskSkipped, Task: t, Seconds: t.Seconds()}, t.Cells...)
		return nil, results.RemoveParts(s.Run.Folder(t), t.Number) // left by an attempt killed after sealing
	case errors.Is(err, plan.ErrPlan):
		return nil, err
	case !errors.Is(err, fs.ErrNotExist):
		if run.Unreadable(err) {
			return nil, err // the error is not about the shard, which may be good
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
	data.enter()
	if len(r.missing) == 0 {
		return nil, r.seal(ctx, s.worker(data))
	}
	return r, nil
}

// record starts the note of this attempt. It does nothing if the process runs more than one task.
func (s *session) record(ctx context.Context, t *plan.Task) {
	named := s.Attempt != ""
	if !s.single || named && s.Run.MakeFolder(t) != nil {
		return
	}
	checkpoints := s.Run.Plan.Checkpoints
	s.recorder = &recorder{dir: s.Run.Folder(t), task: t.Number, save: named, of: checkpoints[len(checkpoints)-1],
		note: results.Attempt{Name: s.attempt, Host: s.host, Node: s.Node, Workers: s.Workers, Begin: time.Now()}}
	s.recorder.record(ctx)
}

// setAside renames a damaged shard, so that its task runs again.
func (s *session) setAside(t *plan.Task, damage error) error {
	path := s.Run.ShardPath(t)
	if err := os.Rename(path, path+run.DamagedSuffix); err != nil {
		return errors.Join(damage, err)
	}
	s.notify(Event{Kind: TaskDamaged, Task: t, Text: damage.Error() + "; gdrun renames it and runs its task again"})
	return nil
}

// closeAll closes the trials and the parts of unsealed tasks. Then all rows are on the disk.
func (s *session) closeAll() error {
	var errs []error
	for _, d := range s.trials {
		errs = append(errs, d.close())
	}
	for p := range s.open {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}
