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
		if same[i] = i > 0 && v == a.Value(i-1) || i == 0 && len(c.Strings) > 0 && v == c.Strings[len(c.Strings)-1]; !same[i] {
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
