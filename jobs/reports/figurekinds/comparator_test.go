package figurekinds

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/io/seal/sealtest"
	"graphda/learners"
	"graphda/learners/learnertest"
)

// TestComparator compares the least losses with those of Hindsight where the norm does not bind,
// and with what holds at the solution where it does: the gap is a bound by convexity alone.
func TestComparator(t *testing.T) {
	x, y := learnertest.Drawn(300, 8)
	support := []int32{0, 1, 4, 5, 7}
	row := func(i int) []float64 { return x[i] }
	for _, loss := range []learners.Loss{learners.Logistic{}, learners.LeastSquares{}} {
		c := NewComparator(loss, row, y, support)
		for _, n := range []int{40, 100, 300} {
			free := sealtest.Must1(learners.Hindsight(loss, 8, row, y[:n], support))
			zero, _ := NewComparator(loss, row, y, support).Least(n, 0)
			last := zero
			for _, norm := range []float64{0.01, 0.1, 0.3, 1, 3, 100} {
				least, gap := c.Least(n, norm)
				if gap < 0 || norm < 100 && gap > 1e-6*zero {
					t.Errorf("%s, %d samples, norm %v: gap %v of %v", loss.Name(), n, norm, gap, zero)
				}
				if least < free-1e-6*zero || least > last+1e-6*zero {
					t.Errorf("%s, %d samples, norm %v: %v, want between %v of any norm and %v of less", loss.Name(),
						n, norm, least, free, last)
				}
				last = least
			}
			if last > free+2e-6*zero {
				t.Errorf("%s, %d samples: %v within norm 100, %v without", loss.Name(), n, last, free)
			}
		}
	}
}

// TestComparatorOfOneFeature compares with a search over all models of two numbers.
func TestComparatorOfOneFeature(t *testing.T) {
	x, y := learnertest.Drawn(50, 2)
	row := func(i int) []float64 { return x[i] }
	const norm = 0.4
	least, _ := NewComparator(learners.Logistic{}, row, y, []int32{1}).Least(len(y), norm)
	best := math.Inf(1)
	for k := range 4000 {
		for _, radius := range []float64{norm, norm * 0.99, norm / 2} {
			w, b := radius*math.Cos(float64(k)*math.Pi/2000), radius*math.Sin(float64(k)*math.Pi/2000)
			sum := 0.0
			for i := range y {
				l, _ := learners.Logistic{}.Eval(floats.Dot([]float64{w, b}, []float64{x[i][1], 1}), y[i])
				sum += l
			}
			best = min(best, sum)
		}
	}
	if least > best+1e-5 || least < best-1e-3 {
		t.Errorf("least loss %v, want at most %v and hardly less", least, best)
	}
}
