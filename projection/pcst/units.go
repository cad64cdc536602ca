package pcst

import (
	"math"
	"math/bits"
)

// Time is counted in whole units, of which the largest cost has 2^K. K leaves room for
// all costs to follow one another: no event lies later than n·2^K ≤ 2^60.
const (
	maxPrecision = 48
	maxTime      = 1 << 61 // a cluster that would die here or later outlives every event
)

// precision returns K for n nodes.
func precision(n int) uint { return uint(min(maxPrecision, 60-bits.Len(uint(n)))) }

// unitCost returns cost c in even units, where the largest cost, most, has 2^k. A cost
// above 0 stays above 0.
func unitCost(c, most float64, k uint) int64 {
	if c == 0 {
		return 0
	}
	if most < 0x1p-1000 { // keeps the quotient of subnormal numbers exact
		c, most = c*0x1p100, most*0x1p100
	}
	return max(2, 2*int64(math.RoundToEven(math.Ldexp(c/most, int(k)-1))))
}

// A rate converts prizes to units: mantissa·2^exponent units for each 1. The exponent
// may lie far outside the range of float64.
type rate struct {
	mantissa float64
	exponent int
	factor   float64 // mantissa·2^exponent, or 0 where that is no normal number
}

// newRate returns the rate at which cost has 2^k units; cost·scale may overflow.
func newRate(cost, scale float64, k int) rate {
	cm, ce := math.Frexp(cost)
	sm, se := math.Frexp(scale)
	r := rate{mantissa: 1 / (cm * sm), exponent: k - ce - se}
	if r.exponent > -1000 && r.exponent < 1000 {
		r.factor = math.Ldexp(r.mantissa, r.exponent)
	}
	return r
}

// far returns prize p in units where factor is not known.
func (r *rate) far(p float64) float64 {
	m, e := math.Frexp(p)
	return math.Ldexp(m*r.mantissa, e+r.exponent)
}
