package table

// A Field is a column of a table with one row for each value of type T.
type Field[T any] struct {
	Column
	Cell func(*T) Cell
}

// WordField returns a column of words.
func WordField[T any](key, head string, text func(*T) string) Field[T] {
	return Field[T]{Column{Key: key, Head: head, Words: true}, func(v *T) Cell { return Word(text(v)) }}
}

// CountField returns a column of integers.
func CountField[T any](key, head string, n func(*T) int) Field[T] {
	return Field[T]{Column{Key: key, Head: head}, func(v *T) Cell { return Count(n(v)) }}
}

// NumberField returns a column of numbers.
func NumberField[T any](key, head string, print func(float64) string, value func(*T) float64) Field[T] {
	return Field[T]{Column{Key: key, Head: head}, func(v *T) Cell { return Of(value(v), print) }}
}

// Data returns the field with its column only in data files.
func (f Field[T]) Data() Field[T] {
	f.DataOnly = true
	return f
}

// Fill adds columns to a table, and a row for each element of things.
func Fill[T any](t *Table, things []T, fields []Field[T]) {
	for _, f := range fields {
		t.Columns = append(t.Columns, f.Column)
	}
	for i := range things {
		var row []Cell
		for _, f := range fields {
			row = append(row, f.Cell(&things[i]))
		}
		t.Rows = append(t.Rows, row)
	}
}
