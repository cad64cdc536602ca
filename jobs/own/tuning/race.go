package tuning

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/jobs/own/choice"
	"graphda/jobs/own/learning"
	"graphda/jobs/stats"
)

const (
	clearly = 2 // by this many standard errors of the paired difference a setting is clearly worse
	soonest = 3 // number of splits after which the race may drop a setting
)

// race returns which of the running settings continue after the given number of splits. It compares each setting with
// the best setting, over the same splits. It drops a setting that is clearly worse, if it is also worse by more than
// the standard error of the best score: tuning chooses the most stable setting within this error. Once any setting can
// be chosen, race drops unfit settings too.
func (t *Tuner) race(tried []Tried, running []int, splits int) (on []int) {
	best := bestOf(slices.Concat(t.Answer.Tried, tried), func(s *Tried) (float64, bool) {
		able := len(s.valid) >= splits && s.selects() && !t.unfit(s.Setting, choice.MeanSize(s.supports[:splits]))
		return stat.Mean(s.valid[:min(splits, len(s.valid))], nil), able
	})
	for _, i := range running {
		if tried[i].Failed != "" {
			continue
		}
		if t.unraced || splits < soonest || best == nil {
			on = append(on, i)
			continue
		}
		if t.unfit(tried[i].Setting, choice.MeanSize(tried[i].supports)) {
			continue
		}
		worse := make([]float64, splits)
		for k := range worse {
			worse[k] = best.valid[k] - tried[i].valid[k]
		}
		within := stats.StandardError(stat.PopStdDev(best.valid[:splits], nil), splits, t.Answer.Overlap)
		by, std := stat.PopMeanStdDev(worse, nil)
		if by <= max(within, clearly*stats.StandardError(std, splits, t.Answer.Overlap)) {
			on = append(on, i)
		}
	}
	t.Crew.Total -= (len(running) - len(on)) * (len(t.Answer.Trials) - splits)
	return on
}

// tryOutrun tries the dropped settings on all splits, if no other setting can be chosen.
func (t *Tuner) tryOutrun(ctx context.Context) error {
	if len(t.eligible()) > 0 {
		return nil
	}
	outrun := func(s Tried) bool { return s.Failed == "" && s.Splits < len(t.Answer.Trials) }
	var again []learning.Setting
	for _, s := range t.Answer.Tried {
		if outrun(s) {
			again = append(again, s.Setting)
		}
	}
	t.unraced, t.Answer.Tried = true, slices.DeleteFunc(t.Answer.Tried, outrun)
	return t.try(ctx, again)
}
