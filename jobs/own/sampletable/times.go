package sampletable

import (
	"graphda/io/dataframe"
	"graphda/io/model"
	"graphda/jobs/own/coding"
)

func (in *reader) readTimes() error {
	r, d := in.asked, in.data
	if err := in.checkFile(theEvent, "event", r.Event); err != nil {
		return err
	}
	events, err := in.events()
	if err != nil {
		return err
	}
	var problems dataframe.Problems
	path := in.path(theLabel)
	for _, told := range in.told {
		y, err := events.Outcome(told[theLabel].text, told[theEvent].text)
		if err != nil {
			problems.Add(path, told[theLabel].wrong(path, "%w", err))
		}
		d.Y = append(d.Y, y)
	}
	d.Times, d.Positive, d.Negative = true, events.Is, events.Censored
	return problems.Err()
}

// events finds out which value of the event column means an event.
func (in *reader) events() (*model.Survival, error) {
	r, path := in.asked, in.path(theEvent)
	var problems dataframe.Problems
	for _, told := range in.told {
		if f := told[theEvent]; model.MissesEvent(f.text) {
			problems.Add(path, f.wrong(path, "is %q, want a word that says whether there was an event; --unlabelled %s leaves "+
				"such samples out", f.text, dropUnlabelled))
		}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return coding.Event(r.Positive, in.words(theEvent), r.Event, path)
}

func (in *reader) checkSwapped() error {
	if in.asked.Task != Survival {
		return nil
	}
	return coding.Swapped(in.words(theLabel), in.words(theEvent), in.asked.Label, in.asked.Event)
}

// words returns each sample's text in the column of the given role.
func (in *reader) words(role int) (all []string) {
	for _, told := range in.told {
		all = append(all, told[role].text)
	}
	return all
}
