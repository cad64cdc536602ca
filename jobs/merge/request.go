package merge

import (
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
)

// A Request says which plan's rows to merge, and what the Grid must be able to answer.
type Request struct {
	Plan   *plan.Plan
	Rules  []selection.Rule   // for Summarize
	Own    int                // the first Own rules count in TrialRows.Decides
	Along  []Along            // for Slices
	Sweeps []experiment.Sweep // for Profiles
}

// An Along is a parameter on the horizontal axis of a report. The rules choose separately for each of its values.
type Along struct {
	Param       string
	Checkpoints []int // of the plan's, ascending
}
