package executor_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// toyProgram answers a model of 16 weights, and behaves as its parameter "do" wants. It notes its starts and questions.
const toyProgram = `
echo start >> notes
read -r hello
echo '{"name":"toy","version":"'"${1:-1}"'"}'
while read -r line; do
	cell=${line#*'"cell":"'}; cell=${cell%%'"'*}
	do=${line#*'"do":"'}; do=${do%%'"'*}
	n=${line#*'"n":'}; n=${n%%[,\}]*}
	echo "$cell" >> notes
	case $do in
	ends) echo 'no more' >&2; exit 3 ;;
	once) [ -e "$cell" ] || { : > "$cell"; kill -9 $$; } ;;
	hangs) sleep 60 ;;
	nonsense) echo '{"cell":"'"$cell"'","checkpoint":20,"weights":[1,NaN]}'; continue ;;
	forgets) [ ! -e "$cell" ] || { echo '{"cell":"'"$cell"'","error":"I forget"}'; continue; }; : > "$cell" ;;
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
	return must1(run.Open(r.Dir)) // as any command does
}

// notes are what the toy program has noted: its starts, and the cells that it was asked for.
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
		"ends":     "has ended the program 3 times, and is not tried again: ended before it had answered: exit status 3; it wrote last: no more",
		"hangs":    "did not answer within 3s",
		"nonsense": "answered nonsense: invalid character 'N'",
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
	// One start for each cell that ended the process, three for the one that always does.
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
	const again = 1 + 1 // the cell in hand, and the one whose models are learned again
	if starts != 2 || len(asked) > 1000+again {
		t.Errorf("%d starts and %d questions for 1,000 cells and one stop", starts, len(asked))
	}
}

// A chosen model that cannot be learned again after an interruption ends the attempt: no empty model is sealed.
func TestProgramFailsAgain(t *testing.T) {
	r := programRun(t, "1m", "{do: forgets, n: [1, 2]}")
	if done, stopped := runtest.StopAfter(t, r, 2, 1); !stopped || done != 2 { // one is of the first task
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
	wantError(t, err, path+" has changed since it was planned (")
	wantError(t, program.Describe(io.Discard, r.Plan, r.Dir), path+" has changed since it was planned (")
}

// Programs that take two processors run one at a time on two.
func TestProgramProcessors(t *testing.T) {
	r := programRun(t, "1m", "{do: well, n: [1, 2, 3, 4, 5, 6]}", "processors: 2")
	runtest.Finish(t, r, 2)
	if starts, asked := notes(t, r); starts != 1 || len(asked) != 6 {
		t.Errorf("%d starts and %d questions, want 1 and 6", starts, len(asked))
	}
}

// Numbers among a program's parameters have a grid with ends, as those of other methods.
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
