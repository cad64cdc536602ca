package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"graphda/cmd/internal/command"
	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/paper"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/learners"
)

// asProgram names the environment variable that makes the test binary behave as gdmerge. Its value is the file for
// the peak memory.
const asProgram = "GDMERGE_PEAK"

func TestMain(m *testing.M) {
	path := os.Getenv(asProgram)
	if path == "" {
		os.Exit(m.Run())
	}
	code := command.Execute(context.Background(), command.Gdmerge, os.Args, os.Stdout, os.Stderr)
	status, err := os.ReadFile("/proc/self/status") // the parent would also see its own memory
	if err == nil {
		err = os.WriteFile(path, status, 0o666)
	}
	if err != nil {
		code = command.Failed
	}
	os.Exit(code)
}

// mnist plans experiment mnist without data: 31,416,000 rows in 20 trials of 30 datasets. Only every thin-th cell
// is planned.
func mnist(t *testing.T, trials, thin int) *plan.Plan {
	t.Helper()
	e := must1(experiment.Parse("mnist.yaml", must1(paper.Experiment("mnist")), experiment.ScaleFull))
	e.Reports = slices.DeleteFunc(e.Reports, func(r experiment.Report) bool { return r.Kind == "models" }) // none exist
	p := &plan.Plan{Version: seal.Version, Checkpoints: e.Checkpoints, Experiment: e}
	for _, name := range e.Datasets {
		d := plan.Dataset{Name: name, Dir: "/data", Features: 784, Edges: 1512, Rows: 2000}
		for k := range trials {
			d.Trials = append(d.Trials, plan.TrialSummary{Trial: k, Digest: fmt.Sprint(name, k), Train: 1000, Test: 500, Features: 784})
		}
		p.Datasets = append(p.Datasets, d)
	}
	for d := range p.Datasets {
		for _, trial := range p.Datasets[d].Trials {
			for _, g := range e.Methods {
				m := must1(learners.Lookup(g.Method))
				n := 0
				must(t, g.Expand(func(values []float64) {
					if n++; n%thin != 0 {
						return
					}
					id := fmt.Sprintf("%x", sha256.Sum256(strconv.AppendInt(nil, int64(len(p.Cells)), 10)))
					p.Cells = append(p.Cells, plan.Cell{ID: id, Dataset: d, Trial: trial.Trial, Method: m, Values: slices.Clone(values)})
				}))
			}
		}
	}
	return p
}

// invented returns made-up rows for a task, as random as rows of least squares.
func invented(whole *run.Run, t *plan.Task) []results.Row {
	r := rand.New(rand.NewPCG(uint64(t.Number), 1))
	layout := plan.Layout()
	var rows []results.Row
	for _, planned := range t.Cells {
		c := &whole.Plan.Cells[planned.Cell]
		params := make([]float64, len(layout))
		for j := range params {
			params[j] = math.NaN()
			for i := range c.Method.Params {
				if c.Method.Params[i].Name == layout[j].Name {
					params[j] = c.Values[i]
				}
			}
		}
		for _, k := range whole.Plan.Checkpoints {
			row := results.Row{Cell: c.ID, Dataset: whole.Plan.Dataset(c).Name, Trial: c.Trial, Method: c.Method.Name, Params: params,
				Checkpoint: k, W: results.NoMetrics(), Wbar: results.NoMetrics(), Seconds: r.Float64(), Solves: r.Int64N(20000),
				HeadBound: math.NaN(), Host: "node017", Attempt: "123456-" + strconv.Itoa(t.Number),
				Started: time.Unix(1.7e9, 0).UTC(), Finished: time.Unix(1.7e9+r.Int64N(1000), 0).UTC()}
			for _, m := range []*results.Metrics{&row.W, &row.Wbar} {
				hits, chosen := float64(r.IntN(90)), float64(90+r.IntN(600))
				m.TestMSE, m.ValidMSE, m.CumulativeLoss, m.Regret = r.ExpFloat64(), r.ExpFloat64(), r.ExpFloat64(), r.ExpFloat64()
				m.Nonzeros, m.Precision, m.Recall, m.F1 = chosen, hits/chosen, hits/90, 2*hits/(90+chosen)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// A merge of all 31,416,000 rows of mnist takes less than 1 GiB, and 5 minutes on two cores. This test makes and
// merges a hundredth of the rows. GDMERGE_TRIALS sets the number of trials per dataset; 20 gives all rows and
// takes 8 GB of disk. GDMERGE_RUN names a folder for the run, which is kept and used again.
func TestFullScale(t *testing.T) {
	if testing.Short() {
		t.Skip("makes and merges 300,000 rows")
	}
	trials, thin := 1, 5
	if n, err := strconv.Atoi(os.Getenv("GDMERGE_TRIALS")); err == nil {
		trials, thin = n, 1
	}
	dir := os.Getenv("GDMERGE_RUN")
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "run")
	}
	rows := len(mnistRun(t, mnist(t, trials, thin), dir).Plan.Cells) * 20
	runtime.GC()

	out := filepath.Join(t.TempDir(), "report")
	peakFile := filepath.Join(t.TempDir(), "status")
	c := exec.Command(os.Args[0], dir, "--out", out)
	c.Env = append(os.Environ(), asProgram+"="+peakFile)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	begin := time.Now()
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	wall, usage := time.Since(begin), c.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	parquet := must1(os.Stat(filepath.Join(out, "data", "results.parquet")))
	peak := peakOf(t, peakFile)
	t.Logf("%d rows: %d MiB, %v of CPU time, %v in all, results.parquet of %d MB", rows, peak>>10, cpu, wall, parquet.Size()/1e6)
	if peak > 1<<20 {
		t.Errorf("%d KiB at most, want less than a GiB", peak)
	}
	if most := 2*5*60*float64(rows)/31_416_000 + 30; cpu.Seconds() > most {
		t.Errorf("%v of CPU time for %d rows, want less than %.0f s", cpu, rows, most)
	}
	if thin == 1 && !strings.Contains(stderr.String(), "% of the work") {
		t.Errorf("no progress was told: %s", stderr.String())
	}
}

// mnistRun returns a finished run of a plan.
func mnistRun(t *testing.T, p *plan.Plan, dir string) *run.Run {
	t.Helper()
	r, created, err := run.Create(dir, p, 2*time.Minute, func() plan.Rates { return plan.Rates{Entry: 2e-9, Edge: 5e-8} })
	must(t, err)
	if !created {
		return r
	}
	var pool errgroup.Group
	pool.SetLimit(2)
	for _, task := range r.Tasks {
		pool.Go(func() error { runtest.Seal(t, r, task, invented(r, task)); return nil })
	}
	must(t, pool.Wait())
	return r
}

// peakOf reads a process's peak resident memory, in KiB, from a copy of its /proc/self/status.
func peakOf(t *testing.T, path string) int {
	t.Helper()
	for _, line := range strings.Split(read(t, path), "\n") {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "VmHWM:" {
			return must1(strconv.Atoi(fields[1]))
		}
	}
	t.Fatal("no VmHWM")
	return 0
}
