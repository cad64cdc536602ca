package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/apache/arrow/go/v15/arrow"

	"graphda/io/seal"
)

// A Model is a cell's model at a checkpoint.
type Model struct {
	Cell, Dataset string
	Trial         int
	Method        string
	Checkpoint    int
	P             int    // number of features
	W, Wbar       Sparse // the last iterate w and the running average w̄

	// Mistakes and MistakesWbar list the training samples, numbered from 1, that w and w̄ predicted wrongly before
	// learning them.
	Mistakes, MistakesWbar []int32

	Trace
}

// A Trace records how a cell arrived at its model. It is empty unless reports need it.
type Trace struct {
	// Losses and LossesWbar are the losses of w and w̄ on each training sample before learning it.
	Losses, LossesWbar []float64
	// LargestNorm is the largest norm ‖(w_t, b_t)‖ of all iterates, with the intercepts b_t.
	LargestNorm float64
}

// Sparse holds the nonzero weights and the intercept of a linear model.
type Sparse struct {
	Index     []int32 // indices of features with nonzero weight, from 0, ascending
	Value     []float64
	Intercept float64
}

func (s *Sparse) check(p int) error {
	if len(s.Index) != len(s.Value) {
		return fmt.Errorf("%d indices and %d values", len(s.Index), len(s.Value))
	}
	return checkAscending(s.Index, 0, p-1)
}

// checkAscending returns an error unless the numbers in v ascend strictly from low to at most high.
func checkAscending(v []int32, low, high int) error {
	for i, x := range v {
		if int(x) < low || int(x) > high || i > 0 && x <= v[i-1] {
			return fmt.Errorf("entry %d of the list is %d, want ascending numbers from %d to %d", i, x, low, high)
		}
	}
	return nil
}

// checkTrace returns an error unless losses is empty or has an element for each sample.
func checkTrace(losses []float64, samples int) error {
	if len(losses) != 0 && len(losses) != samples {
		return fmt.Errorf("%d losses of %d samples", len(losses), samples)
	}
	return nil
}

func (m *Model) check() error {
	if !storable(m.Cell) || !storable(m.Dataset) || !storable(m.Method) {
		return fmt.Errorf("results: model of cell %q, dataset %q, method %q: a name is not plain text", m.Cell, m.Dataset,
			m.Method)
	}
	wrap := func(what string, err error) error {
		if err == nil {
			return nil
		}
		return fmt.Errorf("results: model of cell %q, checkpoint %d: %s: %w", m.Cell, m.Checkpoint, what, err)
	}
	return errors.Join(
		wrap("w", m.W.check(m.P)),
		wrap("w̄", m.Wbar.check(m.P)),
		wrap("mistakes", checkAscending(m.Mistakes, 1, m.Checkpoint)),
		wrap("mistakes of w̄", checkAscending(m.MistakesWbar, 1, m.Checkpoint)),
		wrap("losses", checkTrace(m.Losses, m.Checkpoint)),
		wrap("losses of w̄", checkTrace(m.LossesWbar, m.Checkpoint)),
	)
}

// modelColumns are the columns of a file of models. No column has nulls.
var modelColumns = []Column[Model]{
	define("cell", RoleIdentity, label, func(m *Model) *string { return &m.Cell }),
	define("dataset", RoleIdentity, label, func(m *Model) *string { return &m.Dataset }),
	define("trial", RoleIdentity, integer, func(m *Model) *int { return &m.Trial }),
	define("method", RoleIdentity, label, func(m *Model) *string { return &m.Method }),
	define("checkpoint", RoleIdentity, integer, func(m *Model) *int { return &m.Checkpoint }),
	define("features", RoleIdentity, integer, func(m *Model) *int { return &m.P }),
	define("index", RoleMetric, indices, func(m *Model) *[]int32 { return &m.W.Index }),
	define("value", RoleMetric, values, func(m *Model) *[]float64 { return &m.W.Value }),
	define("intercept", RoleMetric, finite, func(m *Model) *float64 { return &m.W.Intercept }),
	define("mistakes", RoleMetric, indices, func(m *Model) *[]int32 { return &m.Mistakes }),
	define("index"+WbarSuffix, RoleMetric, indices, func(m *Model) *[]int32 { return &m.Wbar.Index }),
	define("value"+WbarSuffix, RoleMetric, values, func(m *Model) *[]float64 { return &m.Wbar.Value }),
	define("intercept"+WbarSuffix, RoleMetric, finite, func(m *Model) *float64 { return &m.Wbar.Intercept }),
	define("mistakes"+WbarSuffix, RoleMetric, indices, func(m *Model) *[]int32 { return &m.MistakesWbar }),
	define("losses", RoleMetric, values, func(m *Model) *[]float64 { return &m.Losses }),
	define("losses"+WbarSuffix, RoleMetric, values, func(m *Model) *[]float64 { return &m.LossesWbar }),
	define("largest_norm", RoleMetric, finite, func(m *Model) *float64 { return &m.LargestNorm }),
}

// modelBatch is the largest number of models in a record batch, because list offsets have only 32 bits.
const modelBatch = 1 << 10

// WriteModels writes a sealed file of models. It replaces an existing file, because an attempt may be killed between
// writing the models and the shard. The bytes depend only on the models. Models that break the rules in the comments of
// Model are an error.
func WriteModels(path string, models []Model) error {
	for i := range models {
		if err := models[i].check(); err != nil {
			return err
		}
	}
	schema := describe(arrow.NewSchema(fields(modelColumns), nil), kindModels, seal.Key, seal.Blank())
	rec, err := record(schema, modelColumns, models)
	if err != nil {
		return err
	}
	defer rec.Release()
	return writeAgainIfSwept(path, func(w io.Writer) error { return writeFile(w, rec, modelBatch) })
}

// writeAgainIfSwept is seal.Write with retries, because the attempt that seals the task removes all temporary files of
// the task.
func writeAgainIfSwept(path string, fill func(io.Writer) error) error {
	err := seal.Write(path, fill)
	for range 3 {
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
		err = seal.Write(path, fill)
	}
	return err
}

// ReadModels verifies the seal of a file of models and reads it.
func ReadModels(path string) ([]Model, error) {
	var models []Model
	_, err := readFile(path, func(rec arrow.Record) error {
		from := len(models)
		models = append(models, make([]Model, rec.NumRows())...)
		for _, c := range modelColumns {
			at := rec.Schema().FieldIndices(c.Name)
			if len(at) != 1 {
				return fmt.Errorf("column %q is missing", c.Name)
			}
			if err := c.read(rec.Column(at[0]), models[from:]); err != nil {
				return err
			}
		}
		return nil
	}, kindModels)
	return models, err
}

// Key returns the key of the model's row.
func (m *Model) Key() Key { return Key{m.Cell, m.Checkpoint} }
