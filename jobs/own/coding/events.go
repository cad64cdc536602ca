package coding

import (
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/model"
	"graphda/jobs/userinput"
	"graphda/learners"
)

func different(words []string) (values []string) {
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			values = append(values, w)
		}
		seen[w] = true
	}
	return values
}

// missing reports whether a word is a missing value. "None" is not missing, because it may mean that there was no
// event.
func missing(w string) bool { return dataframe.IsMissing(w) && !strings.EqualFold(w, "none") }

// Swapped returns an error if the columns of times and events seem to be swapped: there are at most two different
// times, and many different numbers as events.
func Swapped(times, events []string, time, event string) error {
	two, many := slices.DeleteFunc(different(times), missing), slices.DeleteFunc(different(events), missing)
	if len(two) == 0 || len(two) > 2 || len(many) < 3 || !allNumbers(many) {
		return nil
	}
	return userinput.Errorf("time = %q has only the values %s, and --event = %q has %s; if the columns were swapped, use "+
		"--time %[3]s --event %[1]s", time, dataframe.Some(two), event, dataframe.Some(many))
}

// Event returns which value of a column means an event. This is `asked`. If `asked` is "", the column must have a
// well-known pair of values such as 0 and 1. `words` has the values of all samples.
func Event(asked string, words []string, column, path string) (*model.Survival, error) {
	values := different(words)
	positive, censored := dataframe.Word(asked), ""
	for _, of := range opposites {
		strange := func(v string) bool { return !slices.Contains(of[:], strings.ToLower(v)) }
		if positive == "" && !slices.ContainsFunc(values, strange) {
			positive = of[1]
			if i := slices.IndexFunc(values, func(v string) bool { return strings.EqualFold(v, of[1]) }); i >= 0 {
				positive = values[i] // spelled as in the file
			}
		}
		if censored == "" && strings.EqualFold(positive, of[1]) {
			censored = of[0]
		}
	}
	others := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == positive })
	switch {
	case positive == "":
		return nil, userinput.Errorf("column %q of %s has the values %s; --positive says which of them is an event", column,
			path, dataframe.Some(values))
	case len(others) == len(values):
		return nil, userinput.Errorf("positive = %q, but column %q of %s has %s%s: no sample has an event", positive,
			column, path, dataframe.Some(values), learners.DidYouMean(asked, values))
	case len(others) > 1, len(others) == 1 && strings.EqualFold(others[0], positive):
		return nil, userinput.Errorf("column %q of %s has the values %s besides %q; want one value for censored "+
			"samples", column,
			path, dataframe.Some(others), positive)
	}
	return &model.Survival{Is: positive, Censored: append(others, censored)[0]}, nil
}
