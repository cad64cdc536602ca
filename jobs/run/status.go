package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"graphda/io/message"
	"graphda/io/results"
	"graphda/jobs/plan"
)

// These are causes of errors about cells without good results.
var (
	ErrIncomplete = errors.New("incomplete")
	ErrGivenUp    = errors.New("given up") // cells are missing and given up
	ErrFailed     = errors.New("a cell failed")
)

// A Status says how far a run has come, according to the result files and, after AskQueue, Slurm's queue.
type Status struct {
	Name     string        `json:"name"`
	Dir      string        `json:"dir"`
	Plan     string        `json:"plan"`  // the plan's hash
	Tasks    int           `json:"tasks"` // number of tasks that are sealed, begun, or have an unfinished cell
	Sealed   int           `json:"tasks_sealed"`
	Begun    int           `json:"tasks_begun"` // number of tasks with finished cells, but no shard
	Total    StatusCount   `json:"total"`
	Groups   []StatusGroup `json:"groups"`            // in plan order
	Used     float64       `json:"seconds_used"`      // CPU seconds of cells with results
	Left     float64       `json:"seconds_left"`      // estimated CPU seconds of cells that are neither done nor failed
	Verified bool          `json:"verified"`          // all checksums were checked
	Damaged  []string      `json:"damaged,omitempty"` // damaged shards or files of models; their cells are missing
	Queue    *QueueStatus  `json:"queue,omitempty"`   // nil if the queue was not asked, or if no job was submitted
	Follow   *FollowStatus `json:"follow,omitempty"`  // nil without a follow-up job

	Run   *Run        `json:"-"`
	State []CellState `json:"-"` // state of each cell
	Stock *Stock      `json:"-"`
}

// A StatusCount counts cells by state. Each cell has one state.
type StatusCount struct {
	Cells   int `json:"cells"`
	Done    int `json:"done"`
	Failed  int `json:"failed"`
	Running int `json:"running"`
	Queued  int `json:"queued"`
	Hidden  int `json:"hidden,omitempty"` // cells with jobs that this user or cluster cannot see
	Missing int `json:"missing"`
}

// A StatusGroup counts the cells of one method on one dataset.
type StatusGroup struct {
	Dataset string `json:"dataset"`
	Method  string `json:"method"`
	StatusCount
}

// A QueueStatus says what Slurm knows about our jobs.
type QueueStatus struct {
	Running int        `json:"tasks_running"`
	Queued  int        `json:"tasks_queued"`
	Waiting []Waiting  `json:"waiting"`            // reasons why queued tasks wait, the most frequent first
	Finish  time.Time  `json:"finish,omitzero"`    // expected end; zero unless tasks run and no cell is missing
	Dead    []DeadTask `json:"dead"`               // tasks whose jobs ended without results
	GivenUp []GivenUp  `json:"given_up,omitempty"` // set if the last submission gave up every missing cell
	NotOurs []string   `json:"not_ours,omitempty"` // notes on jobs of other users, clusters and folders
	Hidden  []Others   `json:"hidden,omitempty"`   // jobs that this user or cluster cannot see

	Active map[int]CellState `json:"-"` // by number of a task in the queue: StateRunning, StateQueued or StateHidden
}

// Others are jobs of one user on one cluster.
type Others struct {
	User    string   `json:"user"`
	Cluster string   `json:"cluster,omitempty"` // "" if unknown
	Why     string   `json:"why,omitempty"`     // why we cannot see the jobs; "" if we can
	Tasks   int      `json:"tasks"`
	Jobs    []string `json:"jobs"`
}

func (o *Others) String() string {
	const named = 3
	text := fmt.Sprintf("%s of %s", message.Count(len(o.Jobs), "job"), o.User)
	if o.Cluster != "" {
		text += " on cluster " + o.Cluster
	}
	text += " (" + strings.Join(o.Jobs[:min(named, len(o.Jobs))], ", ")
	if more := len(o.Jobs) - named; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + ")"
}

// A GivenUp counts cells that are not submitted again.
type GivenUp struct {
	Cause results.Cause `json:"cause"`
	Cells int           `json:"cells"`
	Why   string        `json:"why"` // why, and how to submit the cells anyway
}

func (g GivenUp) String() string {
	return fmt.Sprintf("%s given up: their jobs %s", message.Are(g.Cells, "cell"), g.Why)
}

// A FollowStatus describes the follow-up job, which continues the run when all other jobs have ended.
type FollowStatus struct {
	State   string `json:"state"`
	Job     string `json:"job,omitempty"`
	Why     string `json:"why,omitempty"` // why the job waits or died, or why no follow-up job comes after it
	Log     string `json:"log,omitempty"` // path of the job's log, relative to the run's folder
	Limited bool   `json:"limited,omitempty"`
}

const (
	FollowWaits   = "waits"
	FollowRuns    = "runs"
	FollowDone    = "done" // the report exists
	FollowStopped = "stopped"
	FollowDied    = "died"
	FollowHidden  = "hidden" // this user or cluster cannot see the job
)

// Awaited tells whether the follow-up job waits or runs.
func (f *FollowStatus) Awaited() bool {
	return f != nil && (f.State == FollowWaits || f.State == FollowRuns)
}

// A Waiting is a group of queued tasks with the same reason to wait.
type Waiting struct {
	Reason string   `json:"reason"` // Slurm's word, such as Priority, Resources or JobArrayTaskLimit
	Means  string   `json:"means,omitempty"`
	Tasks  int      `json:"tasks"`
	Jobs   []string `json:"jobs"` // ids of the job arrays
}

// Never tells whether the tasks can never start.
func (w *Waiting) Never() bool { return strings.HasPrefix(w.Means, "never ") }

// Held tells whether the tasks wait until a user or an administrator releases them.
func (w *Waiting) Held() bool {
	reason := strings.ToLower(w.Reason)
	return strings.Contains(reason, "held") || strings.Contains(reason, "hold")
}

// A DeadTask is a task whose job ended before all cells were finished.
type DeadTask struct {
	Task    int           `json:"task"`
	Job     string        `json:"job"`
	Cause   results.Cause `json:"cause"`
	Attempt int           `json:"attempt"`          // number of attempts at these cells so far
	State   string        `json:"state"`            // Slurm's state of the job; "" if Slurm has forgotten the job
	Reason  string        `json:"reason,omitempty"` // Slurm's reason
	Node    string        `json:"node,omitempty"`
	Log     string        `json:"log"`
	Last    string        `json:"last_line,omitempty"` // line of the log that shows the cause, or the last line
}

// Undone counts the cells that are neither done nor failed.
func (s *Status) Undone() int {
	return s.Total.Running + s.Total.Queued + s.Total.Hidden + s.Total.Missing
}

// Status returns the run's state according to its result files. If verify is true, it checks every byte (see
// TakeStock).
func (r *Run) Status(verify bool) (*Status, error) {
	stock, err := r.TakeStock(verify)
	if err != nil {
		return nil, err
	}
	s := &Status{
		Name: r.Plan.Experiment.Name, Dir: r.Dir, Plan: r.Plan.Hash, Used: stock.used,
		Verified: verify, Run: r, State: slices.Clone(stock.State), Stock: stock,
	}
	s.countTasks()
	for _, d := range stock.Damaged {
		s.Damaged = append(s.Damaged, d.String())
	}
	s.count()
	return s, nil
}

func (s *Status) countTasks() {
	last := s.Run.LastTasks()
	for i, t := range s.Run.Tasks {
		switch {
		case s.Stock.Sealed[i]:
			s.Sealed++
			s.Tasks++
		case slices.ContainsFunc(t.Cells, func(c plan.TaskCell) bool {
			return last[c.Cell] == i && (s.Stock.Begun[i] || s.Stock.State[c.Cell] != StateDone)
		}):
			s.Tasks++
			if s.Stock.Begun[i] {
				s.Begun++
			}
		}
	}
}

// EnterTasks sets the states of cells to the states of their tasks in the queue. It leaves cells that are done, or that
// failed in the same task.
func (s *Status) EnterTasks() {
	for _, t := range s.Run.Tasks {
		state, ok := s.Queue.Active[t.Number]
		if !ok {
			continue
		}
		for _, c := range t.Cells {
			at := &s.State[c.Cell]
			if failed, tried := s.Stock.failedIn[c.Cell]; *at == StateFailed && tried && failed == t.Number {
				continue
			}
			*at = max(*at, state)
		}
	}
	s.count()
}

func (s *Status) count() {
	p := s.Run.Plan
	s.Total, s.Groups, s.Left = StatusCount{}, nil, 0
	place := map[plan.MethodOn]int{}
	for i := range p.Cells {
		c := &p.Cells[i]
		at, ok := place[c.MethodOn()]
		if !ok {
			at = len(s.Groups)
			place[c.MethodOn()] = at
			s.Groups = append(s.Groups, StatusGroup{Dataset: p.Dataset(c).Name, Method: c.Method.Name})
		}
		s.Groups[at].add(s.State[i])
		s.Total.add(s.State[i])
		if s.State[i] != StateDone && s.State[i] != StateFailed {
			s.Left += s.Stock.planned[i] * s.Stock.factor(c.Dataset)
		}
	}
}

func (c *StatusCount) add(state CellState) {
	c.Cells++
	switch state {
	case StateDone:
		c.Done++
	case StateFailed:
		c.Failed++
	case StateRunning:
		c.Running++
	case StateQueued:
		c.Queued++
	case StateHidden:
		c.Hidden++
	default:
		c.Missing++
	}
}

// factor returns measured time divided by estimated time, for the dataset's finished cells.
func (s *Stock) factor(dataset int) float64 {
	return ratio(s.measured[dataset], s.expected[dataset], 1)
}

// IDs returns the ids of all cells in the given states, in plan order.
func (s *Status) IDs(states ...CellState) []string {
	var ids []string
	for i, state := range s.State {
		if slices.Contains(states, state) {
			ids = append(ids, s.Run.Plan.Cells[i].ID)
		}
	}
	return ids
}
