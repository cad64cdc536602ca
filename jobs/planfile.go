package jobs

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"graphda/io/plain"
	"graphda/io/seal"
	"graphda/io/tables"
	"graphda/jobs/experiment"
	"graphda/learners"
)

// Names of the files of a run's directory. The plan's JSON is written last: a directory
// without it holds no run.
const (
	PlanFile   = "plan.json"
	firstCells = "plan.parquet"
	resultsDir = "results"
)

// The columns of the table of cells, beside one for each parameter.
const (
	cellColumn    = "cell" // its id; in lists of tasks too
	datasetColumn = "dataset"
	trialColumn   = "trial"
	methodColumn  = "method"
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
	*Plan
	Cells  int     `json:"cells"`
	Target float64 `json:"target_seconds"` // of the first tasks
	Seal   string  `json:"graphda.seal"`
}

// write writes the plan into a run's directory and sets its hash: the digest of the file
// of its cells.
func (plan *Plan) write(dir string) error {
	path := filepath.Join(dir, plan.cellsFile())
	if err := tables.Write(path, plan.table()); err != nil {
		return err
	}
	file, err := seal.ReadSealed(path)
	if err != nil {
		return err
	}
	plan.Hash = file.Digest
	header := planHeader{plan, len(plan.Cells), plan.Target.Seconds(), seal.Blank()}
	return seal.Write(filepath.Join(dir, PlanFile), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(header)
	})
}

// cellsFile is the name of the table of the plan's cells.
func (plan *Plan) cellsFile() string {
	if plan.CellsFile == "" {
		return firstCells
	}
	return filepath.Base(plan.CellsFile)
}

// table lists the cells: id, dataset, trial, method, and a column per parameter, null
// where the method has none of that name.
func (plan *Plan) table() tables.Table {
	layout := Layout()
	n := len(plan.Cells)
	t := tables.Table{
		{Name: cellColumn, Strings: make([]string, n)},
		{Name: datasetColumn, Strings: make([]string, n)},
		{Name: trialColumn, Ints: make([]int64, n)},
		{Name: methodColumn, Strings: make([]string, n)},
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

// openPlan reads all of a plan but its cells, and opens the table of those.
func openPlan(dir string) (*Plan, *tables.File, error) {
	path := filepath.Join(dir, PlanFile)
	file, err := seal.ReadSealed(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, plain.Because(fs.ErrNotExist, "%s holds no plan: make one with gdrun plan … --out %s", dir, dir)
	}
	if err != nil {
		return nil, nil, err
	}
	h := planHeader{Plan: new(Plan)}
	if err := json.Unmarshal(file.Data, &h); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	path = filepath.Join(dir, h.Plan.cellsFile())
	cells, err := tables.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if cells.Digest() != h.Hash {
		cells.Close()
		return nil, nil, plain.Because(ErrPlan, "%s belongs to another plan than %s beside it "+
			"(hash %.12s…, not %.12s…)", path, PlanFile, cells.Digest(), h.Hash)
	}
	h.Plan.Target = time.Duration(h.Target * float64(time.Second))
	return h.Plan, cells, nil
}

// readCells reads the cells at these places of the plan, which are ascending, or all if they are nil.
func (plan *Plan) readCells(cells *tables.File, places []int) error {
	if n := len(places); n > 0 && (places[0] < 0 || places[n-1] >= cells.Rows()) {
		return plain.Because(ErrPlan, "cells %d to %d of a plan of %d", places[0], places[n-1], cells.Rows())
	}
	plan.Cells = make([]Cell, 0, cmp.Or(len(places), cells.Rows()))
	settings := sharedSettings{}
	for group := range cells.Groups() {
		from, to := cells.Group(group)
		wanted := places
		if places == nil {
			wanted = make([]int, to-from)
			for i := range wanted {
				wanted[i] = from + i
			}
		} else {
			n, _ := slices.BinarySearch(places, to)
			wanted, places = places[:n], places[n:]
		}
		if len(wanted) == 0 {
			continue
		}
		t, err := cells.Read(group)
		if err != nil {
			return err
		}
		r, err := plan.reader(t)
		if err != nil {
			return err
		}
		for _, i := range wanted {
			c, err := r.cell(i - from)
			if err != nil {
				return fmt.Errorf("row %d: %w", i, err)
			}
			c.Values = settings.share(&c)
			plan.Cells = append(plan.Cells, c)
		}
	}
	return nil
}

// A planReader turns rows of the plan's table into cells.
type planReader struct {
	columns  map[string]*tables.Column
	datasets map[string]int
}

func (plan *Plan) reader(t tables.Table) (*planReader, error) {
	r := &planReader{columns: map[string]*tables.Column{}, datasets: map[string]int{}}
	for i := range t {
		r.columns[t[i].Name] = &t[i]
	}
	for i := range plan.Datasets {
		r.datasets[plan.Datasets[i].Name] = i
	}
	for _, name := range []string{cellColumn, datasetColumn, trialColumn, methodColumn} {
		if r.columns[name] == nil {
			return nil, fmt.Errorf("no column %q", name)
		}
	}
	return r, nil
}

// sharedSettings has the values of cells once, which are the same in every trial.
type sharedSettings map[string][]float64

func (s sharedSettings) share(c *Cell) []float64 {
	key := []byte(c.Method.Name)
	for _, v := range c.Values {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	if s[string(key)] == nil {
		s[string(key)] = c.Values
	}
	return s[string(key)]
}

func (r *planReader) cell(i int) (Cell, error) {
	m, err := learners.Lookup(r.columns[methodColumn].Strings[i])
	if err != nil {
		return Cell{}, err
	}
	name := r.columns[datasetColumn].Strings[i]
	dataset, ok := r.datasets[name]
	if !ok {
		return Cell{}, fmt.Errorf("unknown dataset %q", name)
	}
	c := Cell{ID: r.columns[cellColumn].Strings[i], Dataset: dataset, Trial: int(r.columns[trialColumn].Ints[i]),
		Method: m, Values: make([]float64, len(m.Params))}
	for k := range m.Params {
		p := &m.Params[k]
		column := r.columns[p.Name]
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
