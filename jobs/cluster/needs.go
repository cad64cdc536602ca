package cluster

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// needs decides which cells are given up, and how much memory and time tasks ask for. It looks at earlier attempts and
// their causes of death. timeLimits computes time limits if no job died.
//
//   - A finished task predicts that the next task of its dataset needs 1.25 times as much memory, plus 32 MiB. A task
//     asks for the 95 % quantile of these predictions. Before a task has finished, tasks ask for the plan's estimate,
//     and a pilot goes first if there are many tasks.
//   - A job that ran out of memory counts as a task that used twice the job's memory. Its cells ask for at least this
//     memory, up to the memory of the partition's largest node.
//   - If a job reached its time limit before it finished a cell, its cells ask for twice the limit, or for 1.5 times
//     the time of one pass if that is longer, up to the partition's limit.
//   - Cells whose jobs died of bad data are submitted again only with --retry-failed.
//   - If two consecutive jobs of a cell died of causes in alike and finished no cell, the cell is given up. A change of
//     the program, the setup file or the options, or the flag --again, brings the cell back.
//   - A node is excluded if it may have caused the deaths of two jobs within a day, and no job has succeeded there
//     since.
type needs struct {
	run        *run.Run
	stock      *run.Stock
	options    *SubmitOptions
	taskMemory map[int][]int         // for each dataset: MiB of each finished or dead task
	sameCause  map[int]int           // for each cell: number of consecutive unexplained deaths
	measured   map[int]int           // for each dataset: MiB to ask for
	sealed     map[int]bool          // datasets with a finished task
	floor      map[int]demand        // for each cell: smallest demand of its next task
	givenUp    map[int]results.Cause // for each cell that is given up: the cause
	exclude    []string              // nodes to avoid
	ceiling    demand                // largest demand of a task
	notes      []string              // messages for the user who submits
	reasons    []run.GivenUp
}

const (
	roundsAlike  = 2              // number of consecutive unexplained deaths after which a cell is given up
	nodeForgiven = 24 * time.Hour // time until an excluded node is used again
)

// learn computes the needs of a run's cells from finished tasks and from deaths, in order of time.
func learn(r *run.Run, stock *run.Stock, all []*journal.Death, o *SubmitOptions, most demand) *needs {
	n := &needs{run: r, stock: stock, options: o, ceiling: most, taskMemory: map[int][]int{},
		sameCause: map[int]int{}, measured: map[int]int{}, sealed: map[int]bool{}, floor: map[int]demand{},
		givenUp: map[int]results.Cause{}}
	for i, t := range r.Tasks {
		for _, a := range stock.Attempts[i] {
			if o.sealedAlike(&a) {
				n.taskMemory[t.Dataset] = append(n.taskMemory[t.Dataset], generousMemory(a.Peak))
				n.sealed[t.Dataset] = true
			}
		}
	}
	for _, d := range all {
		if t := r.Task(d.Task); t != nil {
			n.enter(d, t)
		}
	}
	for dataset, takes := range n.taskMemory {
		slices.Sort(takes)
		n.measured[dataset] = roundMemory(quantile(takes, 0.95))
	}
	n.excludeNodes(all)
	return n
}

// sealedAlike reports whether an attempt sealed its task with as many workers as new tasks will have. Only such
// attempts predict the memory and time of new tasks.
func (o *SubmitOptions) sealedAlike(a *results.Attempt) bool {
	return a.End == results.Sealed && a.Workers == max(1, o.Resources.CPUsPerTask)
}

// generousMemory returns the MiB to ask for if a task used peak bytes.
func generousMemory(peak int64) int { return int(1.25*float64(peak)/(1<<20)) + 32 }

func quantile[T int | float64](ascending []T, q float64) T {
	if len(ascending) == 0 {
		return 0
	}
	return ascending[max(0, int(math.Ceil(q*float64(len(ascending))))-1)]
}

// roundMemory rounds MiB up to one of a few sizes of at least 64, so that tasks form few arrays.
func roundMemory(mib int) int { return max(64, roundUp(mib, 16, 8)) }

// roundUp rounds x up to a multiple of step. It first doubles step until x is at most `most` steps.
func roundUp[T int | time.Duration](x, step, most T) T {
	for most*step < x {
		step *= 2
	}
	return (x + step - 1) / step * step
}

func (n *needs) enter(d *journal.Death, t *plan.Task) {
	if _, programs := n.estimate(t); d.Cause == results.OutOfMemory && d.Memory > programs {
		n.taskMemory[t.Dataset] = append(n.taskMemory[t.Dataset], 2*d.Memory-programs)
	}
	for _, c := range t.Cells {
		if n.stock.State[c.Cell] != run.StateMissing {
			continue
		}
		delete(n.givenUp, c.Cell) // a job tried the cell after it was given up
		least := n.floor[c.Cell]
		n.enterSameCause(d, c.Cell)
		switch {
		case d.Cause == results.OutOfMemory:
			if d.Memory == 0 || d.Memory >= n.ceiling.memory {
				n.givenUp[c.Cell] = d.Cause
			}
			least.memory = max(least.memory, min(2*d.Memory, n.ceiling.memory))
		case d.Cause == results.TimeLimit && d.Cells == 0 && d.Time > 0:
			limit := time.Duration(d.Time) * time.Second
			if limit >= n.ceiling.time {
				n.givenUp[c.Cell] = d.Cause
			}
			pass := time.Duration(1.5 * d.OnePass * float64(time.Second))
			least.time = max(least.time, min(max(2*limit, pass), n.ceiling.time))
		case d.Cause == results.BadData && !n.options.retries(c.Cell):
			n.givenUp[c.Cell] = d.Cause
		}
		n.floor[c.Cell] = least
	}
}

// alike lists causes of death that may hit every job on every node, such as a full file system.
var alike = []results.Cause{results.NotStarted, results.FileSystem, results.Lost, results.Unknown}

// enterSameCause gives up a cell after roundsAlike consecutive jobs of the cell died of a cause in alike.
func (n *needs) enterSameCause(d *journal.Death, cell int) {
	if !slices.Contains(alike, d.Cause) || d.Cells > 0 || d.Way != n.options.way {
		delete(n.sameCause, cell)
		return
	}
	if n.sameCause[cell]++; n.sameCause[cell] >= roundsAlike && !n.options.Again {
		n.givenUp[cell] = d.Cause
	}
}

// excludeNodes finds the nodes to avoid. It excludes no node if these are more than half of the used nodes, or if the
// user gives --exclude or --nodelist.
func (n *needs) excludeNodes(all []*journal.Death) {
	for _, option := range n.options.Resources.Extra {
		if name, _, _ := strings.Cut(option, "="); slices.Contains([]string{"--exclude", "--nodelist", "--nodefile"}, name) {
			return
		}
	}
	used, success := map[string]bool{}, map[string]time.Time{}
	for i := range n.run.Tasks {
		for _, a := range n.stock.Attempts[i] {
			used[a.Node] = true
			if a.End == results.Sealed && a.Begin.After(success[a.Node]) {
				success[a.Node] = a.Begin
			}
		}
	}
	failures := map[string]int{}
	for _, d := range all {
		switch d.Cause {
		case results.NodeFailure, results.FileSystem, results.Unknown:
			used[d.Node] = true
			if d.At.After(success[d.Node]) && time.Since(d.At) < nodeForgiven {
				failures[d.Node]++
			}
		}
	}
	delete(used, "")
	for node, times := range failures {
		if times >= 2 && node != "" {
			n.exclude = append(n.exclude, node)
		}
	}
	slices.Sort(n.exclude)
	switch {
	case len(n.exclude) == 0:
	case 2*len(n.exclude) > len(used):
		n.notes = append(n.notes, fmt.Sprintf("jobs have died at least twice on most nodes (%d of %d), so no node is "+
			"excluded", len(n.exclude), len(used)))
		n.exclude = nil
	default:
		n.notes = append(n.notes, fmt.Sprintf("for a day, new jobs avoid %s, where jobs have died at least twice; "+
			"--sbatch-arg=--exclude=… names other nodes to avoid", strings.Join(n.exclude, ", ")))
	}
}

// memory returns the MiB that a task asks for, or 0 if the user's --mem suffices.
func (n *needs) memory(t *plan.Task) int {
	least, o := n.least(t).memory, &n.options.Resources
	if o.Mem != "" || o.MemPerCPU != "" {
		if asked := o.AskedMemory(); asked == 0 || least <= asked {
			return 0
		}
		return least
	}
	base, programs := n.estimate(t)
	if m := n.measured[t.Dataset]; m > 0 { // m is the memory of gdrun itself, without programs
		base = m + programs
	}
	return min(max(base, least), n.ceiling.memory)
}

// estimate returns the MiB that a task needs according to the plan. programs is the part for users' programs: each
// worker runs a program of its own, and stores the program's answers.
func (n *needs) estimate(t *plan.Task) (all, programs int) {
	takes := &n.run.Plan.Cells[t.Cells[0].Cell].Method.Takes
	if takes.Memory == 0 {
		return t.Memory, 0
	}
	workers := max(1, n.options.Resources.CPUsPerTask)
	atOnce := workers / max(1, min(workers, takes.Processors))
	return t.Memory * atOnce, takes.MiB() * atOnce
}

// checkPrograms refuses tasks whose programs need more memory than the job asks for, or than a node has.
func (n *needs) checkPrograms(tasks []*plan.Task) error {
	asked := n.options.Resources.AskedMemory()
	for _, t := range tasks {
		all, programs := n.estimate(t)
		if m := n.measured[t.Dataset]; m > 0 {
			all = min(all, m+programs)
		}
		size := slurm.FormatMemory
		wants := fmt.Sprintf("a task of program %s needs %s of memory (%s for its processes, the rest for gdrun)",
			n.run.Plan.Cells[t.Cells[0].Cell].Method.Name, size(all), size(programs))
		switch {
		case programs == 0:
		case asked > 0 && asked < all:
			return userinput.Errorf("%s, but would get %s: give --mem %s, or fewer --cpus-per-task", wants, size(asked),
				size(all))
		case all > n.ceiling.memory:
			return userinput.Errorf("%s, but can get at most %s (the partition's largest node, or --max-mem): give fewer "+
				"--cpus-per-task, or another --partition", wants, size(n.ceiling.memory))
		}
	}
	return nil
}

// least returns the smallest demand of a task after earlier jobs of its cells died.
func (n *needs) least(t *plan.Task) (least demand) {
	for _, c := range t.Cells {
		floor := n.floor[c.Cell]
		least = demand{max(least.memory, floor.memory), max(least.time, floor.time)}
	}
	return least
}

// A pilot consists of the first tasks of datasets without a finished task. From a pilot we learn the demand of the
// other tasks.
const (
	pilotAbove = 200 // a pilot is sent only if such datasets have more tasks than this
	pilotOfOne = 5   // largest number of tasks per dataset
	pilotOfAll = 20  // largest number of tasks, unless there are more datasets
)

// pilot returns the tasks to submit now: all tasks, or only a pilot. active is the number of queued tasks of datasets
// without a finished task. Queued and given-up tasks count towards the pilot's size.
func (n *needs) pilot(tasks []*plan.Task, isActive func(task int) bool) (now []*plan.Task, active int) {
	last, lost := n.run.LastTasks(), map[int]bool{}
	for cell := range n.givenUp {
		lost[last[cell]] = true
	}
	sent, all := map[int]int{}, 0 // sent: tasks sent before, by dataset; all: these and the tasks to send
	for i, t := range n.run.Tasks {
		switch {
		case n.sealed[t.Dataset]:
			continue
		case isActive(t.Number):
			active++
		case !lost[i]:
			continue
		}
		sent[t.Dataset]++
		all++
	}
	for _, t := range tasks {
		if !n.sealed[t.Dataset] {
			sent[t.Dataset] += 0
			all++
		}
	}
	if all <= pilotAbove {
		return tasks, active
	}
	most := max(1, min(pilotOfOne, pilotOfAll/len(sent)))
	for _, t := range tasks {
		if !n.sealed[t.Dataset] {
			sent[t.Dataset]++
		}
		if n.sealed[t.Dataset] || sent[t.Dataset] <= most {
			now = append(now, t)
		}
	}
	return now, active
}

// submittable removes the cells that are given up, and records them by cause.
func (n *needs) submittable(cells []int) []int {
	count := map[results.Cause]int{}
	left := slices.DeleteFunc(cells, func(c int) bool {
		cause, lost := n.givenUp[c]
		if lost {
			count[cause]++
		}
		return lost
	})
	for _, g := range []struct {
		cause results.Cause
		why   string
	}{
		{results.OutOfMemory, fmt.Sprintf("ran out of memory with %s, the most that a job may ask for (--max-mem)",
			slurm.FormatMemory(n.ceiling.memory))},
		{results.TimeLimit, fmt.Sprintf("reached the longest time limit of the partition, %v, before they finished a cell",
			n.ceiling.time)},
		{results.NotStarted, "failed to start twice for the same reason; mend the cause (see their logs), or submit with " +
			"--again"},
		{results.FileSystem, "twice could not read or write files, and finished no cell; mend the cause (see their logs), " +
			"or submit with --again"},
		{results.Lost, "ended twice without an error and without results (does the setup file exit?); mend the cause, or " +
			"submit with --again"},
		{results.Unknown, "died twice of an unknown cause and finished no cell (gdrun status names their logs); to try " +
			"again, submit with --again"},
		{results.BadData, "died because of bad data (gdrun status says where); to try again, submit with --retry-failed"},
	} {
		if c := count[g.cause]; c > 0 {
			n.reasons = append(n.reasons, run.GivenUp{Cause: g.cause, Cells: c, Why: g.why})
		}
	}
	return left
}
