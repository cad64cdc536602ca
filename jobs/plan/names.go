package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"graphda/io/results"
	"graphda/jobs/experiment"
	"graphda/learners"
)

// canonicalParams returns a method's parameters as canonical JSON (see the package documentation).
func canonicalParams(m *learners.Method, values []float64) string {
	params := map[string]any{}
	for i := range m.Params {
		switch p := &m.Params[i]; {
		case p.OmitDefault && values[i] == p.Default:
		default:
			params[p.Name] = experiment.Value(p, values[i])
		}
	}
	text, err := json.Marshal(params)
	if err != nil {
		panic("plan: parameters that were not checked: " + err.Error())
	}
	return string(text)
}

// FreeSettings returns a program's parameters as canonical JSON, because a program's parameters have no columns. For
// other methods it returns "".
func FreeSettings(s learners.Settings) string {
	if !s.Method.Free {
		return ""
	}
	return canonicalParams(s.Method, s.Values)
}

// cellID returns the SHA-256 of a cell's canonical JSON. The argument method comes from experiment.Grid.Identity.
func cellID(digest, loss, method, params string, trial int) string {
	text := `{"dataset":` + strconv.Quote(digest) + `,"loss":` + strconv.Quote(loss) +
		`,"method":` + method + `,"params":` + params + `,"trial":` + strconv.Itoa(trial) + `}`
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Layout returns the columns of parameters in all results: each method's parameters, in the order of learners.Methods.
func Layout() results.Layout {
	var layout results.Layout
	for _, m := range learners.Methods {
		for i := range m.Params {
			p := &m.Params[i]
			if !slices.ContainsFunc(layout, func(c results.ParamColumn) bool { return c.Name == p.Name }) {
				layout = append(layout, results.ParamColumn{Name: p.Name, Words: p.Words, Whole: p.Integer})
			}
		}
	}
	return layout
}

// Spread returns the value of each parameter in the layout, or NaN if the method lacks the parameter.
func Spread(layout results.Layout, s learners.Settings) []float64 {
	out := make([]float64, len(layout))
	for k := range out {
		out[k] = math.NaN()
		for i := range s.Method.Params {
			if s.Method.Params[i].Name == layout[k].Name && !s.Method.Free {
				out[k] = s.Values[i]
			}
		}
	}
	return out
}
