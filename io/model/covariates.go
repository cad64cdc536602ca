package model

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"graphda/io/columnar"
	"graphda/io/samples"
)

// Covariates are the covariates that a model is adjusted for. A sample's score adds each covariate, as a
// number, times its weight.
type Covariates struct {
	Terms     samples.Design `json:"terms"`
	Intercept float64        `json:"intercept"` // intercept of the model Alone, which has only covariates
	Alone     []float64      `json:"alone"`     // weights of the model Alone; W and Wbar use them too
	Ridge     []float64      `json:"ridge"`     // weights of the covariates in the model Ridge
}

// Beside returns the covariates' part of a sample's score. `weights` is Ridge, W or Wbar, and `numbers` are the
// sample's covariates as numbers. If c is nil, the result is 0.
func (c *Covariates) Beside(weights string, numbers []float64) float64 {
	switch {
	case c == nil:
		return 0
	case weights == Ridge:
		return floats.Dot(c.Ridge, numbers)
	}
	return floats.Dot(c.Alone, numbers)
}

// tell stores c in the metadata. If c is nil, it does nothing.
func (c *Covariates) tell(metadata map[string]string) error {
	if c == nil {
		return nil
	}
	text, err := json.Marshal(c)
	if err != nil { // fails if a weight is not finite
		return fmt.Errorf("model: covariates: %w", err)
	}
	metadata[samples.CovariatesKey] = string(text)
	return nil
}

func readCovariates(f *columnar.File) (*Covariates, error) {
	text, told := f.Metadata[samples.CovariatesKey]
	if !told {
		return nil, nil
	}
	c, width := &Covariates{}, 0
	if err := json.Unmarshal([]byte(text), c); err != nil {
		return nil, f.Bad("", "its metadata about covariates cannot be read: %w", err)
	}
	for i := range c.Terms {
		t := &c.Terms[i]
		if width += t.Width(); len(t.Levels) != len(t.Shares) || t.Number == (t.Levels != nil) {
			return nil, f.Bad("", "its metadata have %[2]d levels but %[3]d shares for covariate %[1]q", t.Name, len(t.Levels),
				len(t.Shares))
		}
		same := func(o samples.Term) bool { return o.Name == t.Name }
		if slices.ContainsFunc(c.Terms[:i], same) || len(slices.Compact(slices.Clone(t.Levels))) < len(t.Levels) ||
			slices.Min(append(t.Shares, t.Deviation, t.Missing)) < 0 || math.Abs(floats.Sum(t.Shares)-1) > 1e-6 && !t.Number {
			return nil, f.Bad("", "its metadata have an impossible covariate %q: a name or a level occurs twice, a number is "+
				"negative, or shares do not add up to 1", t.Name)
		}
	}
	if len(c.Alone) != width || len(c.Ridge) != width {
		return nil, f.Bad("", "its metadata have %d and %d weights of covariates, want %d of "+
			"each", len(c.Alone), len(c.Ridge), width)
	}
	return c, nil
}

// String lists the covariates with their contributions to the score of Ridge. A number's contribution is per standard
// deviation. A word has a contribution for each level. Contributions are shrunk like the scores.
func (c *Covariates) String() string {
	var all []string
	at := 0
	for i := range c.Terms {
		t := &c.Terms[i]
		of, effects := c.Ridge[at:at+t.Width()], []string(nil)
		at += len(of)
		if t.Number {
			effects = append(effects, fmt.Sprintf("%+.3g per standard deviation, %.3g", of[0], t.Deviation))
		} else {
			middle := floats.Dot(of, t.Shares)
			for k, level := range t.Levels {
				effects = append(effects, fmt.Sprintf("%+.3g at %q", of[k]-middle, level))
			}
		}
		all = append(all, t.String()+" ("+strings.Join(effects, ", ")+")")
	}
	return strings.Join(all, "; ") + "; all are shrunk like the scores"
}
