package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"graphda/io/plain"
	"graphda/io/seal"
	"graphda/io/tables"
	"graphda/jobs/experiment"
)

// Names of the files of a run's directory. The plan's JSON is written last: a directory
// without it holds no run.
const (
	PlanFile   = "plan.json"
	cellsFile  = "plan.parquet"
	resultsDir = "results"
)

// ErrPlan is the cause of errors about a run's plan that is missing or does not match
// its cells, the data or another plan.
var ErrPlan = errors.New("the plan does not match")

// IsRun tells whether a directory holds a run.
func IsRun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, PlanFile))
	return err == nil
}

// A planHeader is what plan.json holds.
type planHeader struct {
	Version     string                 `json:"version"`
	Hash        string                 `json:"hash"` // of the cells
	Cells       int                    `json:"cells"`
	Checkpoints []int                  `json:"checkpoints"`
	Target      float64                `json:"target_seconds"` // of the first tasks
	Experiment  *experiment.Experiment `json:"experiment"`
	Datasets    []Dataset              `json:"datasets"`
	Seal        string                 `json:"graphda.seal"`
}

// write writes the plan into a run's directory and sets its hash: the digest of the file
// of its cells.
func (plan *Plan) write(dir string) error {
	path := filepath.Join(dir, cellsFile)
	if err := tables.Write(path, plan.table()); err != nil {
		return err
	}
	file, err := seal.ReadSealed(path)
	if err != nil {
		return err
	}
	plan.Hash = file.Digest
	header := planHeader{
		Version: plan.Version, Hash: plan.Hash, Cells: len(plan.Cells), Checkpoints: plan.Checkpoints,
		Target: plan.Target.Seconds(), Experiment: plan.Experiment, Datasets: plan.Datasets, Seal: seal.Blank(),
	}
	return seal.Write(filepath.Join(dir, PlanFile), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(header)
	})
}

// table lists the cells: id, dataset, trial, method, and a column per parameter, null
// where the method has none of that name.
func (plan *Plan) table() tables.Table {
	layout := Layout()
	n := len(plan.Cells)
	t := tables.Table{
		{Name: "cell", Strings: make([]string, n)},
		{Name: "dataset", Strings: make([]string, n)},
		{Name: "trial", Ints: make([]int64, n)},
		{Name: "method", Strings: make([]string, n)},
	}
	fixed := len(t)
	for _, c := range layout {
		if c.Words != nil {
			t = append(t, tables.Column{Name: c.Name, Strings: make([]string, n)})
		} else {
			t = append(t, tables.Column{Name: c.Name, Floats: make([]float64, n)})
		}
	}
	for i := range plan.Cells {
		c := &plan.Cells[i]
		t[0].Strings[i], t[1].Strings[i], t[3].Strings[i] = c.ID, plan.Dataset(c).Name, c.Method.Name
		t[2].Ints[i] = int64(c.Trial)
		for k, v := range spread(layout, c.settings()) {
			if words := layout[k].Words; words == nil {
				t[fixed+k].Floats[i] = v
			} else if v == v {
				t[fixed+k].Strings[i] = words[int(v)]
			}
		}
	}
	return t
}

// sameAs tells how another plan differs from this one, or returns nil.
func (plan *Plan) sameAs(other *Plan) error {
	if len(plan.Cells) != len(other.Cells) {
		return plain.Because(ErrPlan, "the new plan has %d cells, not %d", len(other.Cells), len(plan.Cells))
	}
	for i := range plan.Cells {
		if plan.Cells[i].ID != other.Cells[i].ID {
			c := &other.Cells[i]
			return plain.Because(ErrPlan, "cell %d of the new plan is another: %s on %s, trial %d",
				i, c.Method.Name, other.Dataset(c).Name, c.Trial)
		}
	}
	if !slices.Equal(plan.Checkpoints, other.Checkpoints) {
		return plain.Because(ErrPlan, "the new plan has checkpoints %s, not %s",
			experiment.Numbers(other.Checkpoints), experiment.Numbers(plan.Checkpoints))
	}
	if !plan.Experiment.ReadsAs(other.Experiment) {
		return plain.Because(ErrPlan, "the new plan has the same cells, but another name, title, selection or reports")
	}
	return nil
}

// Describe writes a cell as a person would name it: "graphda gamma=100 s=26 on
// graph01-mu0.3, trial 0".
func (plan *Plan) Describe(c *Cell) string {
	var b strings.Builder
	b.WriteString(c.Method.Name)
	for i := range c.Method.Params {
		if p := &c.Method.Params[i]; p.Required() || c.Values[i] != p.Default {
			fmt.Fprintf(&b, " %s=%s", p.Name, p.Format(c.Values[i]))
		}
	}
	fmt.Fprintf(&b, " on %s, trial %d", plan.Dataset(c).Name, c.Trial)
	return b.String()
}
