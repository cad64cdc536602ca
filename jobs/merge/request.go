package merge

import (
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
)

// A Request says which plan's rows to merge, and what reports will ask of the Grid.
type Request struct {
	Plan   *plan.Plan
	Rules  []selection.Rule   // that Summarize may be asked for
	Own    int                // the number of rules, from the first, whose choices TrialRows.Decides tells
	Along  []Along            // that Slices may be asked for
	Sweeps []experiment.Sweep // that Profiles may be asked for
}

// Along names a parameter that reports are drawn over. The rules choose anew for each of its values.
type Along struct {
	Param       string
	Checkpoints []int // of the plan's, ascending
}
