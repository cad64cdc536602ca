package columnar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
)

// The functions here fill dst with the values of an Arrow array from a place on. They
// return the index of the first that cannot be taken, and why.

func arrowFloats(dst []float64, values arrow.Array, from int) (int, error) {
	to := from + len(dst)
	switch v := values.(type) {
	case *array.Float64:
		return same(dst, v.Float64Values()[from:to])
	case *array.Float32:
		return widen(dst, v.Float32Values()[from:to])
	case *array.Float16:
		for i, h := range v.Values()[from:to] {
			dst[i] = float64(h.Float32())
		}
		return 0, nil
	case *array.Int8:
		return signedFloats(dst, v.Int8Values()[from:to])
	case *array.Int16:
		return signedFloats(dst, v.Int16Values()[from:to])
	case *array.Int32:
		return signedFloats(dst, v.Int32Values()[from:to])
	case *array.Int64:
		return signedFloats(dst, v.Int64Values()[from:to])
	case *array.Uint8:
		return unsignedFloats(dst, v.Uint8Values()[from:to])
	case *array.Uint16:
		return unsignedFloats(dst, v.Uint16Values()[from:to])
	case *array.Uint32:
		return unsignedFloats(dst, v.Uint32Values()[from:to])
	case *array.Uint64:
		return unsignedFloats(dst, v.Uint64Values()[from:to])
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
	return 0, fmt.Errorf("has type %s, which cannot be read as numbers", values.DataType())
}

func arrowInts(dst []int64, values arrow.Array, from int) (int, error) {
	to := from + len(dst)
	switch v := values.(type) {
	case *array.Int8:
		return signedInts(dst, v.Int8Values()[from:to])
	case *array.Int16:
		return signedInts(dst, v.Int16Values()[from:to])
	case *array.Int32:
		return signedInts(dst, v.Int32Values()[from:to])
	case *array.Int64:
		return signedInts(dst, v.Int64Values()[from:to])
	case *array.Uint8:
		return unsignedInts(dst, v.Uint8Values()[from:to])
	case *array.Uint16:
		return unsignedInts(dst, v.Uint16Values()[from:to])
	case *array.Uint32:
		return unsignedInts(dst, v.Uint32Values()[from:to])
	case *array.Uint64:
		return unsignedInts(dst, v.Uint64Values()[from:to])
	}
	return 0, fmt.Errorf("has type %s, which cannot be read as whole numbers", values.DataType())
}

// arrowTexts copies strings out of an array, equal neighbours once.
func arrowTexts(dst []string, values arrow.Array, from int, last *string) (int, error) {
	if b, ok := values.(*array.Boolean); ok {
		for i := range dst {
			dst[i] = strconv.FormatBool(b.Value(from + i))
		}
		return 0, nil
	}
	words, at := values, func(i int) int { return i }
	if d, ok := values.(*array.Dictionary); ok {
		words, at = d.Dictionary(), d.GetValueIndex
	}
	w, ok := words.(interface{ Value(int) string })
	if !ok {
		return 0, fmt.Errorf("has type %s, which cannot be read as text", values.DataType())
	}
	for i := range dst {
		if dst[i] = ""; values.IsNull(from + i) { // a null that the column takes
			continue
		}
		k := at(from + i)
		if words.IsNull(k) {
			return i, errors.New("is null")
		}
		if s := w.Value(k); s != *last {
			*last = strings.Clone(s)
		}
		dst[i] = *last
	}
	return 0, nil
}
