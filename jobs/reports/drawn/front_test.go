package drawn

import (
	"math"
	"slices"
	"testing"

	"graphda/jobs/merge"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/learners"
)

// The front are the methods that none beats in both, but for those that know the truth; as a line it
// is level until the next one.
func TestFront(t *testing.T) {
	adam, err := learners.Lookup("adam")
	must(t, err)
	oracle, err := learners.Lookup("best-subset")
	must(t, err)
	at := func(m *learners.Method, seconds, score float64) costed {
		return costed{Series: source.Series{Method: m}, seconds: []float64{seconds}, score: merge.Stat{Mean: score}}
	}
	for _, c := range []struct {
		better int
		found  []costed
		points []figures.Point
	}{
		{+1, []costed{at(adam, 1, 0.5), at(adam, 2, 0.4), at(oracle, 3, 0.9), at(adam, 4, 0.5), at(adam, 5, 0.7)},
			[]figures.Point{{X: 1, Y: 0.5}, {X: 5, Y: 0.5}, {X: 5, Y: 0.7}}},
		{-1, []costed{at(adam, 1, 0.5), at(adam, 1, 0.6), at(adam, 2, 0.4), at(adam, 3, math.NaN()), at(adam, 5, 0.7)},
			[]figures.Point{{X: 1, Y: 0.5}, {X: 2, Y: 0.5}, {X: 2, Y: 0.4}}},
		{+1, nil, nil},
	} {
		markFront(c.found, c.better)
		if l := front(c.found); !slices.Equal(l.Points, c.points) {
			t.Errorf("front %v; want %v", l.Points, c.points)
		}
	}
}
