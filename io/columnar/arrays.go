package columnar

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
)

// The following functions copy values of an Arrow array to dst, beginning at index from. They return the index of the
// first value that cannot be converted, and the reason.

func arrowFloats(dst []float64, values arrow.Array, from int) (int, error) {
	to := from + len(dst)
	switch v := values.(type) {
	case *array.Dictionary:
		return lookUp(dst, v, from, arrowFloats)
	case *array.Null:
		clear(dst)
		return 0, nil
	case *array.Boolean:
		for i := range dst {
			dst[i] = truth[v.Value(from+i)]
		}
		return 0, nil
	case *array.Float64:
		return same(dst, v.Float64Values()[from:to])
	case *array.Float32:
		return widen(dst, v.Float32Values()[from:to])
	case *array.Float16:
		for i, h := range v.Values()[from:to] {
			dst[i] = float64(h.Float32())
		}
		return 0, nil
	case *array.Uint64:
		return exactFloats(dst, v.Uint64Values()[from:to])
	case *array.Decimal128:
		scale := int(v.DataType().(*arrow.Decimal128Type).Scale)
		for i := range dst {
			dst[i] = decimalFloat(v.Value(from+i).BigInt(), scale)
		}
		return 0, nil
	case *array.Decimal256:
		scale := int(v.DataType().(*arrow.Decimal256Type).Scale)
		for i := range dst {
			dst[i] = decimalFloat(v.Value(from+i).BigInt(), scale)
		}
		return 0, nil
	}
	ints := make([]int64, len(dst))
	if _, err := arrowInts(ints, values, from); err != nil {
		return 0, fmt.Errorf("has type %s, which cannot be read as numbers", values.DataType())
	}
	return exactFloats(dst, ints)
}

func arrowInts(dst []int64, values arrow.Array, from int) (int, error) {
	to := from + len(dst)
	switch v := values.(type) {
	case *array.Dictionary:
		return lookUp(dst, v, from, arrowInts)
	case *array.Date32:
		return wholeInts(dst, v.Date32Values()[from:to])
	case *array.Date64:
		return wholeInts(dst, v.Date64Values()[from:to])
	case *array.Timestamp:
		return wholeInts(dst, v.TimestampValues()[from:to])
	case *array.Int8:
		return wholeInts(dst, v.Int8Values()[from:to])
	case *array.Int16:
		return wholeInts(dst, v.Int16Values()[from:to])
	case *array.Int32:
		return wholeInts(dst, v.Int32Values()[from:to])
	case *array.Int64:
		return wholeInts(dst, v.Int64Values()[from:to])
	case *array.Uint8:
		return wholeInts(dst, v.Uint8Values()[from:to])
	case *array.Uint16:
		return wholeInts(dst, v.Uint16Values()[from:to])
	case *array.Uint32:
		return wholeInts(dst, v.Uint32Values()[from:to])
	case *array.Uint64:
		return wholeInts(dst, v.Uint64Values()[from:to])
	}
	return 0, fmt.Errorf("has type %s, which cannot be read as whole numbers", values.DataType())
}

// arrowTexts copies strings out of an array. Equal consecutive strings share one copy.
func arrowTexts(dst []string, values arrow.Array, from int, last *string) (int, error) {
	words, at := values, func(i int) int { return i }
	if d, ok := values.(*array.Dictionary); ok {
		words, at = d.Dictionary(), d.GetValueIndex
	}
	var word func(k int) string
	switch w := words.(type) {
	case *array.Boolean:
		word = func(k int) string { return strconv.FormatBool(w.Value(k)) }
	case interface{ Value(int) string }:
		word = w.Value
	case interface{ Value(int) []byte }:
		word = func(k int) string { return string(w.Value(k)) }
	default:
		return 0, fmt.Errorf("has type %s, which cannot be read as text", values.DataType())
	}
	for i := range dst {
		if dst[i] = ""; isNull(values, from+i) { // the column allows this null
			continue
		}
		if s := word(at(from + i)); s != *last {
			*last = strings.Clone(s)
		}
		dst[i] = *last
	}
	return 0, nil
}

// isNull reports whether an array has no value at i. In a dictionary array, the dictionary's value may be null too.
func isNull(values arrow.Array, i int) bool {
	if d, ok := values.(*array.Dictionary); ok && !d.IsNull(i) {
		return d.Dictionary().IsNull(d.GetValueIndex(i))
	}
	return values.IsNull(i) || values.DataType().ID() == arrow.NULL
}

var truth = map[bool]float64{true: 1}

// The following functions convert the stored values of a column to the requested type. They return the index of the
// first value that cannot be converted, and the reason.

type converter[P, T any] func(dst []T, src []P) (int, error)

func same[T any](dst, src []T) (int, error) {
	copy(dst, src)
	return 0, nil
}

// lookUp converts the values of a dictionary with convert, and fills dst with the value of each row.
func lookUp[T any](dst []T, v *array.Dictionary, from int,
	convert func(dst []T, values arrow.Array, from int) (int, error)) (int, error) {
	all := make([]T, v.Dictionary().Len())
	bad, err := convert(all, v.Dictionary(), 0)
	clear(dst)
	for i := range dst {
		if !isNull(v, from+i) {
			dst[i] = all[v.GetValueIndex(from+i)]
		}
	}
	return bad, err
}

func widen(dst []float64, src []float32) (int, error) {
	for i, v := range src {
		dst[i] = float64(v)
	}
	return 0, nil
}

func wholeInts[P int8 | int16 | ~int32 | ~int64 | uint8 | uint16 | uint32 | uint64](dst []int64, src []P) (int, error) {
	for i, v := range src {
		if dst[i] = int64(v); v > 0 && dst[i] < 0 {
			return i, fmt.Errorf("is %d, which is too large", v)
		}
	}
	return 0, nil
}

const exactBits = 53 // a float64 represents every integer of this many bits

func exactFloats[P int64 | uint64](dst []float64, src []P) (int, error) {
	for i, v := range src {
		dst[i] = float64(v)
		size := uint64(v)
		if v < 0 {
			size = -size
		}
		if size>>exactBits > 0 && bits.Len64(size)-bits.TrailingZeros64(size) > exactBits {
			return i, fmt.Errorf("is %v, which a float64 cannot hold exactly (whole numbers are exact up to 2^53)", v)
		}
	}
	return 0, nil
}

// decimalFloat returns the float64 nearest to unscaled·10^−scale.
func decimalFloat(unscaled *big.Int, scale int) float64 {
	if unscaled.IsInt64() {
		return smallDecimal(unscaled.Int64(), scale)
	}
	return parsed(unscaled.String(), scale)
}

func smallDecimal(unscaled int64, scale int) float64 {
	const exactPower = 22 // 10^22 is the largest power of ten that a float64 represents
	if scale >= 0 && scale <= exactPower && max(unscaled, -unscaled)>>exactBits == 0 {
		return float64(unscaled) / math.Pow10(scale) // both are exact, so the quotient is the nearest
	}
	return parsed(strconv.FormatInt(unscaled, 10), scale)
}

func parsed(unscaled string, scale int) float64 {
	x, _ := strconv.ParseFloat(unscaled+"e"+strconv.Itoa(-scale), 64) // x is infinite if the number is out of range
	return x
}

// bigEndian returns the two's complement number in b, highest byte first.
func bigEndian(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}
