package projection

import (
	"math"
	"math/big"
	"testing"
)

func TestWindows(t *testing.T) {
	tests := []struct {
		name      string
		got, want Window
	}{
		{"tail without tolerance", TailWindow(7, 0), Window{7, 7}},
		{"tail with tolerance 1", TailWindow(7, 1), Window{7, 14}},
		{"tail with a boundless tolerance", TailWindow(7, 1e300), Window{7, math.MaxInt32}},
		{"head of 1089", HeadWindow(1089, 0.1), Window{544, 598}},
		{"head of 784", HeadWindow(784, 0.1), Window{392, 431}},
		{"head of 1", HeadWindow(1, 0.1), Window{0, 0}},
		{"head of 3", HeadWindow(3, 0.1), Window{1, 1}},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
}

// TestTailWindowIsExact compares ⌊(1+ω)s⌋ with rational arithmetic on the decimal ω.
func TestTailWindowIsExact(t *testing.T) {
	for _, omega := range []string{"0.1", "0.05", "0.2", "0.3", "0.7", "0.15", "0.01", "0.001", "1.9"} {
		factor, _ := new(big.Rat).SetString(omega)
		value, _ := factor.Float64()
		factor.Add(factor, big.NewRat(1, 1))
		for s := range 2001 {
			x := new(big.Rat).Mul(factor, big.NewRat(int64(s), 1))
			want := int(new(big.Int).Quo(x.Num(), x.Denom()).Int64())
			if got := TailWindow(s, value); got != (Window{s, want}) {
				t.Errorf("TailWindow(%d, %s) = %v, want {%d %d}", s, omega, got, s, want)
			}
		}
	}
}

func TestContains(t *testing.T) {
	w := Window{Low: 3, High: 5}
	for size, want := range []bool{false, false, false, true, true, true, false} {
		if got := w.Contains(size); got != want {
			t.Errorf("%v contains %d: %v, want %v", w, size, got, want)
		}
	}
}
