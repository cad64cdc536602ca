package explaining

import (
	"math"
	"strings"
	"testing"

	"graphda/io/model"
	"graphda/io/samples"
)

// Odds ratios are of calibrated log-odds of standardised features alone, and what is said of weights names the class.
func TestEffects(t *testing.T) {
	m := example(t, "graphda")
	if !math.IsNaN(OddsRatio(m, 0)) {
		t.Error("an odds ratio of the last iterate, which is not calibrated")
	}
	m.Weights[0].Name = model.Ridge
	if !math.IsNaN(OddsRatio(m, 0)) {
		t.Error("an odds ratio of a standard deviation that is not known")
	}
	m.Scaling = &samples.Scaling{}
	if got := OddsRatio(m, 1); math.Abs(got-math.Exp(-2)) > 1e-15 {
		t.Errorf("odds ratio %v of weight −2", got)
	}
	m.Positive = "tumour"
	s := must1(Select(m))
	if got := s.Effects(); got != `3 features raising and 2 lowering the odds of "tumour"` {
		t.Error(got)
	}
	for i := range s.Nodes { // a connector has neither
		if n := &s.Nodes[i]; math.IsNaN(n.OddsRatio) != n.Connects || (Effect(n.Weight) == "") != n.Connects {
			t.Errorf("%s: odds ratio %v, effect %q", n.Name, n.OddsRatio, Effect(n.Weight))
		}
	}
	if m.Loss = "least_squares"; !math.IsNaN(OddsRatio(m, 0)) || Outcome(m.Loss, m.Positive) != `the score of "tumour"` ||
		Outcome(m.Loss, "") != "the predicted value" {
		t.Error("scores under least squares are taken for log-odds")
	}
}

// Fewer than ten samples of the rarer class for each weight are warned of, and covariates have weights too.
func TestEvents(t *testing.T) {
	m := example(t, "graphda")
	if got := Events(50, "sample", "ill", m); got != `50 samples of "ill" make 10.0 for each selected feature.` {
		t.Error(got)
	}
	m.Covariates = &model.Covariates{Ridge: []float64{1, 1}}
	got := Events(50, "patient", "", m)
	if !strings.HasPrefix(got, "50 patients make 7.1 for each selected feature and number of a covariate. That is fewer than 10: ") {
		t.Error(got)
	}
	if m.Covariates, m.Weights[0].W = nil, make([]float64, 8); Events(50, "sample", "ill", m) != "" {
		t.Error("a model without weights has events for each")
	}
}
