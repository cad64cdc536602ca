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

// canonicalParams writes a method's parameters as JSON with sorted keys and the shortest
// numbers that read back the same.
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

// FreeSettings writes the parameters that have no column of their own, as canonical JSON; "" if all have.
func FreeSettings(s learners.Settings) string {
	if !s.Method.Free {
		return ""
	}
	return canonicalParams(s.Method, s.Values)
}

// cellID is the SHA-256 of a cell's canonical JSON: what it computes, and nothing of
// where or when. Checkpoints are no part of it. The method is as experiment.Grid.Identity says it.
func cellID(digest, loss, method, params string, trial int) string {
	text := `{"dataset":` + strconv.Quote(digest) + `,"loss":` + strconv.Quote(loss) +
		`,"method":` + method + `,"params":` + params + `,"trial":` + strconv.Itoa(trial) + `}`
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Layout is the parameter columns of all results: those of every method, in the order of
// the registry.
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

// Spread returns settings by the columns of a layout, NaN where the method has no such
// parameter of its own.
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
