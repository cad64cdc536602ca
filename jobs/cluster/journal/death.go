package journal

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"graphda/io/message"
	"graphda/io/results"
	"graphda/jobs/run"
	"graphda/slurm"
)

// FindDeaths lists the tasks with missing cells whose job has ended, sorted by task number.
func FindDeaths(r *run.Run, state []run.CellState, stock *run.Stock, q *Queue) (all []*Death) {
	newest, begun := r.LastTasks(), begunIn(stock)
	for i, t := range r.Tasks {
		sub := q.last[t.Number]
		if sub == nil || q.IsTaken(t.Number) {
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
			d.newest, d.arrayBegun, d.lost = newestOfOne, begun(sub.job), q.lost[sub.job]
			all = append(all, d)
		}
	}
	return all
}

// newDeath makes a Death from the notes of the job's attempts and from the queue. If there is a note, the last note
// gives the cause.
func newDeath(task int, last *element, attempts []results.Attempt) *Death {
	job, e := last.job, &last.entry
	d := &Death{DeadTask: run.DeadTask{Task: task, Job: string(job.element(e.Index)), Log: job.LogOf(e.Index),
		Cause: results.Unknown}, At: job.At, Memory: job.Memory, Time: job.Time, Way: job.Way, job: job, index: e.Index}
	for _, a := range attempts {
		if job.left(&a, e.Index) {
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

// Explain finds out how dead jobs ended if the queue has forgotten them. It asks Slurm's accounts and reads the logs.
// If neither knows a job, the job's state stays empty. Explain does not change recorded deaths.
func (j *Journal) Explain(ctx context.Context, all []*Death, client *slurm.Client) {
	var about []question
	begun := map[*Job]bool{}
	for _, d := range all {
		if d.State == "" && d.job != nil {
			about = append(about, question{d.job, slurm.JobID(d.Job)})
			begun[d.job] = d.arrayBegun
		}
	}
	known := j.accounts(ctx, client, about, func(job *Job) bool { return begun[job] })
	for _, d := range all {
		if r, ok := known[question{d.job, slurm.JobID(d.Job)}]; ok && d.State == "" && !r.State.Active() {
			e := entryOf(r, d.index)
			d.State, d.Node, d.Reason = string(e.State), e.Node, e.Reason
		}
		if d.job != nil {
			d.judge(logEnd(filepath.Join(j.home, d.Log)))
		}
	}
}

// A question asks the accounts about a job or an element.
type question struct {
	job *Job
	id  slurm.JobID
}

// accounts asks Slurm's accounts about jobs and elements. It returns the record of each element's last start. It
// ignores errors, because without an answer only causes of deaths remain unknown.
func (j *Journal) accounts(ctx context.Context, client *slurm.Client, about []question,
	begun func(*Job) bool) map[question]slurm.Record {
	const most = 500 // largest number of questions in a call of sacct
	known := map[question]slurm.Record{}
	byCluster := map[string][]question{}
	for _, a := range about {
		cluster := j.asker(client, a.job).Cluster
		byCluster[cluster] = append(byCluster[cluster], a)
	}
	for _, all := range byCluster {
		asker := j.asker(client, all[0].job)
		for some := range slices.Chunk(all, most) {
			var names []string
			var ids []slurm.JobID
			of := map[slurm.JobID]*Job{}
			for _, a := range some {
				of[a.job.ID] = a.job
				if ids = append(ids, a.id); !slices.Contains(names, a.job.Name) {
					names = append(names, a.job.Name)
				}
			}
			records, err := asker.Accounting(ctx, names, ids...)
			if err != nil {
				break
			}
			for _, r := range records {
				id, _, _ := strings.Cut(string(r.ID), "_")
				job := of[slurm.JobID(id)]
				if job == nil || !begun(job) && r.BeganBefore(job.At) {
					continue
				}
				if q := (question{job, r.ID}); !r.Start.Before(known[q].Start) {
					known[q] = r
				}
			}
		}
	}
	return known
}

// begunIn returns a function that reports whether any element of a job has written a note. If so, a record with this id
// in the accounts belongs to the job, even if clocks differ.
func begunIn(stock *run.Stock) func(*Job) bool {
	read := sync.OnceValue(func() map[slurm.Life]bool {
		begun := map[slurm.Life]bool{}
		for _, attempts := range stock.Attempts {
			for _, a := range attempts {
				life := slurm.AttemptOf(a.Name)
				id, _, _ := strings.Cut(string(life.ID), "_")
				begun[slurm.Life{ID: slurm.JobID(id), Cluster: life.Cluster}] = true
			}
		}
		return begun
	})
	return func(j *Job) bool {
		return stock != nil && (read()[slurm.Life{ID: j.ID, Cluster: j.Cluster}] || read()[slurm.Life{ID: j.ID}])
	}
}

// entryOf turns an element's record in the accounts into an entry of the queue.
func entryOf(r slurm.Record, index int) slurm.Entry {
	e := slurm.Entry{Index: index, State: r.State, Node: r.Node}
	switch {
	case r.Signal != 0:
		e.Reason = fmt.Sprintf("signal %d", r.Signal)
	case r.ExitCode != 0:
		e.Reason = fmt.Sprintf("exit code %d", r.ExitCode)
	}
	return e
}

var stateCauses = map[slurm.State]results.Cause{
	slurm.OutOfMemory: results.OutOfMemory, slurm.Timeout: results.TimeLimit, "DEADLINE": results.TimeLimit,
	slurm.NodeFail: results.NodeFailure, "BOOT_FAIL": results.NodeFailure, slurm.Preempted: results.Preemption,
	slurm.Cancelled: results.Cancelled, slurm.Completed: results.Lost,
}

// logCauses lists words of logs, in lower case, with their causes. Most of these words come from slurmstepd and the Go
// runtime. If the disk is too full for a note, gdrun prints the other words.
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

// judge finds the cause in the attempt's note (unless it says cancelled), then in Slurm's state, and then in the log.
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
	} else if d.State == "" && log == "" && d.Node == "" && !d.lost { // the job never began
		d.Cause = results.Cancelled
	}
	if cause != "" && (d.Cause == results.Unknown || d.Cause == results.Cancelled) {
		d.Cause = cause
	}
	if d.Cause == results.Unknown && d.lost {
		d.Cause = results.NodeFailure
	}
	if d.Cause == results.Unknown && d.State == string(slurm.Failed) && !d.begun &&
		!strings.Contains(log, slurm.AttemptMark) {
		d.Cause = results.NotStarted
		if before, own := strings.CutSuffix(strings.TrimSpace(log), d.Last); own && strings.HasPrefix(d.Last, setupFailed) {
			d.Last = lastLine(before)
		}
	}
}

// setupFailed begins a script's message about a failed setup file. The line before this message usually says why.
const setupFailed = "the setup file failed"

// numbers matches numbers such as job ids, which differ between similar logs.
var numbers = regexp.MustCompile(`\d+`)

// commonLast returns the most frequent last line of the logs of jobs that did not start, or "".
func commonLast(all []*Death) (line string) {
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

// Tell describes the number of deaths for each cause, the most frequent cause first.
func Tell(all []*Death) []string {
	count := map[results.Cause]int{}
	for _, d := range all {
		count[d.Cause]++
	}
	causes := slices.SortedFunc(maps.Keys(count), func(a, b results.Cause) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, c := range causes {
		part := fmt.Sprintf("%d × %s", count[c], c)
		if line := commonLast(all); c == results.NotStarted && line != "" {
			part += " (" + line + ")"
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s died: %s", message.Count(len(all), "job"), strings.Join(parts, ", "))}
}

// Why describes the causes of deaths and quotes a line of the first log, or returns "" without deaths.
func Why(all []*Death) (why string) {
	for _, text := range Tell(all) {
		why = "; " + text
	}
	if len(all) > 0 && all[0].Last != "" {
		why += fmt.Sprintf("; %s: %s", all[0].Log, all[0].Last)
	}
	return why
}

// causeInLog returns the cause in the log since the job's last start, and the line with the cause.
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

func lastLine(log string) string {
	log = strings.TrimSpace(log)
	return printable(log[strings.LastIndexByte(log, '\n')+1:])
}

// printable replaces characters that could control a terminal.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, line)
}
