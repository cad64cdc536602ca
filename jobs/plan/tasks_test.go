package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"graphda/learners"
)

// syntheticPlan returns a plan with cells of random cost: methods with and without a graph, on datasets of random size.
func syntheticPlan(rng *rand.Rand) *Plan {
	plan := &Plan{Checkpoints: []int{1 + rng.IntN(400)}}
	for d := range 1 + rng.IntN(3) {
		plan.Datasets = append(plan.Datasets, Dataset{Name: fmt.Sprint(d), Features: 1 + rng.IntN(2000), Edges: rng.IntN(4000), Rows: 1000})
		for trial := range 1 + rng.IntN(4) {
			for range 1 + rng.IntN(40) {
				m := learners.Methods[rng.IntN(len(learners.Methods))]
				plan.Cells = append(plan.Cells, Cell{ID: fmt.Sprint(len(plan.Cells)), Dataset: d, Trial: trial, Method: m,
					Values: searching(m, rng.IntN(3))})
			}
		}
	}
	return plan
}

// searching returns values of a method's parameters in which only the search matters.
func searching(m *learners.Method, search int) []float64 {
	values := make([]float64, len(m.Params))
	for i := range m.Params {
		if m.Params[i].Name == "search" {
			values[i] = float64(search)
		}
	}
	return values
}

func TestPacking(t *testing.T) {
	rates := Rates{Entry: 2e-9, Edge: 6e-8}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		plan := syntheticPlan(rng)
		target := time.Duration(math.Exp(rng.Float64()*8) * float64(100*time.Millisecond))
		cells := make([]int, len(plan.Cells))
		for i := range cells {
			cells[i] = i
		}
		const first = 7
		tasks := plan.pack(cells, first, target, rates)
		checkPacking(t, plan, tasks, first)
		checkBalance(t, plan, tasks, target)
		if t.Failed() {
			t.Fatalf("seed %d, target %v", seed, target)
		}
	}
}

// checkPacking checks that every cell is in one task, and that every task has cells of one trial.
func checkPacking(t *testing.T, plan *Plan, tasks []*Task, first int) {
	t.Helper()
	seen := make([]int, len(plan.Cells))
	for k, task := range tasks {
		if task.Number != first+k {
			t.Errorf("task %d has number %d", first+k, task.Number)
		}
		if len(task.Cells) == 0 {
			t.Errorf("task %d is empty", task.Number)
		}
		for _, c := range task.Cells {
			seen[c.Cell]++
			if cell := &plan.Cells[c.Cell]; cell.Dataset != task.Dataset || cell.Trial != task.Trial {
				t.Errorf("task %d of dataset %d, trial %d has a cell of %d, %d", task.Number, task.Dataset, task.Trial, cell.Dataset, cell.Trial)
			}
			if !(c.Seconds > 0) {
				t.Errorf("a cell is expected to take %v s", c.Seconds)
			}
		}
	}
	for i, n := range seen {
		if n != 1 {
			t.Errorf("cell %d is in %d tasks", i, n)
		}
	}
}

// checkBalance checks three things. No task of several cells exceeds the target. A task without its smallest cell
// is no longer than the shortest task of its trial. There are few more tasks than the total time needs.
func checkBalance(t *testing.T, plan *Plan, tasks []*Task, target time.Duration) {
	t.Helper()
	type trial struct{ dataset, trial int }
	of := map[trial][]*Task{}
	for _, task := range tasks {
		key := trial{task.Dataset, task.Trial}
		of[key] = append(of[key], task)
	}
	for key, group := range of {
		least, total := math.Inf(1), 0.0
		for _, task := range group {
			least, total = min(least, task.Seconds()), total+task.Seconds()
		}
		for _, task := range group {
			cheapest := math.Inf(1)
			for _, c := range task.Cells {
				cheapest = min(cheapest, c.Seconds)
			}
			if task.Seconds()-cheapest > least*(1+1e-9) {
				t.Errorf("trial %v: a task of %v s with a cell of %v s, beside one of %v s", key, task.Seconds(), cheapest, least)
			}
			if len(task.Cells) > 1 && task.Seconds() > target.Seconds()*(1+1e-6) {
				t.Errorf("trial %v: a task of %d cells takes %v s, target %v s", key, len(task.Cells), task.Seconds(), target.Seconds())
			}
		}
		if n := len(group); float64(n) > math.Ceil(total/target.Seconds()) && float64(n) > 2+2.1*total/target.Seconds() {
			t.Errorf("trial %v: %d tasks for %v s", key, n, total)
		}
	}
}

func TestEstimate(t *testing.T) {
	rates := Rates{Entry: 2, Edge: 3}
	for _, c := range []struct {
		method string
		search int
		want   float64
	}{
		{"l1-rda", 0, 10 * 2 * 5},
		{"graphda", 0, 10 * (2*5 + 18*3*7)},
		{"graphda", 2, 10 * (2*5 + 2*3*7)},
	} {
		m := must1(learners.Lookup(c.method))
		if got := rates.Seconds(learners.Settings{Method: m, Values: searching(m, c.search)}, 10, 5, 7); got != c.want {
			t.Errorf("%s, search %d: %v s, want %v", c.method, c.search, got, c.want)
		}
	}
}

func TestCalibrate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	r := Calibrate()
	if !(r.Entry > 1e-11 && r.Entry < 1e-5) || !(r.Edge > 1e-11 && r.Edge < 1e-4) {
		t.Errorf("rates %+v are of no machine", r)
	}
}

func TestMemoryClass(t *testing.T) {
	for _, c := range []struct {
		d    Dataset
		want int
	}{
		{Dataset{Rows: 100, Features: 16, Edges: 24}, 256},
		{Dataset{Rows: 1800, Features: 1089, Edges: 2112}, 256},
		{Dataset{Rows: 10_000, Features: 2000, Edges: 10_000}, 512},
		{Dataset{Rows: 10_000, Features: 18_000, Edges: 100_000}, 2048},
		{Dataset{Rows: 10_000, Features: 40_000, Edges: 100_000}, 4096},
	} {
		if got := memoryClass(&c.d, learners.Methods[0]); got != c.want {
			t.Errorf("%+v: %d MiB, want %d", c.d, got, c.want)
		}
		program := &learners.Method{Takes: learners.Takes{Memory: 9 << 30}}
		if got := memoryClass(&c.d, program); got != c.want+9<<10 {
			t.Errorf("%+v: %d MiB with a program of 9 GiB, want %d and the program's", c.d, got, c.want)
		}
	}
}

// Every cell goes to the shortest task so far. Ties go to the task with fewer cells, then to the first.
func TestScheduling(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		count := 1 + rng.IntN(20)
		cells := make([]TaskCell, 100)
		want, seconds := make([][]TaskCell, count), make([]float64, count)
		for cell := range cells {
			c := TaskCell{Cell: cell, Seconds: float64(rng.IntN(4))}
			cells[cell] = c
			least := 0
			for k := range seconds {
				if seconds[k] < seconds[least] || seconds[k] == seconds[least] && len(want[k]) < len(want[least]) {
					least = k
				}
			}
			want[least] = append(want[least], c)
			seconds[least] += c.Seconds
		}
		if got := schedule(cells, count, math.Inf(1)); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// Scheduling 200,000 cells of a trial takes about as long as sorting them.
func TestSchedulingManyCells(t *testing.T) {
	const n, count = 200_000, 4_000
	all := make([]TaskCell, n)
	for cell := range all {
		all[cell] = TaskCell{Cell: cell, Seconds: float64(n - cell)}
	}
	for _, cells := range schedule(all, count, math.Inf(1)) {
		if len(cells) < n/count/4 {
			t.Fatalf("a task of %d cells", len(cells))
		}
	}
}

// Most cells need a task of their own, so schedule tries many counts.
func TestPackingManyCells(t *testing.T) {
	cells := make([]TaskCell, 5000)
	for i := range cells {
		cells[i] = TaskCell{Cell: i, Seconds: 0.7 + 1e-6*float64(len(cells)-i)}
	}
	loads := schedule(cells, 3500, 1)
	if len(loads) != len(cells) {
		t.Errorf("%d tasks for %d cells that do not fit in twos", len(loads), len(cells))
	}
}
