package cluster

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// defaultTarget is the tasks' target time if neither the user nor the plan gives one.
const defaultTarget = 30 * time.Minute

type demand struct {
	memory int // MiB; 0 means the user's --mem
	time   time.Duration
}

// SubmitOptions say how to submit a run. If Resources lacks the time or the memory, limits come from finished tasks of
// the dataset. Before a task has finished, they come from the plan's estimate.
type SubmitOptions struct {
	Resources    slurm.Resources
	Target       time.Duration // CPU time of a task; 0 means the plan's target
	Parallelism  int           // largest number of running tasks; 0 means no limit
	MaxJobs      int           // largest number of tasks in the queue; 0 means no limit
	MaxCoreHours float64       // core-hours for the whole run; 0 means no limit
	Setup        string        // shell file that jobs source first, or ""
	Scratch      string        // folder on the nodes for unfinished results, or ""
	RetryFailed  bool          // whether to submit failed cells, and cells whose jobs died of bad data
	MaxMemory    int           // largest memory of a task in MiB; 0 means the memory of the partition's largest node
	UntilDone    bool          // whether to submit the follow-up job
	Follow       string        // name of the follow-up job that submits, or ""
	MergeOut     string        // folder of the report; "" means the folder report in the run's folder
	AllowPartial bool          // whether to merge despite failed or given-up cells
	Program      string        // absolute path of gdrun on the nodes
	DryRun       bool          // whether to write nothing
	After        []slurm.JobID // other jobs that must end first
	Launcher     []string      // first words of a command, such as apptainer exec image.sif
	Command      []string      // flags of this gdrun submit, for the journal
	Again        bool          // whether to submit cells that were given up
	TakeOver     bool          // whether to submit cells of hidden jobs

	dir string // absolute folder of the run
	way string // digest of programs, setup file and options

	sources map[string]string // original path of each copied program
	retried map[int]bool      // cells sent since a person last submitted
	inPlace bool              // whether jobs run the original program, because the run's folder is mounted noexec
}

// retries reports whether to submit a cell again after it failed, or after its job died of bad data.
func (o *SubmitOptions) retries(cell int) bool { return o.RetryFailed && !o.retried[cell] }

func (o *SubmitOptions) target(p *plan.Plan) time.Duration {
	return cmp.Or(o.Target, p.Target, defaultTarget)
}

func (o *SubmitOptions) reportDir() string {
	return cmp.Or(o.MergeOut, filepath.Join(o.dir, journal.DefaultMergeOut))
}

// check checks the options without asking the cluster.
func (o *SubmitOptions) check(r *run.Run) (err error) {
	if err := o.Resources.Validate(); err != nil {
		return &userinput.Error{Err: err}
	}
	if o.Resources.WholeNode && o.Resources.CPUsPerTask == 0 {
		return userinput.Errorf("whole-node: give the number of a node's processors with --cpus-per-task")
	}
	if o.Scratch != "" && !filepath.IsAbs(o.Scratch) && !strings.HasPrefix(o.Scratch, "$TMPDIR") {
		return userinput.Errorf("scratch = %q, want an absolute path that exists on all nodes, or a path that begins with "+
			"$TMPDIR", o.Scratch)
	}
	if o.dir, err = filepath.Abs(r.Dir); err != nil {
		return err
	}
	if o.MergeOut != "" {
		if o.MergeOut, err = filepath.Abs(o.MergeOut); err != nil {
			return err
		}
	}
	if o.Setup != "" {
		if info, err := os.Stat(o.Setup); err != nil {
			return &userinput.Error{Err: fmt.Errorf("setup file: %w", err)}
		} else if !info.Mode().IsRegular() {
			return userinput.Errorf("setup file %s: is not an ordinary file", o.Setup)
		}
	}
	return nil
}

// wholeNode changes the options if each task gets a whole node. A task then asks for all memory of the node, and its
// target time is multiplied by the number of processors.
func (o *SubmitOptions) wholeNode(p *plan.Plan) {
	r := &o.Resources
	if !r.WholeNode {
		return
	}
	if r.Mem == "" && r.MemPerCPU == "" {
		r.Mem = "0"
	}
	if o.Target == 0 {
		o.Target = o.target(p) * time.Duration(r.CPUsPerTask)
	}
}

// fits refuses a demand that no node of the partition can meet, because the job would wait for ever.
func (o *SubmitOptions) fits(most demand) error {
	partition := "the default partition"
	if o.Resources.Partition != "" {
		partition = "partition " + o.Resources.Partition
	}
	if o.Resources.QOS != "" {
		partition += " with quality of service " + o.Resources.QOS
	}
	if limit, err := slurm.ParseTime(o.Resources.Time); err == nil && limit > most.time {
		longest := slurm.FormatTime(most.time)
		return userinput.Errorf("time = %s, but %s allows at most %s", o.Resources.Time, partition, longest)
	}
	if memory := o.Resources.AskedMemory(); memory > most.memory {
		return userinput.Errorf("--mem or --mem-per-cpu asks for %s, but a job in %s can have at most %s (the memory of the "+
			"largest node, or a limit)", slurm.FormatMemory(memory), partition, slurm.FormatMemory(most.memory))
	}
	return nil
}
