package journal

import (
	"context"
	"slices"
	"strings"
	"testing"

	"graphda/io/results"
	"graphda/jobs/run"
	"graphda/slurm"
)

// The attempt's note, Slurm's state and the log together give the cause of a death.
func TestCauses(t *testing.T) {
	const begun = "gdrun: attempt slurm-7_0-1 on n2\n"
	for _, c := range []struct {
		noted results.Cause
		state slurm.State
		log   string
		want  results.Cause
		last  string
	}{
		{results.Unknown, "", "", results.Cancelled, ""}, // cancelled while it waited
		{results.Unknown, "", "begun\n", results.Unknown, "begun"},
		{results.Unknown, slurm.OutOfMemory, "", results.OutOfMemory, ""},
		{results.Cancelled, slurm.Preempted, "", results.Preemption, ""},
		{results.Cancelled, slurm.Cancelled, "stopped early\n", results.Cancelled, "stopped early"},
		{results.TimeLimit, slurm.Failed, "", results.TimeLimit, ""},
		{results.Unknown, slurm.Failed, "gdrun: x.part: no space left on device\n", results.FileSystem, "gdrun: x.part: no space left on device"},
		{results.Unknown, slurm.Completed, "", results.Lost, ""}, // its shard was damaged later
		{results.Cancelled, slurm.Failed, "slurmstepd-n1: error: StepId=1.batch exceeded memory limit (76791808 > 12582912), being killed\n" + "bye\n", results.OutOfMemory, "slurmstepd-n1: error: StepId=1.batch exceeded memory limit (76791808 > 12582912), being killed"},
		{results.BadData, slurm.Failed, "row 3\n", results.BadData, "row 3"},
		{results.Unknown, slurm.Failed, begun + "fatal error: runtime: out of memory\n\ngoroutine 1 [running]:\nmain.main()\n", results.OutOfMemory, "fatal error: runtime: out of memory"},
		{results.Unknown, "", begun + "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=12.batch.\n\x1b[0m\n", results.OutOfMemory, "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=12.batch."},
		{results.Unknown, "", "slurmstepd: error: *** JOB 8 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n", results.TimeLimit, "slurmstepd: error: *** JOB 8 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***"},
		{results.Unknown, "", "slurmstepd: error: *** JOB 8 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***\n" + begun + "killed\n", results.Unknown, "killed"}, // a line from an earlier start
	} {
		d := &Death{DeadTask: run.DeadTask{Cause: c.noted, State: string(c.state)}}
		d.judge(c.log)
		if d.Cause != c.want || d.Last != c.last {
			t.Errorf("%+v: %q, %q", c, d.Cause, d.Last)
		}
	}
}

// An asks is a fake Slurm that records the questions to squeue.
type asks []string

func (a *asks) Run(_ context.Context, _ string, args ...string) (slurm.Output, error) {
	*a = append(*a, args[len(args)-1])
	return slurm.Output{}, nil
}

// Few jobs are asked about one by one. Many jobs are asked about by user.
func TestManyJobs(t *testing.T) {
	for n, want := range map[int]int{askedSingly: askedSingly, askedSingly + 1: 1} {
		var asked asks
		many := slices.Repeat([]*QueuedJob{{Job: &Job{ID: "100", Name: "tiny"}}}, n)
		_, err := entriesOf(t.Context(), &slurm.Client{Runner: &asked}, many)
		if err != nil || len(asked) != want || strings.HasPrefix(asked[0], "--user=0") != (want == 1) {
			t.Errorf("%d jobs: asked about %q, %v", n, asked, err)
		}
	}
}
