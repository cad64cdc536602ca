package executor

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"graphda/io/message"
	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/plan"
	"graphda/jobs/program"
	"graphda/jobs/run"
	"graphda/learners"
)

// A Runner runs tasks on this machine.
type Runner struct {
	Run     *run.Run
	Workers int         // number of cells that run at once, at least 1
	Attempt string      // name of this attempt; the default is the host and the process id
	Node    string      // name of this machine in the cluster; empty outside a cluster
	Notify  func(Event) // if not nil, called for every event; calls do not overlap

	// Deadline returns when to stop. There is no limit if Deadline is nil or returns zero. RunTasks calls it once, after
	// the attempt's first note and before the first cell, so it may be slow.
	Deadline func(context.Context) time.Time
	// Scratch is a folder on this machine for parts. Other users may share the folder, because only this process can
	// open the parts. Parts are copied to the run's folder once a minute and at every stop. If Scratch is empty, the
	// parts are in the run's folder.
	Scratch string
}

// An EventKind says what happened.
type EventKind uint8

const (
	TaskSkipped   EventKind = iota // the task was already sealed
	TaskTakenOver                  // an earlier attempt has finished some cells of the task
	TaskDamaged                    // the shard or models are damaged and will be made again; see Text
	CellDone
	CellFailed // Text gives the reason
)

// An Event reports progress to the user.
type Event struct {
	Kind    EventKind
	Task    *plan.Task
	Cells   int     // number of cells not counted by earlier events
	Seconds float64 // estimated CPU time of the cells
	Text    string
}

// An Outcome counts the cells of the tasks that were passed to RunTasks.
type Outcome struct {
	Done, Failed int // numbers of done and failed cells in sealed tasks
	Computed     int // number of cells that this call computed, also in unsealed tasks
}

// A session is one call of RunTasks.
type session struct {
	*Runner
	loss    learners.Loss
	host    string
	attempt string
	until   func() time.Time // when to stop, as returned by Deadline
	cancel  context.CancelFunc
	enough  context.CancelFunc       // after this call no batch begins; running batches continue
	single  bool                     // set if this process runs only one task
	known   map[string][]results.Row // rows without errors, by cell id; nil if no cell is in several tasks

	processors *semaphore.Weighted // limits how many processors all programs use at once

	mu       sync.Mutex
	trials   []*trial
	failure  error
	counted  map[string]bool // cells of sealed tasks, by id: true if done, false if failed
	told     map[int]bool    // indices in the plan of cells that an event has counted
	open     map[*part]bool  // parts that must be closed
	recorder *recorder
	loaded   *trial // trial of the task begun last

	tried           bool // set when a batch has begun
	computed        int
	expected, taken float64 // estimated and measured seconds of the ended cells
	outOfTime       bool
}

func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure == nil {
		s.failure = err
	}
	s.cancel()
}

// worker returns a worker for the trial. It keeps the traces that the experiment's reports need.
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

// load returns the task's trial. It returns an error if the data have changed since the plan. Consecutive tasks on a
// trial share the loaded data.
func (s *session) load(t *plan.Task) (*trial, error) {
	d := &s.Run.Plan.Datasets[t.Dataset]
	if s.loaded != nil && s.loaded.Dataset == d.Name && s.loaded.Trial.Trial == t.Trial {
		return s.loaded, nil
	}
	s.loaded = nil // frees old trials before the next trial is read
	s.trials = slices.DeleteFunc(s.trials, (*trial).idle)
	ds, err := samples.Open(d.Dir)
	if err != nil {
		return nil, err
	}
	data, err := plan.LoadTrial(ds, t.Trial, s.loss.Name())
	if err != nil {
		return nil, err
	}
	if want := d.Trial(t.Trial).Digest; data.Digest != want {
		return nil, message.Because(plan.ErrPlan, "%s, trial %d: the data have changed after planning "+
			"(%.12s…, planned %.12s…); make a new plan in another folder: gdrun plan … --out", d.Dir, t.Trial, data.Digest, want)
	}
	s.loaded = &trial{TrialData: data, run: s.Run, scratch: s.Scratch, processors: s.processors,
		workers: max(1, s.Workers), inJob: s.Attempt != "", files: map[string]*program.Files{}, told: map[string]any{}}
	s.trials = append(s.trials, s.loaded)
	return s.loaded, nil
}

// caution is the factor by which timeFor multiplies a batch's expected time.
const caution = 1.5

// timeFor reports whether a batch with this estimated time will probably end before the deadline. If not, it sets
// outOfTime. An attempt's first batch always begins, because otherwise a long cell would never run.
func (s *session) timeFor(seconds float64) bool {
	until := s.until()
	if until.IsZero() {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.tried {
		s.tried = true
		return true
	}
	seconds *= caution
	if s.expected > 0 {
		seconds *= s.taken / s.expected
	}
	if time.Now().Add(time.Duration(seconds * float64(time.Second))).Before(until) {
		return true
	}
	s.outOfTime = true
	return false
}

func (s *session) ran(cells int, expected float64, taken time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.computed += cells
	s.expected += expected
	s.taken += taken.Seconds()
}

// learnOf stores rows without errors, so that other tasks skip their cells.
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

// count counts the cells of a sealed task. A cell in several tasks counts once. It is done if any of these tasks has
// finished it.
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

func hostname() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return host
}
