package experiment

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/learners"
)

func param(t *testing.T, method, name string) *learners.Param {
	t.Helper()
	m, err := learners.Lookup(method)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Param(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestBeyond(t *testing.T) {
	gamma, lambda, s, omega := param(t, "graphda", "gamma"), param(t, "l1-rda", "lambda"), param(t, "graphda", "s"),
		param(t, "graphda", "keep")
	for _, test := range []struct {
		p          *learners.Param
		values     []float64
		down, want []float64
	}{
		// The grids of the paper: decades of 1, 5 and of 1, 3, 5; steps of 5 with more values between.
		{gamma, []float64{1, 5, 10, 50, 100, 500, 1000}, []float64{0.5, 0.1}, []float64{5000, 10000}},
		{lambda, []float64{0.0001, 0.0005, 0.001, 0.1, 0.3, 0.5, 1, 3, 5, 10}, []float64{5e-05, 1e-05}, []float64{30, 50}},
		{gamma, []float64{0.01, 0.1, 1}, []float64{0.001, 0.0001}, []float64{10, 100}},
		{s, []float64{20, 25, 26, 30, 35, 40, 45}, []float64{16, 13}, []float64{50, 55}},
		{s, []float64{10, 15, 20, 100, 115, 130}, []float64{5, 3}, []float64{145, 152}}, // 152 features
		{s, []float64{2, 3, 4}, []float64{1}, []float64{5, 6}},
		{s, []float64{1, 150, 152}, nil, nil},
		{gamma, []float64{5, 10, 20}, []float64{2.5, 1.25}, []float64{40, 80}},
		{gamma, []float64{10, 20, 30}, []float64{5, 2.5}, []float64{40, 50}}, // never 0
		{lambda, []float64{0.1, 0.2, 0.3}, []float64{0}, []float64{0.4, 0.5}},
		{omega, []float64{0.9, 0.95, 0.99}, []float64{0.853, 0.808}, nil}, // c is below 1
	} {
		if got := Beyond(test.values, false, 2, test.p, 152); !slices.Equal(got, test.down) {
			t.Errorf("%s below %v: %v, want %v", test.p.Name, test.values, got, test.down)
		}
		if got := Beyond(test.values, true, 2, test.p, 152); !slices.Equal(got, test.want) {
			t.Errorf("%s above %v: %v, want %v", test.p.Name, test.values, got, test.want)
		}
	}
}

// Of any grid of any parameter, what is proposed is allowed, beyond the edge, ever further, and
// at most as many as asked for.
func TestBeyondIsBeyond(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const features = 50
	for range 2000 {
		m := learners.Methods[rng.IntN(len(learners.Methods))]
		p := &m.Params[rng.IntN(len(m.Params))]
		if p.Words != nil {
			continue
		}
		var values []float64
		for range 1 + rng.IntN(6) {
			v := math.Pow(10, 6*rng.Float64()-3)
			if p.Integer {
				v = float64(1 + rng.IntN(features))
			}
			if p.Check(v) == nil {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		if values = slices.Compact(values); len(values) == 0 {
			continue
		}
		_, most := p.Bounds(features)
		for _, largest := range []bool{false, true} {
			last, found := values[0], Beyond(values, largest, 3, p, features)
			if largest {
				last = values[len(values)-1]
			}
			for _, v := range found {
				if err := p.Check(v); err != nil || v > most || largest != (v > last) || v == last {
					t.Errorf("%s of %s: %v follows on %v (%v): %v", p.Name, m.Name, v, last, values, err)
				}
				last = v
			}
			if len(found) > 3 {
				t.Errorf("%v, want 3", found)
			}
		}
	}
}
