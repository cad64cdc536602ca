package run

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"graphda/io/columnar"
	"graphda/io/message"
	"graphda/io/results"
	"graphda/io/results/export"
	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/paper"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// ChosenName is the name of the file of chosen rows, which gdmerge writes.
const ChosenName = "chosen.parquet"

// chosenPlan is the key of the run's plan in the file's footer.
const chosenPlan = "graphda.plan"

// A ChosenWriter writes the rows that gdmerge needs to make a run's tables and figures again, except times. These are
// chosen rows, rows that tie with them, rows that a report draws, and failed rows. Tied rows have only the measures by
// which rules rank. If only curves and claims use a checkpoint, it has only chosen rows, with the measures that curves
// and claims read. Trials with missing results are not written.
type ChosenWriter struct {
	*export.ParquetWriter
	plan  *plan.Plan
	drawn map[int]*drawn // for each checkpoint with no other use: what curves and claims use
}

type drawn struct {
	measures []*metrics.Measure
	wbar     bool // curves or claims use w̄ too
}

// keep removes all measures from the row except the measures in d and the measures by which rules rank rows.
func (d *drawn) keep(row *results.Row) {
	w, wbar := row.W, row.Wbar
	row.W, row.Wbar, row.HeadBound = selection.Ranked(&w), results.NoMetrics(), math.NaN()
	if d.wbar {
		row.Wbar = selection.Ranked(&wbar)
	}
	for _, m := range d.measures {
		m.Copy(&row.W, &w)
		if d.wbar {
			m.Copy(&row.Wbar, &wbar)
		}
	}
}

func drawnOf(p *plan.Plan) map[int]*drawn {
	all, last := map[int]*drawn{}, p.Checkpoints[len(p.Checkpoints)-1]
	for _, checkpoint := range p.Checkpoints {
		curves, alone := p.Experiment.CurvesAt(checkpoint, last)
		if !alone {
			continue
		}
		d := &drawn{}
		add := func(measure string, models []string) {
			d.measures = append(d.measures, metrics.MeasureOf(measure))
			d.wbar = d.wbar || slices.Contains(experiment.ShownModels(models), selection.Wbar)
		}
		for _, r := range curves {
			add(r.Measure, r.Models)
		}
		for _, c := range paper.Claims() {
			about := slices.ContainsFunc(p.Datasets, func(d plan.Dataset) bool { return slices.Contains(c.Datasets, d.Name) })
			if about && slices.Contains(c.Checkpoints, checkpoint) && slices.Contains(metrics.MeasureNames(), c.Measure) {
				add(c.Measure, c.Models)
			}
		}
		all[checkpoint] = d
	}
	return all
}

// A chosenHeader is the plan in a footer, without cells and paths.
type chosenHeader struct {
	*plan.Plan
	Cells int `json:"cells"`
}

// NewChosen begins a file of chosen rows.
func (r *Run) NewChosen(w io.Writer) (*ChosenWriter, error) {
	p := *r.Plan
	p.CellsFile, p.Before, p.Datasets = "", nil, slices.Clone(p.Datasets)
	for i := range p.Datasets {
		p.Datasets[i].Dir = ""
	}
	footer, err := json.Marshal(chosenHeader{&p, len(p.Cells)})
	if err != nil {
		return nil, err
	}
	rows, err := export.NewSmallParquet(w, plan.Layout(), map[string]string{chosenPlan: string(footer)},
		p.Experiment.FreeColumns()...)
	return &ChosenWriter{rows, r.Plan, drawnOf(r.Plan)}, err
}

// planOf returns the plan in the footer, with cells made from the plan's grids.
func planOf(path, footer string) (*plan.Plan, error) {
	h := chosenHeader{Plan: new(plan.Plan)}
	if err := json.Unmarshal([]byte(footer), &h); err != nil {
		return nil, message.Because(plan.ErrPlan, "%s: its footer has no plan, as every %s has: %w", path, ChosenName, err)
	}
	if h.Experiment != nil {
		h.Experiment.DropRetired()
	}
	if err := h.Check(path); err != nil {
		return nil, err
	}
	if err := seal.CheckVersion(h.Version, "merge it with that version"); err != nil && h.Version != "0.1.0" {
		return nil, message.Because(plan.ErrPlan, "%s: %w", path, err)
	}
	settings, trials := 0.0, 0
	for i := range h.Experiment.Methods {
		combinations := 1.0
		for _, a := range h.Experiment.Methods[i].Axes {
			combinations *= float64(len(a.Values))
		}
		settings += combinations
	}
	for i := range h.Datasets {
		trials += len(h.Datasets[i].Trials)
	}
	if all := settings * float64(trials); h.Cells < 1 || float64(h.Cells) > all || all > mostCells ||
		settings*float64(len(h.Checkpoints)) > mostRows {
		return nil, message.Because(plan.ErrPlan, "%s: is damaged or too large: it has %d cells at %d checkpoints, but %.3g "+
			"settings on %d trials; merge the folder of the run instead", path, h.Cells, len(h.Checkpoints), settings, trials)
	}
	if err := h.Expand(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	} else if len(h.Plan.Cells) == h.Cells {
		return h.Plan, nil
	}
	return nil, message.Because(plan.ErrPlan, "%s: its grids have %d cells, want %d, because not all inherited settings "+
		"suit the data; merge the folder of the run instead", path, len(h.Plan.Cells), h.Cells)
}

// A file of chosen rows may have so many cells in its plan, and so many rows of one trial.
const (
	mostCells = 4_000_000
	mostRows  = 1_000_000
)

// Keep writes the trial's rows that belong in the file.
func (c *ChosenWriter) Keep(t *merge.TrialRows) error {
	if !t.Complete() {
		return nil
	}
	var rows []*results.Row
	for _, r := range t.Rows {
		if reduce := c.kept(t, r); reduce != nil {
			row := *r
			reduce(&row)
			row.Seconds = math.NaN()
			rows = append(rows, &row)
		}
	}
	return c.Write(rows)
}

// kept returns a function that reduces r for the file, or nil if r does not belong in the file.
func (c *ChosenWriter) kept(t *merge.TrialRows, r *results.Row) (reduce func(*results.Row)) {
	last := c.plan.Checkpoints[len(c.plan.Checkpoints)-1]
	chosen, tied := t.Decides(r)
	drawn := c.drawn[r.Checkpoint]
	switch some := chosen != [2]bool{}; {
	case r.Failed(), c.plan.Experiment.Swept(r.Dataset, r.Method, r.Checkpoint, last), some && drawn == nil:
		return func(*results.Row) {}
	case tied && drawn == nil:
		return func(row *results.Row) { row.W, row.Wbar = selection.Ranked(&r.W), selection.Ranked(&r.Wbar) }
	case chosen[selection.W] && drawn != nil, some && drawn != nil && drawn.wbar:
		return drawn.keep
	}
	return nil
}

// fromChosen returns the rows of a trial from a file of chosen rows. Missing rows become rows without measures. If no
// file has the trial, fromChosen returns atHand.
func (r *Run) fromChosen(atHand []results.Row, cells []plan.Cell) []results.Row {
	rows := r.chosen[trialNamed{r.Plan.Dataset(&cells[0]).Name, cells[0].Trial}]
	if !slices.ContainsFunc(cells, func(c plan.Cell) bool { return len(rows) > 0 && c.ID == rows[0].Cell }) {
		return atHand // no file has the trial, or the data of the file's trial differ
	}
	there := map[results.Key]bool{}
	for i := range rows {
		there[rows[i].Key()] = true
		if rows[i].Failed() {
			there[results.Key{Cell: rows[i].Cell}] = true // one failed row stands for all checkpoints
		}
	}
	rows = slices.Clone(rows)
	for i := range cells {
		c := &cells[i]
		row := results.Row{Cell: c.ID, Dataset: r.Plan.Dataset(c).Name, Trial: c.Trial, Method: c.Method.Name,
			Params: plan.Spread(plan.Layout(), c.Settings()), Settings: plan.FreeSettings(c.Settings()),
			W: results.NoMetrics(), Wbar: results.NoMetrics(), Seconds: math.NaN(), HeadBound: math.NaN()}
		for _, row.Checkpoint = range r.Plan.Checkpoints {
			if !there[row.Key()] && !there[results.Key{Cell: c.ID}] {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// setDefaults sets parameters that the file does not have, because they are newer, to their defaults.
func setDefaults(r *results.Row, layout results.Layout) {
	m, err := learners.Lookup(r.Method)
	if err != nil {
		return // a program
	}
	for k := range layout {
		param, err := m.Param(layout[k].Name)
		if err == nil && param.OmitDefault && math.IsNaN(r.Params[k]) {
			r.Params[k] = param.Default
		}
	}
}

// identify sets the ids of rows, which most files lack. It refuses rows of unplanned cells or checkpoints.
func identify(rows []results.Row, p *plan.Plan) error {
	layout := plan.Layout()
	for i := range rows {
		setDefaults(&rows[i], layout)
	}
	type named struct {
		dataset, method, settings string
		trial                     int
	}
	settings := func(params []float64, free string) string {
		var text []byte
		for _, v := range params {
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
		}
		return string(text) + free
	}
	name := func(r *results.Row) named { return named{r.Dataset, r.Method, settings(r.Params, r.Settings), r.Trial} }
	ids, known := map[named]string{}, map[string]bool{} // known: whether the plan has the cell, by id
	for i := range rows {
		if rows[i].Cell == "" {
			ids[name(&rows[i])] = ""
		} else {
			known[rows[i].Cell] = false
		}
	}
	texts := map[*float64]string{} // key: address of a setting's first value
	for i := range p.Cells {
		c := &p.Cells[i]
		var at *float64
		if len(c.Values) > 0 {
			at = &c.Values[0]
		}
		if at == nil || texts[at] == "" {
			texts[at] = settings(plan.Spread(layout, c.Settings()), plan.FreeSettings(c.Settings()))
		}
		key := named{p.Dataset(c).Name, c.Method.Name, texts[at], c.Trial}
		if _, sought := ids[key]; sought {
			ids[key] = c.ID
		}
		if _, sought := known[c.ID]; sought || ids[key] == c.ID {
			known[c.ID] = true
		}
	}
	for i := range rows {
		r := &rows[i]
		if r.Cell == "" {
			r.Cell = ids[name(r)]
		}
		if !known[r.Cell] || !slices.Contains(p.Checkpoints, r.Checkpoint) {
			return columnar.AtRow(i, "is not in the file's plan: dataset %s, trial %d, method %s, checkpoint %d with the row's "+
				"parameters", r.Dataset, r.Trial, r.Method, r.Checkpoint)
		}
	}
	return nil
}

// OpenToMerge opens a run to merge: a folder, or a file of chosen rows. It takes missing trials from further files. The
// experiments may differ only in datasets and trials, and the data of a trial must be the same everywhere. If path is a
// file, its plan grows by the new trials. If path is a folder, its plan must already have all trials.
func OpenToMerge(path string, more ...string) (r *Run, err error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		r, more = &Run{Dir: path}, append([]string{path}, more...)
	} else if r, err = Open(path); err != nil {
		return nil, err
	}
	for _, path := range more {
		rows, metadata, err := export.ReadParquet(path, plan.Layout())
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, seal.ErrDamaged), err != nil && metadata[chosenPlan] != "":
			return nil, err
		case metadata[chosenPlan] == "":
			return nil, message.Because(plan.ErrPlan, "%w; want a %s, as gdmerge RUN --out REPORT writes into REPORT/data",
				cmp.Or(err, fmt.Errorf("%s: has no plan", path)), ChosenName)
		}
		p, err := planOf(path, metadata[chosenPlan])
		if err == nil {
			err = columnar.Locate(identify(rows, p), path, "")
		}
		if err != nil {
			return nil, err
		}
		if r.Plan == nil {
			r.Plan = p
		}
		if p.Experiment.Apart() != r.Plan.Experiment.Apart() || !slices.Equal(p.Checkpoints, r.Plan.Checkpoints) {
			return nil, message.Because(plan.ErrPlan,
				"%s: its experiment differs from the experiment of %s in name, title, methods, checkpoints, rules or "+
					"reports; merge %[1]s by itself", path, r.Dir)
		}
		if err := join(r.Plan, path, p, len(r.Tasks) == 0); err != nil {
			return nil, fmt.Errorf("%w; merge %s by itself", err, path)
		}
		r.addChosen(rows)
	}
	return r, nil
}

// join adds the trials and cells of another plan, from the file at path, to the plan p. Common trials must have the
// same data. New trials are an error unless grows is set.
func join(p *plan.Plan, path string, other *plan.Plan, grows bool) error {
	if p == other {
		return nil
	}
	for i := range other.Datasets {
		d := &other.Datasets[i]
		at := slices.IndexFunc(p.Datasets, func(o plan.Dataset) bool { return o.Name == d.Name })
		if at < 0 {
			at = len(p.Datasets)
			p.Datasets = append(p.Datasets, plan.Dataset{Name: d.Name})
			p.Experiment.Datasets = append(p.Experiment.Datasets, other.Experiment.Datasets[i])
		}
		own, added := &p.Datasets[at], map[int]bool{}
		own.Features, own.Edges = max(own.Features, d.Features), max(own.Edges, d.Edges)
		own.Rows = max(own.Rows, d.Rows)
		for _, t := range d.Trials {
			k := slices.IndexFunc(own.Trials, func(o plan.TrialSummary) bool { return o.Trial == t.Trial })
			switch {
			case k >= 0 && own.Trials[k].Digest != t.Digest:
				return message.Because(plan.ErrPlan, "%s: trial %d of %s has other data (%.12s…, not %.12s…)", path, t.Trial,
					d.Name, t.Digest, own.Trials[k].Digest)
			case k < 0 && !grows:
				return message.Because(plan.ErrPlan, "%s: the run's plan lacks trial %d of %s, but the run's own %s "+
					"takes new trials", path, t.Trial, d.Name, ChosenName)
			case k < 0:
				own.Trials, added[t.Trial] = append(own.Trials, t), true
			}
		}
		for _, c := range other.Cells {
			if c.Dataset == i && added[c.Trial] {
				method, err := p.Experiment.Lookup(c.Method.Name)
				if err != nil {
					return err
				}
				c.Dataset, c.Method = at, method
				p.Cells = append(p.Cells, c)
			}
		}
		slices.SortFunc(own.Trials, func(a, b plan.TrialSummary) int { return cmp.Compare(a.Trial, b.Trial) })
		if err := own.CheckTrials(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if !grows {
		return nil // a folder's tasks refer to cells by index, so cells must not move
	}
	if len(other.Experiment.Trials) == 0 || len(p.Experiment.Trials) == 0 {
		p.Experiment.Trials = nil
	} else {
		p.Experiment.Trials = append(p.Experiment.Trials, other.Experiment.Trials...)
		slices.Sort(p.Experiment.Trials)
		p.Experiment.Trials = slices.Compact(p.Experiment.Trials)
	}
	slices.SortStableFunc(p.Cells, func(a, b plan.Cell) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Trial, b.Trial))
	})
	return nil
}

// addChosen adds rows, except rows of trials that an earlier file has.
func (r *Run) addChosen(rows []results.Row) {
	added := map[trialNamed][]results.Row{}
	for i := range rows {
		k := trialNamed{rows[i].Dataset, rows[i].Trial}
		added[k] = append(added[k], rows[i])
	}
	maps.Copy(added, r.chosen)
	r.chosen = added
}

// Rule returns the named selection rule. An empty name means the experiment's first rule. A file of chosen rows has
// only the rules that chose its rows.
func (r *Run) Rule(name string) (selection.Rule, error) {
	e := r.Plan.Experiment
	if r.FromFile() && name != "" && !slices.Contains(e.Selection, name) {
		return selection.Rule{}, userinput.Errorf("rule %q: %s has only rows chosen by %s", name, r.Dir,
			strings.Join(e.Selection, ", "))
	}
	return e.Rule(name)
}

// FromFile tells whether the rows come from a file of chosen rows. Such a file has no times and no models.
func (r *Run) FromFile() bool { return r.chosen != nil }
