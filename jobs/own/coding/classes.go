package coding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
	"graphda/jobs/userinput"
)

// TooMany returns the error for more than two classes.
func TooMany(values []string, count map[string]int) error {
	numbers := 0
	for _, v := range values {
		if _, err := dataframe.Number(v); err == nil {
			numbers++
		}
	}
	all := Counted(values, count)
	if numbers == len(values) {
		return fmt.Errorf("has %d values, %s; want two classes, or --task regression", len(values), dataframe.Some(all))
	}
	return fmt.Errorf("has %d classes, %s; want two: correct them, leave their rows out, or set class A against all "+
		"others by --positive A --rest", len(values), dataframe.Some(all))
}

// Counted sorts the classes, and returns each class with its number of samples.
func Counted(values []string, count map[string]int) (all []string) {
	slices.Sort(values)
	for _, v := range values {
		all = append(all, fmt.Sprintf("%q (%d)", v, count[v]))
	}
	return all
}

// Positive returns the index of the class +1: the class that the user asks for or, of two classes, the plainly positive
// one.
func Positive(asked string, values []string, column, path string) (int, error) {
	if asked != "" {
		if i := slices.Index(values, dataframe.Word(asked)); i >= 0 {
			return i, nil
		}
		var all []string
		for _, v := range values {
			all = append(all, strconv.Quote(v))
		}
		return 0, userinput.Errorf("positive = %q, but column %q of %s has %s", asked, column, path, dataframe.Some(all))
	}
	for i, v := range values {
		if understood(values[1-i], v) {
			return i, nil
		}
	}
	return 0, userinput.Errorf("column %q of %s has the values %q and %q; which of them is +1 is told by "+
		"--positive %[3]q or --positive %[4]q", column, path, values[0], values[1])
}

// opposites lists pairs of classes in small letters. The second class of a pair is plainly the positive one.
var opposites = [][2]string{
	{"0", "1"}, {"-1", "1"}, {"no", "yes"}, {"n", "y"}, {"false", "true"}, {"f", "t"}, {"negative", "positive"},
	{"control", "case"}, {"normal", "tumor"}, {"normal", "tumour"}, {"healthy", "diseased"},
}

// understood tells whether two classes are one of the pairs in opposites.
func understood(negative, positive string) bool {
	return slices.Contains(opposites, [2]string{strings.ToLower(negative), strings.ToLower(positive)})
}
