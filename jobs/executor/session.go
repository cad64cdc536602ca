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
	Workers int         // cells that run at once, at least 1
	Attempt string      // names this run of the tasks; empty: host and process
	Node    string      // the cluster's name of this machine; empty outside a cluster's jobs
	Notify  func(Event) // if not nil, called for what happens, never twice at once

	// Deadline tells when the time limit strikes; zero or nil: never. It is called once, when the first cell is about to
	// begin and the attempt has its note, and may take its time. Cells that are not expected to end before are not begun.
	Deadline func(context.Context) time.Time
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

// Outcome counts the cells of the tasks that were asked for.
type Outcome struct {
	Done, Failed int // of the tasks that are sealed
	Computed     int // by this call, also of tasks that are not
}

// A session is one call of RunTasks.
type session struct {
	*Runner
	loss    learners.Loss
	host    string
	attempt string
	until   func() time.Time         // Deadline's answer, asked for once
	cancel  context.CancelFunc       // ends all work
	enough  context.CancelFunc       // lets what is begun end
	single  bool                     // there is one task, which is all that this process takes time for
	known   map[string][]results.Row // good rows by cell; nil if no cell is in several tasks

	processors *semaphore.Weighted // that programs share

	mu       sync.Mutex
	trials   []*trial        // that were loaded and may be in use
	failure  error           // the first one
	counted  map[string]bool // cells of sealed tasks; whether they are done
	told     map[int]bool    // cells of events
	open     map[*part]bool  // not closed
	recorder *recorder
	loaded   *trial // the trial of the task begun last

	tried           bool    // a batch was begun
	computed        int     // cells that have ended
	expected, taken float64 // seconds that these were expected to take, and have taken
	outOfTime       bool
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

// load returns the task's trial, which must be as it was when the plan was made. Tasks
// that follow each other on one trial share it.
func (s *session) load(t *plan.Task) (*trial, error) {
	d := &s.Run.Plan.Datasets[t.Dataset]
	if s.loaded != nil && s.loaded.Dataset == d.Name && s.loaded.Trial.Trial == t.Trial {
		return s.loaded, nil
	}
	s.loaded = nil // the collector may have what is not in use before the next one is read
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
		return nil, message.Because(plan.ErrPlan, "%s, trial %d: the data have changed since the plan was made "+
			"(%.12s…, planned %.12s…); make a new plan in another folder: gdrun plan … --out", d.Dir, t.Trial, data.Digest, want)
	}
	s.loaded = &trial{TrialData: data, run: s.Run, scratch: s.Scratch, processors: s.processors,
		workers: max(1, s.Workers), inJob: s.Attempt != "", files: map[string]*program.Files{}, told: map[string]any{}}
	s.trials = append(s.trials, s.loaded)
	return s.loaded, nil
}

// caution multiplies what a batch is expected to take before it is begun near a deadline.
const caution = 1.5

// timeFor tells whether cells of so many seconds are expected to end before the deadline, and if not, notes
// that there is no more time. An attempt's first batch is always begun: else a cell
// that was expected to be too long would never be tried.
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

// ran enters how long cells took of which so many seconds were expected.
func (s *session) ran(cells int, expected float64, taken time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.computed += cells
	s.expected += expected
	s.taken += taken.Seconds()
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

func hostname() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return host
}
