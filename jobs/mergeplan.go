package jobs

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"graphda/io/results"
	"graphda/jobs/importing"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/selection"
	"graphda/learners"
)

// merged returns the plan as package merge knows it, but for its cells.
func (plan *Plan) merged() merge.Plan {
	m := merge.Plan{
		Checkpoints: plan.Checkpoints,
		Features:    map[string]int{},
		Trials:      map[string][]merge.Trial{},
		Params:      Layout(),
		Along:       plan.along(),
		Sweeps:      plan.sweeps(),
		Bounds:      bounds,
	}
	for i := range plan.Datasets {
		d := &plan.Datasets[i]
		m.Features[d.Name] = d.Features
		m.Trials[d.Name] = d.merged()
	}
	for _, name := range selection.Names() {
		if rule, err := plan.Experiment.Rule(name); err == nil { // else it is not for this experiment
			m.Rules = append(m.Rules, rule)
		}
	}
	return m
}

// bounds returns the bounds of a method's parameter.
func bounds(method, param string, features int) (least, most float64) {
	m, err := learners.Lookup(method)
	if err != nil {
		return math.Inf(-1), math.Inf(1)
	}
	p, err := m.Param(param)
	if err != nil {
		return math.Inf(-1), math.Inf(1)
	}
	return p.Bounds(features)
}

// along lists the parameters that reports are drawn over, with the checkpoints of these reports and
// of the paper's claims about the parameter.
func (plan *Plan) along() []merge.Along {
	var found []merge.Along
	for _, rep := range plan.Experiment.AllReports() {
		column := slices.IndexFunc(Layout(), func(c results.ParamColumn) bool { return c.Name == rep.Parameter })
		if column < 0 {
			continue
		}
		i := slices.IndexFunc(found, func(a merge.Along) bool { return a.Param == column })
		if i < 0 {
			i = len(found)
			found = append(found, merge.Along{Param: column})
		}
		a := &found[i]
		a.Checkpoints = append(a.Checkpoints, cmp.Or(rep.Checkpoint, plan.Checkpoints[len(plan.Checkpoints)-1]))
		for _, c := range paper.Claims() {
			if c.Parameter == rep.Parameter {
				a.Checkpoints = append(a.Checkpoints, c.Checkpoints...)
			}
		}
		a.Checkpoints = slices.DeleteFunc(a.Checkpoints, func(k int) bool { return !slices.Contains(plan.Checkpoints, k) })
		slices.Sort(a.Checkpoints)
		a.Checkpoints = slices.Compact(a.Checkpoints)
	}
	return found
}

// sweeps lists the measures that reports show over all settings, with their checkpoints.
func (plan *Plan) sweeps() []merge.Sweep {
	var found []merge.Sweep
	for _, s := range plan.Experiment.Sweeps() {
		s.Checkpoint = cmp.Or(s.Checkpoint, plan.Checkpoints[len(plan.Checkpoints)-1])
		if !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found
}

// A trialOf is a trial of one of the plan's datasets.
type trialOf struct{ dataset, trial int }

func (c *Cell) trialOf() trialOf { return trialOf{c.Dataset, c.Trial} }

// batches are the trials of the run in plan order, with what there is of their results. A task
// has cells of one trial only.
func (r *Run) batches() []merge.Read {
	tasks := map[trialOf][]*Task{}
	for _, t := range r.Tasks {
		k := trialOf{t.Dataset, t.Trial}
		tasks[k] = append(tasks[k], t)
	}
	cells, order := map[trialOf][]int{}, []trialOf(nil)
	for i := range r.Plan.Cells {
		k := r.Plan.Cells[i].trialOf()
		if cells[k] == nil {
			order = append(order, k)
		}
		cells[k] = append(cells[k], i)
	}
	varying := r.Plan.varying()
	var batches []merge.Read
	for _, k := range order {
		batches = append(batches, func() (merge.Batch, error) {
			rows, err := r.resultsOf(tasks[k], len(cells[k])*len(r.Plan.Checkpoints))
			return merge.Batch{Cells: r.Plan.mergedCells(cells[k], varying), Rows: rows}, err
		})
	}
	return batches
}

// mergedCells returns cells as package merge knows them. Those that may not be averaged are of
// different series there.
func (plan *Plan) mergedCells(cells []int, varying map[methodOn]*varied) []merge.Cell {
	merged := make([]merge.Cell, len(cells))
	for i, at := range cells {
		c := &plan.Cells[at]
		varied := varying[c.methodOn()].params
		merged[i] = merge.Cell{ID: c.ID, Dataset: plan.Dataset(c).Name, Trial: c.Trial, Method: c.Method.Name,
			Variant: c.assignments(func(k int) bool { return varied[k] })}
	}
	return merged
}

// pool names the samples that a trial is a split of.
func (t *Trial) pool() string {
	if importing.SameSamples(t.Metadata) {
		return "those of its dataset" // however they were scaled
	}
	return t.Samples
}

// merged returns the trials as package merge knows them.
func (d *Dataset) merged() []merge.Trial {
	var trials []merge.Trial
	for _, t := range d.Trials {
		trials = append(trials, merge.Trial{
			Trial: t.Trial, Train: t.Train, Test: t.Test, Features: t.Features, Edges: t.Edges, Support: t.Support,
			Metadata: t.Metadata, Pool: t.pool(), ZeroMSE: t.ZeroMSE, MeanMSE: t.MeanMSE,
		})
	}
	return trials
}

// A methodOn is a method on a dataset, whose cells are those of one grid.
type methodOn struct {
	dataset int
	method  *learners.Method
}

func (c *Cell) methodOn() methodOn { return methodOn{c.Dataset, c.Method} }

// varied tells which parameters of a method vary in its grid.
type varied struct {
	first  []float64 // the values of the grid's first cell
	params []bool
}

// varying finds the parameters that are not tuned and vary all the same, by grid. A
// parameter is tuned if it has no default: γ, s and λ are, how a search is done is not.
func (plan *Plan) varying() map[methodOn]*varied {
	found := map[methodOn]*varied{}
	for i := range plan.Cells {
		c := &plan.Cells[i]
		v := found[c.methodOn()]
		if v == nil {
			v = &varied{first: c.Values, params: make([]bool, len(c.Values))}
			found[c.methodOn()] = v
		}
		for k, value := range c.Values {
			if value != v.first[k] && !c.Method.Params[k].Required() {
				v.params[k] = true
			}
		}
	}
	return found
}

// Untuned writes the values of the cell's parameters that are not tuned: "omega=0.1 search=warm".
func (c *Cell) Untuned() string {
	return c.assignments(func(k int) bool {
		p := &c.Method.Params[k]
		return !p.Required() && (!p.Later || c.Values[k] != p.Default)
	})
}

// assignments writes the values of the cell's parameters at these places.
func (c *Cell) assignments(wanted func(k int) bool) string {
	var texts []string
	for k := range c.Method.Params {
		if p := &c.Method.Params[k]; wanted(k) {
			texts = append(texts, p.Name+"="+p.Format(c.Values[k]))
		}
	}
	return strings.Join(texts, " ")
}

// Describe writes a cell as a person would name it: "graphda gamma=100 s=26 on
// graph01-mu0.3, trial 0".
func (plan *Plan) Describe(c *Cell) string {
	given := c.assignments(func(k int) bool {
		p := &c.Method.Params[k]
		return p.Required() || c.Values[k] != p.Default
	})
	return fmt.Sprintf("%s on %s, trial %d", strings.TrimSpace(c.Method.Name+" "+given), plan.Dataset(c).Name, c.Trial)
}

// drawnWith returns what a plan keeps of the metadata of a trial's samples: the settings of
// the program that drew them, by which package merge judges whether trials are alike.
// What data frame libraries note about the file is left out; of a long value only its hash
// is kept.
func drawnWith(metadata map[string]string) map[string]string {
	const longest = 200
	kept := map[string]string{}
	for key, value := range metadata {
		if key == "pandas" || key == "huggingface" || strings.HasPrefix(key, "org.apache.spark.") {
			continue
		}
		if len(value) > longest {
			sum := sha256.Sum256([]byte(value))
			value = "sha256:" + hex.EncodeToString(sum[:])
		}
		kept[key] = value
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}
