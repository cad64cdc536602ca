package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Two scores, ±1: of 4 at +1 three are positive, of 5 at −1 one is. The fit goes through both log-odds, ln 3 and −ln 4:
// its slope is (ln 3 + ln 4)/2.
func TestCalibrateByHand(t *testing.T) {
	z := []float64{1, 1, 1, 1, -1, -1, -1, -1, -1}
	y := []float64{1, 1, 1, -1, 1, -1, -1, -1, -1}
	c := Calibrate(z, y)
	if want := math.Log(12) / 2; math.Abs(c.Slope-want) > 1e-9 {
		t.Errorf("slope %v, want %v", c.Slope, want)
	}
	right, wrong := math.Log1p(math.Exp(-1)), math.Log1p(math.Exp(1))
	if want := (7*right + 2*wrong) / 9; math.Abs(c.LogLoss-want) > 1e-12 {
		t.Errorf("log-loss %v, want %v", c.LogLoss, want)
	}
	p := 1 / (1 + math.Exp(-1))
	if want := (7*(1-p)*(1-p) + 2*p*p) / 9; math.Abs(c.Brier-want) > 1e-12 {
		t.Errorf("Brier %v, want %v", c.Brier, want)
	}
	// 4 of 9 are positive: the sum of the probabilities at a + z must be 4.
	if sum := 4*Probability(c.Large+1) + 5*Probability(c.Large-1); math.Abs(sum-4) > 1e-9 {
		t.Errorf("in the large %v: %v expected, 4 are there", c.Large, sum)
	}
}

// Log-odds that are multiplied have the slope divided, and what is added is taken off again.
func TestCalibrateTurnsWithTheScores(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var z, y []float64
	for range 400 {
		s := r.NormFloat64()
		label := -1.0
		if r.Float64() < Probability(s) {
			label = 1
		}
		z, y = append(z, s), append(y, label)
	}
	c := Calibrate(z, y)
	other := make([]float64, len(z))
	for i := range z {
		other[i] = 3*z[i] + 0.5
	}
	if got := Calibrate(other, y).Slope; math.Abs(3*got-c.Slope) > 1e-8 {
		t.Errorf("slope %v of three times the log-odds, %v of the log-odds", got, c.Slope)
	}
	for i := range z {
		other[i] = z[i] + 0.5
	}
	if got := Calibrate(other, y).Large; math.Abs(got+0.5-c.Large) > 1e-8 {
		t.Errorf("in the large %v of the log-odds + 0.5, %v of the log-odds", got, c.Large)
	}
}

func TestCalibrateWithoutFit(t *testing.T) {
	for name, c := range map[string]struct{ z, y []float64 }{
		"one class":  {[]float64{1, -1, 2}, []float64{1, 1, 1}},
		"separated":  {[]float64{2, 1, -1, -2}, []float64{1, 1, -1, -1}},
		"constant z": {[]float64{1, 1, 1}, []float64{1, -1, 1}},
		"nothing":    {nil, nil},
	} {
		if got := Calibrate(c.z, c.y).Slope; !math.IsNaN(got) {
			t.Errorf("%s: slope %v, want none", name, got)
		}
	}
	if got := Calibrate([]float64{1, -1}, []float64{1, 1}).Large; !math.IsNaN(got) {
		t.Errorf("one class: in the large %v, want none", got)
	}
	if got := Calibrate([]float64{1000, -1000}, []float64{1, 1}); got.LogLoss != 500 || got.Brier != 0.5 {
		t.Errorf("far log-odds: %+v", got)
	}
}
