package figurekinds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"graphda/learners"
)

// A Comparator computes the least loss that a fixed model (w, b) can have on the first t samples. A learner's regret is
// its own loss minus this loss. The model's norm is at most D:
//
//	min  Σ_{i ≤ t} ℓ(⟨w, x_i⟩ + b, y_i)   over ‖(w, b)‖ ≤ D,   w zero outside a support.
//
// Each search begins at the previous solution, so it is fast if t rises. A Comparator is not safe for concurrent use.
type Comparator struct {
	loss learners.Loss
	x    []float64 // a row for each sample: its features in the support, then a 1
	y    []float64
	d    int // number of values in a row of x

	point, ahead, next, gradient []float64
	step                         float64
}

// NewComparator returns a comparator for the samples row(0), row(1), and so on, with the labels or targets y.
func NewComparator(loss learners.Loss, row func(i int) []float64, y []float64, support []int32) *Comparator {
	d := len(support) + 1
	c := &Comparator{loss: loss, y: y, d: d, x: make([]float64, 0, len(y)*d), step: 1,
		point: make([]float64, d), ahead: make([]float64, d), next: make([]float64, d), gradient: make([]float64, d)}
	for i := range y {
		r := row(i)
		for _, j := range support {
			c.x = append(c.x, r[j])
		}
		c.x = append(c.x, 1)
	}
	return c
}

// Least returns the least loss in the first t samples, over all models up to a finite norm. `least` is too high by at
// most `gap`, the Frank-Wolfe gap. The gap is at most a millionth of the zero model's loss, unless the norm is far
// larger than the best model needs.
//
// Least uses Nesterov's accelerated projected gradient descent with backtracking (Beck and Teboulle, A fast iterative
// shrinkage-thresholding algorithm, SIAM J. Imaging Sciences 2009). When the loss rises, the descent restarts without
// momentum (O'Donoghue and Candès, Found. Comput. Math. 2015).
func (c *Comparator) Least(t int, norm float64) (least, gap float64) {
	const (
		tolerance = 1e-6
		rounds    = 2000
	)
	zero := 0.0
	for _, y := range c.y[:t] {
		l, _ := c.loss.Eval(0, y)
		zero += l
	}
	shrink(c.point, norm)
	copy(c.ahead, c.point)
	least = c.eval(c.point, nil, t)
	momentum := 1.0
	for round := range rounds {
		found := c.descend(t, norm, 1e-12*zero)
		if found > least && momentum > 1 {
			momentum = 1
			copy(c.ahead, c.point)
			continue
		}
		m := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for i := range c.ahead {
			c.ahead[i] = c.next[i] + (momentum-1)/m*(c.next[i]-c.point[i])
		}
		momentum = m
		c.point, c.next = c.next, c.point
		least = min(least, found)
		if round%4 == 3 {
			if gap = c.gap(t, norm); gap <= tolerance*zero {
				break
			}
		}
	}
	return least, gap
}

// descend makes a projected gradient step from c.ahead to c.next, and returns the loss there. The step is so short that
// the quadratic model of the loss is an upper bound of the loss, up to rounding.
func (c *Comparator) descend(t int, norm, rounding float64) float64 {
	value := c.eval(c.ahead, c.gradient, t)
	for c.step *= 1.5; ; c.step /= 2 {
		floats.AddScaledTo(c.next, c.ahead, -c.step, c.gradient)
		shrink(c.next, norm)
		if found := c.eval(c.next, nil, t); found <= value+c.rise()+rounding {
			return found
		}
	}
}

// rise returns the increase of the quadratic model of the loss from c.ahead to c.next.
func (c *Comparator) rise() float64 {
	sum := 0.0
	for i, g := range c.gradient {
		d := c.next[i] - c.ahead[i]
		sum += g*d + d*d/(2*c.step)
	}
	return sum
}

// gap returns the largest ⟨∇, point − u⟩ over all u within the norm. By convexity, the loss at c.point is at most this
// far above the least loss.
func (c *Comparator) gap(t int, norm float64) float64 {
	c.eval(c.point, c.gradient, t)
	return max(0, floats.Dot(c.gradient, c.point)+norm*floats.Norm(c.gradient, 2))
}

// eval returns the loss of the model u over the first t samples, and its gradient unless gradient is nil.
func (c *Comparator) eval(u, gradient []float64, t int) float64 {
	sum := 0.0
	clear(gradient)
	for i, y := range c.y[:t] {
		row := c.x[i*c.d : (i+1)*c.d]
		l, dz := c.loss.Eval(floats.Dot(u, row), y)
		sum += l
		if gradient != nil {
			floats.AddScaled(gradient, dz, row)
		}
	}
	return sum
}

// shrink scales u down to the given norm if its norm is larger.
func shrink(u []float64, norm float64) {
	if n := floats.Norm(u, 2); n > norm {
		floats.Scale(norm/n, u)
	}
}
