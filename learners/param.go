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

// A Param is one hyperparameter of a method. Its value is a float64. If the user chooses from words, the value is the
// index of the chosen word.
type Param struct {
	Name    string // the name in flags, files and columns
	Symbol  string // the parameter's symbol in the paper
	Doc     string
	Min     float64  // the smallest value
	Above   bool     // the value must be above Min, not equal to Min
	Below   float64  // the value must be below this; 0 means no limit
	Integer bool     // the value must be an integer
	Default float64  // NaN means that there is no default, and the user must give a value
	Words   []string // the words that are allowed; nil if the value is a number
	Counts  bool     // the value is a number of features, so p is its maximum

	// OmitDefault leaves the default value out of a cell's id. So a cell with the default keeps the id that it had
	// before the parameter was added.
	OmitDefault bool
}

// Required tells whether the parameter has no default.
func (p *Param) Required() bool { return math.IsNaN(p.Default) }

// Range says which values are allowed, as in "a number above 0".
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

// Bounds returns the bounds of the parameter's values if the problem has the given number of features. For example, λ
// is at least 0, and s is from 1 to p. A missing bound is infinite. The bound itself may be forbidden: the bound of "a
// number above 0" is 0.
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

// Check returns an error if the value v is not allowed. The error names the parameter, the value and the range.
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

// Parse converts a text to a value, and checks the value.
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
	return v, p.Check(v)
}

// Format returns the shortest text that Parse turns into v.
func (p *Param) Format(v float64) string {
	if p.Words != nil {
		return p.Words[int(v)]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Fill returns the values of all parameters of the method, in the order of Params. A parameter that is not in given
// gets its default. The error names all faults: unknown names, missing names and values out of range.
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

// Param returns the parameter with the given name. The error lists the known names.
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

// A ParamsError lists, in one line, all that is wrong with the parameters of a method.
type ParamsError struct {
	Method string
	Err    error // all faults, as one error of errors.Join
}

func (e *ParamsError) Error() string {
	return e.Method + ": " + strings.ReplaceAll(e.Err.Error(), "\n", "; ")
}

// Unwrap returns the faults.
func (e *ParamsError) Unwrap() error { return e.Err }

// DidYouMean returns a hint with the known name nearest to the given name, or "" if none is near.
func DidYouMean(name string, known []string) string {
	near := Nearest(name, known)
	if near == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", near)
}

// Nearest returns the known name most similar to the given name, or "" if none is similar. Names may differ in case if
// all else is very similar.
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
