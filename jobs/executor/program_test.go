package executor_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/io/safefile"
	"graphda/jobs/executor"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/program"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// toyProgram answers with a model of 16 weights. Its parameter "do" sets how it behaves. It records its starts and
// questions in a file.
const toyProgram = `
echo start >> notes
read -r hello
echo '{"name":"toy","version":"'"${1:-1}"'"}'
while read -r line; do
	cell=${line#*'"cell":"'}; cell=${cell%%'"'*}
	do=${line#*'"do":"'}; do=${do%%'"'*}
	x=${line#*'"train_x":"'}; x=${x%%'"'*}
	n=${line#*'"n":'}; n=${n%%[,\}]*}
	echo "$cell" >> notes
	case $do in
	ends) echo 'no more' >&2; exit 3 ;;
	once) [ -e "$cell" ] || { : > "$cell"; kill -9 $$; } ;;
	killed) kill -9 $$ ;;
	child) sh -c 'kill -9 $$'; exit $? ;;
	hangs) sleep 60 ;;
	nonsense) echo '{"cell":"'"$cell"'","checkpoint":20,"weights":[1,NaN]}'; continue ;;
	forgets) [ ! -e "$cell" ] || { echo '{"cell":"'"$cell"'","error":"I forget"}'; continue; }; : > "$cell" ;;
	spoils) chmod 600 "$x"; echo x >> "$x" ;;
	huge) echo '{"cell":"'"$cell"'","checkpoint":20,"indices":[0,3],"values":[1e308,1e308]}'
		echo '{"cell":"'"$cell"'","checkpoint":40,"indices":[0,3],"values":[1e308,1e308]}'; continue ;;
	sorry) echo '{"cell":"'"$cell"'","error":"no such luck"}'; continue ;;
	esac
	for k in 20 40; do
		echo '{"cell":"'"$cell"'","checkpoint":'$k',"indices":[0,3],"values":['$n',-1],"intercept":0.5}'
	done
done
`

// programRun plans the toy program with these parameters on one trial of a 4 × 4 grid.
func programRun(t *testing.T, timeout, grid string, more ...string) *run.Run {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "toy.sh"), []byte(toyProgram), 0o666))
	text := "name: toys\nloss: logistic\ndatasets: [grid]\ncheckpoints: [20, 40]\nmethods:\n" +
		"  - {method: graphda, gamma: 10, s: 4}\n" +
		"  - method: program\n    name: toy\n    command: [sh, toy.sh]\n    files: [toy.sh]\n    timeout: " + timeout + "\n    grid: " + grid + "\n"
	for _, line := range more {
		text += "    " + line + "\n"
	}
	file := filepath.Join(dir, "toys.yaml")
	must(t, os.WriteFile(file, []byte(text), 0o666))
	e := must1(experiment.Read(file, experiment.ScaleFull))
	p := must1(plan.NewPlan(e, plan.PlanOptions{Data: dataFolder(t, jobstest.Spec{Trials: 1})}))
	must(t, program.Greet(t.Context(), p))
	r, _, err := run.Create(filepath.Join(t.TempDir(), "run"), p, 2*time.Hour, runtest.Rates)
	must(t, err)
	return must1(run.Open(r.Dir)) // read the run back, as every command does
}

// notes returns what the toy program recorded: the number of starts, and the cells that it was asked for.
func notes(t *testing.T, r *run.Run) (starts int, asked []string) {
	t.Helper()
	text := must1(safefile.ReadFile(filepath.Join(r.Dir, "programs", "toy", "notes")))
	for _, line := range strings.Fields(string(text)) {
		if line == "start" {
			starts++
		} else {
			asked = append(asked, line)
		}
	}
	return starts, asked
}

func TestProgram(t *testing.T) {
	r := programRun(t, "3s", "{do: [well, once, ends, hangs, nonsense, sorry], n: 1}")
	runtest.Finish(t, r, 1)
	rows := must1(r.Results())
	want := map[string]string{
		"well": "", "once": "",
		"ends":     "the program ended 3 times on this cell, which has failed: ended before it had answered: exit status 3; it wrote last: no more",
		"hangs":    "did not answer within 3s",
		"nonsense": "wrote an invalid answer: invalid character 'N'",
		"sorry":    "the program says: no such luck",
	}
	seen := 0
	for _, row := range rows {
		if row.Method != "toy" {
			continue
		}
		seen++
		do := strings.TrimSuffix(strings.TrimPrefix(row.Settings, `{"do":"`), `","n":1}`)
		if reason, ok := want[do]; !ok || !strings.HasPrefix(row.Error, reason) || reason == "" && row.Error != "" {
			t.Errorf("%s at %d: error %q, want %q", row.Settings, row.Checkpoint, row.Error, reason)
		}
		if row.Failed() {
			continue
		}
		if row.W.Nonzeros != 2 || row.W.TestAccuracy != row.W.TestAccuracy || row.W.Mistakes == row.W.Mistakes || row.Wbar.TestAccuracy == row.Wbar.TestAccuracy {
			t.Errorf("%s at %d: measures %+v, of w̄ %+v", row.Settings, row.Checkpoint, row.W, row.Wbar)
		}
	}
	if seen != 2*len(want) {
		t.Errorf("%d rows of the program, want %d", seen, 2*len(want))
	}
	// One start for each cell that ends the process once, three for the cell that always does.
	if starts, asked := notes(t, r); starts != 7 || len(asked) != 9 {
		t.Errorf("%d starts and %d questions, want 7 and 9", starts, len(asked))
	}
	info, err := results.ReadShardInfo(r.ShardPath(r.Tasks[len(r.Tasks)-1]))
	if err != nil || !strings.Contains(fmt.Sprint(info.Programs), "toy") {
		t.Errorf("the shard keeps %v of programs, error %v", info.Programs, err)
	}
	if log, err := safefile.ReadFile(filepath.Join(r.Dir, "programs", "toy.log")); err != nil || string(log) != "no more\nno more\nno more\n" {
		t.Errorf("log %q, error %v", log, err)
	}
}

// A cell whose program is killed in a job has no result: its job ran out of memory. Elsewhere it has failed, unless the
// kernel says that it was short of memory.
func TestProgramKilled(t *testing.T) {
	for _, do := range []string{"killed", "child"} {
		r := programRun(t, "1m", "{do: "+do+", n: 1}")
		of := r.Tasks[len(r.Tasks)-1]
		_, err := (&executor.Runner{Run: r, Workers: 1, Attempt: "slurm-1_0-0"}).RunTasks(t.Context(), []*plan.Task{of})
		wantError(t, err, "out of memory: program toy was killed")
		attempts := must1(results.ReadAttempts(r.Folder(of), of.Number))
		if len(attempts) != 1 || attempts[0].End != results.OutOfMemory {
			t.Errorf("%s: attempts %+v", do, attempts)
		}
		if s := must1(r.Status(false)); s.Total.Failed > 0 {
			t.Errorf("%s: %+v", do, s.Total)
		}
		runtest.Finish(t, r, 1)
		if s := must1(r.Status(false)); s.Total.Failed != 1 {
			t.Errorf("%s: %+v without a cluster, want it failed", do, s.Total)
		}
	}
}

// A process answers a thousand cells; whatever stops gdrun costs the cell in hand only.
func TestProgramThousandCells(t *testing.T) {
	var values []string
	for n := range 1000 {
		values = append(values, fmt.Sprint(n))
	}
	r := programRun(t, "1m", "{do: well, n: ["+strings.Join(values, ", ")+"]}")
	if _, stopped := runtest.StopAfter(t, r, 500, 1); !stopped {
		t.Fatal("the run was not stopped")
	}
	runtest.Finish(t, r, 1)
	runtest.WantSealed(t, r)
	starts, asked := notes(t, r)
	const again = 1 + 1 // the current cell, and the cell whose models are learned again
	if starts != 2 || len(asked) > 1000+again {
		t.Errorf("%d starts and %d questions for 1,000 cells and one stop", starts, len(asked))
	}
}

// If a chosen model cannot be learned again after an interruption, the attempt ends. It does not seal an empty model.
func TestProgramFailsAgain(t *testing.T) {
	r := programRun(t, "1m", "{do: forgets, n: [1, 2]}")
	if done, stopped := runtest.StopAfter(t, r, 2, 1); !stopped || done != 2 { // one cell belongs to the first task
		t.Fatal("the run was not stopped")
	}
	_, err := (&executor.Runner{Run: r, Workers: 1}).RunTasks(t.Context(), r.Tasks)
	wantError(t, err, "fails when its model is learned again: the program says: I forget")
	if _, err := results.ReadShardInfo(r.ShardPath(r.Tasks[1])); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the shard: %v", err)
	}
}

func TestProgramChanged(t *testing.T) {
	r := programRun(t, "1m", "{do: well, n: 1}")
	path := filepath.Join(r.Dir, "programs", "toy", "toy.sh")
	must(t, os.WriteFile(path, []byte("exit 1\n"), 0o666))
	_, err := (&executor.Runner{Run: r, Workers: 1}).RunTasks(t.Context(), r.Tasks)
	wantError(t, err, path+" has changed after planning (")
	wantError(t, program.Describe(io.Discard, r.Plan, r.Dir), path+" has changed after planning (")
}

// With two workers, programs that use two processors run one at a time.
func TestProgramProcessors(t *testing.T) {
	r := programRun(t, "1m", "{do: well, n: [1, 2, 3, 4, 5, 6]}", "processors: 2")
	runtest.Finish(t, r, 2)
	if starts, asked := notes(t, r); starts != 1 || len(asked) != 6 {
		t.Errorf("%d starts and %d questions, want 1 and 6", starts, len(asked))
	}
}

// Numeric parameters of a program have a grid with ends, as in other methods.
func TestProgramEdges(t *testing.T) {
	r := programRun(t, "1m", "{do: [well, once], n: [1, 2, 4]}")
	runtest.Finish(t, r, 1)
	grid := must1(r.Collect())
	for _, g := range grid.Summarize(r.Plan.Experiment.Rules()[0]).Groups {
		if g.Method != "toy" {
			continue
		}
		got := ""
		for _, e := range g.AtEdges() {
			got += fmt.Sprint(e.Param, " ", e.Value, " ", e.Largest, " ", e.Beyond)
		}
		if chosen := g.Settings[0][0].Setting; chosen != "do=well n=4" || got != "n 4 true [8 16]" {
			t.Errorf("chosen %q at the edges %q", chosen, got)
		}
	}
}

// otherProcessor names the environment variable with the run that a child process runs as another kind of processor.
const otherProcessor = "GRAPHDA_TEST_OTHER_PROCESSOR"

// rounding is an experiment whose results depend on the last bits of exp.
const rounding = `name: rounding
loss: logistic
datasets: [grid]
checkpoints: [200, 400]
methods:
  - {method: l1-rda, lambda: 0.001, gamma: [20, 50, 100, 500], rho: 0}
  - {method: adam, alpha: [0.001, 0.01]}
`

// Two kinds of processor compute rows that differ in their last bits. Merging gives the same rows whichever came first.
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

// interpreter returns the first of these programs that works, and skips the test if none does.
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

func children(t *testing.T) (found []int) {
	t.Helper()
	threads := must1(filepath.Glob("/proc/self/task/*/children"))
	for _, path := range threads {
		text, _ := safefile.ReadFile(path) // the thread may have ended
		for _, word := range strings.Fields(string(text)) {
			pid := must1(strconv.Atoi(word))
			found = append(found, pid)
		}
	}
	return found
}

// One process of each program in docs/programs answers all cells. When the process of the sh program, which starts
// fast, is killed in the middle, a second process answers the rest. GRAPHDA_CELLS=1000 asks for a thousand cells.
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
			found = interpreter(t, []string{"-c", "from importlib.util import find_spec as f; exit(not (f('numpy') and f('sklearn')))"}, "python3", "/usr/bin/python3")
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
			return interpreter(t, []string{"-e", "find.package(c('glmnet', 'jsonlite'))"}, "Rscript")
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
			if e.name == "centroid" { // the others take seconds to start, and greet the run anyway
				must(t, program.Greet(t.Context(), p))
			}
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

// If a program changes its data, its cells fail. Cells of other methods still get the right data.
func TestProgramSpoilsData(t *testing.T) {
	r := programRun(t, "1m", "{do: [well, spoils], n: [1, 2]}")
	jobstest.Must1((&executor.Runner{Run: r, Workers: 1}).RunTasks(t.Context(), r.Tasks))
	failed := 0
	for _, task := range r.Tasks {
		for _, row := range jobstest.Must1(r.ReadShard(task)) {
			if row.Failed() {
				failed++
				if !strings.Contains(row.Error, "has changed the file train_x.npy") || !strings.Contains(row.Settings, "spoils") {
					t.Errorf("%s failed: %s", row.Settings, row.Error)
				}
			}
		}
	}
	if failed != 4 { // two cells, two checkpoints
		t.Errorf("%d rows failed, want 4", failed)
	}
}

// Weights that give no finite score are no result.
func TestProgramHugeWeights(t *testing.T) {
	r := programRun(t, "1m", "{do: huge, n: 1}")
	jobstest.Must1((&executor.Runner{Run: r, Workers: 1}).RunTasks(t.Context(), r.Tasks))
	for _, task := range r.Tasks {
		for _, row := range jobstest.Must1(r.ReadShard(task)) {
			if huge := row.Method == "toy"; huge != strings.Contains(row.Error, "weights and values are too large") ||
				huge && row.W.TestAccuracy == row.W.TestAccuracy {
				t.Errorf("%s: accuracy %v, error %q", row.Method, row.W.TestAccuracy, row.Error)
			}
		}
	}
}

// A program that cannot be started gives no results until it can be.
func TestProgramNotStarted(t *testing.T) {
	r := programRun(t, "1m", "{do: well, n: [1, 2]}")
	path := os.Getenv("PATH")
	t.Setenv("PATH", t.TempDir())
	_, err := (&executor.Runner{Run: r, Workers: 2}).RunTasks(t.Context(), r.Tasks)
	wantError(t, err, "nothing was begun: program toy: cannot be started")
	t.Setenv("PATH", path)
	runtest.Finish(t, r, 2)
}
