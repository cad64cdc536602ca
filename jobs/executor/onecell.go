package executor

import (
	"context"

	"graphda/io/results"
	"graphda/jobs/plan"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// A CellRequest asks for one cell that belongs to no plan.
type CellRequest struct {
	Dataset     string
	Trial       int
	Method      string
	Params      []plan.Param // parameters with a default may be missing
	Loss        string
	Checkpoints []int // ascending; if empty, one checkpoint after all training samples

	// Learned, if not nil, is called with the features' names and the model at the last checkpoint.
	Learned func(names []string, m results.Model) error

	// Progress, if not nil, is called after every sample.
	Progress func(done, total int)
}

// RunCell runs one cell and returns a row for each checkpoint.
func RunCell(ctx context.Context, req CellRequest) ([]results.Row, error) {
	settings, err := plan.Settings(req.Method, req.Params)
	if err != nil {
		return nil, err
	}
	loss, err := learners.LookupLoss(req.Loss)
	if err != nil {
		return nil, &userinput.Error{Err: err}
	}
	single, err := plan.NewSingle(req.Dataset, req.Trial, settings, req.Loss, req.Checkpoints)
	if err != nil {
		return nil, err
	}
	cell := newCellRun(single.ID, settings, hostname(), "cell")
	w := newWorker(&trial{TrialData: single.Data}, loss)
	if req.Progress != nil {
		total := single.Checkpoints[len(single.Checkpoints)-1]
		w.progress = func(done int) { req.Progress(done, total) }
	}
	for _, err := range w.run(ctx, []*cellRun{cell}, single.Checkpoints) {
		if err != nil {
			return cell.rows, err
		}
	}
	if req.Learned == nil || cell.failed() {
		return cell.rows, nil
	}
	return cell.rows, req.Learned(single.Data.Features.Names, w.model(cell))
}
