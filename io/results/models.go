package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"graphda/io/seal"
)

// A Model is what a cell had learned at a checkpoint.
type Model struct {
	Cell, Dataset string
	Trial         int
	Method        string
	Checkpoint    int
	P             int    // features
	W, Wbar       Sparse // the last iterate w and the running average w̄

	// The training samples that w and w̄ predicted wrongly before learning from them,
	// ascending numbers from 1 to Checkpoint.
	Mistakes, MistakesWbar []int32

	Trace
}

// A Trace is how a cell came to its model. It is kept for reports that need it, else empty.
type Trace struct {
	// The losses that w and w̄ suffered in each training sample before learning from it.
	Losses, LossesWbar []float64
	// LargestNorm is the largest ‖(w_t, b_t)‖ of all iterates with their intercepts.
	LargestNorm float64
}

// Sparse is a linear model's nonzero weights and its intercept.
type Sparse struct {
	Index     []int32 // features from 0, ascending
	Value     []float64
	Intercept float64
}

func (s *Sparse) check(p int) error {
	if len(s.Index) != len(s.Value) {
		return fmt.Errorf("%d indices and %d values", len(s.Index), len(s.Value))
	}
	return checkAscending(s.Index, 0, p-1)
}

// checkAscending wants strictly ascending numbers from low to high.
func checkAscending(v []int32, low, high int) error {
	for i, x := range v {
		if int(x) < low || int(x) > high || i > 0 && x <= v[i-1] {
			return fmt.Errorf("number %d of the list is %d, want ascending numbers from %d to %d", i, x, low, high)
		}
	}
	return nil
}

// checkTrace wants a loss for each sample, or none.
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

// A modelColumn moves one field of models to and from Arrow.
type modelColumn struct {
	arrow.Field
	write func(array.Builder, *Model) error
	read  func(a arrow.Array, i int, m *Model)
}

// modelColumns are the columns of a file of models, in order.
var modelColumns = []modelColumn{
	modelText("cell", RoleIdentity, func(m *Model) *string { return &m.Cell }),
	modelText("dataset", RoleIdentity, func(m *Model) *string { return &m.Dataset }),
	modelInt("trial", RoleIdentity, func(m *Model) *int { return &m.Trial }),
	modelText("method", RoleIdentity, func(m *Model) *string { return &m.Method }),
	modelInt("checkpoint", RoleIdentity, func(m *Model) *int { return &m.Checkpoint }),
	modelInt("features", RoleIdentity, func(m *Model) *int { return &m.P }),
	modelIndices("index", func(m *Model) *[]int32 { return &m.W.Index }),
	modelValues("value", func(m *Model) *[]float64 { return &m.W.Value }),
	modelFloat("intercept", func(m *Model) *float64 { return &m.W.Intercept }),
	modelIndices("mistakes", func(m *Model) *[]int32 { return &m.Mistakes }),
	modelIndices("index"+WbarSuffix, func(m *Model) *[]int32 { return &m.Wbar.Index }),
	modelValues("value"+WbarSuffix, func(m *Model) *[]float64 { return &m.Wbar.Value }),
	modelFloat("intercept"+WbarSuffix, func(m *Model) *float64 { return &m.Wbar.Intercept }),
	modelIndices("mistakes"+WbarSuffix, func(m *Model) *[]int32 { return &m.MistakesWbar }),
	modelValues("losses", func(m *Model) *[]float64 { return &m.Losses }),
	modelValues("losses"+WbarSuffix, func(m *Model) *[]float64 { return &m.LossesWbar }),
	modelFloat("largest_norm", func(m *Model) *float64 { return &m.LargestNorm }),
}

func modelField(name string, role Role, typ arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: typ, Metadata: arrow.NewMetadata([]string{RoleKey}, []string{string(role)})}
}

func modelText(name string, role Role, at func(*Model) *string) modelColumn {
	return modelColumn{
		Field: modelField(name, role, label.typ),
		write: func(b array.Builder, m *Model) error { return putText(b, *at(m)) },
		read: func(a arrow.Array, i int, m *Model) {
			d := a.(*array.Dictionary)
			*at(m) = string([]byte(d.Dictionary().(*array.String).Value(d.GetValueIndex(i))))
		},
	}
}

func modelInt(name string, role Role, at func(*Model) *int) modelColumn {
	return modelColumn{
		Field: modelField(name, role, arrow.PrimitiveTypes.Int64),
		write: func(b array.Builder, m *Model) error { return integer.put(b, *at(m)) },
		read:  func(a arrow.Array, i int, m *Model) { *at(m) = int(a.(*array.Int64).Value(i)) },
	}
}

func modelFloat(name string, at func(*Model) *float64) modelColumn {
	return modelColumn{
		Field: modelField(name, RoleMetric, arrow.PrimitiveTypes.Float64),
		write: func(b array.Builder, m *Model) error { return number.put(b, *at(m)) },
		read:  func(a arrow.Array, i int, m *Model) { *at(m) = a.(*array.Float64).Value(i) },
	}
}

func modelIndices(name string, at func(*Model) *[]int32) modelColumn {
	return modelColumn{
		Field: modelField(name, RoleMetric, arrow.ListOf(arrow.PrimitiveTypes.Int32)),
		write: func(b array.Builder, m *Model) error {
			l := b.(*array.ListBuilder)
			l.Append(true)
			l.ValueBuilder().(*array.Int32Builder).AppendValues(*at(m), nil)
			return nil
		},
		read: func(a arrow.Array, i int, m *Model) {
			l := a.(*array.List)
			from, to := l.ValueOffsets(i)
			*at(m) = slices.Clone(l.ListValues().(*array.Int32).Int32Values()[from:to])
		},
	}
}

func modelValues(name string, at func(*Model) *[]float64) modelColumn {
	return modelColumn{
		Field: modelField(name, RoleMetric, arrow.ListOf(arrow.PrimitiveTypes.Float64)),
		write: func(b array.Builder, m *Model) error {
			l := b.(*array.ListBuilder)
			l.Append(true)
			l.ValueBuilder().(*array.Float64Builder).AppendValues(*at(m), nil)
			return nil
		},
		read: func(a arrow.Array, i int, m *Model) {
			l := a.(*array.List)
			from, to := l.ValueOffsets(i)
			*at(m) = slices.Clone(l.ListValues().(*array.Float64).Float64Values()[from:to])
		},
	}
}

// modelBatch bounds the models of a record batch, whose lists have 32-bit offsets.
const modelBatch = 1 << 10

// WriteModels writes a sealed file of models and replaces what stood at path, so that
// an attempt that was killed between its models and its shard can be repeated. The
// bytes depend on the models alone. Models whose lists are not as documented are
// refused.
func WriteModels(path string, models []Model) error {
	fields := make([]arrow.Field, len(modelColumns))
	for i, c := range modelColumns {
		fields[i] = c.Field
	}
	schema := describe(arrow.NewSchema(fields, nil), kindModels, seal.Key, seal.Blank())
	b := array.NewRecordBuilder(allocator, schema)
	defer b.Release()
	for i := range models {
		if err := models[i].check(); err != nil {
			return err
		}
		for j, c := range modelColumns {
			if err := c.write(b.Field(j), &models[i]); err != nil {
				return fmt.Errorf("results: column %q: %w", c.Name, err)
			}
		}
	}
	rec := b.NewRecord()
	defer rec.Release()
	return writeAgainIfSwept(path, func(w io.Writer) error { return writeFile(w, rec, modelBatch) })
}

// writeAgainIfSwept is seal.Write for an attempt that may not be the first to seal the
// task: the first removes all temporary files of the task, perhaps this one's.
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

// ModelsDigest checks a file of models against its seal and returns its digest.
func ModelsDigest(path string) (string, error) {
	f, digest, err := seal.OpenSealed(path)
	if err != nil {
		return "", err
	}
	return digest, f.Close()
}

// ReadModels reads a file of models after checking it against its seal.
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
			for i := range models[from:] {
				c.read(rec.Column(at[0]), i, &models[from+i])
			}
		}
		return nil
	}, kindModels)
	if err != nil {
		return nil, err
	}
	return models, nil
}

// Key returns the key of the row that the model belongs to.
func (m *Model) Key() Key { return Key{m.Cell, m.Checkpoint} }
