package merge

import (
	"cmp"

	"graphda/io/results"
	"graphda/jobs/selection"
)

// A Cell is one planned cell.
type Cell struct {
	ID      string
	Dataset string
	Trial   int
	Method  string
	Variant string // of its Series
}

// A Series is what may be averaged over trials: the cells of a method on a dataset. An
// experiment that runs a method with several values of a setting that is not tuned, such as
// how a search is done, has a series for each of them.
type Series struct {
	Dataset string
	Method  string
	Variant string // the settings that tell it from the method's others, "search=warm"; mostly empty
}

// A Plan is what an experiment should have produced, and what its reports ask of it.
type Plan struct {
	Cells       []Cell             // in plan order; Stream has them in its batches
	Checkpoints []int              // of every cell, ascending
	Features    map[string]int     // the number of features p, by dataset; of its largest trial
	Trials      map[string][]Trial // what is known of the trials, by dataset
	Params      results.Layout     // names the rows' parameters
	Rules       []selection.Rule   // those that may be asked of Summarize
	Own         int                // the first of them are those that Placed.Decides knows
	Along       []Along            // what may be asked of Slices
	Sweeps      []Sweep            // what may be asked of Profiles

	// Bounds returns values beyond which a method's parameter has none on so many features; nil if
	// nothing is known of that. No parameter of words is asked about.
	Bounds func(method, param string, features int) (least, most float64)
}

// Along is a parameter that a grid is cut along.
type Along struct {
	Param       int   // an index of the plan's Params
	Checkpoints []int // at which the slices are wanted; of the plan's, ascending
}

// A Sweep asks how a measure of w depends on each hyperparameter, at a checkpoint of the plan's.
type Sweep struct {
	Measure    string // one of metrics.MeasureNames
	Checkpoint int
}

// A Trial is what is known of a trial of a dataset when its experiment was planned. A size
// that is not known is 0, and compared with nothing.
type Trial struct {
	Trial    int
	Train    int               // training samples
	Test     int               // test samples
	Features int               // p
	Edges    int               // of the graph
	Support  int               // features of the true support
	Metadata map[string]string // of its samples: the settings they were drawn with
	Pool     string            // tells trials that are splits of the same samples from others; "" if that is not known

	// The squared test errors of predicting 0, and the mean of the training targets up to each of
	// the plan's checkpoints; none if they are not known or labels are no targets.
	ZeroMSE float64
	MeanMSE []float64
}

// trialKey is the one key of the metadata in which trials drawn alike differ.
const trialKey = "trial"

// trial returns what is known of a trial; nothing, if the plan does not have it.
func (plan *Plan) trial(dataset string, trial int) Trial {
	for _, t := range plan.Trials[dataset] {
		if t.Trial == trial {
			return t
		}
	}
	return Trial{Trial: trial}
}

// featuresOf returns p of a trial.
func (plan *Plan) featuresOf(dataset string, trial int) int {
	return cmp.Or(plan.trial(dataset, trial).Features, plan.Features[dataset])
}
