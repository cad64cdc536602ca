package evaluating

import (
	"fmt"
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/model"
	"graphda/jobs/own/coding"
	"graphda/jobs/own/predicting"
	"graphda/jobs/userinput"
)

// checkCoding refuses Positive and Rest if the model cannot use them.
func (r *Request) checkCoding(m *model.Model) error {
	switch {
	case r.Rest && (r.Positive == "" || m.Positive == ""):
		return userinput.Errorf("--rest needs --positive CLASS and a model of classes: it compares this class with " +
			"all others")
	case r.Positive != "" && m.Positive == "" && m.Survival == nil:
		return userinput.Errorf("positive = %q is for models of classes or times, but %s is a model of numbers", r.Positive,
			r.Model)
	}
	return nil
}

func (r *Result) files() string {
	return strings.TrimSuffix(r.Request.Samples+" and "+r.Labels, " and ")
}

// recode replaces the table's labels by the names of the model's classes or events, if Positive is set.
func (r *Result) recode(p *predicting.Result) error {
	if r.Request.Positive == "" {
		return nil
	}
	at, asked, path := 0, dataframe.Word(r.Request.Positive), r.files()
	if r.times() {
		at = 1
	}
	column, count := r.Words[at], map[string]int{}
	var values []string
	for _, words := range p.Words {
		words[at] = dataframe.Word(words[at])
		w, lacks := words[at], dataframe.IsMissing(words[at])
		if r.times() {
			lacks = model.MissesEvent(w)
		}
		if lacks && w != asked && !(r.Rest && model.IsClass(w, asked, model.Rest(asked))) {
			words[at] = ""
			continue
		}
		if count[words[at]]++; count[words[at]] == 1 {
			values = append(values, words[at])
		}
	}
	if len(values) > 2 && !r.Rest && !r.times() {
		return &dataframe.Error{Path: path, Column: column, Err: coding.TooMany(values, count)}
	}
	is, other := r.Model.Positive, r.Model.Negative
	var err error
	if s := r.Model.Survival; r.times() {
		_, err = coding.Event(r.Request.Positive, values, column, path)
		if s.Censored == "" {
			s.Censored = model.Rest(s.Is)
		}
		is, other = s.Is, s.Censored
	} else {
		_, err = coding.Positive(r.Request.Positive, values, column, path)
	}
	if err != nil {
		return err
	}
	for _, words := range p.Words {
		if words[at] == asked {
			words[at] = is
		} else if words[at] != "" {
			words[at] = other
		}
	}
	others := slices.DeleteFunc(values, func(v string) bool { return v == asked })
	note := fmt.Sprintf("column %q: %q means the model's %q", column, asked, is)
	if len(others) > 0 {
		note += fmt.Sprintf(", and %s means its %q", dataframe.Some(coding.Counted(others, count)), other)
	}
	r.Notes = append(r.Notes, note)
	return nil
}

// uncoded completes an error about an unknown label with advice about --positive.
func (r *Result) uncoded(err error) error {
	switch {
	case err == nil || r.Request.Positive != "":
		return err
	case r.times():
		return fmt.Errorf("%w; --positive VALUE says which value here is an event", err)
	}
	return fmt.Errorf("%w; --positive VALUE says which value here is %q; with --rest, all other values are %q", err,
		r.Model.Positive, r.Model.Negative)
}
