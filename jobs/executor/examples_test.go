package executor_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"graphda/io/safefile"
	"graphda/jobs/executor"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/program"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// interpreter returns the first of these programs that does this; else it skips the test.
func interpreter(t *testing.T, what []string, programs ...string) string {
	t.Helper()
	for _, name := range programs {
		if exec.Command(name, what...).Run() == nil {
			return name
		}
	}
	t.Skipf("no %s does %q; .ci/programs.sh installs what it needs", strings.Join(programs, " or "), what)
	return ""
}

// children are the processes that this one has begun and that live.
func children(t *testing.T) (found []int) {
	t.Helper()
	threads := must1(filepath.Glob("/proc/self/task/*/children"))
	for _, path := range threads {
		text, _ := safefile.ReadFile(path) // of a thread that may have ended
		for _, word := range strings.Fields(string(text)) {
			pid := must1(strconv.Atoi(word))
			found = append(found, pid)
		}
	}
	return found
}

// One process of each program in docs/programs answers cell after cell; when that in sh, which starts at once, is killed
// in the middle, a second one answers the rest. With GRAPHDA_CELLS=1000 there are so many cells.
func TestProgramExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("starts interpreters")
	}
	if _, err := os.Stat("/proc/self/task"); err != nil {
		t.Skip("the programs are found by /proc")
	}
	cells := 4
	if n, err := strconv.Atoi(os.Getenv("GRAPHDA_CELLS")); err == nil {
		cells = n
	}
	found := ""
	python := func(t *testing.T) string {
		if found == "" {
			found = interpreter(t, []string{"-c", "import numpy, sklearn"}, "python3", "/usr/bin/python3")
		}
		return found
	}
	for _, e := range []struct {
		name, file, args, grid, data string
		with                         func(t *testing.T) string
	}{
		{"online-logistic", "online_logistic.py", "", "alpha: 0.1", "npy", python},
		{"elastic-net", "linear.py", ", elastic-net", "alpha: 0.01, l1_ratio: 0.5", "npy", python},
		{"l1-by-cv", "linear.py", ", l1-by-cv", "", "npy", python},
		{"forest", "forest.py", "", "trees: 1, features: sqrt", "npy", python},
		{"glmnet", "glmnet.R", "", "alpha: 0.5, choose: lambda.min", "npy", func(t *testing.T) string {
			return interpreter(t, []string{"-e", "library(glmnet); library(jsonlite)"}, "Rscript")
		}},
		{"centroid", "centroid.sh", "", "shrink: 0.1", "csv", func(t *testing.T) string {
			return interpreter(t, []string{"-c", "command -v awk"}, "sh")
		}},
	} {
		t.Run(e.name, func(t *testing.T) {
			var n []string
			for i := range cells {
				n = append(n, strconv.Itoa(i))
			}
			dir := t.TempDir()
			text := must1(os.ReadFile(filepath.Join("../../docs/programs", e.file)))
			must(t, os.WriteFile(filepath.Join(dir, e.file), text, 0o666))
			file := filepath.Join(dir, "examples.yaml")
			must(t, os.WriteFile(file, fmt.Appendf(nil, `{name: examples, loss: logistic, datasets: [grid], checkpoints: [40],
methods: [{method: program, name: %s, command: [%s, %s%s], files: [%[3]s], data: %[5]s, grid: {n: [%[6]s], %[7]s}}]}`,
				e.name, e.with(t), e.file, e.args, e.data, strings.Join(n, ", "), e.grid), 0o666))
			x := must1(experiment.Read(file, experiment.ScaleFull))
			p := must1(plan.NewPlan(x, plan.PlanOptions{Data: dataFolder(t, jobstest.Spec{Trials: 1})}))
			must(t, program.Greet(t.Context(), p))
			r, _, err := run.Create(filepath.Join(dir, "run"), p, 24*time.Hour, runtest.Rates)
			must(t, err)

			var seen []int
			done := 0
			runner := &executor.Runner{Run: r, Workers: 1, Notify: func(event executor.Event) {
				alive := children(t)
				if event.Kind != executor.CellDone || len(alive) != 1 {
					t.Errorf("%s: %s; processes %v", e.name, event.Text, alive)
					return
				}
				seen = append(seen, alive...)
				if done++; done == cells/2 && e.name == "centroid" {
					must(t, syscall.Kill(alive[0], syscall.SIGKILL))
				}
			}}
			outcome := must1(runner.RunTasks(t.Context(), r.Tasks))
			if outcome.Done != cells || outcome.Failed != 0 {
				t.Errorf("outcome %+v", outcome)
			}
			slices.Sort(seen)
			if pids := slices.Compact(seen); len(pids) != map[bool]int{true: 2, false: 1}[e.name == "centroid"] {
				t.Errorf("processes %v, want one, and one more after the kill", pids)
			}
		})
	}
}
