package journal

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"graphda/io/results"
	"graphda/jobs/run"
	"graphda/slurm"
)

// FindDeaths lists the tasks that were submitted, have ended, and lack cells, in the order of their
// numbers.
func FindDeaths(r *run.Run, state []run.CellState, stock *run.Stock, q *Queue) (all []*Death) {
	newest := r.LastTasks()
	for i, t := range r.Tasks {
		sub := q.last[t.Number]
		if sub == nil || q.IsActive(t.Number) {
			continue
		}
		lacks, newestOfOne := false, false
		for _, c := range t.Cells {
			if state[c.Cell] == run.StateMissing {
				lacks = true
				newestOfOne = newestOfOne || newest[c.Cell] == i
			}
		}
		if lacks {
			d := newDeath(t.Number, sub, stock.Attempts[i])
			d.newest = newestOfOne
			all = append(all, d)
		}
	}
	return all
}

// newDeath is the death of a job by what its attempts have noted, and the queue knows, which forgets within minutes.
// The cause is that which the last attempt gave, if it could.
func newDeath(task int, last *element, attempts []results.Attempt) *Death {
	job, e := last.job, &last.entry
	id := slurm.JobID(fmt.Sprintf("%s_%d", job.ID, e.Index))
	d := &Death{DeadTask: run.DeadTask{Task: task, Job: string(id), Log: job.LogOf(e.Index), Cause: results.Unknown},
		At: job.At, Memory: job.Memory, Time: job.Time, Way: job.Way}
	for _, a := range attempts {
		if slurm.AttemptOf(a.Name) == id {
			d.At, d.Node, d.Cells, d.OnePass, d.begun = a.Begin, a.Node, a.Cells, a.OnePass, true
			d.Cause = cmp.Or(a.End, results.Unknown)
		}
	}
	if e.State != "" {
		d.State, d.Node = string(e.State), e.Node
	}
	if e.Reason != "None" {
		d.Reason = e.Reason
	}
	return d
}

// Explain finds out how jobs have ended of which the queue knows no more: from the accounts, if there are any, and
// the logs. Without an answer the state stays empty.
func Explain(ctx context.Context, r *run.Run, all []*Death, client *slurm.Client) {
	const most = 500 // elements to ask about at once
	unknown := map[slurm.JobID]*Death{}
	var ids []slurm.JobID
	for _, d := range all {
		if d.State == "" {
			unknown[slurm.JobID(d.Job)] = d
			ids = append(ids, slurm.JobID(d.Job))
		}
	}
	for some := range slices.Chunk(ids, most) {
		records, err := client.Accounting(ctx, some...)
		if err != nil { // what is known of the cells does not depend on it
			break
		}
		enterAccounts(unknown, records)
	}
	for _, d := range all {
		d.judge(logEnd(filepath.Join(r.Dir, d.Log)))
	}
}

// enterAccounts enters what the accounts say of the last lives of jobs.
func enterAccounts(of map[slurm.JobID]*Death, records []slurm.Record) {
	latest := map[slurm.JobID]time.Time{}
	for _, r := range records {
		d := of[r.ID]
		if d == nil || r.Start.Before(latest[r.ID]) {
			continue
		}
		latest[r.ID] = r.Start
		d.State, d.Node, d.Reason = string(r.State), r.Node, ""
		switch {
		case r.Signal != 0:
			d.Reason = fmt.Sprintf("signal %d", r.Signal)
		case r.ExitCode != 0:
			d.Reason = fmt.Sprintf("exit code %d", r.ExitCode)
		}
	}
}

// stateCauses are the causes that Slurm's states tell.
var stateCauses = map[slurm.State]results.Cause{
	slurm.OutOfMemory: results.OutOfMemory, slurm.Timeout: results.TimeLimit, "DEADLINE": results.TimeLimit,
	slurm.NodeFail: results.NodeFailure, "BOOT_FAIL": results.NodeFailure, slurm.Preempted: results.Preemption,
	slurm.Cancelled: results.Cancelled, slurm.Completed: results.Lost,
}

// logCauses are the causes that words in a log tell, in lower case: those of slurmstepd, of the
// Go runtime, and of this program where the disk is full, so that it could leave no note.
var logCauses = []struct {
	words string
	cause results.Cause
}{
	{"oom-kill event", results.OutOfMemory}, {"oom_kill event", results.OutOfMemory},
	{"exceeded memory limit", results.OutOfMemory}, {"exceeded job memory limit", results.OutOfMemory},
	{"exceeded step memory limit", results.OutOfMemory},
	{"fatal error: runtime: out of memory", results.OutOfMemory},
	{"fatal error: runtime: cannot allocate memory", results.OutOfMemory},
	{"fatal error: out of memory", results.OutOfMemory}, {"fatal error: cannot allocate memory", results.OutOfMemory},
	{"fatal error: failed to reserve page summary memory", results.OutOfMemory}, // ulimit -v
	{"due to time limit", results.TimeLimit}, {"due to node failure", results.NodeFailure},
	{"due to preemption", results.Preemption},
	{"no space left on device", results.FileSystem}, {"disk quota exceeded", results.FileSystem},
	{"input/output error", results.FileSystem}, {"read-only file system", results.FileSystem},
	{"stale file handle", results.FileSystem},
}

// judge decides on the cause. What the attempt itself has noted counts most, unless it only knows
// that it was told to end; then Slurm's state, then the log.
func (d *Death) judge(log string) {
	cause, line := causeInLog(log)
	if d.Last = line; line == "" {
		d.Last = lastLine(log)
	}
	if d.Cause != results.Unknown && d.Cause != results.Cancelled {
		return
	}
	if c, ok := stateCauses[slurm.State(d.State)]; ok {
		d.Cause = c
	} else if d.State == "" && log == "" && d.Node == "" { // it has never begun, and the queue forgets such at once
		d.Cause = results.Cancelled
	}
	if cause != "" && (d.Cause == results.Unknown || d.Cause == results.Cancelled) {
		d.Cause = cause
	}
	if d.Cause == results.Unknown && d.State == string(slurm.Failed) && !d.begun &&
		!strings.Contains(log, slurm.AttemptMark) {
		d.Cause = results.NotStarted
		if before, own := strings.CutSuffix(strings.TrimSpace(log), d.Last); own && strings.HasPrefix(d.Last, setupFailed) {
			d.Last = lastLine(before)
		}
	}
}

// setupFailed begins what a script says of a setup file that failed, which has mostly said why.
const setupFailed = "the setup file failed"

// numbers differ in what alike jobs print: their ids, and the names of their scripts.
var numbers = regexp.MustCompile(`\d+`)

// CommonLast is the last line of most of the logs of jobs that did not start; empty if there are none.
func CommonLast(all []*Death) (line string) {
	count := map[string]int{}
	for _, d := range all {
		if d.Cause != results.NotStarted {
			continue
		}
		alike := numbers.ReplaceAllString(d.Last, "0")
		if count[alike]++; line == "" || count[alike] > count[numbers.ReplaceAllString(line, "0")] {
			line = d.Last
		}
	}
	return line
}

// causeInLog returns the cause that the log of a job's last life tells, and the line that does.
func causeInLog(log string) (cause results.Cause, line string) {
	if i := strings.LastIndex(log, slurm.AttemptMark); i >= 0 {
		log = log[i:]
	}
	for line := range strings.Lines(log) {
		lower := strings.ToLower(line)
		for _, c := range logCauses {
			if strings.Contains(lower, c.words) {
				return c.cause, printable(strings.TrimSpace(line))
			}
		}
	}
	return "", ""
}

// lastLine returns the last line of a log that says something, empty if there is none.
func lastLine(log string) string {
	log = strings.TrimSpace(log)
	return printable(log[strings.LastIndexByte(log, '\n')+1:])
}

// printable replaces what a terminal would take for commands.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, line)
}
