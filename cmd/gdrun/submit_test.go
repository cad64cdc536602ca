package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/jobs"
	"graphda/jobs/jobstest"
)

// fakeSlurm puts commands of Slurm's names in front of PATH. sbatch notes its arguments
// and counts ids from 100; squeue prints what the test writes to the file queue. It
// returns a function that reads the calls.
func fakeSlurm(t *testing.T) (state string, calls func() string) {
	t.Helper()
	state = t.TempDir()
	bin := t.TempDir()
	const head = "#!/bin/sh\n[ \"$1\" = --version ] && { echo slurm 22.05.8; exit; }\ncd \"$FAKE_SLURM\" || exit\n"
	for name, text := range map[string]string{
		"sbatch":   "echo \"sbatch $*\" >> calls\nn=$(cat n 2>/dev/null || echo 100)\necho $((n+1)) > n\necho $n\n",
		"squeue":   "[ -f queue ] && cat queue\nexit 0\n",
		"scancel":  "echo \"scancel $*\" >> calls\n",
		"scontrol": "echo 'MaxArraySize = 3'\n",
	} {
		path := jobstest.WriteFile(t, bin, name, head+text)
		must(t, os.Chmod(path, 0o777))
	}
	t.Setenv("FAKE_SLURM", state)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	return state, func() string {
		text, _ := os.ReadFile(filepath.Join(state, "calls"))
		return string(text)
	}
}

func TestSubmitAndCancel(t *testing.T) {
	planned(t)
	state, calls := fakeSlurm(t)
	before := tree(t)
	o := ok(t, "submit", "-n", "runs/tiny", "--sbatch-arg", "--nice=5", "--partition", "short")
	if !strings.Contains(o.stdout, "#SBATCH --partition=short\n") || !strings.Contains(o.stdout, " --nice=5 ") || !strings.Contains(o.stderr, "nothing is submitted") {
		t.Errorf("dry run: %s%s", o.stdout, o.stderr)
	}
	if after := tree(t); len(after) != len(before) || calls() != "" {
		t.Errorf("a dry run left %v and called %q", after, calls())
	}
	refused(t, command.Usage, []string{"submit", "runs/tiny", "--merge"}, "no gdmerge beside gdrun")
	o = ok(t, "submit", "runs/tiny", "--target-time", "2s")
	if !strings.HasPrefix(o.stdout, "runs/tiny: 22 cells in 2 tasks, about ") || !strings.Contains(o.stdout, "job 100: tasks 0 to 1\n") {
		t.Errorf("submit prints %q", o.stdout)
	}
	run, err := jobs.Open("runs/tiny")
	must(t, err)
	name := strings.TrimSpace(strings.TrimPrefix(lineWith(t, "runs/tiny/submissions/0001-1.sh", "--job-name="), "#SBATCH --job-name="))
	waits := func(index, status, reason string) string {
		return "\x1e" + strings.Join([]string{"100", index, status, reason, "n1", "N/A", "N/A", name, ""}, "\x1f")
	}
	entry := func(index, status string) string { return waits(index, status, "None") }
	jobstest.WriteFile(t, state, "queue", entry("0", "RUNNING")+entry("1", "PENDING"))
	if o := ok(t, "submit", "runs/tiny"); o.stdout != "runs/tiny: nothing to submit: 0 cells done, 22 in the queue\n" {
		t.Errorf("again: %q, %q", o.stdout, o.stderr)
	}
	refused(t, command.Usage, []string{"submit", "runs/tiny", "--merge-out", "x"}, "no gdmerge beside gdrun")
	o = gdrun(t, "status", "runs/tiny")
	if o.code != command.Incomplete || !strings.Contains(o.stdout, "11 cells running in 1 task, 11 queued in 1 task; done about ") || !strings.HasSuffix(o.stderr, "22 of 22 cells are not done yet: incomplete\n") {
		t.Errorf("status: %d, %q, %q", o.code, o.stdout, o.stderr)
	}
	jobstest.WriteFile(t, state, "queue", entry("0", "RUNNING")+waits("1", "PENDING", "JobHeldUser"))
	if o := gdrun(t, "status", "runs/tiny"); !strings.Contains(o.stdout, "11 queued in 1 task (JobHeldUser); done") || !strings.Contains(o.stdout, "\n1 task is held (JobHeldUser) until released, as by: scontrol release 100_1\n") {
		t.Errorf("status: %q", o.stdout)
	}
	jobstest.WriteFile(t, state, "queue", waits("0", "PENDING", "Priority")+waits("1", "PENDING", "Resources"))
	if o := gdrun(t, "status", "runs/tiny"); !strings.Contains(o.stdout, "22 queued in 2 tasks (1 Priority, 1 Resources)\n") {
		t.Errorf("status: %q", o.stdout)
	}
	jobstest.WriteFile(t, state, "queue", entry("0", "RUNNING")+entry("1", "PENDING"))
	if o := ok(t, "cancel", "runs/tiny"); o.stdout != "cancelled job 100, tasks 0 to 1: 1 element ran, 1 waited\n" || !strings.HasSuffix(calls(), "scancel 100\n") {
		t.Errorf("cancel: %q; %s", o.stdout, calls())
	}
	jobstest.WriteFile(t, run.Dir, "logs/0001-1/100_1.log", "out of luck\n")
	jobstest.WriteFile(t, state, "queue", entry("0", "RUNNING")+entry("1", "NODE_FAIL"))
	o = gdrun(t, "status", "runs/tiny")
	if !strings.Contains(o.stdout, "task 1 died (job 100_1, NODE_FAIL, n1), see logs/0001-1/100_1.log: out of luck\n") || !strings.Contains(o.stdout, "gdrun submit runs/tiny runs again") {
		t.Errorf("status: %q", o.stdout)
	}
	ids := strings.Fields(ok(t, "status", "--filter", "missing,failed", "runs/tiny").stdout)
	if len(ids) != 11 || len(ids[0]) != 64 {
		t.Errorf("ids %q", ids)
	}
	jobstest.WriteFile(t, state, "queue", "")
	if o := ok(t, "cancel", "runs/tiny"); o.stdout != "runs/tiny: nothing is in the queue\n" {
		t.Errorf("cancel: %q", o.stdout)
	}
	ok(t, "local", "runs/tiny")
	if o := ok(t, "submit", "runs/tiny"); o.stdout != "runs/tiny: nothing to submit: 22 cells done\n" {
		t.Errorf("submit: %q", o.stdout)
	}
	ok(t, "status", "--watch", "runs/tiny")
}

func lineWith(t *testing.T, path, text string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	for _, line := range strings.Split(string(data), "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	t.Fatalf("%s does not say %s", path, text)
	return ""
}

func TestSubmitRefuses(t *testing.T) {
	planned(t)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"submit"}, []string{"the folder of a run"}},
		{[]string{"submit", "runs/none"}, []string{"runs/none"}},
		{[]string{"submit", "runs/tiny", "--time", "soon"}, []string{`"soon"`}},
		{[]string{"submit", "runs/tiny", "--mem", "2X"}, []string{`"2X"`}},
		{[]string{"submit", "runs/tiny", "--mem", "2G", "--mem-per-cpu", "1G"}, []string{"exclude each other"}},
		{[]string{"submit", "runs/tiny", "--partition", "a b"}, []string{`"a b"`}},
		{[]string{"submit", "runs/tiny", "--sbatch-arg", "--array=0-9"}, []string{"--array=0-9"}},
		{[]string{"submit", "runs/tiny", "--target-time", "1ms"}, []string{"target-time = 1ms"}},
		{[]string{"submit", "runs/tiny", "--array-parallelism", "0"}, []string{"array-parallelism = 0"}},
		{[]string{"submit", "runs/tiny", "--cpus-per-task", "-1"}, []string{"cpus-per-task = -1"}},
		{[]string{"submit", "runs/tiny", "--setup", "none.sh"}, []string{"none.sh"}},
		{[]string{"cancel"}, []string{"the folder of a run"}},
		{[]string{"status", "runs/tiny", "--filter", "lost"}, []string{`"lost"`, "missing"}},
		{[]string{"status", "runs/tiny", "--watch", "--interval", "1ms"}, []string{"interval = 1ms"}},
	} {
		refused(t, command.Usage, c.args, c.want...)
	}
	t.Setenv("PATH", t.TempDir())
	refused(t, command.Usage, []string{"submit", "runs/tiny"}, "no sbatch", "gdrun local")
	refused(t, command.Usage, []string{"submit", "-n", "runs/tiny"}, "no sbatch", "gdrun local")
	if o := ok(t, "cancel", "runs/tiny"); !strings.Contains(o.stdout, "nothing is in the queue") {
		t.Errorf("cancel without a journal: %q", o.stdout)
	}
}

// Where nobody can answer, nothing large is submitted without --yes.
func TestSubmitAsks(t *testing.T) {
	workplace(t, jobstest.Spec{Trials: manyTasks + 1, Train: 40, Valid: 4, Test: 4}, jobstest.Experiment)
	ok(t, "plan", "tiny.yaml")
	_, calls := fakeSlurm(t)
	refused(t, command.Usage, []string{"submit", "runs/tiny"}, "in 501 tasks", "--yes")
	if calls() != "" {
		t.Errorf("called %s", calls())
	}
	ok(t, "submit", "runs/tiny", "--yes")
	if n := strings.Count(calls(), "sbatch "); n != 167 {
		t.Errorf("%d jobs, want 167 arrays of three", n)
	}
	for answer, want := range map[string]bool{"y\n": true, "YES\n": true, "yes": true, "\n": false, "n\n": false, "": false} {
		var out strings.Builder
		if err := ask(t.Context(), strings.NewReader(answer), &out, "Submit?"); (err == nil) != want || out.String() != "Submit? [y/N] " {
			t.Errorf("%q: %v, %q", answer, err, out.String())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, w, err := os.Pipe()
	must(t, err)
	defer w.Close()
	defer r.Close()
	if err := ask(ctx, r, new(strings.Builder), "Submit?"); command.ExitCode(err) != command.Stopped {
		t.Errorf("interrupted: %v", err)
	}
}
