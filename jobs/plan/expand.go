package plan

import (
	"fmt"
	"slices"

	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/simulate"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// PlanOptions are the options of NewPlan.
type PlanOptions struct {
	Data   string // path of the folder that holds the datasets
	Trials []int  // numbers of the trials to plan; nil means the experiment's trials
	Force  bool   // let Create replace files that do not belong to a plan
}

// NewPlan expands an experiment into cells. It reads every trial, to refuse bad data and unsuitable parameters.
func NewPlan(e *experiment.Experiment, opt PlanOptions) (*Plan, error) {
	plan := &Plan{Version: seal.Version, Experiment: e, Checkpoints: slices.Clone(e.Checkpoints), force: opt.Force}
	grids, err := expandAll(e)
	if err != nil {
		return nil, err
	}
	for _, name := range e.Datasets {
		d, err := plan.addDataset(name, opt, grids)
		if err != nil {
			return nil, err
		}
		if err := plan.addNotes(name, grids); err != nil {
			return nil, err
		}
		if err := plan.addCells(name, d, grids); err != nil {
			return nil, err
		}
	}
	if len(plan.Cells) == 0 {
		return nil, userinput.Errorf("no cells: the experiment runs none of these methods on these datasets and trials")
	}
	return plan, plan.checkReports()
}

// Expand makes the cells of a plan that was read without its table of cells.
func (plan *Plan) Expand() error {
	grids, err := expandAll(plan.Experiment)
	for i, all := 0, plan.Datasets; i < len(all) && err == nil; i++ {
		plan.Datasets = all[:i+1]
		err = plan.addCells(plan.Experiment.Datasets[i], &all[i], grids)
	}
	return err
}

// addCells adds the cells of d, the last dataset. If several grids have a cell, it is added once.
func (plan *Plan) addCells(name string, d *Dataset, grids []methodGrid) error {
	seen := map[string]bool{} // ids of the current trial's cells
	for _, t := range d.Trials {
		clear(seen)
		for _, g := range grids {
			if !g.RunsOn(name, t.Trial) {
				continue
			}
			identity := g.Identity()
			for k, values := range g.values {
				id := cellID(t.Digest, plan.Experiment.Loss, identity, g.params[k], t.Trial)
				if seen[id] || g.left[name][k] != nil { // another grid has the cell, or the setting does not suit the dataset
					continue
				}
				if len(plan.Cells) == experiment.MaxCells {
					return userinput.Errorf("the experiment has more than %d cells in all its datasets, trials and grids",
						experiment.MaxCells)
				}
				seen[id] = true
				plan.Cells = append(plan.Cells, Cell{ID: id, Dataset: len(plan.Datasets) - 1, Trial: t.Trial, Method: g.method,
					Values: values})
			}
		}
	}
	return nil
}

// addDataset reads the trials of the named dataset and checks that every cell can run on them.
func (plan *Plan) addDataset(name string, opt PlanOptions, grids []methodGrid) (*Dataset, error) {
	dir, err := experiment.DatasetDir(opt.Data, name)
	if err != nil {
		return nil, err
	}
	ds, err := samples.Open(dir)
	if err != nil {
		return nil, err
	}
	trials, err := chooseTrials(ds, opt.Trials, plan.Experiment.Trials)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(plan.Datasets, func(o Dataset) bool { return o.Name == ds.Name }); i >= 0 {
		return nil, userinput.Errorf("two datasets have the name %s: %s and %s; rename one of the folders", ds.Name,
			plan.Datasets[i].Dir, dir)
	}
	d := Dataset{Name: ds.Name, Dir: dir}
	for _, k := range trials {
		data, err := LoadTrial(ds, k, plan.Experiment.Loss)
		if err != nil {
			return nil, err
		}
		if err := simulate.Current(data.drawnWith); err != nil {
			return nil, userinput.Errorf("%s, trial %d: %w", dir, k, err)
		}
		if err := plan.fits(name, data, grids); err != nil {
			return nil, fmt.Errorf("%s, trial %d: %w", ds.Name, k, err)
		}
		d.Features = max(d.Features, data.Problem.P)
		d.Edges = max(d.Edges, data.edges())
		d.Rows = max(d.Rows, data.Train.Rows()+data.Valid.Rows()+data.Test.Rows())
		same := func(t TrialSummary) bool { return t.Trial == k && t.Digest == data.Digest }
		for _, o := range plan.Datasets {
			if slices.ContainsFunc(o.Trials, same) {
				return nil, userinput.Errorf("datasets %s and %s have the same content in trial %d; leave one of them out", o.Name,
					ds.Name, k)
			}
		}
		t := TrialSummary{
			Trial: k, Digest: data.Digest, Train: data.Train.Rows(),
			Features: data.Problem.P, Edges: data.edges(), Support: len(data.Problem.Truth), Metadata: data.drawnWith,
			Test: data.Test.Rows(), Samples: data.sampleSet(),
		}
		t.ZeroMSE, t.MeanMSE = data.constantErrors(plan.Experiment.Loss, plan.Checkpoints)
		d.Trials = append(d.Trials, t)
	}
	if err := d.CheckTrials(); err != nil { // gdmerge would refuse to average these trials
		return nil, err
	}
	plan.Datasets = append(plan.Datasets, d)
	return &plan.Datasets[len(plan.Datasets)-1], nil
}

func chooseTrials(ds *samples.Dataset, wanted ...[]int) ([]int, error) {
	for _, trials := range wanted {
		for i, k := range trials {
			if err := ds.Need(k); err != nil {
				return nil, err
			}
			if slices.Contains(trials[:i], k) {
				return nil, userinput.Errorf("trial %d is given twice", k)
			}
		}
		if len(trials) > 0 {
			return trials, nil
		}
	}
	return ds.Trials, nil
}

// fits checks whether the checkpoints and all settings suit a trial of the dataset. If the experiment names no
// checkpoint, fits sets a checkpoint after all training samples.
func (plan *Plan) fits(dataset string, data *TrialData, grids []methodGrid) error {
	n := data.Train.Rows()
	if len(plan.Checkpoints) == 0 {
		plan.Checkpoints = []int{n}
	}
	last := plan.Checkpoints[len(plan.Checkpoints)-1]
	if last > n {
		return userinput.Errorf("checkpoint %d, want at most %d, the number of training samples", last, n)
	}
	if len(plan.Experiment.Checkpoints) == 0 && last != n {
		return userinput.Errorf("%d training samples, but other trials have %d; the experiment needs the key checkpoints", n,
			last)
	}
	for i := range grids {
		if g := &grids[i]; g.RunsOn(dataset, data.Trial.Trial) {
			if err := g.judge(dataset, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// addNotes adds a note to plan.Notes for each grid that loses inherited settings on the dataset.
func (plan *Plan) addNotes(dataset string, grids []methodGrid) error {
	for i := range grids {
		note, err := grids[i].note(dataset)
		if err != nil {
			return fmt.Errorf("%s: %w", dataset, err)
		}
		if note != "" {
			plan.Notes = append(plan.Notes, note)
		}
	}
	return nil
}

// A methodGrid is a method with all combinations of the values of its parameters.
type methodGrid struct {
	experiment.Grid
	method *learners.Method
	values [][]float64
	params []string // for each combination: its values as canonical JSON
	left   leftOut
}

func expandAll(e *experiment.Experiment) ([]methodGrid, error) {
	var grids []methodGrid
	for i := range e.Methods {
		m, err := e.Methods[i].Lookup()
		if err != nil {
			return nil, err
		}
		g := methodGrid{Grid: e.Methods[i], method: m, left: leftOut{}}
		err = e.Methods[i].Expand(func(values []float64) {
			g.values = append(g.values, slices.Clone(values))
			g.params = append(g.params, canonicalParams(m, values))
		})
		if err != nil {
			return nil, err
		}
		grids = append(grids, g)
	}
	return grids, nil
}

type leftOut map[string]map[int]error // by dataset, then index of the setting in methodGrid.values

// judge records inherited settings that do not suit a trial. If the setting is the experiment's own,
// it returns an error.
func (g *methodGrid) judge(dataset string, data *TrialData) error {
	for k, values := range g.values {
		err := g.method.Check(data.Problem, learners.Settings{Method: g.method, Values: values})
		switch {
		case err == nil:
			continue
		case g.Origin == experiment.Own:
			return err
		case g.left[dataset] == nil:
			g.left[dataset] = map[int]error{}
		}
		if g.left[dataset][k] == nil {
			g.left[dataset][k] = err
		}
	}
	return nil
}

// note says how many inherited settings are left out on the dataset, and why, or returns "". It returns an error if all
// settings are left out, although the experiment itself names the method.
func (g *methodGrid) note(dataset string) (string, error) {
	left := g.left[dataset]
	for k := range g.values { // returns at the first left-out setting
		if left[k] == nil {
			continue
		}
		if len(left) < len(g.values) {
			return fmt.Sprintf("%s: left out %d of %d settings: %v", dataset, len(left), len(g.values), left[k]), nil
		} else if g.Origin == experiment.TakenValues {
			return "", left[k]
		}
		return fmt.Sprintf("%s: left out method %s: %v", dataset, g.Method, left[k]), nil
	}
	return "", nil
}
