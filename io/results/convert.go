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

// A Role says what a column is for. If a row was computed twice, Dedup compares identity, parameters and metrics.
type Role string

const (
	RoleIdentity   Role = "identity"   // names the row; never null
	RoleParameter  Role = "parameter"  // a hyperparameter; null if the method lacks it
	RoleMetric     Role = "metric"     // a measure computed for the row
	RoleCost       Role = "cost"       // time or work
	RoleProvenance Role = "provenance" // where, when and how the row was computed
)

// RoleKey is the key of a Role in a field's metadata.
const RoleKey = "role"

// A Column is a column of result files or of model files. It converts its values to and from Arrow.
type Column[R any] struct {
	arrow.Field
	Role  Role
	Words []string       // words of a parameter; a row holds a word's index
	Whole bool           // whether the floats are always whole numbers
	At    func(r *R) any // returns a pointer to the row's value (string, int, int64, float64 or time.Time)
	Blank func(rows []R) // sets the column to null in every row

	write func(b array.Builder, rows []R) error
	read  func(a arrow.Array, rows []R) error
	equal func(x, y *R) bool // compares the values of two rows
	scale func(*R) float64   // the size to which rounding errors are relative; nil means the value itself
}

// A kind says how Arrow stores values of a Go type.
type kind[T any] struct {
	typ    arrow.DataType
	isNull func(T) bool // whether the file stores the value as null; nil means never
	null   T            // the value of a null in a row
	put    func(array.Builder, T) error
	get    func(arrow.Array) (func(i int) (T, error), error)
}

// define makes a column; at returns a pointer to its value in a row.
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

// Value returns a row's value as a string, an int64 or a float64, or nil for null. Words of parameters are strings, and
// times are strings in RFC 3339.
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

// finite is for numbers that are never null. indices and values are for lists in models.
var (
	finite  = kind[float64]{typ: number.typ, put: number.put, get: number.get}
	indices = listOf(func(b *array.Int32Builder, v []int32) { b.AppendValues(v, nil) }, (*array.Int32).Int32Values)
	values  = listOf(func(b *array.Float64Builder, v []float64) { b.AppendValues(v, nil) }, (*array.Float64).Float64Values)
)

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

// wordsOf returns the kind of a parameter whose values are words. A row holds the index of its word. The file may list
// the words in any order.
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

// typed converts a column of a file to its Arrow type.
func typed[A arrow.Array](a arrow.Array) (A, error) {
	t, ok := a.(A)
	if !ok {
		return t, fmt.Errorf("a column of %s has an unexpected name", a.DataType())
	}
	return t, nil
}

// sealPrefix begins every seal. A text must not contain it, because seal.Write would treat the text as a seal.
var sealPrefix = strings.TrimRight(seal.Blank(), "0")

// storable reports whether a file can hold s unchanged.
func storable(s string) bool {
	return utf8.ValidString(s) && !strings.Contains(s, sealPrefix)
}

// putText appends s to a plain or a dictionary column, in storable form.
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

// texts reads a plain or a dictionary column of text. It copies the strings.
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

// record returns one record with all rows. The caller releases it.
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

func fields[R any](cols []Column[R]) (all []arrow.Field) {
	for _, c := range cols {
		all = append(all, c.Field)
	}
	return all
}
