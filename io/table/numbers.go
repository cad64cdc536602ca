package table

import (
	"math"
	"strconv"
)

// Fixed prints with a number of decimals.
func Fixed(decimals int) func(float64) string {
	return func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
}

// Shortest prints in the shortest form that reads back the same.
func Shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// significantDigits are those of Significant.
const significantDigits = 4

// Significant prints four significant digits.
func Significant(v float64) string {
	if decimals, ok := significantDecimals(v); ok {
		return Fixed(decimals)(v)
	}
	return strconv.FormatFloat(v, 'e', significantDigits-1, 64)
}

// SpreadOf prints a deviation as finely as Significant prints its mean.
func SpreadOf(mean float64) func(float64) string {
	if decimals, ok := significantDecimals(mean); ok {
		return Fixed(decimals)
	}
	return func(v float64) string { return strconv.FormatFloat(v, 'e', 1, 64) }
}

// significantDecimals returns the decimals that show the significant digits; ok is false for
// a number that is better written with an exponent.
func significantDecimals(v float64) (decimals int, ok bool) {
	a := math.Abs(v)
	switch {
	case a == 0:
		return 0, true
	case a < 1e-3 || a >= 1e5:
		return 0, false
	}
	return max(significantDigits-1-int(math.Floor(math.Log10(a))), 0), true
}

// Signed prints a number with its sign; what rounds to zero has none.
func Signed(print func(float64) string) func(float64) string {
	return func(v float64) string {
		size := print(math.Abs(v))
		switch {
		case size == print(0):
			return size
		case v < 0:
			return "-" + size
		}
		return "+" + size
	}
}
