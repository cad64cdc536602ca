package coding

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// Classes are the names of the two classes.
type Classes struct {
	Positive, Negative string
	Others             []string // labels merged into Negative, each with its number of samples; may be nil
}

// ClassesOf returns the classes of a column's labels. The positive class is `asked`. If `asked` is "", the
// labels must be a well-known pair such as "no" and "yes". If `rest` is set, all labels except the positive
// class form the negative class.
func ClassesOf(labels []string, asked string, rest bool, column, path string) (*Classes, error) {
	count := map[string]int{}
	var values []string // distinct labels, in file order
	for _, v := range labels {
		if count[v] == 0 {
			values = append(values, v)
		}
		count[v]++
	}
	wrong := func(format string, args ...any) error {
		return &dataframe.Error{Path: path, Column: column, Err: fmt.Errorf(format, args...)}
	}
	if len(values) < 2 {
		return nil, wrong("is %q in every row, want two classes", values[0])
	}
	if len(values) > 2 && !rest {
		return nil, wrong("%w", TooMany(values, count))
	}
	positive, err := Positive(asked, values, column, path)
	if err != nil {
		return nil, err
	}
	c := &Classes{Positive: values[positive], Negative: values[max(0, 1-positive)]}
	if !rest {
		return c, nil
	}
	c.Negative, c.Others = model.Rest(c.Positive), Counted(slices.Delete(values, positive, positive+1), count)
	return c, nil
}

// Both returns the patients who have samples of both classes. patients and classes have an element for each sample.
func Both(patients []string, classes []float64) []string {
	class, both := map[string]float64{}, map[string]bool{}
	for i, patient := range patients {
		if y, again := class[patient]; again && y != classes[i] {
			both[patient] = true
		}
		class[patient] = classes[i]
	}
	return slices.Sorted(maps.Keys(both))
}

// TooMany returns the error for more than two classes.
func TooMany(values []string, count map[string]int) error {
	all := Counted(values, count)
	if allNumbers(values) {
		return fmt.Errorf("has %s values, %s; want two classes, or --task regression", message.Number(len(values)),
			dataframe.Some(all))
	}
	return fmt.Errorf("has %s classes, %s; want two: correct them, remove rows, or compare class A with all others by "+
		"--positive A --rest", message.Number(len(values)), dataframe.Some(all))
}

func allNumbers(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { _, err := dataframe.Number(v); return err != nil })
}

// Counted sorts values and returns each with its number of samples.
func Counted(values []string, count map[string]int) (all []string) {
	slices.Sort(values)
	for _, v := range values {
		all = append(all, fmt.Sprintf("%q (%s)", v, message.Number(count[v])))
	}
	return all
}

// Positive returns the index of the positive class, by the rule of ClassesOf.
func Positive(asked string, values []string, column, path string) (int, error) {
	if asked != "" {
		if i := slices.Index(values, dataframe.Word(asked)); i >= 0 {
			for _, v := range values {
				if v != values[i] && strings.EqualFold(v, values[i]) {
					err := fmt.Errorf("has %q and %q, which differ in case; write the class in one way", values[i], v)
					return 0, &dataframe.Error{Path: path, Column: column, Err: err}
				}
			}
			return i, nil
		}
		var all []string
		for _, v := range values {
			all = append(all, strconv.Quote(v))
		}
		return 0, userinput.Errorf("positive = %q, but column %q of %s has %s%s", asked, column, path, dataframe.Some(all),
			learners.DidYouMean(asked, values))
	}
	for i, v := range values {
		if understood(values[1-i], v) {
			return i, nil
		}
	}
	return 0, userinput.Errorf("column %q of %s has the values %q and %q; --positive %[3]q or --positive %[4]q says "+
		"which of them is +1", column, path, values[0], values[1])
}

// opposites lists well-known pairs of classes in small letters, the positive class last.
var opposites = [][2]string{
	{"0", "1"}, {"-1", "1"}, {"no", "yes"}, {"n", "y"}, {"false", "true"}, {"f", "t"}, {"negative", "positive"},
	{"control", "case"}, {"normal", "tumor"}, {"normal", "tumour"}, {"healthy", "diseased"},
}

func understood(negative, positive string) bool {
	return slices.Contains(opposites, [2]string{strings.ToLower(negative), strings.ToLower(positive)})
}
