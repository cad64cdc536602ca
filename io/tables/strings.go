package tables

import (
	"math"
	"strings"
)

var nan = math.NaN()

// clone copies a string out of Arrow's memory; a value equal to the last one, as in
// columns of names, shares its copy.
func clone(values []string, s string) string {
	if n := len(values); n > 0 && values[n-1] == s {
		return values[n-1]
	}
	return strings.Clone(s)
}
