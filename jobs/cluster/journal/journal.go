package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"graphda/io/message"
	"graphda/io/seal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// A Death is the end of a job or element that left cells of its task undone.
type Death struct {
	run.DeadTask
	At     time.Time `json:"at"`                     // start of the last attempt, or time of submission
	Memory int       `json:"memory_mib,omitempty"`   // MiB; 0 means all memory of the node
	Time   int       `json:"time_seconds,omitempty"` // time limit; 0 without a limit
	Way    string    `json:"way,omitempty"`          // see Job.Way

	Cells   int     `json:"cells"`              // number of cells that the last attempt finished
	OnePass float64 `json:"one_pass,omitempty"` // see results.Attempt

	job        *Job // nil if the journal has the death
	index      int
	begun      bool // whether this element has left a note
	arrayBegun bool // whether any element of the array has left a note
	lost       bool // whether the cluster has lost the job
	newest     bool // whether the task is the newest task of an undone cell
}

// These folders are in the run's folder. DefaultMergeOut has the report.
const (
	SubmissionsDir  = "submissions"
	LogsDir         = "logs"
	DefaultMergeOut = "report"
)

// A Job is the record of one call of sbatch.
type Job struct {
	Name   string `json:"name"`                   // unique name
	Script string `json:"script"`                 // file in submissions/
	Log    string `json:"log"`                    // path in the run's folder; %A is the array, %a the index, %j the job
	Offset int    `json:"offset"`                 // number of the first task
	Count  int    `json:"count"`                  // number of tasks; 0 if the job is no array
	CPUs   int    `json:"cpus"`                   // processors of each task
	Memory int    `json:"memory_mib,omitempty"`   // MiB for each task; 0 means all memory of its node
	Time   int    `json:"time_seconds,omitempty"` // time limit of each task; 0 without a limit

	Follows bool `json:"follows,omitempty"` // whether this is a follow-up job

	Way string `json:"way,omitempty"` // digest of the job's program, setup file and options

	At      time.Time   `json:"at"`                // time of Slurm's answer; if the id is unknown, time of the call
	Cluster string      `json:"cluster,omitempty"` // empty if unknown
	ID      slurm.JobID `json:"id,omitempty"`
	Error   string      `json:"error,omitempty"`      // why the cluster has no such job
	Taken   bool        `json:"taken_over,omitempty"` // whether --take-over gave up this hidden job

	owner   owner
	file    string // path of the script when it was submitted
	foreign bool   // whether the job belongs to another folder, from which this run was copied
}

// Task returns the number of the task that an element of the array runs.
func (j *Job) Task(index int) int { return j.Offset + index }

// What names the job's tasks in a sentence.
func (j *Job) What() string {
	switch j.Count {
	case 0:
		return "the follow-up job"
	case 1:
		return fmt.Sprintf("task %d", j.Offset)
	}
	return fmt.Sprintf("tasks %d to %d", j.Offset, j.Task(j.Count-1))
}

// A File is submissions/NNNN.json. It records the jobs of one gdrun submit.
type File struct {
	Plan    string        `json:"plan"`
	Dir     string        `json:"dir,omitempty"`     // the run's folder when it was submitted
	Command []string      `json:"command,omitempty"` // options of gdrun submit
	Version string        `json:"version"`
	Built   string        `json:"built,omitempty"` // source revision of the program
	User    string        `json:"user,omitempty"`
	UID     int           `json:"uid"`
	Jobs    []Job         `json:"jobs"`
	Deaths  []*Death      `json:"deaths,omitempty"` // deaths of earlier jobs that this submission found
	GivenUp []run.GivenUp `json:"given_up,omitempty"`
	Follow  *Follow       `json:"follow,omitempty"` // nil without a follow-up job
	Seal    string        `json:"graphda.seal"`

	path string
}

// A Journal records everything that was submitted for a run. It records each job before it calls sbatch, and the job's
// id afterwards. If the program crashes in between, the record has no id. FindLost then finds out whether the job
// exists.
type Journal struct {
	Dir   string // folder of the submissions
	Files []*File
	Write func(path string, fill func(io.Writer) error) error // seal.Write, except in tests
	run   *run.Run
	home  string        // absolute folder of the run
	Self  string        // name of the follow-up job that runs this program, or ""
	here  *slurm.Config // configuration of the cluster; nil before the first request
}

var journalName = regexp.MustCompile(`^\d{4,}\.json$`)

// Read reads the journal of a run.
func Read(r *run.Run) (*Journal, error) {
	home, err := filepath.Abs(r.Dir)
	if err != nil {
		return nil, err
	}
	j := &Journal{run: r, home: home, Dir: filepath.Join(r.Dir, SubmissionsDir), Write: seal.Write}
	entries, err := os.ReadDir(j.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if !journalName.MatchString(e.Name()) {
			continue
		}
		path := filepath.Join(j.Dir, e.Name())
		sealed, err := seal.ReadSealed(path)
		if err != nil {
			return nil, err
		}
		f := &File{path: path}
		if err := json.Unmarshal(sealed.Data, f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := seal.CheckVersion(f.Version, "plan the experiment again into another folder"); err != nil {
			return nil, message.Because(plan.ErrPlan, "%s: %w", path, err)
		}
		if err := r.CheckPlan(path, f.Plan); err != nil {
			return nil, err
		}
		const mostTasks = 4_000_001 // the largest MaxArraySize of Slurm
		if slices.Contains(f.Deaths, nil) || slices.ContainsFunc(f.Jobs, func(j Job) bool {
			return j.Count < 0 || j.Count > mostTasks || j.Offset < 0
		}) {
			return nil, message.Because(plan.ErrPlan, "%s: damaged: a death is empty, or a job's tasks are impossible", path)
		}
		if f.User == "" { // an old version of gdrun wrote the file
			by, err := ownerOf(path)
			if err != nil {
				return nil, err
			}
			f.User, f.UID = by.name, by.uid
		}
		for i := range f.Jobs {
			job := &f.Jobs[i]
			job.owner, job.foreign = owner{f.User, f.UID}, !sameFolder(f.Dir, home)
			job.file = filepath.Join(f.Dir, SubmissionsDir, job.Script)
		}
		j.Files = append(j.Files, f)
	}
	slices.SortFunc(j.Files, func(a, b *File) int { return cmp.Compare(a.Number(), b.Number()) })
	return j, nil
}

// Number returns the number in the file's name.
func (f *File) Number() int {
	n, _ := strconv.Atoi(strings.TrimSuffix(filepath.Base(f.path), ".json")) // see journalName
	return n
}

// NewFile returns the file of the next submission, without jobs.
func (j *Journal) NewFile() *File {
	me := userOf(os.Getuid())
	return &File{Plan: j.run.Plan.Hash, Dir: j.home, Version: seal.Version, Built: seal.Revision(), User: me.name,
		UID: me.uid, Jobs: []Job{}, path: filepath.Join(j.Dir, fmt.Sprintf("%04d.json", j.Next()))}
}

// Next returns the number of the next submission.
func (j *Journal) Next() int {
	if len(j.Files) == 0 {
		return 1
	}
	return j.Files[len(j.Files)-1].Number() + 1
}

// Save writes a file of the journal.
func (j *Journal) Save(f *File) error {
	f.Seal = seal.Blank()
	return j.Write(f.path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(f)
	})
}

// Jobs returns the records of all jobs, the oldest first.
func (j *Journal) Jobs() []*Job {
	var all []*Job
	for _, f := range j.Files {
		for i := range f.Jobs {
			all = append(all, &f.Jobs[i])
		}
	}
	return all
}

// Job returns the record of the job with this name, or nil.
func (j *Journal) Job(name string) *Job {
	all := j.Jobs()
	if i := slices.IndexFunc(all, func(job *Job) bool { return job.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// Deaths returns the recorded deaths, in the order in which they were found.
func (j *Journal) Deaths() []*Death {
	var all []*Death
	for _, f := range j.Files {
		all = append(all, f.Deaths...)
	}
	return all
}

// neverSubmitted is the recorded error of a job that the cluster does not know.
const neverSubmitted = "the program was interrupted before the job was submitted"

// A record without an id comes from an interrupted submission, whose sbatch may still be waiting for Slurm's answer.
const (
	sbatchTakes = 3 * time.Minute // longest time that sbatch takes
	doubt       = time.Hour       // how long FindLost looks for a missing job
)

// FindLost searches by name for jobs whose records have no id, and completes the records. It returns the changed files
// and the number of records whose job may still appear. `settled` is set if no sbatch can be running, so that no job
// can still appear. FindLost does not change records of jobs that this cluster may hide.
func (j *Journal) FindLost(ctx context.Context, client *slurm.Client, now time.Time,
	settled bool) (changed []*File, open int, err error) {
	for _, f := range j.Files {
		before := slices.Clone(f.Jobs)
		for i := range f.Jobs {
			job := &f.Jobs[i]
			if job.ID != "" || job.Error != "" && (job.Error != neverSubmitted || now.Sub(job.At) > doubt) {
				continue
			}
			ids, hidden, err := j.find(ctx, client, job)
			switch {
			case err != nil:
				return nil, 0, err
			case len(ids) > 0:
				job.ID, job.Error = ids[len(ids)-1], ""
			case hidden:
			case settled || now.Sub(job.At) > sbatchTakes:
				job.Error = neverSubmitted
			default:
				open++
			}
		}
		if !slices.Equal(before, f.Jobs) {
			changed = append(changed, f)
		}
	}
	return changed, open, nil
}

// Last returns the File of the last gdrun submit that submitted something, or an empty File.
func (j *Journal) Last() *File {
	for _, f := range slices.Backward(j.Files) {
		if len(f.Jobs) > 0 {
			return f
		}
	}
	return new(File)
}

func sameFolder(a, b string) bool {
	if a == b {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
