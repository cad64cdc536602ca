package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/scenario"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// asGdrun names the environment variable that makes the test binary behave as gdrun.
const asGdrun = "GRAPHDA_TEST_AS_GDRUN"

func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case name == "gdmerge":
		command.Main(command.Gdmerge)
	case name == "gdrun" || os.Getenv(asGdrun) != "":
		command.Main(program)
	}
	os.Exit(m.Run())
}

// process returns gdrun as a separate process in a folder.
func process(dir string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Args[0], c.Dir = "gdrun", dir
	c.Env = append(os.Environ(), asGdrun+"=1")
	c.Stdout, c.Stderr = new(bytes.Buffer), new(bytes.Buffer)
	return c
}

func gdrun(tb testing.TB, args ...string) scenario.Outcome {
	tb.Helper()
	return scenario.Call(tb, context.Background(), program, append([]string{"gdrun"}, args...)...)
}

// ok runs the program, which must succeed.
func ok(tb testing.TB, args ...string) scenario.Outcome {
	tb.Helper()
	return gdrun(tb, args...).Succeeds(tb)
}

// gdmerge runs gdmerge in this process. It must succeed.
func gdmerge(tb testing.TB, args ...string) {
	tb.Helper()
	scenario.Call(tb, context.Background(), command.Gdmerge, append([]string{"gdmerge"}, args...)...).Succeeds(tb)
}

// refused runs the program. It must fail with the code and print only one line on stderr, which has all texts in want.
func refused(tb testing.TB, code int, args []string, want ...string) {
	tb.Helper()
	if o := gdrun(tb, args...).Fails(tb, code, want...); strings.Count(o.Stderr, "\n") != 1 {
		tb.Errorf("gdrun %q: stderr %q, want one line", args, o.Stderr)
	}
}

// workplace makes a folder with the dataset data/grid and the experiment tiny.yaml, and changes to it.
func workplace(t *testing.T, s jobstest.Spec, experiment string) {
	t.Helper()
	t.Chdir(t.TempDir())
	jobstest.WriteDataset(t, filepath.Join("data", "grid"), s)
	jobstest.WriteFile(t, ".", "tiny.yaml", experiment)
}

// planned makes a workplace with a plan in runs/tiny.
func planned(t *testing.T) {
	t.Helper()
	workplace(t, jobstest.Spec{Trials: 2}, jobstest.Experiment)
	ok(t, "plan", "tiny.yaml")
}

var cellArgs = []string{"cell", "--dataset", "data/grid", "--method", "da-iht", "--set", "gamma=5,s=4"}

func TestStopped(t *testing.T) {
	planned(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	says := "gdrun: stopped early; the same command continues from here\n"
	for _, args := range [][]string{{"local", "runs/tiny"}, {"task", "runs/tiny", "--index", "0"}, cellArgs,
		{"reproduce", "figure2", "--scale", "quick"}} {
		if slices.Equal(args, cellArgs) {
			says = "" // these commands cannot continue later
		}
		scenario.Call(t, ctx, program, append([]string{"gdrun"}, args...)...).Fails(t, command.Stopped, says)
	}
}

// userTables makes a folder with samples and a network, and changes to it. The network is a ring of twelve genes.
// The first four are raised in tumours.
func userTables(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	const genes = 12
	var s, e strings.Builder
	s.WriteString("patient,status")
	e.WriteString("source,target\n")
	for j := range genes {
		fmt.Fprintf(&s, ",G%d", j)
		fmt.Fprintf(&e, "G%d,G%d\n", j, (j+1)%genes)
	}
	e.WriteString("G0,unmeasured\n")
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 100 {
		status, shift := "normal", 0.0
		if i%5 < 2 {
			status, shift = "tumour", 2.0
		}
		fmt.Fprintf(&s, "\nP%d,%s", i, status)
		for j := range genes {
			x := 7 + rng.NormFloat64()
			if j < 4 {
				x += shift
			}
			fmt.Fprintf(&s, ",%.4f", x)
		}
	}
	jobstest.WriteFile(t, ".", "s.csv", s.String()+"\n")
	jobstest.WriteFile(t, ".", "e.csv", e.String())
}

var importArgs = []string{"import", "--samples", "s.csv", "--edges", "e.csv", "--label", "status", "--positive", "tumour", "--drop", "patient", "--out", "data/mine"}

// clusterProgram behaves as its parameter "do" says. With "once", the process ends when it is first asked.
const clusterProgram = `
read -r hello
echo '{"name":"toy","version":"1"}'
while read -r line; do
	cell=${line#*'"cell":"'}; cell=${cell%%'"'*}
	do=${line#*'"do":"'}; do=${do%%'"'*}
	case $do in
	well) sleep 0.3 ;;
	once) # where n is 1: after each kill in a job, the next submission asks for twice the memory, which has a limit
		case $line in *'"n":1'*) [ -e "$cell" ] || { : > "$cell"; kill -9 $$; } ;; esac ;;
	ends) exit 3 ;;
	hangs) sleep 600 ;;
	hungry) awk 'BEGIN { while (i < 1500000) a[i++] = i; system("sleep 600") }' ;;
	esac
	echo '{"cell":"'"$cell"'","checkpoint":20,"indices":1,"values":1}'
	echo '{"cell":"'"$cell"'","checkpoint":40,"indices":1,"values":1}'
done
`

// If a program on a cluster is killed, hangs or takes too much memory, only its own cells fail. The
// program ends with its task.
func (lab *clusterLab) testPrograms(t *testing.T) {
	of := lab.inside(t, "programs")
	jobstest.WriteDataset(t, filepath.Join(of.dir, "data", "grid"), jobstest.Spec{Trials: 3})
	jobstest.WriteFile(t, of.dir, "toy.sh", clusterProgram)
	jobstest.WriteFile(t, of.dir, "toys.yaml", `{name: toys, loss: logistic, datasets: [grid], checkpoints: [20, 40], methods: [
  {method: program, name: toy, command: [sh, toy.sh], files: [toy.sh], timeout: 10s, memory: 48MiB,
   grid: {do: [well, once, ends, hangs, hungry], n: [1, 2]}}]}`)
	of.must(t, "gdrun", "plan", "toys.yaml", "--out", "toys")
	r := of.fresh(t, "toys")
	r.args = []string{"--mem=400M"} // 256M for gdrun, and a program's 48M
	r.submit()
	r.wait("a task that runs", func() bool { return len(r.processes("")) > 0 })
	for _, p := range r.processes("") {
		_ = p.Kill() // a process may have ended
	}
	var s run.Status
	for range 12 {
		r.waitIdle()
		if s = r.status(); s.Total.Done+s.Total.Failed == s.Total.Cells {
			break
		}
		r.submit()
	}
	if s.Total.Cells != 30 || s.Total.Done != 12 || s.Total.Failed != 18 {
		t.Errorf("%+v, want 12 cells done and 18 failed\n%s", s.Total, r.logs())
	}
	of.must(t, "gdmerge", r.path, "--out", r.path+"-report", "--csv", "--allow-partial")
	rows := r.rows(r.path+"-report", "csv")
	for reason, want := range map[string]int{
		"the program ended 3 times on this cell, which has failed: ended before it had answered: exit status 3": 12,
		"did not answer within 10s":   12,
		"out of memory: took ":        12,
		"\n":                          61,
		`"{""do"":""once"",""n"":2}"`: 6,
	} {
		if n := strings.Count(rows, reason); n != want {
			t.Errorf("%q stands %d times in the rows, want %d:\n%s", reason, n, want, rows)
		}
	}
	r.wait("the end of the programs", func() bool {
		links := must1(filepath.Glob("/proc/[0-9]*/cwd"))
		for _, link := range links {
			if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, r.path) {
				return false
			}
		}
		return true
	})
}
