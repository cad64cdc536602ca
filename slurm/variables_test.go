package slurm

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// Each variable is passed on, becomes an option, or is removed.
func TestVariables(t *testing.T) {
	const passed, removed = "passed", ""
	tested := map[string]string{
		"SLURM_CONF": passed, "SLURM_CONF_SERVER": passed, "SLURM_JWT": passed, "SLURM_SACK_JWKS": passed, "SLURM_SACK_KEY": passed,
		"SBATCH_ACCOUNT": "--account=7", "SBATCH_PARTITION": "--partition=7", "SBATCH_QOS": "--qos=7", "SBATCH_CONSTRAINT": "--constraint=7",
		"SBATCH_TIMELIMIT": "--time=7", "SBATCH_MEM_PER_CPU": "--mem-per-cpu=7", "SBATCH_MEM_PER_NODE": "--mem=7",
		"SBATCH_CORE_SPEC": "--core-spec=7", "SBATCH_CPUS_PER_GPU": "--cpus-per-gpu=7", "SBATCH_EXCLUSIVE": "--exclusive=7",
		"SBATCH_EXPORT": "--export=7", "SBATCH_GPUS": "--gpus=7", "SBATCH_GPUS_PER_NODE": "--gpus-per-node=7", "SBATCH_GPUS_PER_TASK": "--gpus-per-task=7",
		"SBATCH_GRES": "--gres=7", "SBATCH_HINT": "--hint=7", "SBATCH_LICENSES": "--licenses=7", "SBATCH_RESERVATION": "--reservation=7",
		"SBATCH_THREADS_PER_CORE": "--threads-per-core=7", "SBATCH_WCKEY": "--wckey=7",
		"SBATCH_CLUSTERS": "--clusters=7", "SLURM_CLUSTERS": "--clusters=7",
		"SBATCH_ARRAY_INX": removed, "SBATCH_CPUS_PER_TASK": removed, "SBATCH_DEBUG": removed, "SBATCH_ERROR": removed, "SBATCH_INPUT": removed,
		"SBATCH_JOB_NAME": removed, "SBATCH_NO_REQUEUE": removed, "SBATCH_OPEN_MODE": removed, "SBATCH_OUTPUT": removed,
		"SBATCH_REQUEUE": removed, "SBATCH_SIGNAL": removed, "SBATCH_WAIT": removed, "SBATCH_OF_THE_FUTURE": removed,
		"SLURM_JOB_ID": removed, "SLURM_TIME_FORMAT": removed, "SQUEUE_FORMAT": removed, "SACCT_FORMAT": removed, "SCANCEL_USER": removed,
		"SCONTROL_ALL": removed, "SINFO_FORMAT": removed,
	}
	for name := range variables {
		if _, ok := tested[name]; !ok {
			t.Errorf("%s: no test", name)
		}
	}
	for name, want := range tested {
		if got := reaches(name); got != (want == passed) {
			t.Errorf("%s reaches Slurm's commands: %v", name, got)
		}
		only := func(asked string) string {
			if asked == name {
				return "7"
			}
			return ""
		}
		var r Resources
		r.Inherit(only)
		got := append(r.options(), r.Extra...)
		if cluster, err := ClusterOf(only); err != nil {
			t.Error(err)
		} else if cluster != "" {
			got = append(got, "--clusters="+cluster)
		}
		if text := strings.Join(got, " "); text != strings.TrimPrefix(want, passed) {
			t.Errorf("%s gives %q, want %q", name, text, want)
		}
		ignored := strings.HasPrefix(name, "SBATCH_") && want == removed
		if got := Ignored([]string{name + "=7"}); slices.Contains(got, name) != ignored {
			t.Errorf("%s: %q are said to be ignored", name, got)
		}
	}
	if !reaches("MINE") || Ignored([]string{"SBATCH_ERROR="}) != nil {
		t.Error("other variables do not reach the commands, or one without a value is told of")
	}
	r := Resources{Extra: []string{"--gres=gpu:1"}}
	r.Inherit(func(string) string { return "7" })
	if !slices.Contains(r.Extra, "--gres=gpu:1") || slices.Contains(r.Extra, "--gres=7") {
		t.Errorf("the user's option is overridden: %q", r.Extra)
	}
	for _, bad := range []string{"a,b", "all", "a b"} {
		if cluster, err := ClusterOf(func(string) string { return bad }); err == nil {
			t.Errorf("%q names the cluster %q", bad, cluster)
		}
	}
}

// A client of another cluster asks that cluster with every command.
func TestOn(t *testing.T) {
	f := &fake{answer: func(_ int, name string, args []string) (Output, error) {
		switch name {
		case "sinfo":
			return Output{Stdout: "CLUSTER: west\na*|infinite|5\n"}, nil
		case "scontrol":
			return Output{Stdout: "ClusterName = west\nMaxArraySize = 5\nMinJobAge = 300 sec\nPrivateData = accounts,jobs\n"}, nil
		case "squeue":
			return Output{Stdout: "CLUSTER: 2024\n7\n"}, nil
		case "sbatch":
			return Output{Stdout: "17;west\n", Stderr: "sbatch: using default partition a\n"}, nil
		}
		return Output{}, nil
	}}
	c := f.client().On("west")
	if p, err := c.Partitions(t.Context(), ""); err != nil || len(p) != 1 || p[0].Name != "a" {
		t.Errorf("%+v, %v", p, err)
	}
	want := Config{Cluster: "west", Private: true, Longest: 5, Remembers: 5 * time.Minute}
	if config, err := c.Config(t.Context()); err != nil || config != want {
		t.Errorf("%+v, %v", config, err)
	}
	if ids, err := c.inQueue(t.Context(), os.Getuid(), "x"); err != nil || !slices.Equal(ids, []JobID{"7"}) {
		t.Errorf("%q, %v", ids, err)
	}
	if job, err := c.Submit(t.Context(), submission()); err != nil || job != (Accepted{"17", "west", "using default partition a"}) {
		t.Errorf("%+v, %v", job, err)
	}
	if err := c.Cancel(t.Context(), "7"); err != nil {
		t.Error(err)
	}
	if _, err := c.Accounting(t.Context(), []string{"x", "y"}, "7"); err != nil {
		t.Error(err)
	}
	for _, call := range f.calls {
		if name, _, _ := strings.Cut(call, " "); !strings.HasPrefix(call, name+" --clusters=west ") {
			t.Errorf("called %s", call)
		}
	}
	if last := f.calls[len(f.calls)-1]; !strings.Contains(last, "--name=x,y ") {
		t.Errorf("called %s, want the names of the jobs", last)
	}
	if err := c.Available(t.Context()); err != nil || !slices.Contains(f.calls, "squeue --version") {
		t.Errorf("%v after %q", err, f.calls)
	}
}
