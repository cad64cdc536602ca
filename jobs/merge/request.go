package merge

import (
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
)

// A Request says which plan's rows to merge, and what the Grid must contain.
type Request struct {
	Plan   *plan.Plan
	Rules  []selection.Rule   // rules that Summarize accepts
	Own    int                // TrialRows.Decides considers only this many of the rules, the first ones
	Along  []Along            // parameters that Slices accepts
	Sweeps []experiment.Sweep // sweeps that Profiles accepts
}

// An Along is a parameter on the horizontal axis of a report. The rules choose separately for each of its values.
type Along struct {
	Param       string
	Checkpoints []int // some of the plan's checkpoints, ascending
}
