package plan

import (
	"path/filepath"
	"strconv"

	"graphda/io/message"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// A Single is a single cell that does not belong to a plan.
type Single struct {
	ID          string
	Settings    learners.Settings
	Data        *TrialData
	Checkpoints []int
}

// NewSingle makes a cell on a trial of the dataset in a folder, with the checks of NewPlan. Without checkpoints, the
// cell has one checkpoint, after all training samples.
func NewSingle(dataset string, trial int, settings learners.Settings, loss string, checkpoints []int) (*Single, error) {
	if !experiment.AscendingFromOne(checkpoints) {
		return nil, userinput.Errorf("checkpoints %s, want ascending numbers of samples from 1",
			message.List(checkpoints))
	}
	dir, err := experiment.DatasetDir("", filepath.Clean(dataset))
	if err != nil {
		return nil, err
	}
	ds, err := samples.Open(dir)
	if err != nil {
		return nil, err
	}
	if _, err := chooseTrials(ds, []int{trial}); err != nil {
		return nil, err
	}
	data, err := LoadTrial(ds, trial, loss)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Experiment: &experiment.Experiment{Checkpoints: checkpoints}, Checkpoints: checkpoints}
	grid := methodGrid{method: settings.Method, values: [][]float64{settings.Values}}
	if err := plan.fits(data.Dataset, data, []methodGrid{grid}); err != nil {
		return nil, err
	}
	id := cellID(data.Digest, loss, strconv.Quote(settings.Method.Name), canonicalParams(settings.Method, settings.Values),
		trial)
	return &Single{ID: id, Settings: settings, Data: data, Checkpoints: plan.Checkpoints}, nil
}

// A Param is a parameter and its value, as the user typed them.
type Param struct{ Name, Value string }

// Settings looks up a method and parses its parameters. The error names all faults.
func Settings(method string, params []Param) (learners.Settings, error) {
	m, err := learners.Lookup(method)
	if err != nil {
		return learners.Settings{}, &userinput.Error{Err: err}
	}
	given := map[string]float64{}
	for _, set := range params {
		p, err := m.Param(set.Name)
		if err != nil {
			return learners.Settings{}, &userinput.Error{Err: err}
		}
		if _, twice := given[p.Name]; twice {
			return learners.Settings{}, userinput.Errorf("%s: %s is given twice", m.Name, p.Name)
		}
		if given[p.Name], err = p.Parse(set.Value); err != nil {
			return learners.Settings{}, &learners.ParamsError{Method: m.Name, Err: err}
		}
	}
	values, err := m.Fill(given)
	return learners.Settings{Method: m, Values: values}, err
}
