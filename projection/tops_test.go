package projection

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainTop sorts all entries by size, then index, and returns the first s indices.
func plainTop(v []float64, s int) []int32 {
	order := make([]int32, len(v))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(math.Abs(v[j]), math.Abs(v[i])) })
	order = order[:max(0, min(s, len(v)))]
	slices.Sort(order)
	return order
}

// vectorKinds are the kinds of vectors that selection is tested on.
var vectorKinds = []struct {
	name  string
	entry func(r *rand.Rand, i, n int) float64
}{
	{"normal", func(r *rand.Rand, i, n int) float64 { return r.NormFloat64() }},
	{"heavy", func(r *rand.Rand, i, n int) float64 { return math.Exp(100*r.NormFloat64()) * float64(1-2*r.IntN(2)) }},
	{"tied", func(r *rand.Rand, i, n int) float64 { return float64(r.IntN(7) - 3) }},
	{"sparse", func(r *rand.Rand, i, n int) float64 { return r.NormFloat64() * float64(r.IntN(8)/7) }},
	{"constant", func(r *rand.Rand, i, n int) float64 { return -2.5 }},
	{"zero", func(r *rand.Rand, i, n int) float64 { return math.Copysign(0, float64(i%3)-1) }},
	{"ascending", func(r *rand.Rand, i, n int) float64 { return float64(i) }},
	{"descending", func(r *rand.Rand, i, n int) float64 { return float64(n - i) }},
	{"organ pipe", func(r *rand.Rand, i, n int) float64 { return float64(min(i, n-1-i)) }},
	{"valley", func(r *rand.Rand, i, n int) float64 { return float64(max(i, n-1-i)) }},
	{"sawtooth", func(r *rand.Rand, i, n int) float64 { return float64(i % 17) }},
	{"alternating", func(r *rand.Rand, i, n int) float64 { return float64(i*(1-i%2*2)) / 3 }},
	{"two values", func(r *rand.Rand, i, n int) float64 { return float64(2*i/n) + 1 }},
	{"infinite", func(r *rand.Rand, i, n int) float64 { return []float64{math.Inf(1), -2, math.Inf(-1), 1}[r.IntN(4)] }},
	{"extreme", func(r *rand.Rand, i, n int) float64 {
		return []float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 0}[r.IntN(4)]
	}},
}

func TestTop(t *testing.T) {
	var sel Selector
	for _, kind := range vectorKinds {
		t.Run(kind.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for n := range 60 {
				for range 3 {
					checkTop(t, &sel, vector(r, kind.entry, n))
				}
			}
			checkTop(t, &sel, vector(r, kind.entry, 1500), 1, 2, 26, 749, 750, 1498, 1499)
		})
	}
}

func vector(r *rand.Rand, entry func(r *rand.Rand, i, n int) float64, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = entry(r, i, n)
	}
	return v
}

// checkTop compares Top with a full sort, for the given sizes s or else for all.
func checkTop(t *testing.T, sel *Selector, v []float64, sizes ...int) {
	t.Helper()
	if sizes == nil {
		for s := -1; s <= len(v)+1; s++ {
			sizes = append(sizes, s)
		}
	}
	kept := slices.Clone(v)
	for _, s := range sizes {
		got, want := sel.Top(nil, v, s), plainTop(v, s)
		if !slices.Equal(got, want) {
			t.Fatalf("Top(%v, %d) = %v, want %v", v, s, got, want)
		}
	}
	if !slices.Equal(v, kept) {
		t.Fatal("Top changes its vector")
	}
}

func TestTopAppends(t *testing.T) {
	var sel Selector
	if got := sel.Top([]int32{9}, []float64{1, -3, 2}, 2); !slices.Equal(got, []int32{9, 1, 2}) {
		t.Errorf("Top appended to [9]: %v, want [9 1 2]", got)
	}
}

func TestTopDoesNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	v := vector(r, vectorKinds[0].entry, 1089)
	var sel Selector
	dst := sel.Top(nil, v, 132)
	if n := testing.AllocsPerRun(20, func() { dst = sel.Top(dst[:0], v, 132) }); n != 0 {
		t.Errorf("Top: %v allocs/op after warm-up, want 0", n)
	}
}

// TestSelectLargestSizes tries every length up to 200 and every rank, on arrays with few distinct values and on
// arrays without ties.
func TestSelectLargestSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for n := 1; n <= 200; n++ {
		for _, alphabet := range []int{1, 2, 3, math.MaxInt32} {
			a := vector(r, func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(alphabet)) }, n)
			checkSelect(t, a)
		}
	}
}

// checkSelect compares selectLargest with a full sort, for the given ranks or else for all.
func checkSelect(t *testing.T, a []float64, ranks ...int) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(a))
	for k := 1; k <= len(a); k++ {
		if ranks != nil && !slices.Contains(ranks, k) {
			continue
		}
		work := slices.Clone(a)
		if got, want := selectLargest(work, k), sorted[len(a)-k]; got != want {
			t.Fatalf("selectLargest(%v, %d) = %v, want %v", a, k, got, want)
		}
		if slices.Sort(work); !slices.Equal(work, sorted) {
			t.Fatalf("selectLargest(%v, %d) leaves other values: %v", a, k, work)
		}
	}
}
