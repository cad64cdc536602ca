package columnar

import (
	"fmt"
	"math"
	"math/big"
)

// The functions here turn a column's stored values into the type that is read. They
// return the index of the first value that cannot be turned, and why.

type converter[P, T any] func(dst []T, src []P) (int, error)

func same[T any](dst, src []T) (int, error) {
	copy(dst, src)
	return 0, nil
}

func widen(dst []float64, src []float32) (int, error) {
	for i, v := range src {
		dst[i] = float64(v)
	}
	return 0, nil
}

// signed and unsigned numbers stored in a signed type, to int64.

func signedInts[P int8 | int16 | int32 | int64](dst []int64, src []P) (int, error) {
	for i, v := range src {
		dst[i] = int64(v)
	}
	return 0, nil
}

func unsignedInts[P uint8 | uint16 | uint32 | uint64](dst []int64, src []P) (int, error) {
	for i, v := range src {
		if uint64(v) > math.MaxInt64 {
			return i, fmt.Errorf("is %d, which is too large", v)
		}
		dst[i] = int64(v)
	}
	return 0, nil
}

const maxExact = 1 << 53 // every integer up to here is a float64

func errInexact(v any) error {
	return fmt.Errorf("is %v, which no float64 equals (whole numbers are exact up to 2^53)", v)
}

func signedFloats[P int8 | int16 | int32 | int64](dst []float64, src []P) (int, error) {
	for i, v := range src {
		dst[i] = float64(v)
		if (int64(v) > maxExact || int64(v) < -maxExact) && !isExact(big.NewInt(int64(v))) {
			return i, errInexact(v)
		}
	}
	return 0, nil
}

func unsignedFloats[P uint8 | uint16 | uint32 | uint64](dst []float64, src []P) (int, error) {
	for i, v := range src {
		dst[i] = float64(v)
		if uint64(v) > maxExact && !isExact(new(big.Int).SetUint64(uint64(v))) {
			return i, errInexact(v)
		}
	}
	return 0, nil
}

func isExact(v *big.Int) bool {
	_, accuracy := new(big.Float).SetInt(v).Float64()
	return accuracy == big.Exact
}

// decimalFloat returns the float64 nearest to unscaled·10^−scale.
func decimalFloat(unscaled *big.Int, scale int) float64 {
	if unscaled.IsInt64() {
		return smallDecimal(unscaled.Int64(), scale)
	}
	return bigDecimal(unscaled, scale)
}

func smallDecimal(unscaled int64, scale int) float64 {
	if scale >= 0 && scale < len(powersOf10) && unscaled <= maxExact && unscaled >= -maxExact {
		return float64(unscaled) / powersOf10[scale] // both exact, so the quotient is the nearest
	}
	return bigDecimal(big.NewInt(unscaled), scale)
}

// powersOf10 that a float64 holds exactly.
var powersOf10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

func bigDecimal(unscaled *big.Int, scale int) float64 {
	if scale < -maxScale || scale > maxScale {
		return math.NaN()
	}
	r := new(big.Rat).SetInt(unscaled)
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil))
	if scale >= 0 {
		r.Quo(r, power)
	} else {
		r.Mul(r, power)
	}
	f, _ := r.Float64()
	return f
}

const maxScale = 76 // of the widest decimals, which have 256 bits

// bigEndian returns the two's complement number that b holds, highest byte first.
func bigEndian(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}
