package results

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/arrowio"
	"graphda/io/seal/sealtest"
)

// testLayout has two numbers and a parameter chosen from words.
var testLayout = Layout{
	{Name: "gamma"},
	{Name: "search", Words: []string{"paper", "exact", "größer"}},
	{Name: "s"},
}

// countMemory makes a test fail if it ends with unreleased Arrow memory.
func countMemory(t *testing.T) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	arrowio.Allocator = mem
	t.Cleanup(func() {
		arrowio.Allocator = memory.DefaultAllocator
		mem.AssertSize(t, 0)
	})
}

var must = sealtest.Must

var mustFail = sealtest.WantError

var oddNumbers = []float64{
	math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), math.SmallestNonzeroFloat64,
	math.MaxFloat64, -math.MaxFloat64, 0.1, 1 / 3.0,
}

var oddTexts = []string{"", "w̄ ≤ 3", "a,b\n\"c\"", "\x00", "host-1", blankBlock, blockPrefix}

// fill sets every field within v, so that a new field of Row is tested without a new line here.
func fill(rng *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(rng.NormFloat64())
		if rng.IntN(4) == 0 {
			v.SetFloat(oddNumbers[rng.IntN(len(oddNumbers))])
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(rng.Int64() >> rng.IntN(64))
		if rng.IntN(4) == 0 {
			v.SetInt(-v.Int())
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", rng.IntN(1000)))
		if rng.IntN(4) == 0 {
			v.SetString(oddTexts[rng.IntN(len(oddTexts))])
		}
	case reflect.Struct:
		if _, ok := v.Interface().(time.Time); ok {
			if rng.IntN(4) > 0 {
				v.Set(reflect.ValueOf(time.UnixMicro(rng.Int64N(1 << 52)).UTC()))
			}
			return
		}
		for i := range v.NumField() {
			fill(rng, v.Field(i))
		}
	}
}

// randomRows returns rows of testLayout with distinct cells; a third have failed.
func randomRows(seed uint64, n int) []Row {
	rng := rand.New(rand.NewPCG(seed, 1))
	rows := make([]Row, n)
	for i := range rows {
		r := &rows[i]
		fill(rng, reflect.ValueOf(r).Elem())
		r.Cell = fmt.Sprintf("%064x", i)
		r.Params = []float64{rng.NormFloat64(), float64(rng.IntN(3)), oddNumbers[rng.IntN(len(oddNumbers))]}
		if rng.IntN(3) == 0 {
			r.Params[1] = math.NaN()
		}
		if rng.IntN(3) > 0 {
			r.Error = ""
		}
	}
	return rows
}

// difference describes the first difference of two values, or returns "" if there is none. Values must be equal to
// the bit, except that all NaN are equal and nil slices equal empty ones.
func difference(path string, x, y reflect.Value) string {
	unequal := func() string { return fmt.Sprintf("%s: %#v and %#v", path, x, y) }
	switch x.Kind() {
	case reflect.Float64:
		a, b := x.Float(), y.Float()
		if math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b) {
			return ""
		}
		return unequal()
	case reflect.Slice:
		if x.Len() != y.Len() {
			return unequal()
		}
		for i := range x.Len() {
			if d := difference("", x.Index(i), y.Index(i)); d != "" {
				return fmt.Sprintf("%s[%d]%s", path, i, d)
			}
		}
		return ""
	case reflect.Struct:
		if _, ok := x.Interface().(time.Time); ok {
			break
		}
		for i := range x.NumField() {
			if d := difference("", x.Field(i), y.Field(i)); d != "" {
				return path + "." + x.Type().Field(i).Name + d
			}
		}
		return ""
	}
	if x.Interface() != y.Interface() {
		return unequal()
	}
	return ""
}

func wantSame[T any](t testing.TB, got, want []T) {
	t.Helper()
	if d := difference("", reflect.ValueOf(got), reflect.ValueOf(want)); d != "" {
		t.Fatalf("%d and %d values, first difference (got, want): %s", len(got), len(want), d)
	}
}

func filesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, e := range must1(os.ReadDir(dir)) {
		names = append(names, e.Name())
	}
	return names
}

// wantFiles checks that a directory contains exactly the given names.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := filesOf(t, dir); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }
