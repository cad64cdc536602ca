package plan

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"graphda/io/message"
	"graphda/io/planfile"
	"graphda/io/results"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/learners"
)

// These are names of files in a run's folder. plan.json is written last, so a folder without plan.json holds no run.
const (
	PlanFile   = "plan.json"
	firstCells = "plan.parquet"

	// ProgramsDir holds, for each program, a folder with the program's files, and a file NAME.log with its stderr.
	ProgramsDir = "programs"
	ResultsDir  = "results"
)

// These are names of columns of the table of cells, which also has a column for each parameter.
const (
	cellColumn    = "cell" // the cell's id; lists of tasks have this column too
	datasetColumn = "dataset"
	trialColumn   = "trial"
	methodColumn  = "method"

	settingsColumn = "settings" // all settings of a user's program, as JSON
)

// IsRun tells whether the folder dir holds a run.
func IsRun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, PlanFile))
	return err == nil
}

// A planHeader is the content of plan.json.
type planHeader struct {
	*Plan
	Cells  int     `json:"cells"`
	Target float64 `json:"target_seconds"` // expected duration of the first tasks
	Seal   string  `json:"graphda.seal"`
}

// write writes the plan into the folder dir, and sets plan.Hash.
func (plan *Plan) write(dir string) error {
	for _, g := range plan.Experiment.Programs() {
		if err := g.Program.Install(filepath.Join(dir, ProgramsDir, g.Method)); err != nil {
			return err
		}
	}
	digest, err := planfile.WriteRows(filepath.Join(dir, plan.cellsFile()), len(plan.Cells), plan.tabulate())
	if err != nil {
		return err
	}
	plan.Hash = digest
	header := planHeader{plan, len(plan.Cells), plan.Target.Seconds(), seal.Blank()}
	return seal.Write(filepath.Join(dir, PlanFile), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(header)
	})
}

func (plan *Plan) cellsFile() string {
	if plan.CellsFile == "" {
		return firstCells
	}
	return filepath.Base(plan.CellsFile)
}

// tabulate returns a function that makes a table of the cells from ≤ i < to. Parameters of other methods are null.
func (plan *Plan) tabulate() func(from, to int) planfile.Table {
	layout := plan.layout()
	return func(from, to int) planfile.Table {
		n := to - from
		t := planfile.Table{
			{Name: cellColumn, Strings: make([]string, n), Unique: true},
			{Name: datasetColumn, Strings: make([]string, n)},
			{Name: trialColumn, Ints: make([]int64, n)},
			{Name: methodColumn, Strings: make([]string, n)},
		}
		fixed := len(t)
		for _, c := range layout {
			if c.Words != nil {
				t = append(t, planfile.Column{Name: c.Name, Strings: make([]string, n)})
			} else {
				t = append(t, planfile.Column{Name: c.Name, Floats: make([]float64, n)})
			}
		}
		settings := []string(nil)
		if len(plan.Experiment.Programs()) > 0 {
			settings = make([]string, n)
			t = append(t, planfile.Column{Name: settingsColumn, Strings: settings})
		}
		for i := range n {
			c := &plan.Cells[from+i]
			if settings != nil {
				settings[i] = FreeSettings(c.Settings())
			}
			t[0].Strings[i], t[1].Strings[i], t[3].Strings[i] = c.ID, plan.Dataset(c).Name, c.Method.Name
			t[2].Ints[i] = int64(c.Trial)
			for k, v := range Spread(layout, c.Settings()) {
				if words := layout[k].Words; words == nil {
					t[fixed+k].Floats[i] = v
				} else if v == v {
					t[fixed+k].Strings[i] = words[int(v)]
				}
			}
		}
		return t
	}
}

func (plan *Plan) layout() results.Layout {
	var methods []*learners.Method
	for i := range plan.Cells {
		if m := plan.Cells[i].Method; !m.Free && !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	return slices.DeleteFunc(Layout(), func(c results.ParamColumn) bool {
		return !slices.ContainsFunc(methods, func(m *learners.Method) bool { _, err := m.Param(c.Name); return err == nil })
	})
}

// openPlan reads the plan in the folder dir without its cells, and opens the table of cells.
func openPlan(dir string) (*Plan, *planfile.File, error) {
	path := filepath.Join(dir, PlanFile)
	file, err := seal.ReadSealed(path)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, nil, message.Because(fs.ErrNotExist, "%s is a file, want the folder of a run", dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := samples.Open(dir); err == nil {
			return nil, nil, message.Because(fs.ErrNotExist, "%s is a dataset, not a run: plan an experiment on it with gdrun "+
				"plan … --out RUN", dir)
		}
		return nil, nil, message.Because(fs.ErrNotExist, "%s holds no plan: make one with gdrun plan … --out %s", dir, dir)
	}
	if err != nil {
		return nil, nil, err
	}
	h := planHeader{Plan: new(Plan)}
	err = json.Unmarshal(file.Data, &h)
	if other := seal.CheckVersion(h.Version, "plan the experiment again"); other != nil {
		return nil, nil, message.Because(ErrPlan, "%s: %w", path, other)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := h.Check(path); err != nil {
		return nil, nil, err
	}
	path = filepath.Join(dir, h.Plan.cellsFile())
	cells, err := planfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if cells.Digest() != h.Hash {
		cells.Close()
		return nil, nil, message.Because(ErrPlan, "%s belongs to another plan than %s beside it "+
			"(hash %.12s…, not %.12s…)", path, PlanFile, cells.Digest(), h.Hash)
	}
	if cells.Rows() != h.Cells || h.Cells > experiment.MaxCells {
		cells.Close()
		return nil, nil, message.Because(ErrPlan, "%s has %d cells, and %s beside it says %d", path, cells.Rows(), PlanFile,
			h.Cells)
	}
	h.Plan.Target = time.Duration(h.Target * float64(time.Second))
	return h.Plan, cells, nil
}

// readCells reads the cells at the given ascending places, or all cells if places is nil.
func (plan *Plan) readCells(cells *planfile.File, places []int) error {
	if n := len(places); n > 0 && (places[0] < 0 || places[n-1] >= cells.Rows()) {
		return message.Because(ErrPlan, "cells %d to %d are not in a plan of %d cells", places[0], places[n-1], cells.Rows())
	}
	n := cells.Rows()
	if places != nil {
		n = len(places)
	}
	plan.Cells = make([]Cell, n)
	var pool errgroup.Group
	pool.SetLimit(runtime.GOMAXPROCS(0))
	for file := range cells.Files() {
		pool.Go(func() error { return plan.readFile(cells, file, places) })
	}
	return pool.Wait()
}

// readFile is like readCells, but reads only one file of the table.
func (plan *Plan) readFile(cells *planfile.File, file int, places []int) error {
	settings := &sharedSettings{at: map[string]int{}}
	first, end := cells.GroupsOf(file)
	var t planfile.Table
	for group := first; group < end; group++ {
		from, to := cells.Group(group)
		at, wanted := from, []int(nil) // at: index in plan.Cells for the first wanted cell
		if places == nil {
			wanted = make([]int, to-from)
			for i := range wanted {
				wanted[i] = from + i
			}
		} else {
			at, _ = slices.BinarySearch(places, from)
			n, _ := slices.BinarySearch(places, to)
			wanted = places[at:n]
		}
		if len(wanted) == 0 {
			continue
		}
		var err error
		if t, err = cells.ReadInto(t, group); err != nil {
			return err
		}
		r, err := plan.reader(t, settings)
		if err != nil {
			return err
		}
		for k, i := range wanted {
			if plan.Cells[at+k], err = r.cell(i - from); err != nil {
				return fmt.Errorf("row %d: %w", i, err)
			}
		}
	}
	return nil
}

// A planReader turns rows of the plan's table into cells.
type planReader struct {
	ids, datasets, methods []string
	trials                 []int64
	columns                map[string]*planfile.Column
	datasetAt              map[string]int
	settings               *sharedSettings
	lookup                 func(method string) (*learners.Method, error)

	planned []Dataset
	name    string // dataset of the last cell; "" before the first cell
	dataset int
	trial   int
	method  *learners.Method   // method of the last cell
	params  []*planfile.Column // by parameter of the method: its column; nil if the table has none
	values  []float64          // scratch
}

func (plan *Plan) reader(t planfile.Table, settings *sharedSettings) (*planReader, error) {
	r := &planReader{columns: map[string]*planfile.Column{}, datasetAt: map[string]int{}, settings: settings,
		planned: plan.Datasets}
	for i := range t {
		r.columns[t[i].Name] = &t[i]
	}
	for i := range plan.Datasets {
		r.datasetAt[plan.Datasets[i].Name] = i
	}
	r.lookup = plan.Experiment.Lookup
	for _, name := range []string{cellColumn, datasetColumn, trialColumn, methodColumn, settingsColumn} {
		if r.columns[name] == nil && (name != settingsColumn || len(plan.Experiment.Programs()) > 0) {
			return nil, fmt.Errorf("no column %q", name)
		}
	}
	r.ids, r.datasets = r.columns[cellColumn].Strings, r.columns[datasetColumn].Strings
	r.methods, r.trials = r.columns[methodColumn].Strings, r.columns[trialColumn].Ints
	return r, nil
}

func (r *planReader) cell(i int) (Cell, error) {
	if err := r.setMethod(r.methods[i]); err != nil {
		return Cell{}, err
	}
	if err := r.setTrial(r.datasets[i], int(r.trials[i])); err != nil {
		return Cell{}, err
	}
	var free map[string]any // parameters of a user's program; nil for other methods
	if r.method.Free {
		var all map[string]any
		if err := json.Unmarshal([]byte(r.columns[settingsColumn].Strings[i]), &all); err != nil {
			return Cell{}, err
		}
		free = all
	}
	r.values = r.values[:0]
	for k := range r.method.Params {
		v, err := r.method.Params[k].Default, error(nil)
		if text, ok := free[r.method.Params[k].Name]; ok {
			v, err = r.method.Params[k].Parse(fmt.Sprint(text))
		} else if column := r.params[k]; column != nil && column.Strings != nil {
			v, err = r.method.Params[k].Parse(column.Strings[i])
		} else if column != nil {
			v = column.Floats[i]
		}
		if err != nil {
			return Cell{}, err
		}
		r.values = append(r.values, v)
	}
	values, err := r.settings.share(r.method, r.values)
	return Cell{ID: r.ids[i], Dataset: r.dataset, Trial: r.trial, Method: r.method, Values: values}, err
}

// setTrial looks up the dataset and checks the trial, unless the last cell had the same trial.
func (r *planReader) setTrial(name string, trial int) error {
	if r.name == name && r.trial == trial && name != "" {
		return nil
	}
	at, ok := r.datasetAt[name]
	if !ok {
		return fmt.Errorf("unknown dataset %q", name)
	}
	if !slices.ContainsFunc(r.planned[at].Trials, func(t TrialSummary) bool { return t.Trial == trial }) {
		return fmt.Errorf("trial %d of %s is not in %s", trial, name, PlanFile)
	}
	r.name, r.dataset, r.trial = name, at, trial
	return nil
}

// setMethod looks up the method and its columns, unless the last cell had the same method.
func (r *planReader) setMethod(name string) error {
	if r.method != nil && r.method.Name == name {
		return nil
	}
	m, err := r.lookup(name)
	if err != nil {
		return err
	}
	r.method, r.params = m, r.params[:0]
	for k := range m.Params {
		r.params = append(r.params, r.columns[m.Params[k].Name])
	}
	return nil
}

// sharedSettings stores each setting once, because every trial has the same settings, in the same order.
type sharedSettings struct {
	all  []learners.Settings
	at   map[string]int // index into all, by method and values
	next int            // index after the last setting that share returned
	key  []byte         // scratch
}

// share returns the stored copy of the method's values. If there is no copy, it checks and stores the values.
func (s *sharedSettings) share(m *learners.Method, values []float64) ([]float64, error) {
	if s.next == len(s.all) {
		s.next = 0
	}
	if s.next < len(s.all) {
		if next := &s.all[s.next]; next.Method == m && slices.EqualFunc(next.Values, values, sameBits) {
			s.next++
			return next.Values, nil
		}
	}
	s.key = append(s.key[:0], m.Name...)
	for _, v := range values {
		s.key = binary.LittleEndian.AppendUint64(s.key, math.Float64bits(v))
	}
	at, ok := s.at[string(s.key)]
	if !ok {
		for k := range m.Params {
			if err := m.Params[k].Check(values[k]); err != nil {
				return nil, err
			}
		}
		at = len(s.all)
		s.at[string(s.key)] = at
		s.all = append(s.all, learners.Settings{Method: m, Values: slices.Clone(values)})
	}
	s.next = at + 1
	return s.all[at].Values, nil
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
