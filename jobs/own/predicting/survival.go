package predicting

import (
	"fmt"
	"math"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/table"
	"graphda/jobs/userinput"
	"graphda/learners/cox"
)

// survival computes the probability of no event until the times in at.
type survival struct {
	*model.Survival
	at []float64

	beyond  map[float64]int // by time: number of samples whose stratum was not observed for so long
	strange []string        // strata that no training sample had
}

func newSurvival(m *model.Model, req *Request, weights string) (survival, error) {
	s := survival{m.Survival, req.At, map[float64]int{}, nil}
	switch {
	case req.At == nil:
	case m.Survival == nil:
		return s, userinput.Errorf("at: %s is not a model of times (gdrun import --task survival); leave the flag out",
			req.Model)
	case weights != model.Ridge:
		return s, userinput.Errorf("at: survival is known only for --weights %s, not for %s", model.Ridge, weights)
	}
	for i, time := range req.At {
		if !(time > 0) || math.IsInf(time, 0) || slices.Contains(req.At[:i], time) {
			return s, userinput.Errorf("at = %v, want different times above 0", req.At)
		}
	}
	return s, nil
}

// column returns a list with the name of the column of strata, or nil if survival needs no strata.
func (s *survival) column() []string {
	if len(s.at) > 0 && s.Strata != "" {
		return []string{s.Strata}
	}
	return nil
}

// of returns the survival at each time for a sample with the given score. With strata, the last of
// words is the stratum.
func (s *survival) of(score float64, words []string) (all []float64) {
	b := &s.Baselines[0]
	if s.Strata != "" {
		stratum := words[len(words)-1]
		if b = s.Baseline(stratum); b == nil {
			s.strange = append(s.strange, stratum)
		}
	}
	for _, time := range s.at {
		p := math.NaN()
		if b != nil {
			if p = (*cox.Baseline)(b).Survival(score, time); time > b.Last {
				s.beyond[time]++
			}
		}
		all = append(all, p)
	}
	return all
}

func (s *survival) notes() (notes []string) {
	if len(s.at) == 0 {
		return nil
	}
	first := math.Inf(1) // time of the first event
	for _, b := range s.Baselines {
		for _, time := range b.Times {
			first = min(first, time)
		}
	}
	for _, time := range s.at {
		if time < first {
			notes = append(notes, fmt.Sprintf("survival at %s is 1: the first event of a training sample was at %s; is %[1]s "+
				"in the unit of the column %[3]q?", table.Shortest(time), table.Shortest(first), message.Text(s.Time)))
		}
		if n := s.beyond[time]; n > 0 {
			of := ""
			if s.Strata != "" {
				of = fmt.Sprintf(" of their %q", message.Text(s.Strata))
			}
			notes = append(notes, fmt.Sprintf("survival at %s is not known for %s: no training sample%s was observed that "+
				"long; the last was observed until %s", table.Shortest(time), message.Count(n, "sample"), of,
				table.Shortest(s.Last())))
		}
	}
	if n := len(s.strange); n > 0 {
		slices.Sort(s.strange)
		notes = append(notes, fmt.Sprintf("survival is not known for %s: no training sample has their %q: %s",
			message.Count(n, "sample"), message.Text(s.Strata), dataframe.Some(slices.Compact(s.strange))))
	}
	return notes
}
