package slurm

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"
)

// A fake answers commands by a function, and records them.
type fake struct {
	answer func(n int, name string, args []string) (Output, error)
	calls  []string // command lines
	waits  []time.Duration
}

func (f *fake) Run(ctx context.Context, name string, args ...string) (Output, error) {
	f.calls = append(f.calls, shLine(append([]string{name}, args...)))
	return f.answer(len(f.calls), name, args)
}

func (f *fake) client() *Client {
	return &Client{Runner: f, Sleep: func(_ context.Context, d time.Duration) error {
		f.waits = append(f.waits, d)
		return nil
	}}
}

// failing answers a command with one text after the other, and then repeats the last text.
func failing(texts ...string) func(int, string, []string) (Output, error) {
	return func(n int, name string, args []string) (Output, error) {
		text := texts[min(n, len(texts))-1]
		if id, ok := strings.CutPrefix(text, "ok "); ok {
			return Output{Stdout: id + "\n"}, nil
		}
		if text == killed {
			return Output{Code: -1}, new(exec.ExitError)
		}
		id, accepted := strings.CutPrefix(text, "warning and ")
		if !accepted {
			id = ""
		}
		return Output{Stdout: id, Stderr: text + "\n", Code: 1}, nil
	}
}

const killed = "killed"

func submission() *Submission {
	return &Submission{Script: scripts["full"], File: "/runs/a b/jobs/1.sh", Dir: "/runs/a b", After: []JobID{"7", "8_1"}}
}

func TestSubmissionLine(t *testing.T) {
	s := submission()
	want := `sbatch --parsable '--chdir=/runs/a b' --output=logs/0002-1/%A_%a.log --dependency=afterany:7:8_1 '/runs/a b/jobs/1.sh'`
	if got := s.Line(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, c := range []struct {
		want string
		edit func(s *Submission)
	}{
		{"absolute", func(s *Submission) { s.Dir = "runs" }},
		{"absolute", func(s *Submission) { s.File = "-" }},
		{"Slurm misreads a name", func(s *Submission) { s.Dir = "/a%b" }},
		{"Slurm misreads a name", func(s *Submission) { s.Dir = `/a\b` }},
		{"Slurm misreads a name", func(s *Submission) { s.Dir = "/a\xff" }},
		{"job id", func(s *Submission) { s.After = []JobID{"x"} }},
		{"zero byte", func(s *Submission) { s.Dir = "/a\x00" }},
	} {
		s := submission()
		c.edit(s)
		f := &fake{answer: failing("ok 1")}
		if _, err := f.client().Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), c.want) || len(f.calls) > 0 {
			t.Errorf("%+v: error %v after %d calls, want %q", s, err, len(f.calls), c.want)
		}
	}
}

func TestSubmit(t *testing.T) {
	const down = "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)"
	const limit = "sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"
	const refused = "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid partition name specified"
	for _, c := range []struct {
		name    string
		answers []string // answers of sbatch and, from the second try on, of squeue before each sbatch
		job     JobID
		err     string // text of the error
		kind    Kind
		calls   []string
		waits   int
	}{
		{"at once", []string{"ok 17"}, "17", "", 0, []string{"sbatch"}, 0},
		{"on a cluster of several", []string{"ok 17;west"}, "17", "", 0, []string{"sbatch"}, 0},
		{"a site that greets", []string{"ok welcome\n17"}, "17", "", 0, []string{"sbatch"}, 0},
		{"after two tries", []string{down, "ok", down, "ok", "ok 18"}, "18", "", 0, []string{"sbatch", "squeue", "sbatch", "squeue", "sbatch"}, 2},
		{"down for squeue too", []string{down, down, "ok", "ok 18"}, "18", "", 0, []string{"sbatch", "squeue", "squeue", "sbatch"}, 2},
		{"lost answer", []string{"sbatch: error: Batch job submission failed: Socket timed out on send/recv operation", "ok 19\n19\n19"}, "19", "", 0, []string{"sbatch", "squeue"}, 1},
		{"killed before its answer", []string{killed, "ok 19"}, "19", "", 0, []string{"sbatch", "squeue"}, 1},
		{"accepted with exit code 1", []string{"warning and 20"}, "20", "", 0, []string{"sbatch"}, 0},
		{"a site that says goodbye", []string{"ok your job\n21;west\nHave a nice day"}, "21", "", 0, []string{"sbatch"}, 0},
		{"a wrapper without --parsable", []string{"ok Submitted batch job 22 on cluster west"}, "22", "", 0, []string{"sbatch"}, 0},
		{"limit", []string{limit}, "", "sbatch: AssocMaxSubmitJobLimit; Batch job submission", SubmitLimit, []string{"sbatch"}, 0},
		{"refused", []string{refused}, "", "sbatch: invalid partition specified: nope; Batch job", Refused, []string{"sbatch"}, 0},
		{"no id", []string{"ok hello"}, "", `sbatch printed "hello"`, 0, []string{"sbatch"}, 0},
	} {
		f := &fake{answer: failing(c.answers...)}
		if c.answers[0] == "ok" {
			t.Fatal("the first answer is sbatch's")
		}
		for i, a := range c.answers {
			if a == "ok" { // there is no job of this name
				c.answers[i] = "ok "
			}
		}
		job, err := f.client().Submit(t.Context(), submission())
		if job.ID != c.job || len(f.waits) != c.waits {
			t.Errorf("%s: job %+v after %d waits, want %+v after %d", c.name, job, len(f.waits), c.job, c.waits)
		}
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.err)
		}
		var e *Error
		if errors.As(err, &e) && e.Kind != c.kind {
			t.Errorf("%s: kind %d, want %d", c.name, e.Kind, c.kind)
		}
		var calls []string
		for _, line := range f.calls {
			name, _, _ := strings.Cut(line, " ")
			calls = append(calls, name)
		}
		if !slices.Equal(calls, c.calls) {
			t.Errorf("%s: called %q, want %q", c.name, calls, c.calls)
		}
	}
}

func TestRetry(t *testing.T) {
	f := &fake{answer: failing("slurm_load_jobs error: Unable to contact slurm controller (connect failure)")}
	c := f.client()
	notes := 0
	c.Notify = func(error, time.Duration) { notes++ }
	_, err := c.QueueOf(t.Context(), []int{7})
	if !IsKind(err, Transient) || !strings.Contains(err.Error(), "tried 8 times") {
		t.Errorf("error %v", err)
	}
	if want := []time.Duration{1e9, 2e9, 4e9, 8e9, 16e9, 32e9, 60e9}; !slices.Equal(f.waits, want) || notes != 7 {
		t.Errorf("waited %v, told of %d; want %v", f.waits, notes, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c.Sleep = nil
	c.Notify = func(error, time.Duration) { cancel() }
	if _, err := c.QueueOf(ctx, []int{7}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

func TestNoAnswer(t *testing.T) {
	c := Client{Timeout: 50 * time.Millisecond, Tries: 1}
	_, err := c.once(t.Context(), "sleep", "10")
	if !IsKind(err, Transient) || !strings.Contains(err.Error(), "no answer within 50ms") {
		t.Errorf("error %v", err)
	}
}

// A killed command may have lost its connection to the controller. Another try may succeed.
func TestKilledCommand(t *testing.T) {
	var c Client
	for _, signal := range []string{"PIPE", "KILL"} {
		if _, err := c.once(t.Context(), "sh", "-c", "kill -"+signal+" $$"); !IsKind(err, Transient) {
			t.Errorf("%s: error %v, want a transient one", signal, err)
		}
	}
}

func TestAvailable(t *testing.T) {
	c := Client{Runner: &fake{answer: func(_ int, name string, _ []string) (Output, error) {
		if name == "sbatch" || name == "scancel" {
			return Output{Code: -1}, &exec.Error{Name: name, Err: exec.ErrNotFound}
		}
		return Output{Stdout: "slurm 22.05.8"}, nil
	}}}
	err := c.Available(t.Context())
	var missing *MissingError
	if !errors.As(err, &missing) || !slices.Equal(missing.Tools, []string{"sbatch", "scancel"}) || !strings.Contains(err.Error(), "gdrun local") {
		t.Errorf("error %v", err)
	}
	c.Runner = &fake{answer: failing("sbatch: fatal: Could not establish a configuration source")}
	if err := c.Available(t.Context()); !errors.As(err, &missing) || len(missing.Tools) > 0 || !strings.Contains(err.Error(), "not set up") {
		t.Errorf("error %v", err)
	}
	passing := &fake{answer: failing("sbatch: error: Resource temporarily unavailable", "ok slurm 22.05.8")}
	if err := passing.client().Available(t.Context()); err != nil {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := new(Client).Available(t.Context()); !errors.As(err, &missing) || len(missing.Tools) != 4 {
		t.Errorf("error %v", err)
	}
}

func TestExecEnvironment(t *testing.T) {
	for name, value := range map[string]string{"SLURM_JOB_ID": "1", "SBATCH_TIMELIMIT": "1", "SQUEUE_FORMAT": "x", "SLURM_CONF": "/x", "MINE": "1"} {
		t.Setenv(name, value)
	}
	out := must1(Exec{}.Run(t.Context(), "env"))
	for name, want := range map[string]bool{"SLURM_JOB_ID": false, "SBATCH_TIMELIMIT": false, "SQUEUE_FORMAT": false, "SLURM_CONF": true, "MINE": true} {
		if got := strings.Contains("\n"+out.Stdout, "\n"+name+"="); got != want {
			t.Errorf("%s reaches the command: %v", name, got)
		}
	}
	out, err := Exec{}.Run(t.Context(), "sh", "-c", "echo a; echo b >&2; exit 7")
	if err != nil || out != (Output{"a\n", "b\n", 7}) {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestClassify(t *testing.T) {
	for text, want := range map[string]Kind{
		"":      Refused,
		"fatal": Refused,
		"sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified":                                                                        Refused,
		"sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)":                                                                   Refused,
		"sbatch: error: QOSMaxWallDurationPerJobLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time)":      Refused,
		"sbatch: error: QOSMaxMemoryPerJob\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time)":                 Refused,
		"sbatch: error: AssocMaxCpuPerJobLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time)":             Refused,
		"sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time)":        SubmitLimit,
		"sbatch: error: AssocGrpSubmitJobsLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)":     SubmitLimit,
		"sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)":                                             SubmitLimit,
		"sbatch: error: Batch job submission failed: Resource temporarily unavailable":                                                                                                  Transient,
		"sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying\nsbatch: error: Batch job submission failed: Resource temporarily unavailable":                    Transient,
		"slurm_load_jobs error: Socket timed out on send/recv operation":                                                                                                                Transient,
		"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)":                                                                              Transient,
		"slurm_load_jobs error: Slurm backup controller in standby mode":                                                                                                                Transient,
		"slurm_load_jobs error: Invalid job id specified":                                                                                                                               NoSuchJob,
		"Job can not be altered now, try again later":                                                                                                                                   Transient,
		"sbatch: error: Munge encode failed: Failed to access \"munge.socket.2\": No such file or directory\nsbatch: error: Batch job submission failed: Protocol authentication error": Transient,
		"Unexpected message received for job 5":                  Transient,
		"slurm_load_jobs error: Unexpected missing socket error": Transient,
		"sbatch: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host\nsbatch: error: fetch_config: DNS SRV lookup failed\nCould not establish a configuration source": Refused,
	} {
		if got := classify(text); got != want {
			t.Errorf("%q: kind %d, want %d", text, got, want)
		}
	}
}

// Find asks the accounts about jobs that the queue has forgotten.
func TestFind(t *testing.T) {
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	for _, c := range []struct {
		queue, accounts Output
		want            []JobID
		calls           int
	}{
		{Output{Stdout: "19\n7\n19\n"}, Output{}, []JobID{"7", "19"}, 1},
		{Output{}, Output{Stdout: "21_[2-9]\n21_0\n9\n21_1\n"}, []JobID{"9", "21"}, 2},
		{Output{}, Output{}, nil, 2},
		{Output{}, Output{Code: 1, Stderr: "Slurm accounting storage is disabled"}, nil, 2},
		{Output{}, Output{Code: 1, Stderr: "sacct: error: Unable to connect: Connection refused"}, nil, 2},
	} {
		f := &fake{answer: func(_ int, name string, _ []string) (Output, error) {
			if name == "sacct" {
				return c.accounts, nil
			}
			return c.queue, nil
		}}
		ids, err := f.client().Find(t.Context(), 7, "table1-1", since)
		if err != nil || !slices.Equal(ids, c.want) || len(f.calls) != c.calls {
			t.Errorf("%+v: %v, %v after %q", c, ids, err, f.calls)
		}
		if c.calls == 2 && (!strings.Contains(f.calls[1], "--name=table1-1 ") || !strings.HasSuffix(f.calls[1], "--starttime=2026-01-02T02:04:05")) {
			t.Errorf("called %q", f.calls[1])
		}
	}
	f := &fake{answer: failing("ok 1")}
	if ids, err := f.client().Find(t.Context(), 7, "a b", since); err == nil || len(f.calls) > 0 {
		t.Errorf("%v, %q", ids, f.calls)
	}
}

// With Keep, the command has the file open. Without Keep it does not.
func TestExecKeepsAFile(t *testing.T) {
	kept := must1(os.CreateTemp(t.TempDir(), "kept"))
	defer kept.Close()
	for _, c := range []struct {
		exec Exec
		want bool
	}{{Exec{}, false}, {Exec{Keep: kept}, true}} {
		out, err := c.exec.Run(t.Context(), "sh", "-c", `[ /dev/fd/3 -ef "$1" ]`, "sh", kept.Name())
		if err != nil || (out.Code == 0) != c.want {
			t.Errorf("%+v, %v, want the file to be open: %v", out, err, c.want)
		}
	}
}

// Commands ask the controller no more often than the rate allows. Commands that print a version ask nobody.
func TestRate(t *testing.T) {
	asked := 0
	c := Client{Rate: rate.NewLimiter(rate.Every(time.Hour), 2), Runner: &fake{answer: func(_ int, _ string, args []string) (Output, error) {
		if !slices.Equal(args, versionArgs) {
			asked++
		}
		return Output{}, nil
	}}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // long enough for two commands; the third would wait
	defer cancel()
	var err error
	for err == nil && asked < 5 {
		if err = c.Available(ctx); err == nil {
			_, err = c.QueueOf(ctx, []int{7})
		}
	}
	if err == nil || asked != 2 {
		t.Errorf("%d commands, %v, want 2 and no third", asked, err)
	}
}
