package results

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// clone copies rows and their parameters, because Dedup may overwrite them.
func clone(rows []Row) []Row {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Params = slices.Clone(rows[i].Params)
	}
	return rows
}

// TestDedupAgainstAMap compares with a map, for rows of many attempts in any order.
func TestDedupAgainstAMap(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		base := randomRows(seed, 50)
		var rows []Row
		for range 300 {
			r := base[rng.IntN(len(base))]
			r.Error = ""
			r.Attempt, r.Seconds = fmt.Sprint(len(rows), rng.IntN(1000)), rng.Float64()
			if rng.IntN(2) == 0 {
				r.Error = "boom " + r.Attempt
				r.W, r.Wbar, r.Solves = NoMetrics(), NoMetrics(), 0
			}
			rows = append(rows, r)
		}
		at := make(map[Key]int)
		var want []Row
		for _, r := range rows {
			i, ok := at[r.Key()]
			switch {
			case !ok:
				at[r.Key()] = len(want)
				want = append(want, r)
			case want[i].Failed() && !r.Failed(), want[i].Failed() == r.Failed() && r.Attempt < want[i].Attempt:
				want[i] = r // they finished at the same time
			}
		}
		got := must1(Dedup(clone(rows)))
		wantSame(t, got, want)
		again := must1(Dedup(clone(got)))
		wantSame(t, again, want)
	}
}

// TestDedupOfTwoProcessors checks that rows from two kinds of processor must agree to a relative 1e-9. Neither the
// choice nor the agreement may depend on the order of rows.
func TestDedupOfTwoProcessors(t *testing.T) {
	const near, far = 1 + 1e-10, 1 + 1e-8
	row := func(cpu string, factor float64) Row {
		r := Row{Cell: "c0ffee", Checkpoint: 3, Params: []float64{2}, Solves: 4, HeadBound: 0.5 * factor, CPU: cpu, Host: "host " + cpu,
			Attempt: "1", Finished: time.Unix(9, 0)}
		for _, m := range MetricColumns {
			*m.At(&r.W), *m.At(&r.Wbar) = 0.7*factor, math.NaN()
		}
		r.W.CumulativeLoss, r.W.Regret = 400*factor, 400*factor-399.9999 // a small difference of large sums
		return r
	}
	a, b, unknown := row("amd64 v1", near), row("amd64 v1 fma", 1), row("", near)
	early := b
	early.Finished, early.Seconds = time.Unix(8, 0), 12
	failed := Row{Cell: "c0ffee", Checkpoint: 3, Params: []float64{2}, CPU: "a", Error: "boom"}
	other := Row{Cell: "other", Params: []float64{2}}
	for _, c := range []struct {
		rows []Row
		want Row
	}{
		{[]Row{a, b}, a}, {[]Row{a, b, early}, a}, {[]Row{b, early}, early}, {[]Row{b, failed}, b}, {[]Row{b, a, unknown}, unknown},
	} {
		rng := rand.New(rand.NewPCG(1, 4))
		for range 20 {
			rng.Shuffle(len(c.rows), func(i, j int) { c.rows[i], c.rows[j] = c.rows[j], c.rows[i] })
			got := must1(Dedup(append(clone(c.rows), other)))
			wantSame(t, got, []Row{c.want, other})
		}
	}
	// Rows from one processor must agree to the bit. Rows from two must agree to the tolerance, counts exactly,
	// and nothing agrees with infinity.
	bit, beyond, count, infinite := row(b.CPU, near), row(a.CPU, far), row(a.CPU, 1), row(a.CPU, 1)
	count.Solves++
	infinite.W.TestMSE = math.Inf(1)
	for _, odd := range []Row{bit, beyond, count, infinite} {
		for _, rows := range [][]Row{{b, odd}, {odd, b}, {odd, early, b}} {
			_, err := Dedup(clone(rows))
			mustFail(t, err, "c0ffee", b.CPU, odd.CPU, "host amd64 v1 fma")
		}
	}
	_, err := Dedup([]Row{b, beyond})
	mustFail(t, err, "0.7", "to 1e-09, on different processors")
}

// TestDedupComparesEveryTwo checks that all rows of a key are compared with each other, not only with the
// preferred row. Two rows from one processor must be equal to the bit even if another processor's row is
// preferred. Rows from three processors must agree pairwise.
func TestDedupComparesEveryTwo(t *testing.T) {
	row := func(cpu, host string, factor float64) Row {
		return Row{Cell: "c0ffee", Checkpoint: 3, W: Metrics{TestMSE: 0.5 * factor}, CPU: cpu, Host: host}
	}
	stands, above, below := row("a", "one", 1), row("b", "two", 1+0.9e-9), row("b", "three", 1-0.9e-9)
	other := below
	other.CPU = "c"
	failed := Row{Cell: "c0ffee", Checkpoint: 3, CPU: "a", Error: "boom", W: NoMetrics(), Wbar: NoMetrics()}
	for _, rows := range [][]Row{{stands, above, below}, {stands, above, other}, {failed, stands, failed, above, above, below}} {
		rng := rand.New(rand.NewPCG(2, 4))
		for range 20 {
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			_, err := Dedup(clone(rows))
			mustFail(t, err, "test_mse", `"two"`, `"three"`)
		}
	}
	got := must1(Dedup(clone([]Row{below, stands, below, failed, stands, below})))
	wantSame(t, got, []Row{stands})
}

func TestDedupRefusesOtherFigures(t *testing.T) {
	edits := map[string]func(*Row){
		"dataset":     func(r *Row) { r.Dataset = "other" },
		"trial":       func(r *Row) { r.Trial = 8 },
		"method":      func(r *Row) { r.Method = "other" },
		"parameter 2": func(r *Row) { r.Params = []float64{1, 9} },
		"parameter 1": func(r *Row) { r.Params = []float64{math.NaN(), 2} },
		"solves":      func(r *Row) { r.Solves = 8 },
		"unbracketed": func(r *Row) { r.Unbracketed = 8 },
		"kept_heads":  func(r *Row) { r.KeptHeads = 8 },
		"head_bound":  func(r *Row) { r.HeadBound = 0.8 },
	}
	for _, m := range MetricColumns {
		edits[m.Name] = func(r *Row) { *m.At(&r.W) = 0.25 }
		edits[m.Name+WbarSuffix] = func(r *Row) { *m.At(&r.Wbar) = math.Nextafter(1, 2) }
	}
	for column, edit := range edits {
		a := Row{Cell: "c0ffee", Dataset: "d", Method: "m", Checkpoint: 400, Params: []float64{1, 2}}
		for _, m := range MetricColumns {
			*m.At(&a.W), *m.At(&a.Wbar) = 1, 1
		}
		b := a
		edit(&b)
		_, err := Dedup(clone([]Row{a, b}))
		mustFail(t, err, "c0ffee", "400", fmt.Sprintf("%q", column))
		if _, err := Dedup(clone([]Row{b, b, a})); err == nil {
			t.Errorf("%s: no error in the other order", column)
		}
		// A failed row has no measures to compare, but must have the same dataset.
		b.Error = "boom"
		got, err := Dedup(clone([]Row{b, a}))
		if b.Dataset != a.Dataset || b.Trial != a.Trial || b.Method != a.Method || !slices.Equal(a.Params, b.Params) {
			mustFail(t, err, fmt.Sprintf("%q", column))
			continue
		}
		must(t, err)
		wantSame(t, got, []Row{a})
	}
	_, err := Dedup([]Row{{Cell: "a", W: Metrics{TestMSE: 0.5}}, {Cell: "a", W: Metrics{TestMSE: 0.75}}})
	mustFail(t, err, "test_mse", "0.5", "0.75")
	_, err = Dedup([]Row{{Cell: "a"}, {Cell: "b", Params: []float64{1}}})
	mustFail(t, err, "b", "1 parameters")
}

func TestDedupIsLean(t *testing.T) {
	rows := make([]Row, 1<<16)
	for i := range rows {
		rows[i].Cell, rows[i].Checkpoint = fmt.Sprint("cell ", i/64), i%64
	}
	res := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if got, err := Dedup(rows); err != nil || len(got) != len(rows) {
				b.Fatalf("%d rows, %v, want %d", len(got), err, len(rows))
			}
		}
	})
	if res.N == 0 {
		t.Fatal("the benchmark failed")
	}
	if perRow := float64(res.AllocedBytesPerOp()) / float64(len(rows)); perRow > 110 {
		t.Errorf("%.1f bytes a row, want at most 100 and a constant", perRow)
	}
}
