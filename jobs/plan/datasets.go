package plan

import (
	"cmp"
	"math"
	"strconv"

	"graphda/io/samples"
)

// A Dataset is a dataset as it was when the plan was made.
type Dataset struct {
	Name     string         `json:"name"`
	Dir      string         `json:"dir"`      // absolute
	Features int            `json:"features"` // p, of its largest trial
	Edges    int            `json:"edges"`    // m, likewise
	Rows     int            `json:"rows"`     // samples of all splits, likewise
	Trials   []TrialSummary `json:"trials"`
}

// A TrialSummary is one trial's content as it was when the plan was made.
type TrialSummary struct {
	Trial    int               `json:"trial"`
	Digest   string            `json:"digest"`
	Train    int               `json:"train"`              // training samples
	Features int               `json:"features,omitempty"` // p
	Edges    int               `json:"edges,omitempty"`    // m
	Support  int               `json:"support,omitempty"`  // features of the true support, 0 if it is unknown
	Metadata map[string]string `json:"metadata,omitempty"` // of its samples; see drawnWith
	Test     int               `json:"test,omitempty"`     // test samples
	Samples  string            `json:"samples,omitempty"`  // see sampleSet

	// The test errors of constants, under a loss of which the squared error is a measure.
	ZeroMSE float64   `json:"zero_mse,omitempty"` // of 0
	MeanMSE []float64 `json:"mean_mse,omitempty"` // by checkpoint: of the mean of the training targets so far
}

// pool names the samples that the trial is a split of; "" if that is not known.
func (t *TrialSummary) pool() string {
	if samples.SameSamples(t.Metadata) {
		return "those of its dataset" // however they were scaled
	}
	return t.Samples
}

// Trial returns the plan's entry for a trial of a dataset.
func (d *Dataset) Trial(k int) *TrialSummary {
	for i := range d.Trials {
		if d.Trials[i].Trial == k {
			return &d.Trials[i]
		}
	}
	panic("plan: " + d.Name + " has no planned trial " + strconv.Itoa(k))
}

// FeaturesOf returns the number of features of a trial.
func (d *Dataset) FeaturesOf(trial int) int { return cmp.Or(d.Trial(trial).Features, d.Features) }

// CheckTrials refuses a dataset whose trials were drawn with different settings.
func (d *Dataset) CheckTrials() error {
	var trials []int
	var metadata []map[string]string
	for i := range d.Trials {
		trials, metadata = append(trials, d.Trials[i].Trial), append(metadata, d.Trials[i].Metadata)
	}
	return samples.CheckAlike(d.Name, trials, metadata)
}

// Overlap tells how far the trials are from independent. It is 0 if each trial has samples of its own. If any two
// trials are splits of the same samples, it is the number of test samples for one training sample, the largest of all
// trials; NaN if that is not known.
func (d *Dataset) Overlap() float64 {
	pools, shared, overlap := map[string]bool{}, false, 0.0
	for i := range d.Trials {
		t := &d.Trials[i]
		pool := t.pool()
		shared = shared || pool != "" && pools[pool]
		pools[pool] = true
		if t.Train == 0 || t.Test == 0 {
			overlap = math.NaN()
		} else {
			overlap = math.Max(overlap, float64(t.Test)/float64(t.Train)) // NaN stays
		}
	}
	if !shared {
		return 0
	}
	return overlap
}
