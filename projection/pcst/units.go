package pcst

import (
	"math"
	"math/bits"
)

// Time is an integer number of units, and the largest cost has 2^K units. No event is later than n·2^K ≤ 2^60.
const (
	maxPrecision = 48
	maxTime      = 1 << 61 // a cluster that dies later never dies during the growth
)

// precision returns K for a graph of n nodes.
func precision(n int) uint { return uint(min(maxPrecision, 60-bits.Len(uint(n)))) }

// wholeCost returns cost c in units, where the cost most has 2^k units. The result is even, so that half a cost is an
// integer. It is above 0 if c is above 0.
func wholeCost(c, most float64, k uint) int64 {
	if c == 0 {
		return 0
	}
	if most < 0x1p-900 { // subnormal costs would lose digits in the division
		c, most = c*0x1p100, most*0x1p100
	}
	return max(2, 2*int64(math.RoundToEven(c/most*float64(int64(1)<<(k-1)))))
}

// A rate converts prizes to units: a prize of 1 is mantissa·2^exponent units. The exponent may be too
// large for a float64.
type rate struct {
	mantissa float64 // in [1, 4]
	exponent int
	factor   float64 // mantissa·2^exponent; 0 if exponent is extreme
}

// newRate returns the rate at which cost·scale, which may overflow or underflow, has 2^k units.
func newRate(cost, scale float64, k uint) rate {
	costMantissa, costExponent := math.Frexp(cost)
	scaleMantissa, scaleExponent := math.Frexp(scale)
	r := rate{
		mantissa: 1 / (costMantissa * scaleMantissa),
		exponent: int(k) - costExponent - scaleExponent,
	}
	if r.exponent > -900 && r.exponent < 900 {
		r.factor = math.Ldexp(r.mantissa, r.exponent)
	}
	return r
}

// times converts the prize p to units, without rounding.
func (r *rate) times(p float64) float64 {
	if r.factor == 0 {
		return r.far(p)
	}
	return float64(p * r.factor) // prevents fusing with the sum in wholePrize
}

// wholePrize rounds x, which is the prize p in units, to the nearest unit and limits it to maxTime. A prize above 0
// stays above 0. wholePrize and times are separate functions so that the compiler inlines both.
func wholePrize(p, x float64) int64 {
	x += 0.5
	if x > maxTime {
		x = maxTime
	}
	return max(int64(x), min(int64(math.Float64bits(p)), 1))
}

// far replaces times if r.factor is 0.
func (r *rate) far(p float64) float64 {
	mantissa, exponent := math.Frexp(p)
	return math.Ldexp(mantissa*r.mantissa, exponent+r.exponent)
}

// prize converts the time t to a prize and divides it by 2^32.
func (r *rate) prize(t int64) float64 {
	return math.Ldexp(float64(t)/r.mantissa, -r.exponent-32)
}
