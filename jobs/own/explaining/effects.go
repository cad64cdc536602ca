package explaining

import (
	"fmt"
	"math"
	"strings"

	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/table"
	"graphda/learners"
	"graphda/learners/cox"
)

// Outcome describes what a positive weight raises. `positive` is the name of the positive class or the event, or "" for
// numbers. Only the scores of logistic loss are log-odds.
func Outcome(loss, positive string) string {
	switch {
	case loss == cox.Loss{}.Name():
		return fmt.Sprintf("the hazard of %q", message.Text(positive))
	case positive == "":
		return "the predicted value"
	case loss == (learners.Logistic{}).Name():
		return fmt.Sprintf("the odds of %q", message.Text(positive))
	}
	return fmt.Sprintf("the score of %q", message.Text(positive))
}

// Effect returns "raises" or "lowers". It returns "" for a weight of 0, and if nothing was found.
func (s *Subgraph) Effect(weight float64) string {
	switch {
	case s.Nothing:
		return ""
	case weight > 0:
		return "raises"
	case weight < 0:
		return "lowers"
	}
	return ""
}

// Selected returns the number of features with a weight.
func (s *Subgraph) Selected() (n int) {
	for i := range s.Nodes {
		if !s.Nodes[i].Connects {
			n++
		}
	}
	return n
}

// Effects counts the features that raise and lower the outcome, given the other features. Without the others, a feature
// may have the opposite effect. If nothing was found, Effects counts no signs.
func (s *Subgraph) Effects() string {
	up, given := 0, ""
	for i := range s.Nodes {
		if s.Nodes[i].Weight > 0 {
			up++
		}
	}
	switch n := s.Selected(); {
	case s.Nothing:
		return fmt.Sprintf("%s selected, without evidence of what raises or lowers %s", message.Count(n, "feature"),
			s.Outcome)
	case n > 1:
		given = ", given the others"
	}
	return fmt.Sprintf("%s raising and %d lowering %s%s", message.Count(up, "feature"), s.Selected()-up, s.Outcome, given)
}

// Ratio returns a feature's odds ratio or hazard ratio. It is the factor for a rise of the feature by one standard
// deviation, with all other features unchanged. It is NaN if features are not standardised, or if weights are not the
// calibrated weights of gdrun tune.
func Ratio(m *model.Model, feature int32) float64 {
	w := &m.Weights[0]
	odds := m.Positive != "" && m.Loss == (learners.Logistic{}).Name()
	if !odds && m.Survival == nil || w.Name != model.Ridge || m.Scaling == nil {
		return math.NaN()
	}
	return math.Exp(w.W[feature])
}

// A RatioOf says what a Ratio changes: odds or hazard.
type RatioOf string

// Key returns the ratio's name in files, such as odds_ratio.
func (r RatioOf) Key() string { return string(r) + "_ratio" }

// Head returns the ratio's name in the head of a table, such as Odds ratio.
func (r RatioOf) Head() string { return strings.ToUpper(string(r[:1])) + string(r[1:]) + " ratio" }

func (r RatioOf) text() string { return string(r) + " ratio" }

// Note explains the ratios.
func (r RatioOf) Note() string {
	return r.Head() + ": the factor for one more standard deviation, e to the weight. It is shrunk towards 1. It has no " +
		"interval, because the same samples chose the features."
}

// EffectNote explains the columns of effects and weights.
func (s *Subgraph) EffectNote() string {
	const weight = " Weight: the change of the score for one more standard deviation, in the model for predictions " +
		"(ridge)."
	if s.Nothing {
		return "Because nothing was found, weights are shrunk towards 0, and their signs are no evidence." + weight
	}
	return "Effect: what a higher value does to " + s.Outcome + " if the other selected features stay the same. Alone, " +
		"a feature may do the opposite." + weight
}

// EnoughEvents is the recommended number of events (or of samples of the rarer class) for each selected feature. With
// fewer events, weights and their signs are unreliable (Peduzzi and others, Journal of Clinical Epidemiology 49, 1996).
const EnoughEvents = 10

// Events says how many units there are for each fitted weight, and warns if there are few. Units are samples, patients
// or events. If only the rarer class counts, `class` is its name. Events returns "" if no weight is fitted.
func Events(units int, unit, class string, m *model.Model) string {
	fitted, what := 0, "selected feature"
	for _, w := range m.Weights[0].W {
		if w != 0 {
			fitted++
		}
	}
	if m.Covariates != nil {
		fitted, what = fitted+len(m.Covariates.Ridge), "weight of a feature or covariate"
	}
	if fitted == 0 {
		return ""
	}
	of := ""
	if class != "" {
		of = fmt.Sprintf(" of %q", message.Text(class))
	}
	each := float64(units) / float64(fitted)
	if each < EnoughEvents {
		return fmt.Sprintf("%s%s make %.1f for each %s: too few for reliable weights.\nAt least %d for each are "+
			"recommended. With fewer, weights of single features are unreliable.", message.Count(units, unit), of, each, what,
			EnoughEvents)
	}
	return fmt.Sprintf("%s%s make %.1f for each %s.", message.Count(units, unit), of, each, what)
}

// EffectField returns the column of effects. If nothing was found, it appears only in files.
func EffectField[T any](s *Subgraph, weight func(*T) float64) table.Field[T] {
	field := table.WordField("effect", "Effect", func(v *T) string { return s.Effect(weight(v)) })
	if s.Nothing {
		return field.Data()
	}
	return field
}

// PartField returns the column of part numbers, empty for part 0.
func PartField[T any](number func(*T) int) table.Field[T] {
	return table.Field[T]{Column: table.Column{Key: "component", Head: "Part"}, Cell: func(v *T) table.Cell {
		if number(v) == 0 {
			return table.Cell{}
		}
		return table.Count(number(v))
	}}
}

// Yes returns "yes" or "".
func Yes(is bool) string {
	if is {
		return "yes"
	}
	return ""
}
