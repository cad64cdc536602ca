package jobs

import (
	"slices"
	"strings"
	"time"
)

// A Status is how far a run has come: by its result files, and by the queue where
// AskQueue was called.
type Status struct {
	Name    string        `json:"name"`
	Dir     string        `json:"dir"`
	Plan    string        `json:"plan"`  // hash
	Tasks   int           `json:"tasks"` // sealed, begun, or needed for a cell that is not done
	Sealed  int           `json:"tasks_sealed"`
	Begun   int           `json:"tasks_begun"` // not sealed, with finished cells
	Total   StatusCount   `json:"total"`
	Groups  []StatusGroup `json:"groups"`            // in plan order
	Used    float64       `json:"seconds_used"`      // CPU time of the cells that have results
	Left    float64       `json:"seconds_left"`      // estimated CPU time of the cells that are neither done nor failed
	Damaged []string      `json:"damaged,omitempty"` // shards or models that cannot be read; cells of these are missing
	Queue   *QueueStatus  `json:"queue,omitempty"`   // nil: not known, or nothing was submitted

	run   *Run
	stock *Stock
	share []CellShare // by cell
}

// A CellShare is the part of a run's cells that a cell belongs to.
type CellShare uint8

// What is in the queue counts as running or queued and not as missing. So does a cell
// that failed, if it is tried again.
const (
	CellsMissing CellShare = iota
	CellsFailed
	CellsQueued
	CellsRunning
	CellsDone
)

// CellShares are the shares by the names that Status gives them.
var CellShares = map[string]CellShare{
	"done": CellsDone, "failed": CellsFailed, "running": CellsRunning, "queued": CellsQueued, "missing": CellsMissing,
}

// A StatusCount counts cells. Each is in one of the shares.
type StatusCount struct {
	Cells   int `json:"cells"`
	Done    int `json:"done"`
	Failed  int `json:"failed"`
	Running int `json:"running"`
	Queued  int `json:"queued"`
	Missing int `json:"missing"`
}

// A StatusGroup is the cells of one method on one dataset.
type StatusGroup struct {
	Dataset string `json:"dataset"`
	Method  string `json:"method"`
	StatusCount
}

// A QueueStatus is what Slurm says of the jobs that were submitted.
type QueueStatus struct {
	Running int        `json:"tasks_running"`
	Queued  int        `json:"tasks_queued"`
	Waiting []Waiting  `json:"waiting"`         // why the queued tasks wait, the most frequent reason first
	Finish  time.Time  `json:"finish,omitzero"` // by estimate, if tasks run and nothing is missing
	Dead    []DeadTask `json:"dead"`            // have ended without their results
}

// Waiting is queued tasks that wait for one reason.
type Waiting struct {
	Reason string `json:"reason"` // Slurm's: Priority, Resources, JobArrayTaskLimit, JobHeldUser, …
	Tasks  int    `json:"tasks"`
	Job    string `json:"job"` // of the first of them
}

// Held tells whether they wait until somebody lets them go.
func (w *Waiting) Held() bool { return strings.Contains(strings.ToLower(w.Reason), "held") }

// A DeadTask is a task whose job has ended and left cells undone.
type DeadTask struct {
	Task   int    `json:"task"`
	Job    string `json:"job"`
	State  string `json:"state"`            // as Slurm names it; empty if it knows no more
	Reason string `json:"reason,omitempty"` // Slurm's
	Node   string `json:"node,omitempty"`
	Log    string `json:"log"`
	Last   string `json:"last_line,omitempty"` // of the log
}

// Undone is the number of cells that are neither done nor failed.
func (s *Status) Undone() int { return s.Total.Running + s.Total.Queued + s.Total.Missing }

// Status takes stock of the result files. Of sealed tasks it reads footers only, unless a
// cell failed there.
func (r *Run) Status() (*Status, error) {
	stock, err := r.TakeStock(false)
	if err != nil {
		return nil, err
	}
	s := &Status{
		Name: r.Plan.Experiment.Name, Dir: r.Dir, Plan: r.Plan.Hash, Used: stock.used,
		run: r, stock: stock, share: make([]CellShare, len(r.Plan.Cells)),
	}
	s.countTasks()
	for _, d := range stock.Damaged {
		s.Damaged = append(s.Damaged, d.String())
	}
	for i, state := range stock.State {
		switch state {
		case StateDone:
			s.share[i] = CellsDone
		case StateFailed:
			s.share[i] = CellsFailed
		}
	}
	s.count()
	return s, nil
}

// countTasks counts the tasks that are sealed and those that are needed.
func (s *Status) countTasks() {
	last := s.run.LastTasks()
	for i, t := range s.run.Tasks {
		switch {
		case s.stock.Sealed[i]:
			s.Sealed++
			s.Tasks++
		case slices.ContainsFunc(t.Cells, func(c TaskCell) bool {
			return last[c.Cell] == i && (s.stock.Begun[i] || s.stock.State[c.Cell] != StateDone)
		}):
			s.Tasks++
			if s.stock.Begun[i] {
				s.Begun++
			}
		}
	}
}

// Run is the run whose status this is.
func (s *Status) Run() *Run { return s.run }

// ShareOf is the share of the cell at a place in the plan.
func (s *Status) ShareOf(cell int) CellShare { return s.share[cell] }

// EnterTasks enters the tasks, by number, that are in the queue: their cells are running or
// queued, unless a cell is done, or failed just now in the same task.
func (s *Status) EnterTasks(active map[int]CellShare) {
	for _, t := range s.run.Tasks {
		share, ok := active[t.Number]
		if !ok {
			continue
		}
		for _, c := range t.Cells {
			at := &s.share[c.Cell]
			if failed, tried := s.stock.failedIn[c.Cell]; *at == CellsFailed && tried && failed == t.Number {
				continue
			}
			*at = max(*at, share)
		}
	}
	s.count()
}

// count counts the shares, by dataset and method, and the time that is left.
func (s *Status) count() {
	type key struct{ dataset, method string }
	plan := s.run.Plan
	s.Total, s.Groups, s.Left = StatusCount{}, nil, 0
	place := map[key]int{}
	for i := range plan.Cells {
		c := &plan.Cells[i]
		k := key{plan.Dataset(c).Name, c.Method.Name}
		at, ok := place[k]
		if !ok {
			at = len(s.Groups)
			place[k] = at
			s.Groups = append(s.Groups, StatusGroup{Dataset: k.dataset, Method: k.method})
		}
		s.Groups[at].add(s.share[i])
		s.Total.add(s.share[i])
		if s.share[i] != CellsDone && s.share[i] != CellsFailed {
			s.Left += s.stock.planned[i] * s.stock.factor(c.Dataset)
		}
	}
}

func (c *StatusCount) add(share CellShare) {
	c.Cells++
	switch share {
	case CellsDone:
		c.Done++
	case CellsFailed:
		c.Failed++
	case CellsRunning:
		c.Running++
	case CellsQueued:
		c.Queued++
	default:
		c.Missing++
	}
}

// factor is how much longer than estimated the cells of a dataset have taken.
func (s *Stock) factor(dataset int) float64 {
	return ratio(s.measured[dataset], s.expected[dataset], 1)
}

// IDs returns the ids of the cells in the shares, in plan order.
func (s *Status) IDs(shares ...CellShare) []string {
	wanted := map[CellShare]bool{}
	for _, share := range shares {
		wanted[share] = true
	}
	var ids []string
	for i, share := range s.share {
		if wanted[share] {
			ids = append(ids, s.run.Plan.Cells[i].ID)
		}
	}
	return ids
}
