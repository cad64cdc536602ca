package tuning

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/learners"
)

// What is true is kept, and the network that connects it helps; on one worker as on four.
func TestConfidence(t *testing.T) {
	dir := dataset(t, jobstest.Spec{Trials: 2})
	req := ConfidenceRequest{Dataset: dir, False: 1, F: 3, S: 6, Trial: 1}
	var found [2]*Confidence
	for i, workers := range []int{1, 4} {
		var err error
		req.Workers = workers
		found[i], err = FindConfidence(context.Background(), req)
		must(t, err)
	}
	if !reflect.DeepEqual(found[0], found[1]) {
		t.Errorf("one worker: %+v, four: %+v", found[0], found[1])
	}
	c := found[0]
	right := 0
	for _, f := range c.Features {
		if f.Kept && f.True && f.Component == 1 && f.Frequency > 0.8 && f.Mean > 0 {
			right++
		}
	}
	if right != 4 || c.NetworkP > 0.25 || c.Samples != 240 || c.Draws != 5 {
		t.Errorf("%d of 4 true features are right, p = %v, %d samples, %d draws: %+v", right, c.NetworkP, c.Samples, c.Draws,
			c.Features)
	}
	if lead := c.Lead(); !strings.Contains(lead, "at most 2 are expected to be false") {
		t.Error(lead)
	}
	var b strings.Builder
	must(t, c.Table().Write(&b, "text"))
}

// Without a signal the expected number of false features is at most v: over 40 draws of noise, two and
// a half standard errors above it at most. A permuted feature is as good as its decoy by construction.
func TestConfidenceOfNoise(t *testing.T) {
	const draws, v = 40, 1
	total := 0
	for seed := range uint64(draws) {
		sp := noise(seed)
		twins, err := newTwins(rand.New(rand.NewPCG(seed, 7)), sp)
		must(t, err)
		f := &finder{tuner: &tuner{answer: &Answer{Dataset: "noise"}, p: sp.problem.P}, whole: sp,
			found: &Confidence{Setting: Setting{Method: must1(learners.Lookup("graphda")), F: 3, S: 8}, Passes: 1}}
		learned, err := f.learnHalves(context.Background(), f.halves(rand.New(rand.NewPCG(seed, 8)), decoyPairs),
			twins.problem, twins.fill)
		must(t, err)
		total += len(keepUntil(twins.contrasts(learned), v))
	}
	if mean := float64(total) / draws; mean > v+2.5*math.Sqrt(2.0*v/draws) { // the variance is that of a negative binomial
		t.Errorf("%.2f false features a draw, want at most %d in expectation", mean, v)
	}
}

// noise is 60 samples of 25 features on a grid, whose labels say nothing of them.
func noise(seed uint64) *split {
	const n, side = 60, 5
	rng := rand.New(rand.NewPCG(seed, 6))
	sp := &split{problem: &learners.Problem{P: side * side, Graph: graph.Grid(side, side)}, loss: learners.Logistic{}, scale: 1}
	sp.train = samples.Block{P: side * side}
	for i := range n {
		sp.train.Y = append(sp.train.Y, float64(1-2*(i%2)))
		for range side * side {
			sp.train.X = append(sp.train.X, rng.NormFloat64())
		}
	}
	sp.measure()
	return sp
}

// Each feature and its decoy have the same values and the same neighbours.
func TestTwins(t *testing.T) {
	sp := noise(1)
	twins, err := newTwins(rand.New(rand.NewPCG(1, 2)), sp)
	must(t, err)
	p, n := sp.problem.P, sp.train.Rows()
	if g := twins.problem.Graph; g.NumNodes() != 2*p || g.NumEdges() != 4*sp.problem.Graph.NumEdges() {
		t.Errorf("%d nodes, %d edges", g.NumNodes(), g.NumEdges())
	}
	columns := make([][]float64, 2*p)
	row := make([]float64, 2*p)
	for i := range n {
		twins.fill(row, i)
		for k, v := range row {
			columns[k] = append(columns[k], v)
		}
	}
	swapped := 0
	for j, at := range twins.real {
		var own []float64
		for i := range n {
			own = append(own, sp.train.Row(i)[j])
		}
		if !slices.Equal(columns[at], own) || slices.Equal(columns[at^1], own) {
			t.Errorf("feature %d is not where it should be", j)
		}
		if !slices.Equal(slices.Sorted(slices.Values(columns[at^1])), slices.Sorted(slices.Values(own))) {
			t.Errorf("the decoy of feature %d has other values", j)
		}
		swapped += at % 2
		neighbours := [2][]int32{}
		for k := range neighbours {
			for _, arc := range twins.problem.Graph.Arcs(int32(2*j + k)) {
				neighbours[k] = append(neighbours[k], arc.Node)
			}
			slices.Sort(neighbours[k])
		}
		if !slices.Equal(neighbours[0], neighbours[1]) {
			t.Errorf("feature %d and its decoy have the neighbours %v", j, neighbours)
		}
	}
	if swapped == 0 || swapped == p {
		t.Errorf("%d of %d coins are heads", swapped, p)
	}
}

func TestKeep(t *testing.T) {
	w := []float64{5, -4, 3, 2, -2, 1, 0, -0.5}
	for v, want := range map[int][]int{1: {0}, 2: {0, 2}, 3: {0, 2, 3, 5}, 4: {0, 2, 3, 5}} {
		if got := keepUntil(w, v); !slices.Equal(got, want) {
			t.Errorf("v = %d keeps %v, want %v", v, got, want)
		}
	}
	many := []float64{9, 8, 7, 6, -5, 4, 3, -2}
	for q, want := range map[float64][]int{0.2: nil, 0.25: {0, 1, 2, 3}, 0.34: {0, 1, 2, 3, 5, 6}} {
		if got := keepShare(many, q); !slices.Equal(got, want) {
			t.Errorf("q = %v keeps %v, want %v", q, got, want)
		}
	}
}

// Halves are complementary and have half of each class.
func TestHalves(t *testing.T) {
	sp := noise(3)
	f := &finder{whole: sp}
	halves := f.halves(rand.New(rand.NewPCG(1, 1)), 3)
	for k := 0; k < len(halves); k += 2 {
		all := slices.Sorted(slices.Values(slices.Concat(halves[k], halves[k+1])))
		for i, j := range all {
			if i != j || len(all) != 60 {
				t.Fatalf("halves %v", all)
			}
		}
		for _, half := range halves[k : k+2] {
			sum := 0.0
			for _, i := range half {
				sum += sp.train.Y[i]
			}
			if len(half) != 30 || sum != 0 {
				t.Errorf("a half of %d samples, labels sum to %v", len(half), sum)
			}
		}
	}
}

func TestConfidenceRefuses(t *testing.T) {
	dir := dataset(t, jobstest.Spec{})
	for want, req := range map[string]ConfidenceRequest{
		"want either":          {},
		"want a share":         {FDR: 1},
		"draws = 2":            {FDR: 0.1, Draws: 2},
		"want at most the num": {False: 1, F: 3, S: 37},
		"trial = 9":            {False: 1, Trial: 9},
	} {
		req.Dataset = dir
		if _, err := FindConfidence(context.Background(), req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", req, err, want)
		}
	}
}
