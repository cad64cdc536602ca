package sampletable

import (
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/model"
	"graphda/jobs/userinput"
)

// readTimes makes numbers of times and events.
func (in *reader) readTimes() error {
	r, d := in.asked, in.data
	if err := in.checkFile(theEvent, "event", r.Event); err != nil {
		return err
	}
	coding, err := in.coding()
	if err != nil {
		return err
	}
	var problems dataframe.Problems
	path := in.path(theLabel)
	for _, told := range in.told {
		y, err := coding.Outcome(told[theLabel].text, told[theEvent].text)
		if err != nil {
			problems.Add(path, told[theLabel].wrong(path, "%w", err))
		}
		d.Y = append(d.Y, y)
	}
	d.Times, d.Positive, d.Negative = true, coding.Is, coding.Censored
	return problems.Err()
}

// coding finds which of at most two values of the column of events is one: 1 beside 0, or the one that is told.
func (in *reader) coding() (s *model.Survival, err error) {
	r, path := in.asked, in.path(theEvent)
	var values []string // in the order in which they are met
	var problems dataframe.Problems
	for _, told := range in.told {
		f := told[theEvent]
		if dataframe.IsMissing(f.text) && !strings.EqualFold(f.text, "none") {
			problems.Add(path, f.wrong(path, "is %q, want whether there was an event", f.text))
		} else if !slices.Contains(values, f.text) {
			values = append(values, f.text)
		}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	positive, censored := dataframe.Word(r.Positive), ""
	for _, of := range opposites {
		strange := func(v string) bool { return !slices.Contains(of[:], strings.ToLower(v)) }
		if positive == "" && !slices.ContainsFunc(values, strange) {
			positive = of[1]
			if i := slices.IndexFunc(values, func(v string) bool { return strings.EqualFold(v, of[1]) }); i >= 0 {
				positive = values[i] // as the file writes it
			}
		}
		if censored == "" && strings.EqualFold(positive, of[1]) {
			censored = of[0]
		}
	}
	others := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == positive })
	switch {
	case positive == "":
		return nil, userinput.Errorf("column %q of %s has the values %s; --positive says which of them is an event", r.Event,
			path, dataframe.Some(values))
	case len(others) == len(values):
		return nil, userinput.Errorf("positive = %q, but column %q of %s has %s: no sample has an event", positive,
			r.Event, path, dataframe.Some(values))
	case len(others) > 1, len(others) == 1 && strings.EqualFold(others[0], positive):
		return nil, userinput.Errorf("column %q of %s has the values %s beside %q; want one of censored samples", r.Event,
			path, dataframe.Some(others), positive)
	}
	return &model.Survival{Is: positive, Censored: append(others, censored)[0]}, nil
}
