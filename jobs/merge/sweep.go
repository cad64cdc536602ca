package merge

import (
	"math"
	"slices"

	"graphda/jobs/metrics"
)

// A Profile tells how a measure depends on one hyperparameter of a series: what the cells that have a
// value of it reach with the other hyperparameters.
type Profile struct {
	Series
	Param  int       // an index of the plan's Params
	Values []float64 // of the grid; two at least, ascending

	// By value, over trials: of the cells with that value the best, by the measure itself, and the
	// median. Cells that failed, or for which the measure is not defined, do not count.
	Best, Median []Stat
}

// A swept is what a sweep has kept of the trials so far.
type swept struct {
	Sweep
	order  []Series
	scores map[Series]map[setTo]*reached
}

// A setTo is a hyperparameter, as an index of the plan's, and a value of it.
type setTo struct {
	param int
	value float64
}

// A reached is what the cells of one value have reached, by trial.
type reached struct{ best, median []float64 }

// add enters the cells of a series in a trial.
func (w *swept) add(plan *Plan, p *Placed, s Series, trial int, cells []int) {
	k, _ := slices.BinarySearch(plan.Checkpoints, w.Checkpoint)
	measure, features := metrics.MeasureOf(w.Measure), plan.featuresOf(s.Dataset, trial)
	scores := map[setTo][]float64{}
	for _, c := range cells {
		r := p.slots[c*len(plan.Checkpoints)+k]
		if r == nil || r.Failed() {
			continue
		}
		v := measure.Value(&r.W, features)
		for param, value := range r.Params {
			if !math.IsNaN(v) && !math.IsNaN(value) {
				at := setTo{param, value}
				scores[at] = append(scores[at], v)
			}
		}
	}
	if w.scores[s] == nil {
		w.order, w.scores[s] = append(w.order, s), map[setTo]*reached{}
	}
	for at, all := range scores {
		slices.Sort(all)
		of := w.scores[s][at]
		if of == nil {
			of = new(reached)
			w.scores[s][at] = of
		}
		best, n := all[0], len(all)
		if measure.Better > 0 {
			best = all[n-1]
		}
		of.best, of.median = append(of.best, best), append(of.median, (all[(n-1)/2]+all[n/2])/2)
	}
}
