package plan

import (
	"graphda/jobs/usage"
	"graphda/learners"
)

// A Param is a parameter as a person gives it.
type Param struct{ Name, Value string }

// Settings looks up a method and reads its parameters; all faults are in one error.
func Settings(method string, params []Param) (learners.Settings, error) {
	m, err := learners.Lookup(method)
	if err != nil {
		return learners.Settings{}, &usage.Error{Err: err}
	}
	given := map[string]float64{}
	for _, set := range params {
		p, err := m.Param(set.Name)
		if err != nil {
			return learners.Settings{}, &usage.Error{Err: err}
		}
		if _, twice := given[p.Name]; twice {
			return learners.Settings{}, usage.Errorf("%s: %s is given twice", m.Name, p.Name)
		}
		if given[p.Name], err = p.Parse(set.Value); err != nil {
			return learners.Settings{}, &learners.ParamsError{Method: m.Name, Err: err}
		}
	}
	values, err := m.Fill(given)
	return learners.Settings{Method: m, Values: values}, err
}
