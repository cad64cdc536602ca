package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A call is a system call that reads or writes files. It may fail with an error, or the program may be killed there.
type call struct {
	name   string
	times  int // largest number of such calls in one thread of the commands below
	errors []string
}

var calls = []call{
	{"openat", 30, []string{"EMFILE", "EACCES", "ENOSPC"}},
	{"write", 8, []string{"ENOSPC", "EIO"}},
	{"pwrite64", 6, []string{"EIO"}},
	{"fsync", 9, []string{"EIO"}},
	{"close", 25, []string{"EIO"}},
	{"linkat", 2, []string{"EPERM", "EOPNOTSUPP", "EIO"}},
	{"renameat", 3, []string{"ENOSPC", "EIO"}},
	{"unlinkat", 6, []string{"EACCES", "EIO"}},
	{"mkdirat", 3, []string{"ENOSPC", "EROFS"}},
	{"newfstatat", 30, []string{"EIO"}},
	{"getdents64", 6, []string{"EIO"}},
	{"read", 12, []string{"EIO"}},
	{"pread64", 12, []string{"EIO"}},
}

// A fault is a fault that strace injects into a command, at the call with a given number in a thread. Each thread
// counts its own calls, so the same fault may occur more than once.
type fault struct {
	command []string
	call    string
	how     string
	number  int
}

// sealing is the command that seals a task.
var sealing = words("gdrun task fresh --index 1")

// faults lists faults of sealing a task, and some of planning and of merging.
func faults() (list []fault) {
	for _, c := range calls {
		for _, how := range append(slices.Clone(c.errors), "KILL") {
			for n := 1; n <= c.times; n++ {
				list = append(list, fault{sealing, c.name, how, n})
				if n <= 3 {
					list = append(list,
						fault{words("gdrun plan small.yaml --out fresh"), c.name, how, n},
						fault{words("gdmerge whole --out report"), c.name, how, n})
				}
			}
		}
	}
	return list
}

// Each system call of sealing a task fails once, in every possible way. A later run of the same plan gives the
// same results as an undisturbed run.
func TestFaults(t *testing.T) {
	base := runs(t)
	if err := exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skipf("no strace, which puts faults into programs (.ci/strace.sh installs it): %v", err)
	}
	list := faults()
	cases(t, len(list), 6, func(t *testing.T, number int, _ *rand.Rand) string {
		f := list[number]
		end := f.survive(t, base)
		return strings.Join(f.command[:2], " ") + ": " + f.call + " " + end
	})
}

// survive runs the command with the fault. It checks that the next command without a fault gives the results of an
// undisturbed run.
func (f *fault) survive(t *testing.T, base string) (end string) {
	t.Helper()
	dir := t.TempDir()
	copyTree(t, base, dir)
	if f.command[1] == "plan" {
		must(t, os.RemoveAll(filepath.Join(dir, fresh)))
	}
	o, trace := f.run(t, dir)
	hit := injected(trace)
	end = f.judge(t, o, hit)
	if f.command[1] == "plan" {
		in(t, dir, "gdrun", "plan", "small.yaml", "--out", fresh).must(t)
	}
	run := fresh
	if f.command[0] == "gdmerge" {
		run = whole
	}
	in(t, dir, "gdrun", "local", run).must(t)
	if !merged(t, dir, run) {
		t.Error("it cannot be merged although gdrun local has said that it is done")
	}
	nothingElse(t, filepath.Join(dir, run, "results", "000"), filepath.Join(base, whole, "results", "000"))
	if t.Failed() {
		t.Logf("%s: %s number %d: %s\n%s", strings.Join(f.command, " "), f.call, f.number, f.how, strings.Join(hit, "\n"))
	}
	return end
}

// tracing runs strace with names of files. strace counts calls by thread. With one processor, and without stops at
// other calls (quietly), goroutines mostly stay in one thread.
var (
	tracing = words("strace -f -y -qq -e signal=none -E GOMAXPROCS=1")
	quietly = words("--seccomp-bpf")
)

// run runs the command with the fault and returns strace's lines about the failed calls.
func (f *fault) run(t *testing.T, dir string) (o outcome, trace string) {
	t.Helper()
	strace, how := slices.Concat(tracing, quietly), "error="+f.how
	if f.how == "KILL" { // with quietly, KILL comes only at the first call
		strace, how = slices.Clone(tracing), "signal=KILL"
	}
	log := filepath.Join(dir, "trace")
	inject := fmt.Sprintf("inject=%s:%s:when=%d", f.call, how, f.number)
	strace = append(strace, "-e", "trace="+f.call, "-e", inject, "-o", log)
	o = start(t, dir, strace, f.command[0], f.command[1:]...)
	return o, string(read(t, log))
}

// runtimeCall matches calls that Go's runtime depends on.
var runtimeCall = regexp.MustCompile("anon_inode|pipe:|/sys/kernel")

// judge checks the outcome of a command with a failed call.
func (f *fault) judge(t *testing.T, o outcome, hit []string) (end string) {
	t.Helper()
	runtimes := slices.ContainsFunc(hit, runtimeCall.MatchString)
	switch {
	case f.how == "KILL" && o.code < 0:
		return "killed"
	case len(hit) == 0:
		end = "not reached"
	case runtimes:
		return "of Go's runtime failed"
	case o.code == 0:
		end = "failed, done all the same"
	default:
		end = "failed, refused"
	}
	o.lawful(t)
	return end
}

// nothingElse checks that a folder of results has the same files as after an undisturbed run.
func nothingElse(t *testing.T, got, want string) {
	t.Helper()
	names := func(dir string) (names []string) {
		entries := must1(os.ReadDir(dir))
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	if g, w := names(got), names(want); !slices.Equal(g, w) {
		t.Errorf("in the folder of results are\n%q, want\n%q", g, w)
	}
}

// injected returns the lines of strace's log with the fault. A call has two lines if a call of another thread came
// between.
func injected(trace string) (lines []string) {
	begun := map[string]string{} // by thread
	for line := range strings.Lines(trace) {
		line = strings.TrimSpace(line)
		thread, _, _ := strings.Cut(line, " ")
		if strings.Contains(line, "(INJECTED)") {
			if strings.Contains(line, " resumed>") {
				line = begun[thread] + line
			}
			lines = append(lines, line)
		}
		if strings.HasSuffix(line, "<unfinished ...>") {
			begun[thread] = line
		}
	}
	return lines
}
