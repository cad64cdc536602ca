package learners

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// A dual holds the sum of the gradients of all rounds. The averaged gradient ḡ_t is sum/t.
type dual struct {
	sum       []float64
	intercept float64
}

func newDual(p int) dual { return dual{sum: make([]float64, p)} }

func (d *dual) add(g Gradient) {
	floats.AddScaled(d.sum, g.Scale, g.X)
	d.intercept += g.Intercept
}

func (d *dual) Remember(m *Memory) {
	m.Vector("gradients", d.sum)
	m.Number("gradients_intercept", &d.intercept)
}

// step returns a_t/t. The dual averaging iterate is this number times the sum of t gradients.
func step(gamma float64, t int) float64 { return -1 / (gamma * math.Sqrt(float64(t))) }

// takeSum sets m to step times the sums in d, restricted to a copy of the ascending support.
func (m *Model) takeSum(d *dual, step float64, support []int32) {
	m.clear()
	m.Support = append(m.Support, support...)
	for _, i := range m.Support {
		m.W[i] = step * d.sum[i]
	}
	m.Intercept = step * d.intercept
}
