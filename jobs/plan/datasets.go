package plan

import (
	"cmp"
	"math"
	"strconv"

	"graphda/io/samples"
)

// A Dataset describes a dataset at the time when the plan was made.
type Dataset struct {
	Name     string         `json:"name"`
	Dir      string         `json:"dir"`      // absolute path
	Features int            `json:"features"` // number of features of the largest trial
	Edges    int            `json:"edges"`    // number of edges of the largest trial
	Rows     int            `json:"rows"`     // number of samples of the largest trial, in all splits
	Trials   []TrialSummary `json:"trials"`
}

// A TrialSummary describes a trial at the time when the plan was made.
type TrialSummary struct {
	Trial    int               `json:"trial"`
	Digest   string            `json:"digest"`
	Train    int               `json:"train"`
	Features int               `json:"features,omitempty"`
	Edges    int               `json:"edges,omitempty"`
	Support  int               `json:"support,omitempty"`  // number of true features; 0 if unknown
	Metadata map[string]string `json:"metadata,omitempty"` // see drawnWith
	Test     int               `json:"test,omitempty"`
	Samples  string            `json:"samples,omitempty"` // see sampleSet

	// For numbers, these are mean squared test errors of constant predictions.
	ZeroMSE float64   `json:"zero_mse,omitempty"` // of predicting 0
	MeanMSE []float64 `json:"mean_mse,omitempty"` // by checkpoint: of predicting the mean of the learned targets
}

// pool returns a text that identifies the samples that the trial splits, or "" if they are unknown.
func (t *TrialSummary) pool() string {
	if samples.SameSamples(t.Metadata) {
		return "samples of the dataset" // trials may scale these samples differently
	}
	return t.Samples
}

// Trial returns the plan's entry for trial k.
func (d *Dataset) Trial(k int) *TrialSummary {
	for i := range d.Trials {
		if d.Trials[i].Trial == k {
			return &d.Trials[i]
		}
	}
	panic("plan: " + d.Name + " has no planned trial " + strconv.Itoa(k))
}

// FeaturesOf returns the number of features of the given trial.
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

// Overlap measures how much trials share samples. It is 0 if every trial has its own samples. If trials split the same
// samples, it is the largest ratio of test to training samples in a trial, or NaN if a size is unknown.
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
			overlap = math.Max(overlap, float64(t.Test)/float64(t.Train)) // NaN stays NaN
		}
	}
	if !shared {
		return 0
	}
	return overlap
}
