package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"graphda/io/seal"
	"graphda/io/tables"
	"graphda/learners"
)

// Names of the files of a run's directory. The plan's JSON is written last: a directory
// without it holds no run.
const (
	planFile   = "plan.json"
	cellsFile  = "plan.parquet"
	resultsDir = "results"
)

// ErrPlan is the cause of errors about a run's plan that is missing or does not match
// its cells, the data or another plan.
var ErrPlan = errors.New("the plan does not match")

// A planHeader is what plan.json holds.
type planHeader struct {
	Version     string      `json:"version"`
	Hash        string      `json:"hash"` // of the cells
	Cells       int         `json:"cells"`
	Checkpoints []int       `json:"checkpoints"`
	Target      float64     `json:"target_seconds"` // of the first tasks
	Experiment  *Experiment `json:"experiment"`
	Datasets    []Dataset   `json:"datasets"`
	Seal        string      `json:"graphda.seal"`
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
	return seal.Write(filepath.Join(dir, planFile), func(w io.Writer) error {
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
		for k, v := range spread(layout, c.Settings()) {
			if words := layout[k].Words; words == nil {
				t[fixed+k].Floats[i] = v
			} else if v == v {
				t[fixed+k].Strings[i] = words[int(v)]
			}
		}
	}
	return t
}

// readPlan reads the plan of a run's directory.
func readPlan(dir string) (*Plan, error) {
	path := filepath.Join(dir, planFile)
	file, err := seal.ReadSealed(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no plan: make one with gdrun plan … --out %s: %w", dir, dir, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	var h planHeader
	if err := json.Unmarshal(file.Data, &h); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	cells := filepath.Join(dir, cellsFile)
	t, digest, err := tables.Read(cells)
	if err != nil {
		return nil, err
	}
	if digest != h.Hash {
		return nil, fmt.Errorf("%s: its hash is %.12s…, %s says %.12s…: %w", cells, digest, planFile, h.Hash, ErrPlan)
	}
	plan := &Plan{Version: h.Version, Experiment: h.Experiment, Datasets: h.Datasets, Checkpoints: h.Checkpoints, Hash: h.Hash}
	plan.Target = time.Duration(h.Target * float64(time.Second))
	if err := plan.readCells(t); err != nil {
		return nil, fmt.Errorf("%s: %w", cells, err)
	}
	return plan, nil
}

// A planReader turns rows of the plan's table into cells.
type planReader struct {
	id, dataset, trial, method *tables.Column
	params                     map[string]*tables.Column
	datasets                   map[string]int
}

func (plan *Plan) readCells(t tables.Table) error {
	r := planReader{params: map[string]*tables.Column{}, datasets: map[string]int{}}
	var err error
	for _, want := range []struct {
		name string
		at   **tables.Column
	}{{"cell", &r.id}, {"dataset", &r.dataset}, {"trial", &r.trial}, {"method", &r.method}} {
		if *want.at, err = t.Column(want.name); err != nil {
			return err
		}
	}
	for i := range t {
		r.params[t[i].Name] = &t[i]
	}
	for i := range plan.Datasets {
		r.datasets[plan.Datasets[i].Name] = i
	}
	plan.Cells = make([]Cell, r.id.Len())
	for i := range plan.Cells {
		if plan.Cells[i], err = r.cell(i); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
		if i > 0 { // neighbours differ in little: share what is equal
			plan.Cells[i].Values = shared(plan.Cells[i-1], plan.Cells[i])
		}
	}
	return nil
}

func shared(previous, c Cell) []float64 {
	if previous.Method != c.Method {
		return c.Values
	}
	for i := range c.Values {
		if c.Values[i] != previous.Values[i] {
			return c.Values
		}
	}
	return previous.Values
}

func (r *planReader) cell(i int) (Cell, error) {
	m, err := learners.Lookup(r.method.Strings[i])
	if err != nil {
		return Cell{}, err
	}
	dataset, ok := r.datasets[r.dataset.Strings[i]]
	if !ok {
		return Cell{}, fmt.Errorf("unknown dataset %q", r.dataset.Strings[i])
	}
	c := Cell{ID: r.id.Strings[i], Dataset: dataset, Trial: int(r.trial.Ints[i]), Method: m, Values: make([]float64, len(m.Params))}
	for k := range m.Params {
		p := &m.Params[k]
		column := r.params[p.Name]
		switch {
		case column == nil:
			c.Values[k] = p.Default
		case p.Words != nil:
			c.Values[k], err = p.Parse(column.Strings[i])
		default:
			c.Values[k] = column.Floats[i]
			err = p.Check(c.Values[k])
		}
		if err != nil {
			return Cell{}, err
		}
	}
	return c, nil
}

// sameAs tells how another plan differs from this one, or returns nil.
func (plan *Plan) sameAs(other *Plan) error {
	if len(plan.Cells) != len(other.Cells) {
		return fmt.Errorf("%d cells, not %d: %w", len(other.Cells), len(plan.Cells), ErrPlan)
	}
	for i := range plan.Cells {
		if plan.Cells[i].ID != other.Cells[i].ID {
			c := &other.Cells[i]
			return fmt.Errorf("cell %d is another (%s, trial %d, %s): %w", i, other.Dataset(c).Name, c.Trial, c.Method.Name, ErrPlan)
		}
	}
	if !slices.Equal(plan.Checkpoints, other.Checkpoints) {
		return fmt.Errorf("checkpoints %v, not %v: %w", other.Checkpoints, plan.Checkpoints, ErrPlan)
	}
	if !plan.Experiment.readsAs(other.Experiment) {
		return fmt.Errorf("the same cells, but another name, title, selection or reports: %w", ErrPlan)
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
