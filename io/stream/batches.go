package stream

import (
	"errors"
	"fmt"

	"graphda/io/columnar"
	"graphda/io/dataframe"
)

// batches is an Arrow stream. x holds the samples of a batch, one after the other.
type batches struct {
	in      *columnar.Batches
	options Options
	roles   []int
	x       []float64
	labels  []string
	before  int // rows in earlier batches
	at      int // rows read from this batch
}

func (b *batches) row() dataframe.Row { return dataframe.Index(b.before + b.at - 1) }

func (b *batches) next(x []float64) (string, error) {
	for b.at == len(b.labels) {
		if err := b.load(); err != nil {
			return "", err
		}
	}
	copy(x, b.x[b.at*len(x):])
	b.at++
	return dataframe.Word(b.labels[b.at-1]), nil
}

func (b *batches) load() error {
	f, err := b.in.Next()
	if err != nil {
		return err
	}
	defer f.Release()
	b.before, b.at = b.before+len(b.labels), 0
	b.labels = make([]string, f.Rows)
	if b.roles == nil {
		if b.roles, err = b.options.roles(f.Names()); err != nil {
			return err
		}
	}
	p := len(b.options.Features)
	if n := f.Rows * p; cap(b.x) < n {
		b.x = make([]float64, n)
	}
	for i, role := range b.roles {
		c := &f.Columns[i]
		switch {
		case role == ignored:
			continue
		case c.List || role < p && !c.IsNumeric():
			err = f.WrongType(c, "a number")
		case role == p:
			err = b.label(f, c)
		default:
			err = f.Floats(c, func(row int, values []float64) error {
				for k, v := range values {
					b.x[(row+k)*p+role] = v
				}
				return columnar.Finite(row, values)
			})
		}
		if err != nil {
			return b.shift(err)
		}
	}
	return nil
}

func (b *batches) label(f *columnar.File, c *columnar.Column) (err error) {
	if c.Kind != columnar.Number && c.Kind != columnar.Integer {
		b.labels, err = f.AllTexts(c)
		return err
	}
	numbers, err := f.AllFloats(c)
	for row, v := range numbers {
		b.labels[row] = fmt.Sprint(v)
	}
	return err
}

// shift makes the row in an error count from the beginning of the stream.
func (b *batches) shift(err error) error {
	var e *dataframe.Error
	if errors.As(err, &e) && e.Row < 0 {
		e.Row -= dataframe.Row(b.before)
	}
	return err
}
