package merge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"graphda/jobs/experiment"
	"graphda/jobs/metrics"
)

// A Profile shows how a measure depends on one hyperparameter of a series.
type Profile struct {
	Series
	Param  string
	Values []float64 // values in the grid, at least two, ascending

	// For each value, Best and Median average the best and the median result of the cells with this value over the
	// trials. They ignore failed cells and cells without the measure.
	Best, Median []Stat
}

// A profile collects the results of one sweep for one series.
type profile struct {
	experiment.Sweep
	at map[setting]*bestAndMedian
}

// A setting is a value of a parameter. `param` is the index of the parameter in the method.
type setting struct {
	param int
	value float64
}

// A bestAndMedian has the best and the median result of the cells with a setting, for each trial.
type bestAndMedian struct{ best, median []float64 }

func newProfiles(sweeps []experiment.Sweep) (all []profile) {
	for _, s := range sweeps {
		all = append(all, profile{s, map[setting]*bestAndMedian{}})
	}
	return all
}

func (p *profile) add(g *Grid, t *TrialRows, cells []int, k int) {
	measure, first := metrics.MeasureOf(p.Measure), t.Cells[0]
	features := g.request.Plan.Dataset(first).FeaturesOf(first.Trial)
	scores := map[setting][]float64{}
	for _, c := range cells {
		r := t.at[c*len(g.checkpoints)+k]
		if r == nil || r.Failed() {
			continue
		}
		if score := measure.Value(&r.W, features); score == score {
			for param, value := range t.Cells[c].Values {
				s := setting{param, value}
				scores[s] = append(scores[s], score)
			}
		}
	}
	for s, all := range scores {
		slices.Sort(all)
		at := p.at[s]
		if at == nil {
			at = new(bestAndMedian)
			p.at[s] = at
		}
		best, n := all[0], len(all)
		if measure.Better > 0 {
			best = all[n-1]
		}
		at.best, at.median = append(at.best, best), append(at.median, (all[(n-1)/2]+all[n/2])/2)
	}
}

// Profiles returns a sweep's profiles in plan order: one for each series and each numeric hyperparameter that varies.
// It panics if the sweep is not in the request.
func (g *Grid) Profiles(asked experiment.Sweep) []Profile {
	i := slices.Index(g.request.Sweeps, asked)
	if i < 0 {
		panic(fmt.Sprintf("merge: the rows were not collected for sweep %+v", asked))
	}
	var profiles []Profile
	for _, s := range g.series {
		scores, last := s.profiles[i].at, -1
		for _, at := range slices.SortedFunc(maps.Keys(scores), func(a, b setting) int {
			return cmp.Or(cmp.Compare(a.param, b.param), cmp.Compare(a.value, b.value))
		}) {
			param := &s.method.Params[at.param]
			if param.Words != nil {
				continue
			}
			if at.param != last {
				profiles, last = append(profiles, Profile{Series: s.Series, Param: param.Name}), at.param
			}
			p := &profiles[len(profiles)-1]
			p.Values = append(p.Values, at.value)
			p.Best, p.Median = append(p.Best, statOf(scores[at].best)), append(p.Median, statOf(scores[at].median))
		}
	}
	return slices.DeleteFunc(profiles, func(p Profile) bool { return len(p.Values) < 2 })
}
