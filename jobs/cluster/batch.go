package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/usage"
	"graphda/slurm"
)

// A batch turns tasks into job arrays and their scripts.
type batch struct {
	run      *run.Run
	options  *SubmitOptions
	estimate *run.Estimates
	needs    *needs
	times    *timeLimits
	number   int    // of the submission
	token    string // tells this run's jobs from all others of the user
}

// A ProposedJob is one call of sbatch that is to be made.
type ProposedJob struct {
	Note       journal.Job
	Submission slurm.Submission

	after []int // places of proposed jobs that must end first
}

// newBatch reads the options, and what tasks have taken.
func newBatch(r *run.Run, o *SubmitOptions, stock *run.Stock, n *needs, number int) (*batch, error) {
	e, err := r.Estimates(stock)
	if err != nil {
		return nil, err
	}
	b := &batch{run: r, options: o, estimate: e, needs: n, number: number}
	if b.times, err = newTimeLimits(r, o, stock, e, n); err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(r.Dir, plan.PlanFile))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", o.dir, r.Plan.Hash, info.ModTime().UnixNano()))
	b.token = hex.EncodeToString(sum[:4])
	return b, nil
}

// A stretch is tasks of one class whose numbers follow each other.
type stretch struct {
	class
	tasks []*plan.Task
}

// stretches divides tasks, given in the order of their numbers.
func (b *batch) stretches(tasks []*plan.Task) []stretch {
	var all []stretch
	for _, t := range tasks {
		c := b.class(t)
		if n := len(all); n > 0 && all[n-1].class == c && all[n-1].tasks[len(all[n-1].tasks)-1].Number+1 == t.Number {
			all[n-1].tasks = append(all[n-1].tasks, t)
		} else {
			all = append(all, stretch{c, []*plan.Task{t}})
		}
	}
	return all
}

// tooMany tells whether stretches are so many that the tasks are better packed again.
func tooMany(all []stretch) bool {
	classes := map[class]bool{}
	for _, s := range all {
		classes[s.class] = true
	}
	return len(all) > max(8, 2*len(classes))
}

// A class is what the tasks of an array have in common: their memory and their time.
type class struct {
	memory int // MiB; 0 if it is given for all
	time   time.Duration
}

func (b *batch) class(t *plan.Task) class {
	return class{b.needs.memory(t, &b.options.Resources), b.times.of(t)}
}

// mostElements of one array, so that no folder of logs has more entries.
const mostElements = 1000

// propose makes the jobs of all stretches, as arrays of so many elements at most.
func (b *batch) propose(all []stretch, longest int) ([]*ProposedJob, error) {
	var proposed []*ProposedJob
	for _, s := range all {
		arrays, err := slurm.SplitTasks(s.tasks[0].Number, len(s.tasks), longest)
		if err != nil {
			return nil, &usage.Error{Err: err}
		}
		for i := range arrays {
			proposed = append(proposed, b.array(&arrays[i], s.class, len(proposed)+1))
		}
	}
	arrays := make([]*slurm.Array, len(proposed))
	for i, j := range proposed {
		arrays[i] = j.Submission.Script.Array
	}
	for i, lanes := 0, slurm.Share(arrays, b.options.Parallelism); i+lanes < len(proposed); i++ {
		proposed[i+lanes].after = []int{i}
	}
	for _, j := range proposed {
		if err := j.Submission.Validate(); err != nil {
			return nil, &usage.Error{Err: err}
		}
	}
	return proposed, nil
}

// array makes the k-th job of the submission.
func (b *batch) array(a *slurm.Array, c class, k int) *ProposedJob {
	stem := fmt.Sprintf("%04d-%d", b.number, k)
	resources := b.resources(c)
	ahead := lead(c.time)
	script := &slurm.Script{
		Name: b.name(stem), About: "gdrun: tasks of the run " + b.run.Plan.Experiment.Name,
		Launcher: b.options.Launcher, Program: b.options.Program, Args: []string{"task", ".", "--lead", ahead.String()},
		Array: a, Resources: resources, Setup: b.setup(), Scratch: b.options.Scratch, Lead: ahead,
	}
	j := b.job(stem, script, filepath.Join(journal.LogsDir, stem, "%A_%a.log"))
	j.Submission.After = slices.Clone(b.options.After)
	j.Note.Offset, j.Note.Count = a.Offset, a.Count
	j.Note.CPUs = max(1, resources.CPUsPerTask)
	j.Note.Memory = askedMemory(&resources)
	if c.time < slurm.Unlimited {
		j.Note.Time = int(c.time.Seconds())
	}
	return j
}

// merge makes the job that merges once all others have ended.
func (b *batch) merge(arrays []*ProposedJob, active []slurm.JobID) (*ProposedJob, error) {
	const limit = 30 * time.Minute
	stem := fmt.Sprintf("%04d-merge", b.number)
	r := b.options.Resources
	r.CPUsPerTask, r.WholeNode = 1, false
	r.Extra = slurm.OfAllJobs(r.Extra)
	if b.options.Resources.WholeNode && r.Mem == "0" {
		r.Mem = ""
	}
	if given, err := slurm.ParseTime(r.Time); err != nil || given >= limit {
		r.Time = hours(min(limit, b.needs.most.time))
	}
	if r.Mem == "" && r.MemPerCPU == "" {
		r.Mem = slurm.FormatMemory(min(mergeMemory(b.run.Plan), b.needs.most.memory))
	}
	script := &slurm.Script{
		Name: b.name(stem), About: fmt.Sprintf("gdmerge: report of the run %s, once its tasks have ended",
			b.run.Plan.Experiment.Name),
		Launcher: b.options.Launcher, Program: b.options.MergeProgram, Args: []string{".", "--out", b.options.mergeOut()},
		Resources: r, Setup: b.setup(),
	}
	j := b.job(stem, script, filepath.Join(journal.LogsDir, stem+"-%j.log"))
	j.Note.Out = b.options.mergeOut()
	j.Submission.After = slices.Clone(active)
	for i := range arrays {
		j.after = append(j.after, i)
	}
	if err := j.Submission.Validate(); err != nil {
		return nil, &usage.Error{Err: err}
	}
	return j, nil
}

// mergeMemory is what merging the plan takes, in MiB: some kilobytes a row.
func mergeMemory(p *plan.Plan) int {
	return plan.RoundMemory(1<<29 + 3e3*float64(len(p.Cells)*len(p.Checkpoints)))
}

// resources are what the tasks of a class ask for.
func (b *batch) resources(c class) slurm.Resources {
	r := b.options.Resources
	r.Exclude = strings.Join(b.needs.exclude, ",")
	switch {
	case c.memory > 0 && r.MemPerCPU != "":
		r.MemPerCPU = slurm.FormatMemory((c.memory + max(1, r.CPUsPerTask) - 1) / max(1, r.CPUsPerTask))
	case c.memory > 0:
		r.Mem = slurm.FormatMemory(c.memory)
	}
	if r.Time == "" || c.time > b.times.first {
		r.Time = hours(c.time)
	}
	return r
}

func (b *batch) job(stem string, script *slurm.Script, log string) *ProposedJob {
	file := stem + ".sh"
	script.Log = log
	return &ProposedJob{
		Note: journal.Job{Name: script.Name, Script: file, Log: log, Way: b.options.way},
		Submission: slurm.Submission{
			Script: script, File: filepath.Join(b.options.dir, journal.SubmissionsDir, file), Dir: b.options.dir,
		},
	}
}

// name is a name that no other job of the user has.
func (b *batch) name(stem string) string {
	const longest = 40
	base := slurm.JobName(b.run.Plan.Experiment.Name)
	return base[:min(longest, len(base))] + "-" + b.token + "-" + stem
}

// setup is the name of the setup file's copy, relative to the run's folder.
func (b *batch) setup() string {
	if b.options.Setup == "" {
		return ""
	}
	return filepath.Join(journal.SubmissionsDir, fmt.Sprintf("%04d-setup.sh", b.number))
}

// coreHours are what a task is expected to hold.
func (b *batch) coreHours(t *plan.Task) float64 {
	return b.times.clock(t) * float64(max(1, b.options.Resources.CPUsPerTask)) / 3600
}

// heldHours are the hours of processors that the jobs of a run have held, by their notes.
func heldHours(stock *run.Stock) (hours float64) {
	for _, attempts := range stock.Attempts {
		for _, a := range attempts {
			if strings.HasPrefix(a.Name, slurm.AttemptMark) {
				hours += a.Seconds * float64(a.Workers) / 3600
			}
		}
	}
	return hours
}
