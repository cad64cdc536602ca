package tables

import (
	"math"

	"github.com/apache/arrow/go/v15/arrow/array"
)

var nan = math.NaN()

// appendStrings copies values out of Arrow's memory, into one string for all that differ from the
// value before them; a value equal to that, as in columns of names, shares its copy.
func (c *Column) appendStrings(a *array.String) {
	same := make([]bool, a.Len())
	size := 0
	for i := range same {
		v := a.Value(i)
		switch n := len(c.Strings); {
		case i > 0:
			same[i] = v == a.Value(i-1)
		case n > 0:
			same[i] = v == c.Strings[n-1]
		}
		if !same[i] {
			size += len(v)
		}
	}
	buffer := make([]byte, 0, size)
	for i := range same {
		if !same[i] {
			buffer = append(buffer, a.Value(i)...)
		}
	}
	if c.Strings == nil {
		c.Strings = make([]string, 0, a.Len())
	}
	for i, rest := 0, string(buffer); i < len(same); i++ {
		if same[i] {
			c.Strings = append(c.Strings, c.Strings[len(c.Strings)-1])
			continue
		}
		n := len(a.Value(i))
		c.Strings, rest = append(c.Strings, rest[:n]), rest[n:]
	}
}
