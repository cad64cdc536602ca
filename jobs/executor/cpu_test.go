package executor_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// otherProcessor names the run that a process of this test runs as another kind of processor.
const otherProcessor = "GRAPHDA_TEST_OTHER_PROCESSOR"

// rounding is an experiment in which the last bits of exp matter.
const rounding = `name: rounding
loss: logistic
datasets: [grid]
checkpoints: [200, 400]
methods:
  - {method: l1-rda, lambda: 0.001, gamma: [20, 50, 100, 500], rho: 0}
  - {method: adam, alpha: [0.001, 0.01]}
`

// Rows of the same cells that two kinds of processor have computed differ in their last bits, and merge to the
// same ones whichever came first.
func TestTwoProcessors(t *testing.T) {
	if dir := os.Getenv(otherProcessor); dir != "" {
		whole := must1(run.Open(dir))
		runtest.Finish(t, whole, 1)
		return
	}
	if !strings.HasSuffix(executor.CPUKind(), " fma") {
		t.Skipf("%s cannot be run as another kind", executor.CPUKind())
	}
	here := runtest.New(t, dataFolder(t, jobstest.Spec{Side: 20, Train: 400}), rounding, time.Hour)
	there, first, second := runtest.Copy(t, here), runtest.Copy(t, here), runtest.Copy(t, here)
	runtest.Finish(t, here, 1)
	again := exec.Command(os.Args[0], "-test.run=^TestTwoProcessors$")
	again.Env = append(os.Environ(), otherProcessor+"="+there.Dir, "GODEBUG=cpu.fma=off")
	if out, err := again.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	read := func(whole *run.Run) []results.Row {
		return must1(whole.Results())
	}
	same := 0
	for i, r := range read(there) {
		if r.CPU != strings.TrimSuffix(executor.CPUKind(), " fma") {
			t.Fatalf("rows of %q", r.CPU)
		}
		if r.W.CumulativeLoss == read(here)[i].W.CumulativeLoss {
			same++
		}
	}
	if all := len(read(there)); same == all {
		t.Errorf("all of %d rows are equal to the bit", all)
	}
	for whole, order := range map[*run.Run][]*run.Run{first: {here, there}, second: {there, here}} {
		for i, of := range order {
			must(t, whole.MakeFolder(whole.Tasks[0]))
			runtest.Part(t, whole, whole.Tasks[0], []string{"a", "b"}[i], read(of)...)
		}
		if outcome := runtest.Finish(t, whole, 1); outcome.Computed != 0 {
			t.Errorf("%d cells computed", outcome.Computed)
		}
	}
	if csv := runtest.CSV(t, first); csv != runtest.CSV(t, second) || csv != runtest.CSV(t, there) || csv == runtest.CSV(t, here) {
		t.Error("which rows stand depends on their order")
	}
}
