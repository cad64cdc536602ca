package plan

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"graphda/io/message"
	"graphda/jobs/experiment"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// ErrPlan means that a run's plan does not match its cells, the data or another plan.
var ErrPlan = errors.New("the plan does not match")

// A Plan is an experiment with all its cells. A written plan never changes. A plan that grows becomes a new plan, and
// the run keeps the earlier plan.
type Plan struct {
	Version     string                 `json:"version"`     // version of gdrun that made the plan
	Hash        string                 `json:"hash"`        // digest of the file of cells; set by write
	Checkpoints []int                  `json:"checkpoints"` // ascending numbers of samples
	Experiment  *experiment.Experiment `json:"experiment"`
	Datasets    []Dataset              `json:"datasets"`

	Cells  []Cell        `json:"-"` // ordered as in the experiment: by dataset, trial, method and parameters
	Target time.Duration `json:"-"` // expected duration of the first tasks; set by Create
	Notes  []string      `json:"-"` // about inherited settings that NewPlan has left out

	// Only a plan that has grown has these fields: the file of its cells, and the earlier plans, oldest first.
	CellsFile string        `json:"cells_file,omitempty"`
	Before    []EarlierPlan `json:"before,omitempty"`

	force   bool           // see PlanOptions
	placeOf map[string]int // see places
}

// An EarlierPlan is a plan before it grew. Its results stay valid.
type EarlierPlan struct {
	Hash string `json:"hash"`
	File string `json:"file"` // name of the file with this plan's plan.json, in the run's folder
}

// A Cell is one online pass of a method, with values for its parameters, over a trial of a dataset.
type Cell struct {
	ID      string // hex SHA-256, see cellID
	Dataset int    // index into Plan.Datasets
	Trial   int
	Method  *learners.Method
	Values  []float64 // values of all the method's parameters; shared by cells of different trials
}

// Settings returns the cell's method with the values of its parameters.
func (c *Cell) Settings() learners.Settings {
	return learners.Settings{Method: c.Method, Values: c.Values}
}

// Dataset returns the plan's entry for the dataset of the cell c.
func (plan *Plan) Dataset(c *Cell) *Dataset { return &plan.Datasets[c.Dataset] }

// ByTrial returns a list of cells for each trial. Lists and cells are in the plan's order.
func (plan *Plan) ByTrial() (trials [][]Cell) {
	for from, i := 0, 0; i < len(plan.Cells); i++ {
		c := &plan.Cells[i]
		if i+1 == len(plan.Cells) || plan.Cells[i+1].Dataset != c.Dataset || plan.Cells[i+1].Trial != c.Trial {
			trials, from = append(trials, plan.Cells[from:i+1]), i+1
		}
	}
	return trials
}

// IsOf tells whether hash is the hash of this plan or of an earlier plan of the run.
func (plan *Plan) IsOf(hash string) bool {
	return hash == plan.Hash || slices.ContainsFunc(plan.Before, func(b EarlierPlan) bool { return b.Hash == hash })
}

// A MethodOn is a pair of a method and a dataset.
type MethodOn struct {
	Dataset int
	Method  *learners.Method
}

// MethodOn returns the cell's method and dataset.
func (c *Cell) MethodOn() MethodOn { return MethodOn{c.Dataset, c.Method} }

// Variants returns a function from cells to variants. A variant is a text with the values of parameters that are not
// tuned but vary in the method's grid. Tuned parameters are those without a default.
func (plan *Plan) Variants() func(*Cell) string {
	type varied struct {
		first  []float64 // the values of the grid's first cell
		params []bool
	}
	found := map[MethodOn]*varied{}
	for i := range plan.Cells {
		c := &plan.Cells[i]
		v := found[c.MethodOn()]
		if v == nil {
			v = &varied{first: c.Values, params: make([]bool, len(c.Values))}
			found[c.MethodOn()] = v
		}
		for k, value := range c.Values {
			if value != v.first[k] && !c.Method.Params[k].Required() {
				v.params[k] = true
			}
		}
	}
	return func(c *Cell) string {
		params := found[c.MethodOn()].params
		return c.assignments(func(k int) bool { return params[k] })
	}
}

// Untuned lists the cell's values of parameters that are not tuned, as in "omega=0.1 search=warm".
func (c *Cell) Untuned() string {
	return c.assignments(func(k int) bool {
		p := &c.Method.Params[k]
		return !p.Required() && (!p.OmitDefault || c.Values[k] != p.Default)
	})
}

// assignments lists the cell's values of the parameters k with wanted(k), as in "omega=0.1".
func (c *Cell) assignments(wanted func(k int) bool) string {
	var texts []string
	for k := range c.Method.Params {
		if p := &c.Method.Params[k]; wanted(k) {
			texts = append(texts, p.Name+"="+p.Format(c.Values[k]))
		}
	}
	return strings.Join(texts, " ")
}

// Describe returns a readable name of the cell, such as "graphda gamma=100 s=26 on graph01-mu0.3, trial 0".
func (plan *Plan) Describe(c *Cell) string {
	given := c.assignments(func(k int) bool {
		p := &c.Method.Params[k]
		return p.Required() || c.Values[k] != p.Default
	})
	return fmt.Sprintf("%s on %s, trial %d", strings.TrimSpace(c.Method.Name+" "+given), plan.Dataset(c).Name, c.Trial)
}

// Check refuses a plan that no experiment can produce. Another user may have written the file at path, with harmful
// names or numbers.
func (plan *Plan) Check(path string) error {
	e, n := plan.Experiment, len(plan.Checkpoints)
	if err := e.Validate(path); err != nil {
		return err
	}
	if n == 0 || n > experiment.MaxCheckpoints || !experiment.AscendingFromOne(plan.Checkpoints) ||
		len(e.Checkpoints) > 0 && !slices.Equal(plan.Checkpoints, e.Checkpoints) || len(plan.Datasets) != len(e.Datasets) {
		return message.Because(ErrPlan, "%s: its checkpoints or datasets differ from those in its experiment", path)
	}
	names := map[string]bool{"": true, ".": true, "..": true}
	for i, d := range plan.Datasets {
		sound := !names[d.Name] && !slices.Contains(e.Datasets[:i], e.Datasets[i]) && d.Name == filepath.Base(d.Name)
		names[d.Name] = true
		trials := map[int]bool{}
		for _, t := range d.Trials {
			sound = sound && !trials[t.Trial] && min(t.Trial, t.Train, t.Test, t.Features, t.Edges, t.Support) >= 0 &&
				(len(t.MeanMSE) == 0 || len(t.MeanMSE) == n)
			trials[t.Trial] = true
		}
		if !sound || len(trials) == 0 {
			return message.Because(ErrPlan, "%s: dataset %q: its name or trials are invalid or repeated", path, d.Name)
		}
	}
	return plan.checkReports()
}

// checkReports refuses a report at a checkpoint that the cells do not have.
func (plan *Plan) checkReports() error {
	for _, r := range plan.Experiment.Reports {
		if r.Checkpoint != 0 && !slices.Contains(plan.Checkpoints, r.Checkpoint) {
			return userinput.Errorf("report %s: checkpoint %d is not one of the checkpoints %s", r.Name, r.Checkpoint,
				message.List(plan.Checkpoints))
		}
	}
	return nil
}
