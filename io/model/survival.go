package model

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"graphda/io/columnar"
	"graphda/io/dataframe"
)

// A Survival describes the times of a survival model. The model's scores are log hazard ratios.
type Survival struct {
	Time      string     `json:"time"`             // column of the times
	Event     string     `json:"event"`            // column of the events
	Is        string     `json:"is"`               // text in the column Event for a sample with an event
	Censored  string     `json:"censored"`         // text in the column Event for a censored sample; "" if unknown
	Strata    string     `json:"strata,omitempty"` // column of the strata; "" if there is one stratum
	Baselines []Baseline `json:"baselines"`        // baseline hazard of each stratum, for a Ridge score of 0
}

// A Baseline is a cox.Baseline as stored in a file.
type Baseline struct {
	Stratum string    `json:"stratum"`
	Times   []float64 `json:"times"`
	Hazard  []float64 `json:"hazard"`
	Last    float64   `json:"last"`
}

// Outcome converts the texts of a time and an event to an outcome of package cox.
func (s *Survival) Outcome(time, event string) (y float64, err error) {
	y, err = dataframe.Number(time)
	switch {
	case err != nil || !(y > 0):
		return 0, fmt.Errorf("is %q, want a time above 0", time)
	case event == s.Is:
		return y, nil
	case event == s.Censored && event != "":
		return -y, nil
	}
	return 0, fmt.Errorf("has event %q, want %q for an event or %q for a censored sample", event, s.Is, s.Censored)
}

// MissesEvent reports whether a text in the column of events means a missing value. "none" does not, because it may
// mean a censored sample.
func MissesEvent(text string) bool {
	return dataframe.IsMissing(text) && !strings.EqualFold(text, "none")
}

const survivalKey = "survival"

// tell stores s in the metadata. If s is nil, it does nothing.
func (s *Survival) tell(metadata map[string]string) error {
	if s == nil {
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil { // fails if a hazard is not finite
		return fmt.Errorf("model: survival: %w", err)
	}
	metadata[survivalKey] = string(text)
	return nil
}

func readSurvival(f *columnar.File) (*Survival, error) {
	text, told := f.Metadata[survivalKey]
	if !told {
		return nil, nil
	}
	s := &Survival{}
	if err := json.Unmarshal([]byte(text), s); err != nil {
		return nil, f.Bad("", "its metadata about survival cannot be read: %w", err)
	}
	strata := map[string]bool{}
	for _, b := range s.Baselines {
		if len(b.Times) != len(b.Hazard) || !slices.IsSorted(b.Times) || !slices.IsSorted(b.Hazard) ||
			slices.Min(append(b.Hazard, b.Last)) < 0 || slices.Max(append(b.Times, 0)) > b.Last || strata[b.Stratum] {
			return nil, f.Bad("", "its metadata have a wrong baseline of stratum %q: it does not ascend from 0, or the "+
				"stratum occurs twice", b.Stratum)
		}
		strata[b.Stratum] = true
	}
	if n := len(s.Baselines); n == 0 || n > 1 && s.Strata == "" {
		return nil, f.Bad("", "its metadata have %d baselines of survival, want one for each stratum", n)
	}
	return s, nil
}

// Baseline returns the baseline of a stratum, or nil if no training sample was in the stratum.
func (s *Survival) Baseline(stratum string) *Baseline {
	if s.Strata == "" {
		return &s.Baselines[0]
	}
	i := slices.IndexFunc(s.Baselines, func(b Baseline) bool { return b.Stratum == stratum })
	if i < 0 {
		return nil
	}
	return &s.Baselines[i]
}

// Last returns the latest time at which any sample was observed.
func (s *Survival) Last() (last float64) {
	for i := range s.Baselines {
		last = math.Max(last, s.Baselines[i].Last)
	}
	return last
}
