package jobs

import (
	"context"
	"path/filepath"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/usage"
	"graphda/learners"
)

// A CellRequest asks for one cell outside any plan.
type CellRequest struct {
	Dataset     string // directory
	Trial       int
	Method      string
	Params      []Param // those without a default at least
	Loss        string
	Checkpoints []int // ascending; none: after all training samples

	// Learned, if not nil, is given what was learned at the last checkpoint, and the names of
	// the features.
	Learned func(names []string, m results.Model) error

	// Progress, if not nil, is told after every sample how many of how many are learned from.
	Progress func(done, total int)
}

// A Param is a parameter as a person gives it.
type Param struct{ Name, Value string }

// RunCell runs one cell and returns a row per checkpoint.
func RunCell(ctx context.Context, req CellRequest) ([]results.Row, error) {
	settings, err := Settings(req.Method, req.Params)
	if err != nil {
		return nil, err
	}
	loss, err := learners.LookupLoss(req.Loss)
	if err != nil {
		return nil, &usage.Error{Err: err}
	}
	if !experiment.AscendingFromOne(req.Checkpoints) {
		return nil, usage.Errorf("checkpoints %s, want ascending numbers of samples from 1",
			experiment.Numbers(req.Checkpoints))
	}
	dir, err := experiment.DatasetDir("", filepath.Clean(req.Dataset))
	if err != nil {
		return nil, err
	}
	ds, err := samples.Open(dir)
	if err != nil {
		return nil, err
	}
	if _, err := chooseTrials(ds, []int{req.Trial}); err != nil {
		return nil, err
	}
	data, err := loadTrial(ds, req.Trial, req.Loss)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Experiment: &experiment.Experiment{Checkpoints: req.Checkpoints}, Checkpoints: req.Checkpoints}
	grid := methodGrid{method: settings.Method, values: [][]float64{settings.Values}}
	if err := plan.fits(data.Dataset, data, []methodGrid{grid}); err != nil {
		return nil, err
	}
	id := cellID(data.Digest, req.Loss, settings.Method.Name, canonicalParams(settings.Method, settings.Values), req.Trial)
	cell, w := newCellRun(id, settings, hostname(), "cell"), newWorker(data, loss)
	if req.Progress != nil {
		total := plan.Checkpoints[len(plan.Checkpoints)-1]
		w.progress = func(done int) { req.Progress(done, total) }
	}
	for _, err := range w.run(ctx, []*cellRun{cell}, plan.Checkpoints) {
		if err != nil {
			return cell.rows, err
		}
	}
	if req.Learned == nil || cell.failed() {
		return cell.rows, nil
	}
	features, _, err := ds.LoadStructure(req.Trial)
	if err != nil {
		return cell.rows, err
	}
	return cell.rows, req.Learned(features.Names, w.model(cell))
}

// Settings looks up a method and reads its parameters; all faults are in one error.
func Settings(method string, params []Param) (learners.Settings, error) {
	m, err := learners.Lookup(method)
	if err != nil {
		return learners.Settings{}, &usage.Error{Err: err}
	}
	given := map[string]float64{}
	for _, set := range params {
		p, err := m.Param(set.Name)
		if err != nil {
			return learners.Settings{}, &usage.Error{Err: err}
		}
		if _, twice := given[p.Name]; twice {
			return learners.Settings{}, usage.Errorf("%s: %s is given twice", m.Name, p.Name)
		}
		if given[p.Name], err = p.Parse(set.Value); err != nil {
			return learners.Settings{}, &learners.ParamsError{Method: m.Name, Err: err}
		}
	}
	values, err := m.Fill(given)
	return learners.Settings{Method: m, Values: values}, err
}
