package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"graphda/cmd/internal/command"
	"graphda/jobs/jobstest"
)

// killExperiment has 189 cells in nine tasks. Eight tasks are short. The ninth is so long that its file of results grows
// while it runs.
const killExperiment = `name: kill
loss: logistic
datasets: [short, long]
checkpoints: [50, 200]
methods:
  - method: graphda
    gamma: [1, 5, 20]
    s: [3, 4, 5]
  - method: adam
    alpha: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]
  - method: l1-rda
    lambda: [0.001, 0.01]
    gamma: [5, 10]
    rho: 0
reports:
  - {name: kill, kind: classification}
`

// A killField is a folder with a plan of killExperiment and the results of an undisturbed run.
type killField struct {
	t       *testing.T
	dir     string
	want    string // results.csv of an undisturbed run
	perTask int64  // bytes of results
	copies  int
}

func newKillField(t *testing.T) *killField {
	t.Helper()
	if testing.Short() {
		t.Skip("kills programs for some seconds")
	}
	k := &killField{t: t, dir: t.TempDir()}
	jobstest.WriteDataset(t, filepath.Join(k.dir, "data", "short"), jobstest.Spec{Side: 6, Train: 200, Trials: 8})
	jobstest.WriteDataset(t, filepath.Join(k.dir, "data", "long"), jobstest.Spec{Side: 14, Train: 200, Seed: 1})
	jobstest.WriteFile(t, k.dir, "kill.yaml", killExperiment)
	k.must("plan", "kill.yaml", "--out", "plan")
	undisturbed := k.fresh()
	k.must("local", undisturbed, "-j", "2")
	k.want = k.merged(undisturbed)
	k.perTask = k.bytes(undisturbed) / 9
	return k
}

func (k *killField) start(args ...string) *exec.Cmd {
	k.t.Helper()
	c := process(k.dir, args...)
	must(k.t, c.Start())
	return c
}

// wait waits for a program and returns its exit code, or −1 if a signal ended it.
func (k *killField) wait(c *exec.Cmd) int {
	k.t.Helper()
	err := c.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		k.t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}

func (k *killField) must(args ...string) {
	k.t.Helper()
	c := k.start(args...)
	if code := k.wait(c); code != 0 {
		k.t.Fatalf("gdrun %q: exit code %d: %s", args, code, c.Stderr)
	}
}

// fresh makes a new run of the plan without results, and returns its name.
func (k *killField) fresh() string {
	k.t.Helper()
	k.copies++
	name := "run-" + string(rune('a'+k.copies))
	must(k.t, os.CopyFS(filepath.Join(k.dir, name), os.DirFS(filepath.Join(k.dir, "plan"))))
	return name
}

// merged merges a run with gdmerge and returns results.csv.
func (k *killField) merged(run string) string {
	k.t.Helper()
	run = filepath.Join(k.dir, run)
	gdmerge(k.t, run, "--out", run+"-report", "--csv")
	return content(k.t, filepath.Join(run+"-report", "data", "results.csv"))
}

// bytes returns the size of all result files of a run, including unfinished ones.
func (k *killField) bytes(run string) (total int64) {
	_ = filepath.WalkDir(filepath.Join(k.dir, run, "results"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil { // otherwise it was just removed
				total += info.Size()
			}
		}
		return nil
	})
	return total
}

// after calls act when the run's results have grown by more than the given number of bytes, unless the program
// ends first. It returns the exit code, and whether it called act.
func (k *killField) after(c *exec.Cmd, run string, grown int64, act func(*os.Process)) (code int, acted bool) {
	k.t.Helper()
	limit := k.bytes(run) + grown
	ended, cancel := context.WithCancel(context.Background())
	watching := make(chan bool)
	go func() {
		defer close(watching)
		for ended.Err() == nil {
			if k.bytes(run) > limit {
				acted = true
				act(c.Process)
				return
			}
			time.Sleep(200 * time.Microsecond)
		}
	}()
	code = k.wait(c)
	cancel()
	<-watching
	return code, acted
}

// finished checks that a run is complete, has the results of an undisturbed run, and has no leftovers.
func (k *killField) finished(run string) {
	k.t.Helper()
	if got := k.merged(run); got != k.want {
		k.t.Errorf("%s: results.csv differs from that of an undisturbed run", run)
	}
	names := must1(os.ReadDir(filepath.Join(k.dir, run, "results", "000")))
	for _, n := range names {
		if !strings.HasPrefix(n.Name(), "task-") || strings.Contains(n.Name(), ".part") {
			k.t.Errorf("%s: %s is left", run, n.Name())
		}
	}
	if len(names) != 2*9 {
		k.t.Errorf("%s: %d files of results, want a shard and models of 9 tasks", run, len(names))
	}
}

func TestInterruptions(t *testing.T) {
	k := newKillField(t)
	t.Run("SIGKILL at six moments", func(t *testing.T) { k.t = t; k.testKills() })
	t.Run("signals", func(t *testing.T) { k.t = t; k.testSignals() })
	t.Run("two processes on one task", func(t *testing.T) { k.t = t; k.testTwoProcesses() })
}

func (k *killField) testKills() {
	rng := rand.New(rand.NewPCG(19, 5))
	run, kills, ends := k.fresh(), 0, 0
	for kills < 6 || ends == 0 {
		grown := int64(rng.Float64() * float64(k.perTask))
		if kills >= 6 {
			grown = 1 << 40
		}
		c := k.start("local", run, "-j", "2")
		code, killed := k.after(c, run, grown, func(p *os.Process) { _ = p.Kill() }) // it may just have ended
		switch {
		case code == 0:
			k.finished(run)
			run = k.fresh()
			ends++
		case killed && code == -1:
			kills++
		default:
			k.t.Fatalf("exit code %d: %s", code, c.Stderr)
		}
	}
}

func (k *killField) testSignals() {
	run := k.fresh()
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGUSR1} {
		c := k.start("local", run, "-j", "2")
		code, sent := k.after(c, run, 0, func(p *os.Process) { _ = p.Signal(s) })
		stderr := c.Stderr.(*bytes.Buffer).String()
		if !sent || code != command.Stopped || !strings.HasSuffix(stderr, "gdrun: stopped early; the same command continues from here\n") {
			k.t.Errorf("%v: sent %v, exit code %d, stderr %q", s, sent, code, stderr)
		}
	}
	k.must("local", run, "-j", "2")
	k.finished(run)
}

func (k *killField) testTwoProcesses() {
	run := k.fresh()
	for _, index := range []string{"0", "1", "8"} {
		both := []*exec.Cmd{k.start("task", run, "--index", index), k.start("task", run, "--index", index)}
		for _, c := range both {
			if code := k.wait(c); code != 0 {
				k.t.Errorf("task %s: exit code %d: %s", index, code, c.Stderr)
			}
		}
	}
	k.must("local", run)
	k.finished(run)
}
