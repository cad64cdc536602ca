package run

import (
	"cmp"
	"slices"
	"sync"

	"graphda/io/results"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
)

// Collect reads the results trial by trial, and collects the rows that the rules choose. It passes all rows in plan
// order to the functions in uses, which must not keep them.
func (r *Run) Collect(uses ...merge.Use) (*merge.Grid, error) {
	request := merge.Request{Plan: r.Plan, Along: along(r.Plan), Sweeps: sweeps(r.Plan)}
	for _, name := range selection.Names() {
		rule, err := r.Plan.Experiment.Rule(name)
		switch {
		case err != nil: // skip a rule that does not suit the experiment
		case slices.Contains(r.Plan.Experiment.Selection, name) || name == selection.Paper:
			request.Rules, request.Own = slices.Insert(request.Rules, request.Own, rule), request.Own+1
		default:
			request.Rules = append(request.Rules, rule)
		}
	}
	if r.chosen != nil { // the file does not have the choices of other rules
		request.Rules = request.Rules[:request.Own]
	}
	tasks := map[trialOf][]*plan.Task{}
	for _, t := range r.Tasks {
		k := trialOf{t.Dataset, t.Trial}
		tasks[k] = append(tasks[k], t)
	}
	used := sync.Pool{New: func() any { return new([]results.Row) }} // reused for the rows of later trials
	return merge.Stream(request, func(cells []plan.Cell) ([]results.Row, error) {
		planned := len(cells) * len(r.Plan.Checkpoints)
		memory := (*used.Get().(*[]results.Row))[:0]
		rows, err := r.appendTasks(slices.Grow(memory, planned), tasks[trialOf{cells[0].Dataset, cells[0].Trial}])
		if err == nil && len(rows) < planned {
			rows = r.fromChosen(rows, cells)
		}
		return rows, err
	}, append(slices.Clip(uses), func(t *merge.TrialRows) error {
		if !r.FromFile() { // rows from a file may be needed again
			memory := t.Read
			used.Put(&memory)
		}
		return nil
	})...)
}

type trialOf struct{ dataset, trial int }

// along lists the parameters on the x axes of reports, each with the checkpoints that reports and
// the paper's claims use.
func along(p *plan.Plan) []merge.Along {
	var found []merge.Along
	for _, rep := range p.Experiment.AllReports() {
		if rep.Parameter == "" {
			continue
		}
		i := slices.IndexFunc(found, func(a merge.Along) bool { return a.Param == rep.Parameter })
		if i < 0 {
			i = len(found)
			found = append(found, merge.Along{Param: rep.Parameter})
		}
		a := &found[i]
		a.Checkpoints = append(a.Checkpoints, cmp.Or(rep.Checkpoint, p.Checkpoints[len(p.Checkpoints)-1]))
		for _, c := range paper.Claims() {
			if c.Parameter == rep.Parameter {
				a.Checkpoints = append(a.Checkpoints, c.Checkpoints...)
			}
		}
		a.Checkpoints = slices.DeleteFunc(a.Checkpoints, func(k int) bool { return !slices.Contains(p.Checkpoints, k) })
		slices.Sort(a.Checkpoints)
		a.Checkpoints = slices.Compact(a.Checkpoints)
	}
	return found
}

func sweeps(p *plan.Plan) []experiment.Sweep {
	var found []experiment.Sweep
	for _, s := range p.Experiment.Sweeps() {
		s.Checkpoint = cmp.Or(s.Checkpoint, p.Checkpoints[len(p.Checkpoints)-1])
		if !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found
}
