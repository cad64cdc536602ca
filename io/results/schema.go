package results

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
)

// A Row is the result of one cell at one checkpoint. Files store a row exactly, with three exceptions. NaN may change
// its bits. Times are in UTC, rounded down to microseconds. In Host, Attempt and Error, bytes that are not UTF-8 become
// U+FFFD, and the prefix of a seal (package seal) is removed.
type Row struct {
	Cell       string // id, a SHA-256 in hex; never empty
	Dataset    string
	Trial      int       // from 0
	Method     string    // name in package learners
	Params     []float64 // parameters in the order of the Layout; NaN if the method lacks the parameter
	Settings   string    // parameters without a column, in canonical JSON, or empty
	Checkpoint int       // number of training samples learned from

	W    Metrics // measures of the last iterate w
	Wbar Metrics // measures of the running average w̄

	Seconds     float64 // learning time up to the checkpoint, without evaluation
	Solves      int64   // number of Steiner forest problems solved up to the checkpoint
	Unbracketed int64   // number of projections that found no set of s to (1 + ω)·s features
	KeptHeads   int64   // number of samples for which GraphDA kept the last head
	HeadBound   float64 // smallest approximation factor c_H proven for a head; NaN unless heads are lazy

	Host     string
	CPU      string    // kind of processor, or empty
	Attempt  string    // the attempt that computed the row
	Started  time.Time // zero if unknown
	Finished time.Time // zero if unknown

	Error string // why the cell failed; empty if it did not fail
}

// Failed reports whether the cell could not be computed.
func (r *Row) Failed() bool { return r.Error != "" }

// Metrics holds the measures of one model. NaN means undefined, such as precision if the true support is unknown.
type Metrics struct {
	TestAccuracy, ValidAccuracy                 float64
	TestBalancedAccuracy, ValidBalancedAccuracy float64
	TestAUC, ValidAUC                           float64
	TestMSE, ValidMSE                           float64
	Mistakes                                    float64
	CumulativeLoss, Regret                      float64
	Nonzeros                                    float64
	Precision, Recall, F1                       float64
}

// A Metric is one column of Metrics.
type Metric struct {
	Name string // column for w; the column for w̄ adds the suffix _wbar
	Doc  string
	At   func(*Metrics) *float64

	Whole bool                   // whether the values are integers
	Scale func(*Metrics) float64 // the value to which rounding errors are relative; nil means the measure itself
}

// MetricColumns lists the columns of a model's measures, in file order.
var MetricColumns = []Metric{
	{"test_accuracy", "share of test samples whose label is predicted correctly",
		func(m *Metrics) *float64 { return &m.TestAccuracy }, false, nil},
	{"valid_accuracy", "the same on the validation split",
		func(m *Metrics) *float64 { return &m.ValidAccuracy }, false, nil},
	{"test_balanced_accuracy", "mean of the two classes' accuracies (the paper's AUC)",
		func(m *Metrics) *float64 { return &m.TestBalancedAccuracy }, false, nil},
	{"valid_balanced_accuracy", "the same on the validation split",
		func(m *Metrics) *float64 { return &m.ValidBalancedAccuracy }, false, nil},
	{"test_auc", "area under the ROC curve of the scores", func(m *Metrics) *float64 { return &m.TestAUC }, false, nil},
	{"valid_auc", "the same on the validation split", func(m *Metrics) *float64 { return &m.ValidAUC }, false, nil},
	{"test_mse", "mean squared error", func(m *Metrics) *float64 { return &m.TestMSE }, false, nil},
	{"valid_mse", "the same on the validation split", func(m *Metrics) *float64 { return &m.ValidMSE }, false, nil},
	{"mistakes", "number of training samples that were predicted wrongly before learning from them",
		func(m *Metrics) *float64 { return &m.Mistakes }, true, nil},
	{"cumulative_loss", "sum of the training losses, each measured before learning from the sample",
		func(m *Metrics) *float64 { return &m.CumulativeLoss }, false, nil},
	{"regret", "cumulative loss minus the loss of the best fixed model, on the true support if it is known",
		func(m *Metrics) *float64 { return &m.Regret }, false, func(m *Metrics) float64 { return m.CumulativeLoss }},
	{"nonzeros", "number of features with a nonzero weight", func(m *Metrics) *float64 { return &m.Nonzeros }, true, nil},
	{"precision", "share of the selected features that are true",
		func(m *Metrics) *float64 { return &m.Precision }, false, nil},
	{"recall", "share of the true features that are selected", func(m *Metrics) *float64 { return &m.Recall }, false, nil},
	{"f1", "harmonic mean of precision and recall", func(m *Metrics) *float64 { return &m.F1 }, false, nil},
}

// WbarSuffix ends the names of columns for the running average w̄.
const WbarSuffix = "_wbar"

// NoMetrics returns Metrics in which every measure is NaN.
func NoMetrics() Metrics {
	var m Metrics
	for _, c := range MetricColumns {
		*c.At(&m) = math.NaN()
	}
	return m
}

// A ParamColumn is the column of one hyperparameter. If its values are words, a Row holds the word's index in Words,
// and a file holds the word.
type ParamColumn struct {
	Name  string
	Words []string // accepted words; nil for a number
	Whole bool     // whether the numbers are integers
}

// A Layout lists the hyperparameter columns of a file, in file order.
type Layout []ParamColumn

// blockColumn is the column of a part whose first row in each block holds the block's mark (see part.go).
const blockColumn = "graphda.block"

// Validate returns an error that lists all unusable names of columns and repeated words.
func (l Layout) Validate() error {
	taken := make(map[string]bool)
	for _, c := range Fields(nil) {
		taken[c.Name] = true
	}
	taken[blockColumn] = true
	var errs []error
	for _, p := range l {
		switch {
		case p.Name == "" || !storable(p.Name):
			errs = append(errs, fmt.Errorf("results: parameter name %q: want a word", p.Name))
		case taken[p.Name]:
			errs = append(errs, fmt.Errorf("results: parameter %q: another column has that name", p.Name))
		}
		taken[p.Name] = true
		words := make(map[string]bool)
		for _, w := range p.Words {
			if words[w] || !storable(w) {
				errs = append(errs, fmt.Errorf("results: parameter %q: word %q is listed twice or is not plain text", p.Name, w))
			}
			words[w] = true
		}
	}
	return errors.Join(errs...)
}

// schema returns the schema of result files with the given hyperparameters. Columns in which texts repeat have
// dictionaries.
func schema(layout Layout) *arrow.Schema { return arrow.NewSchema(fields(Fields(layout)), nil) }

// A Field is a column of result files.
type Field = Column[Row]

// Fields lists the columns of result files with the given hyperparameters, in file order: identity, parameters,
// measures of w, measures of w̄, cost and provenance.
func Fields(layout Layout) []Field {
	cols := []Field{
		define("cell", RoleIdentity, label, func(r *Row) *string { return &r.Cell }),
		define("dataset", RoleIdentity, label, func(r *Row) *string { return &r.Dataset }),
		define("trial", RoleIdentity, integer, func(r *Row) *int { return &r.Trial }),
		define("method", RoleIdentity, label, func(r *Row) *string { return &r.Method }),
		define("checkpoint", RoleIdentity, integer, func(r *Row) *int { return &r.Checkpoint }),
	}
	for i, p := range layout {
		values := number
		if p.Words != nil {
			values = wordsOf(p.Words)
		}
		c := define(p.Name, RoleParameter, values, func(r *Row) *float64 { return &r.Params[i] })
		c.Words, c.Whole = p.Words, p.Whole
		cols = append(cols, c)
	}
	cols = append(cols, define(SettingsColumn, RoleParameter, remark, func(r *Row) *string { return &r.Settings }))
	for _, m := range MetricColumns {
		cols = append(cols, m.column("", func(r *Row) *Metrics { return &r.W }))
	}
	for _, m := range MetricColumns {
		cols = append(cols, m.column(WbarSuffix, func(r *Row) *Metrics { return &r.Wbar }))
	}
	return append(cols,
		define("seconds", RoleCost, number, func(r *Row) *float64 { return &r.Seconds }),
		define("solves", RoleMetric, count, func(r *Row) *int64 { return &r.Solves }),
		define("unbracketed", RoleMetric, count, func(r *Row) *int64 { return &r.Unbracketed }),
		define("kept_heads", RoleMetric, count, func(r *Row) *int64 { return &r.KeptHeads }),
		define("head_bound", RoleMetric, number, func(r *Row) *float64 { return &r.HeadBound }),
		define("host", RoleProvenance, label, func(r *Row) *string { return &r.Host }),
		define("cpu", RoleProvenance, label, func(r *Row) *string { return &r.CPU }),
		define("attempt", RoleProvenance, label, func(r *Row) *string { return &r.Attempt }),
		define("started", RoleProvenance, instant, func(r *Row) *time.Time { return &r.Started }),
		define("finished", RoleProvenance, instant, func(r *Row) *time.Time { return &r.Finished }),
		define(ErrorColumn, RoleProvenance, remark, func(r *Row) *string { return &r.Error }),
	)
}

// SettingsColumn holds the settings of users' programs. CSV and Parquet exports have it only on request.
const SettingsColumn = "settings"

const ErrorColumn = "error"

func (m *Metric) column(suffix string, of func(*Row) *Metrics) Field {
	c := define(m.Name+suffix, RoleMetric, number, func(r *Row) *float64 { return m.At(of(r)) })
	c.Whole = m.Whole
	if m.Scale != nil {
		c.scale = func(r *Row) float64 { return m.Scale(of(r)) }
	}
	return c
}

// A Key identifies a row or a model in a run.
type Key struct {
	Cell       string
	Checkpoint int
}

// Key returns the row's key.
func (r *Row) Key() Key { return Key{r.Cell, r.Checkpoint} }

// check returns an error if files of this layout cannot hold the rows.
func check(layout Layout, rows []Row) error {
	for i := range rows {
		if err := checkRow(layout, &rows[i]); err != nil {
			return fmt.Errorf("results: row %d (cell %q, checkpoint %d): %w", i, rows[i].Cell, rows[i].Checkpoint, err)
		}
	}
	return nil
}

func checkRow(layout Layout, r *Row) error {
	if r.Cell == "" {
		return errors.New("the cell has no id")
	}
	if !storable(r.Cell) || !storable(r.Dataset) || !storable(r.Method) {
		return fmt.Errorf("dataset %q, method %q: a name is not plain text", r.Dataset, r.Method)
	}
	if len(r.Params) != len(layout) {
		return fmt.Errorf("%d parameters, want %d", len(r.Params), len(layout))
	}
	for j, p := range layout {
		v := r.Params[j]
		if p.Words == nil || math.IsNaN(v) {
			continue
		}
		if v != math.Trunc(v) || v < 0 || v >= float64(len(p.Words)) {
			return fmt.Errorf("parameter %q is %v, want the index of one of its %d words", p.Name, v, len(p.Words))
		}
	}
	return nil
}

// toRecord returns the rows as one record. The caller releases it.
func toRecord(schema *arrow.Schema, layout Layout, rows []Row) (arrow.Record, error) {
	if err := errors.Join(layout.Validate(), check(layout, rows)); err != nil {
		return nil, err
	}
	return record(schema, Fields(layout), rows)
}

// appendRecord appends the rows of a record. It finds columns by name. A parameter is NaN if the record lacks its
// column. A parameter column that is not in layout is an error, because rows that differ only in this parameter would
// look the same. Identity columns are required. Other columns may be missing or unknown, because other versions have
// other columns. appendRecord reuses rows and their slices of parameters beyond len(all).
func appendRecord(all []Row, rec arrow.Record, layout Layout) ([]Row, error) {
	if err := layout.Validate(); err != nil {
		return nil, err
	}
	n, width := int(rec.NumRows()), len(layout)
	all = slices.Grow(all, n)[:len(all)+n]
	rows, params := all[len(all)-n:], []float64(nil)
	for i := range rows {
		if r := &rows[i]; len(r.Params) != width { // nothing to reuse
			if params == nil {
				params = make([]float64, (n-i)*width)
			}
			r.Params, params = params[:width:width], params[width:]
		}
	}
	known := make(map[string]bool)
	for _, c := range Fields(layout) {
		known[c.Name] = true
		switch at := rec.Schema().FieldIndices(c.Name); {
		case len(at) > 1:
			return nil, fmt.Errorf("results: column %q appears %d times", c.Name, len(at))
		case len(at) == 1:
			if err := c.read(rec.Column(at[0]), rows); err != nil {
				return nil, fmt.Errorf("results: %w", err)
			}
		case c.Role == RoleIdentity:
			return nil, fmt.Errorf("results: column %q is missing", c.Name)
		default:
			c.Blank(rows)
		}
	}
	for _, f := range rec.Schema().Fields() {
		if role, _ := f.Metadata.GetValue(RoleKey); Role(role) == RoleParameter && !known[f.Name] {
			return nil, fmt.Errorf("results: parameter column %q is unknown to the experiment", f.Name)
		}
	}
	return all, nil
}
