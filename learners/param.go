package learners

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/xrash/smetrics"
)

// A Param is a hyperparameter of a method. Its value is a number, or the index of a word in Words.
type Param struct {
	Name    string // name in flags, files and columns
	Symbol  string // symbol in the paper
	Doc     string
	Min     float64  // smallest value
	Above   bool     // the value must not equal Min
	Below   float64  // the value must be smaller than Below; 0 means no limit
	Integer bool     // the value must be an integer
	Default float64  // NaN means that the user must give a value
	Words   []string // allowed words; nil if the value is a number
	Counts  bool     // the value is a number of features, at most p

	// OmitDefault leaves the default value out of a cell's id, so a new parameter does not change ids.
	OmitDefault bool
}

// Required tells whether the parameter has no default.
func (p *Param) Required() bool { return math.IsNaN(p.Default) }

// Range describes the allowed values in words, such as "a number above 0".
func (p *Param) Range() string {
	if p.Words != nil {
		return "one of " + strings.Join(p.Words, ", ")
	}
	s := "a number"
	if p.Integer {
		s = "a whole number"
	}
	if p.Above {
		s += fmt.Sprintf(" above %v", p.Min)
	} else {
		s += fmt.Sprintf(" of at least %v", p.Min)
	}
	if p.Below != 0 {
		s += fmt.Sprintf(" and below %v", p.Below)
	}
	return s
}

// Bounds returns the bounds of the parameter's values in a problem with the given number of features. A missing bound
// is infinite. A bound itself may be forbidden, such as 0 for "a number above 0".
func (p *Param) Bounds(features int) (least, most float64) {
	least, most = p.Min, math.Inf(1)
	switch {
	case p.Words != nil:
		return 0, float64(len(p.Words) - 1)
	case p.Below != 0 && p.Integer:
		most = p.Below - 1
	case p.Below != 0:
		most = p.Below
	}
	if p.Integer && p.Above {
		least++
	}
	if p.Counts {
		most = min(most, float64(features))
	}
	return least, most
}

// Check returns an error if the value v is not allowed.
func (p *Param) Check(v float64) error {
	ok := v >= p.Min && !math.IsInf(v, 0)
	if p.Above {
		ok = ok && v > p.Min
	}
	if p.Below != 0 {
		ok = ok && v < p.Below
	}
	if p.Integer || p.Words != nil {
		ok = ok && v == math.Trunc(v) && v <= math.MaxInt32
	}
	if p.Words != nil {
		ok = ok && int(v) < len(p.Words)
	}
	if !ok {
		return fmt.Errorf("%s = %v, want %s", p.Name, v, p.Range())
	}
	return nil
}

// Parse converts text to a value, and checks the value.
func (p *Param) Parse(text string) (float64, error) {
	if p.Words != nil {
		if i := slices.Index(p.Words, text); i >= 0 {
			return float64(i), nil
		}
		return 0, fmt.Errorf("%s = %q, want %s", p.Name, text, p.Range())
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%s = %q, want %s", p.Name, text, p.Range())
	}
	return v + 0, p.Check(v) // −0 becomes 0
}

// Format returns the shortest text that Parse turns into v.
func (p *Param) Format(v float64) string {
	if p.Words != nil {
		return p.Words[int(v)]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Fill returns the values of all parameters of the method, in the order of Params. A parameter that is not in given
// gets its default. The error names all unknown names, missing names and values out of range.
func (m *Method) Fill(given map[string]float64) ([]float64, error) {
	values := make([]float64, len(m.Params))
	var faults []error
	for i := range m.Params {
		p := &m.Params[i]
		v, ok := given[p.Name]
		switch {
		case ok:
			faults = append(faults, p.Check(v))
		case p.Required():
			faults = append(faults, fmt.Errorf("%s is missing; want %s", p.Name, p.Range()))
		default:
			v = p.Default
		}
		values[i] = v
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, err := m.Param(name); err != nil {
			faults = append(faults, err)
		}
	}
	if err := m.faulty(faults); err != nil {
		return nil, err
	}
	return values, nil
}

// Param returns the parameter with the given name.
func (m *Method) Param(name string) (*Param, error) {
	for i := range m.Params {
		if m.Params[i].Name == name {
			return &m.Params[i], nil
		}
	}
	var known []string
	for i := range m.Params {
		known = append(known, m.Params[i].Name)
	}
	return nil, fmt.Errorf("unknown parameter %q%s; %s has %s", name, DidYouMean(name, known), m.Name,
		strings.Join(known, ", "))
}

// A ParamsError lists, in one line, all faults in the parameters of a method.
type ParamsError struct {
	Method string
	Err    error // all faults, from errors.Join
}

func (e *ParamsError) Error() string {
	return e.Method + ": " + strings.ReplaceAll(e.Err.Error(), "\n", "; ")
}

// Unwrap returns the faults.
func (e *ParamsError) Unwrap() error { return e.Err }

// DidYouMean returns a hint with the result of Nearest, or "".
func DidYouMean(name string, known []string) string {
	near := Nearest(name, known)
	if near == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", near)
}

// Nearest returns the known name most similar to the given name, or "" if none is similar.
func Nearest(name string, known []string) string {
	name = strings.ToLower(name)
	best, score := "", 0.75
	for _, k := range known {
		s := smetrics.JaroWinkler(name, k, 0.7, 4)
		if folded := smetrics.JaroWinkler(name, strings.ToLower(k), 0.7, 4); folded > 0.9 {
			s = max(s, folded)
		}
		if s > score {
			best, score = k, s
		}
	}
	return best
}
