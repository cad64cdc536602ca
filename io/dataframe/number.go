package dataframe

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number returns the value of a field, which must be a finite decimal number.
func Number(field string) (float64, error) {
	if x, ok := quick(field); ok {
		return x, nil
	}
	x, err := strconv.ParseFloat(field, 64)
	if err != nil || x-x != 0 || strings.IndexByte(field, '_') >= 0 || strings.ContainsAny(field, "xX") {
		return 0, fmt.Errorf("is %s, want a finite decimal number", Quote(field))
	}
	return x, nil
}

// powers are the powers of ten that a float64 represents exactly.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// quick parses a number of at most 19 digits without an exponent. It returns the same value as ParseFloat in at most
// half the time. ok is false if the caller must use ParseFloat.
func quick(field string) (x float64, ok bool) {
	const mostDigits = 19
	i, negative := 0, false
	if field != "" && field[0] == '-' {
		i, negative = 1, true
	}
	var digits uint64
	first, point := i, -1
	for ; i < len(field); i++ {
		c := field[i]
		if d := c - '0'; d <= 9 {
			digits = 10*digits + uint64(d)
		} else if c == '.' && point < 0 {
			point = i
		} else {
			return 0, false
		}
	}
	n, places := i-first, 0
	if point >= 0 {
		n, places = n-1, i-point-1
	}
	if n == 0 || n > mostDigits {
		return 0, false
	}
	if x, ok = quotient(digits, powers[places]); negative {
		x = -x
	}
	return x, ok
}

// quotient returns the float64 nearest to n/power, for an exact power of ten. ok is false if rounding errors leave two
// candidates.
func quotient(n uint64, power float64) (x float64, ok bool) {
	const exact = 1 << 53
	x = float64(n)
	if n <= exact {
		return x / power, true
	}
	if x >= 1<<63 {
		return 0, false
	}
	rest := float64(int64(n) - int64(x))       // n − x, exact
	q := x / power                             // rounded quotient; the remainder corrects it
	remainder := math.FMA(-q, power, x) + rest // exact except for the rounding of the sum
	c := remainder / power                     // n/power is q + c with an error of at most d
	d := (math.Abs(remainder) + math.Abs(rest)) / power * 0x1p-50
	x = q + (c + d)
	return x, x == q+(c-d)
}
