package results

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"graphda/io/arrowio"
	"graphda/io/seal"
)

// A Role says what a column is for. Two computations of a row agree in its identity,
// parameters and metrics, the latter as far as Dedup asks; its cost and provenance may
// differ. Files carry it in each field's metadata under RoleKey.
type Role string

// The roles of columns.
const (
	RoleIdentity   Role = "identity"   // which row it is; never null
	RoleParameter  Role = "parameter"  // a hyperparameter; null where the method has none
	RoleMetric     Role = "metric"     // what was computed
	RoleCost       Role = "cost"       // what it took
	RoleProvenance Role = "provenance" // where, when and how it ended
)

// RoleKey is the key of a Role in a field's metadata.
const RoleKey = "role"

// A Column is a column of result files, or of files of models, and moves its values to and from Arrow.
type Column[R any] struct {
	arrow.Field
	Role  Role
	Words []string       // of a parameter whose values are their indices
	Whole bool           // a column of floats that are whole numbers
	At    func(r *R) any // a pointer to the value; of a row: a *string, *int, *int64, *float64 or *time.Time
	Blank func(rows []R) // gives every row the value that stands for null

	write func(b array.Builder, rows []R) error
	read  func(a arrow.Array, rows []R) error
	equal func(x, y *R) bool // of values that are no lists
	scale func(*R) float64   // what a float's rounding errors are in proportion to; nil: the float itself
}

// A kind is how values of one Go type are kept in Arrow.
type kind[T any] struct {
	typ    arrow.DataType
	isNull func(T) bool // nil if no value is kept as null
	null   T            // what a null is read as
	put    func(array.Builder, T) error
	get    func(arrow.Array) (func(i int) (T, error), error)
}

// define makes the column of the values that at points to.
func define[R, T any](name string, role Role, k kind[T], at func(*R) *T) Column[R] {
	return Column[R]{
		Field: arrow.Field{
			Name:     name,
			Type:     k.typ,
			Nullable: k.isNull != nil,
			Metadata: arrow.NewMetadata([]string{RoleKey}, []string{string(role)}),
		},
		Role: role,
		At:   func(r *R) any { return at(r) },
		Blank: func(rows []R) {
			for i := range rows {
				*at(&rows[i]) = k.null
			}
		},
		write: func(b array.Builder, rows []R) error {
			for i := range rows {
				v := *at(&rows[i])
				if k.isNull != nil && k.isNull(v) {
					b.AppendNull()
				} else if err := k.put(b, v); err != nil {
					return fmt.Errorf("column %q: %w", name, err)
				}
			}
			return nil
		},
		read: func(a arrow.Array, rows []R) error {
			get, err := k.get(a)
			if err != nil {
				return fmt.Errorf("column %q: %w", name, err)
			}
			for i := range rows {
				v := k.null
				if !a.IsNull(i) {
					v, err = get(i)
				} else if k.isNull == nil {
					err = errors.New("null")
				}
				if err != nil {
					return fmt.Errorf("row %d, column %q: %w", i, name, err)
				}
				*at(&rows[i]) = v
			}
			return nil
		},
		equal: func(x, y *R) bool { return any(*at(x)) == any(*at(y)) },
	}
}

// Value returns a row's value: nil for null, else a string (a parameter's word, a time in RFC 3339), an int64 or a
// float64, which may be infinite.
func (c *Column[R]) Value(r *R) any {
	switch v := c.At(r).(type) {
	case *int:
		return int64(*v)
	case *int64:
		return *v
	case *float64:
		switch {
		case math.IsNaN(*v):
			return nil
		case c.Words != nil:
			return c.Words[int(*v)]
		}
		return *v
	case *time.Time:
		if v.IsZero() {
			return nil
		}
		return v.UTC().Format(time.RFC3339Nano)
	case *string:
		if *v != "" || !c.Nullable {
			return *v
		}
	}
	return nil
}

// The kinds of columns: numbers whose NaN is null, moments whose zero is null, words that
// repeat, free text whose absence is null, and whole numbers of two types.
var (
	number = kind[float64]{
		typ:    arrow.PrimitiveTypes.Float64,
		isNull: math.IsNaN,
		null:   math.NaN(),
		put:    func(b array.Builder, v float64) error { b.(*array.Float64Builder).Append(v); return nil },
		get: func(a arrow.Array) (func(int) (float64, error), error) {
			t, err := typed[*array.Float64](a)
			return func(i int) (float64, error) { return t.Value(i), nil }, err
		},
	}
	instant = kind[time.Time]{
		typ:    &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
		isNull: time.Time.IsZero,
		put: func(b array.Builder, v time.Time) error {
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(v.UnixMicro()))
			return nil
		},
		get: func(a arrow.Array) (func(int) (time.Time, error), error) {
			t, err := typed[*array.Timestamp](a)
			return func(i int) (time.Time, error) { return time.UnixMicro(int64(t.Value(i))).UTC(), nil }, err
		},
	}
	label = kind[string]{
		typ: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String},
		put: putText,
		get: texts,
	}
	remark = kind[string]{
		typ:    arrow.BinaryTypes.String,
		isNull: func(s string) bool { return s == "" },
		put:    putText,
		get:    texts,
	}
)

var integer, count = whole[int](), whole[int64]()

// finite is a number that is never null; indices and values are lists, for models.
var (
	finite  = kind[float64]{typ: number.typ, put: number.put, get: number.get}
	indices = listOf(func(b *array.Int32Builder, v []int32) { b.AppendValues(v, nil) }, (*array.Int32).Int32Values)
	values  = listOf(func(b *array.Float64Builder, v []float64) { b.AppendValues(v, nil) }, (*array.Float64).Float64Values)
)

// listOf is the kind of lists of numbers, without nulls.
func listOf[T int32 | float64, B array.Builder, A arrow.Array](add func(B, []T), all func(A) []T) kind[[]T] {
	return kind[[]T]{
		typ: arrow.ListOf(arrow.GetDataType[T]()),
		put: func(b array.Builder, v []T) error {
			l := b.(*array.ListBuilder)
			l.Append(true)
			add(l.ValueBuilder().(B), v)
			return nil
		},
		get: func(a arrow.Array) (func(int) ([]T, error), error) {
			l, err := typed[*array.List](a)
			if err != nil {
				return nil, err
			}
			elements, err := typed[A](l.ListValues())
			return func(i int) ([]T, error) {
				from, to := l.ValueOffsets(i)
				return slices.Clone(all(elements)[from:to]), nil
			}, err
		},
	}
}

func whole[T int | int64]() kind[T] {
	return kind[T]{
		typ: arrow.PrimitiveTypes.Int64,
		put: func(b array.Builder, v T) error { b.(*array.Int64Builder).Append(int64(v)); return nil },
		get: func(a arrow.Array) (func(int) (T, error), error) {
			t, err := typed[*array.Int64](a)
			return func(i int) (T, error) { return T(t.Value(i)), nil }, err
		},
	}
}

// wordsOf is the kind of a parameter that is chosen from words; a row holds the index
// of its word, whatever the order of the words in the file.
func wordsOf(words []string) kind[float64] {
	index := make(map[string]float64, len(words))
	for i, w := range words {
		index[w] = float64(i)
	}
	k := number
	k.typ = label.typ
	k.put = func(b array.Builder, v float64) error { return putText(b, words[int(v)]) }
	k.get = func(a arrow.Array) (func(int) (float64, error), error) {
		text, err := texts(a)
		return func(i int) (float64, error) {
			w, err := text(i)
			if err != nil {
				return 0, err
			}
			v, ok := index[w]
			if !ok {
				return 0, fmt.Errorf("unknown word %q, want one of %q", w, words)
			}
			return v, nil
		}, err
	}
	return k
}

// typed asserts the type of a column that a file declares.
func typed[A arrow.Array](a arrow.Array) (A, error) {
	t, ok := a.(A)
	if !ok {
		return t, fmt.Errorf("a column of %s is not expected under that name", a.DataType())
	}
	return t, nil
}

// sealPrefix begins every seal. Text in a file must not look like one, for it would be
// filled in or checked as if it were the file's own.
var sealPrefix = strings.TrimRight(seal.Blank(), "0")

// storable tells whether a file gives s back as it is.
func storable(s string) bool {
	return utf8.ValidString(s) && !strings.Contains(s, sealPrefix)
}

// putText appends text to a plain or a dictionary column, changed if it is not storable.
func putText(b array.Builder, s string) error {
	if !storable(s) {
		s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), sealPrefix, "seal ")
	}
	if d, ok := b.(*array.BinaryDictionaryBuilder); ok {
		return d.AppendString(s)
	}
	b.(*array.StringBuilder).Append(s)
	return nil
}

// texts reads a plain or a dictionary column of text. The strings do not point into
// the column's memory, and repeated ones share theirs.
func texts(a arrow.Array) (func(i int) (string, error), error) {
	if d, ok := a.(*array.Dictionary); ok {
		values, err := typed[*array.String](d.Dictionary())
		if err != nil {
			return nil, err
		}
		words := make([]string, values.Len())
		for i := range words {
			words[i] = strings.Clone(values.Value(i))
		}
		return func(i int) (string, error) {
			j := d.GetValueIndex(i)
			if j < 0 || j >= len(words) {
				return "", fmt.Errorf("dictionary index %d outside 0..%d", j, len(words)-1)
			}
			return words[j], nil
		}, nil
	}
	t, err := typed[*array.String](a)
	var last string
	return func(i int) (string, error) {
		if s := t.Value(i); s != last {
			last = strings.Clone(s)
		}
		return last, nil
	}, err
}

// record returns values of all columns of a schema. The caller releases it.
func record[R any](schema *arrow.Schema, cols []Column[R], rows []R) (arrow.Record, error) {
	b := array.NewRecordBuilder(arrowio.Allocator, schema)
	defer b.Release()
	b.Reserve(len(rows))
	for i, c := range cols {
		if err := c.write(b.Field(i), rows); err != nil {
			return nil, fmt.Errorf("results: %w", err)
		}
	}
	return b.NewRecord(), nil
}

// fields are those of columns.
func fields[R any](cols []Column[R]) (all []arrow.Field) {
	for _, c := range cols {
		all = append(all, c.Field)
	}
	return all
}
