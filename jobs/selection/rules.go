package selection

import (
	"fmt"
	"strings"

	"graphda/io/results"
	"graphda/learners"
)

// A maker makes a rule for a loss. Only the rule "paper" uses the reading.
type maker func(reading, loss string) (Rule, error)

// rules lists all rules. To add a rule, write its maker and add it here.
var rules = []struct {
	name string
	make maker
}{
	{Validation, validation},
	{ValidationLast, validationLast},
	{OracleF1, oracleF1},
	{Paper, paper},
}

// Names returns the names of the rules.
func Names() []string {
	var names []string
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

// Parse returns the named rule for a loss. reading is the kind of data; only the rule "paper" uses it.
func Parse(name, reading, loss string) (Rule, error) {
	for _, known := range rules {
		if known.name == name {
			r, err := known.make(reading, loss)
			if err != nil {
				return Rule{}, err
			}
			r.name = name
			return r, nil
		}
	}
	return Rule{}, fmt.Errorf("unknown rule %q; known: %s", name, strings.Join(Names(), ", "))
}

func validation(_, loss string) (Rule, error) {
	r, err := heldOut(loss)
	r.mistakes = true
	return r, err
}

func validationLast(_, loss string) (Rule, error) {
	r, err := heldOut(loss)
	r.last = true
	return r, err
}

// heldOut returns a rule that ranks rows on the validation split: by accuracy if the loss classifies, otherwise by the
// squared error.
func heldOut(loss string) (Rule, error) {
	l, err := learners.LookupLoss(loss)
	switch {
	case err != nil:
		return Rule{}, err
	case l.Classifies():
		return Rule{
			measure: func(m *results.Metrics) float64 { return m.ValidAccuracy },
			labels:  true,
			means:   "the best accuracy on the validation split",
		}, nil
	default:
		return Rule{
			measure: func(m *results.Metrics) float64 { return -m.ValidMSE },
			means:   "the smallest squared error on the validation split",
		}, nil
	}
}

func oracleF1(_, _ string) (Rule, error) {
	return Rule{
		measure: func(m *results.Metrics) float64 { return m.F1 },
		means:   "the best F1 against the true support. A user of the method does not know the true support",
		truth:   true,
	}, nil
}

// readings lists the paper's kinds of data, each with the rule that the paper used.
var readings = []struct {
	name string
	rule maker
}{
	{"benchmark", benchmark},
	{"mnist", oracleF1},
	{"kegg", validationLast},
}

// benchmark returns the rule "validation", in which mixed is set.
func benchmark(reading, loss string) (Rule, error) {
	r, err := validation(reading, loss)
	r.mixed = true
	return r, err
}

func paper(reading, loss string) (Rule, error) {
	var known []string
	for _, k := range readings {
		if k.name == reading {
			r, err := k.rule(reading, loss)
			r.reading = reading
			return r, err
		}
		known = append(known, k.name)
	}
	err := fmt.Errorf("rule paper needs the key paper: one of %s", strings.Join(known, ", "))
	if reading != "" {
		err = fmt.Errorf("%w; not %q", err, reading)
	}
	return Rule{}, err
}
