package projection

import "math"

// A Window is the range of forest sizes a search accepts, both ends included.
type Window struct{ Low, High int }

// HeadWindow returns the window of the head projection of p nodes: about half of them.
func HeadWindow(p int, omega float64) Window { return TailWindow(p/2, omega) }

// TailWindow returns the window of the tail projection to sparsity s with tolerance
// omega ≥ 0.
func TailWindow(s int, omega float64) Window {
	// The product of, say, 30 and 1.1 must not fall short of 33 by a rounding error.
	const slack = 1e-9
	high := math.Floor(float64(s)*(1+omega) + slack)
	return Window{Low: s, High: int(min(high, math.MaxInt32))} // no graph has more nodes
}

// Contains tells whether a forest of the given size is acceptable.
func (w Window) Contains(size int) bool { return w.Low <= size && size <= w.High }
