package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// A batch turns tasks into job arrays and their scripts.
type batch struct {
	*timeLimits
	number int    // number of the submission
	token  string // part of the names of this run's jobs, and of no other job's name
}

// A ProposedJob is a planned call of sbatch.
type ProposedJob struct {
	Note       journal.Job
	Submission slurm.Submission
	Said       string // sbatch's answer after it accepted the job

	after []int // indices of the proposed jobs that must end before this job starts
	asks  demand
}

func newBatch(n *needs, number int) (*batch, error) {
	times, err := newTimeLimits(n)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(n.run.Dir, plan.PlanFile))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", n.options.dir, n.run.Plan.Hash, info.ModTime().UnixNano()))
	return &batch{times, number, hex.EncodeToString(sum[:4])}, nil
}

// A stretch is a sequence of tasks with consecutive numbers and the same demand.
type stretch struct {
	asks  demand
	tasks []*plan.Task
}

// stretches divides tasks into stretches. The tasks must be sorted by number.
func (b *batch) stretches(tasks []*plan.Task) []stretch {
	var all []stretch
	for _, t := range tasks {
		asks := b.asks(t)
		if n := len(all); n > 0 && all[n-1].asks == asks && all[n-1].tasks[len(all[n-1].tasks)-1].Number+1 == t.Number {
			all[n-1].tasks = append(all[n-1].tasks, t)
		} else {
			all = append(all, stretch{asks, []*plan.Task{t}})
		}
	}
	return all
}

// tooMany reports whether there are so many stretches that the tasks must be repacked.
func tooMany(all []stretch) bool {
	kinds := map[demand]bool{}
	for _, s := range all {
		kinds[s.asks] = true
	}
	return len(all) > max(8, 2*len(kinds))
}

// asks returns the demand of a task. Tasks share an array only if their demands are equal.
func (b *batch) asks(t *plan.Task) demand { return demand{b.memory(t), b.of(t)} }

// mostElements limits the elements of an array, because each element writes a file into the array's log folder.
const mostElements = 1000

// propose makes the jobs of all stretches. `longest` is the largest number of elements in an array.
func (b *batch) propose(all []stretch, longest int) ([]*ProposedJob, error) {
	var proposed []*ProposedJob
	for _, s := range all {
		arrays, err := slurm.SplitTasks(s.tasks[0].Number, len(s.tasks), longest)
		if err != nil {
			return nil, &userinput.Error{Err: err}
		}
		for i := range arrays {
			proposed = append(proposed, b.array(&arrays[i], s.asks, fmt.Sprintf("%04d-%d", b.number, len(proposed)+1)))
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
			return nil, &userinput.Error{Err: err}
		}
	}
	return proposed, nil
}

// array makes the job of an array. The names of the job's files begin with stem.
func (b *batch) array(a *slurm.Array, asks demand, stem string) *ProposedJob {
	resources := b.resources(asks)
	ahead := lead(asks.time)
	script := &slurm.Script{
		Name: b.name(stem), About: "gdrun: tasks of the run " + b.run.Plan.Experiment.Name,
		Launcher: b.options.Launcher, Program: b.options.Program, Args: []string{"task", ".", "--lead", ahead.String()},
		Array: a, Resources: resources, Setup: b.setup(), Scratch: b.options.Scratch, Lead: ahead,
	}
	j := b.job(stem, script, filepath.Join(journal.LogsDir, stem, "%A_%a.log"))
	j.Submission.After = slices.Clone(b.options.After)
	j.Note.Offset, j.Note.Count = a.Offset, a.Count
	j.Note.CPUs = max(1, resources.CPUsPerTask)
	j.Note.Memory = resources.AskedMemory()
	j.asks = asks
	if asks.time < slurm.Unlimited {
		j.Note.Time = int(asks.time.Seconds())
	}
	return j
}

func (b *batch) resources(asks demand) slurm.Resources {
	r := b.options.Resources
	r.Exclude = strings.Join(b.exclude, ",")
	switch cpus := max(1, r.CPUsPerTask); {
	case asks.memory > 0 && r.MemPerCPU != "":
		r.MemPerCPU = slurm.FormatMemory((asks.memory + cpus - 1) / cpus)
	case asks.memory > 0:
		r.Mem = slurm.FormatMemory(asks.memory)
	}
	if r.Time == "" || asks.time > b.first {
		r.Time = slurm.FormatTime(asks.time)
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

// name returns a name that no other job of the user has.
func (b *batch) name(stem string) string {
	const longest = 40
	base := slurm.JobName(b.run.Plan.Experiment.Name)
	return base[:min(longest, len(base))] + "-" + b.token + "-" + stem
}

// setup returns the name of the setup file's copy, relative to the run's folder.
func (b *batch) setup() string {
	if b.options.Setup == "" {
		return ""
	}
	return filepath.Join(journal.SubmissionsDir, fmt.Sprintf("%04d-setup.sh", b.number))
}

func (b *batch) coreHours(t *plan.Task) float64 {
	return b.clock(t) * float64(max(1, b.options.Resources.CPUsPerTask)) / 3600
}
