package learners_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/learners"
)

// A connector acts like a feature of zeros, but is not a feature. Weights are the same, bit for bit, with every search.
func TestConnectorsAreFeaturesOfZeros(t *testing.T) {
	const side, connectors = 6, 10
	p := side*side - connectors
	rng := rand.New(rand.NewPCG(3, 4))
	grid := graph.Grid(side, side)
	place := rng.Perm(side * side) // the last ones are connectors
	edges := slices.Clone(grid.Edges())
	for i, e := range edges {
		edges[i] = graph.Edge{U: int32(place[e.U]), V: int32(place[e.V])}
	}
	g, err := graph.New(side*side, edges, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"graphda", "graphstoiht"} {
		for _, search := range []string{"paper", "warm", "lazy"} {
			method, err := learners.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			given := map[string]float64{"gamma": 5, "eta": 0.1, "s": 8, "cut": 1.5}
			for key, text := range map[string]string{"search": search, "head": "each"} {
				param, err := method.Param(key)
				if err != nil {
					t.Fatal(err)
				}
				if given[key], err = param.Parse(text); err != nil {
					t.Fatal(err)
				}
			}
			for key := range given {
				if _, err := method.Param(key); err != nil {
					delete(given, key)
				}
			}
			values, err := method.Fill(given)
			if err != nil {
				t.Fatal(err)
			}
			var learned [2]*learners.Learner
			for k, features := range []int{p, side * side} {
				ws := learners.NewWorkspace(&learners.Problem{P: features, Graph: g})
				learned[k], err = ws.NewLearner(learners.Settings{Method: method, Values: values}, learners.Logistic{})
				if err != nil {
					t.Fatal(err)
				}
			}
			selected := 0
			for i := range 60 {
				y := float64(2*(i%2) - 1)
				x := make([]float64, side*side)
				for j := range p {
					if x[j] = rng.NormFloat64(); j < 6 {
						x[j] += y
					}
				}
				if err := learned[0].Learn(x[:p], y); err != nil {
					t.Fatal(err)
				}
				if err := learned[1].Learn(x, y); err != nil {
					t.Fatal(err)
				}
				a, b := learned[0].Model(), learned[1].Model()
				if len(a.W) != p || !slices.Equal(a.W, b.W[:p]) || slices.ContainsFunc(b.W[p:], func(w float64) bool { return w != 0 }) {
					t.Fatalf("%s, %s, sample %d: %v, want %v", name, search, i, a.W, b.W)
				}
				for _, w := range a.W {
					if w != 0 {
						selected++
					}
				}
			}
			if selected == 0 {
				t.Errorf("%s, %s: nothing was selected", name, search)
			}
		}
	}
}
