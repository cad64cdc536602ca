package jobs

import (
	"math"
	"math/rand/v2"
	"time"

	"graphda/graph"
	"graphda/learners"
)

// Rates are what this machine takes for the two kinds of work of a cell, in CPU seconds.
type Rates struct {
	Entry float64 // a round's work for one feature
	Edge  float64 // a Steiner forest's work for one edge
}

// solvesPerSample is how many Steiner forests a graph method solves for a sample, by its
// search, as found on the benchmark: most are of tail searches that jump over their window.
var solvesPerSample = map[string]float64{"paper": 18, "warm": 6, "lazy": 2}

// Seconds estimates one pass of a method over the samples.
func (r Rates) Seconds(s learners.Settings, rows, features, edges int) float64 {
	perSample := r.Entry * float64(features)
	if s.Method.Needs&learners.NeedsGraph != 0 {
		perSample += solvesPerSample[s.Word("search")] * r.Edge * float64(edges)
	}
	return float64(rows) * perSample
}

// Calibrate measures this machine's rates in about a second.
func Calibrate() Rates {
	const side, rows = 33, 40
	g := graph.Grid(side, side)
	pr := &learners.Problem{P: side * side, Graph: g}
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float64, rows*pr.P)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	r := Rates{Entry: secondsPerSample(pr, x, "l1-rda", map[string]float64{"lambda": 0.01, "gamma": 10,
		"rho": 0}) / float64(pr.P)}
	perSample := secondsPerSample(pr, x, "graphda", map[string]float64{"gamma": 10, "s": 30})
	r.Edge = max(0, perSample-r.Entry*float64(pr.P)) / (solvesPerSample["paper"] * float64(g.NumEdges()))
	return r
}

// secondsPerSample returns the least seconds per sample of several passes within half a second.
func secondsPerSample(pr *learners.Problem, x []float64, method string, params map[string]float64) float64 {
	m, err := learners.Lookup(method)
	if err != nil {
		panic(err)
	}
	values, err := m.Fill(params)
	if err != nil {
		panic(err)
	}
	ws := learners.NewWorkspace(pr)
	least := math.Inf(1)
	for start := time.Now(); time.Since(start) < 500*time.Millisecond; {
		l, err := ws.NewLearner(learners.Settings{Method: m, Values: values}, learners.Logistic{})
		if err != nil {
			panic(err)
		}
		rows := len(x) / pr.P
		begin := time.Now()
		for i := range rows {
			if err := l.Learn(x[i*pr.P:(i+1)*pr.P], float64(1-i%2*2)); err != nil {
				panic(err)
			}
		}
		least = min(least, time.Since(begin).Seconds()/float64(rows))
	}
	return least
}

// memoryClass returns the memory, in MiB, that a task on the dataset asks for before one was measured: 30 % above
// its samples and graph, and 64 MiB, rounded up.
func memoryClass(d *Dataset) int {
	return RoundMemory(1.3*(float64(d.Rows)*float64(d.Features)*8+250*float64(d.Edges)) + 64<<20)
}

// RoundMemory rounds bytes up to a power of two, in MiB, and to 256 at least.
func RoundMemory(bytes float64) int {
	class := 256
	for float64(class)*(1<<20) < bytes {
		class *= 2
	}
	return class
}

// Estimates are what cells are expected to take: what was estimated when the run was
// planned, times what the finished cells of the same dataset and method took more.
type Estimates struct {
	plan    *Plan
	planned []float64
	factors map[methodOn]float64         // the cells of one cost about the same
	methods map[*learners.Method]float64 // over all datasets
}

// Seconds is the CPU time that a cell is expected to take.
func (e *Estimates) Seconds(cell int) float64 {
	c := &e.plan.Cells[cell]
	factor, ok := e.factors[c.methodOn()]
	if !ok {
		factor = ratio(e.methods[c.Method], 1, 1)
	}
	return e.planned[cell] * factor
}

// sampled is of how many tasks the rows are read to correct the estimates.
const sampled = 256

// Estimates measures what the cells that are done have taken, on a sample of the tasks.
func (r *Run) Estimates(s *Stock) (*Estimates, error) {
	e := &Estimates{plan: r.Plan, planned: s.planned, factors: map[methodOn]float64{},
		methods: map[*learners.Method]float64{}}
	var with []*Task
	for i, t := range r.Tasks {
		if s.Sealed[i] || s.Begun[i] {
			with = append(with, t)
		}
	}
	type sum struct{ measured, planned float64 }
	on, all := map[methodOn]sum{}, map[*learners.Method]sum{}
	for k := range min(sampled, len(with)) {
		t := with[k*len(with)/min(sampled, len(with))]
		rows, err := r.readTask(t, Layout())
		if err != nil {
			return nil, err
		}
		took := map[int]float64{}
		for _, m := range r.marksOf(t, rows) {
			if s.State[m.cell] == StateDone && !m.failed {
				took[int(m.cell)] = max(took[int(m.cell)], float64(m.seconds))
			}
		}
		for _, c := range t.Cells {
			if seconds, ok := took[c.Cell]; ok {
				key := r.Plan.Cells[c.Cell].methodOn()
				one, every := on[key], all[key.method]
				on[key] = sum{one.measured + seconds, one.planned + s.planned[c.Cell]}
				all[key.method] = sum{every.measured + seconds, every.planned + s.planned[c.Cell]}
			}
		}
	}
	for key, v := range on {
		e.factors[key] = ratio(v.measured, v.planned, 1)
	}
	for method, v := range all {
		e.methods[method] = ratio(v.measured, v.planned, 1)
	}
	return e, nil
}

// ratio is a/b where that is a positive number, else otherwise.
func ratio(a, b, otherwise float64) float64 {
	if r := a / b; r > 0 && !math.IsInf(r, 1) {
		return r
	}
	return otherwise
}
