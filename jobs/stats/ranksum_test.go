package stats

import (
	"math"
	"math/bits"
	"testing"
)

// RankSum counts the same orders as all choices of the m samples of a class do.
func TestRankSumAgainstAllOrders(t *testing.T) {
	for m := 1; m <= 5; m++ {
		for n := m; n <= 8; n++ {
			counts, all := make([]float64, m*n+1), 0.0
			for set := uint(0); set < 1<<(m+n); set++ {
				if bits.OnesCount(set) != m {
					continue
				}
				wins, below := 0, 0
				for i := range m + n {
					if set>>i&1 == 1 {
						wins += below
					} else {
						below++
					}
				}
				counts[wins]++
				all++
			}
			want := 0.0
			for wins := m * n; wins >= 0; wins-- {
				want += counts[wins] / all
				if p := RankSum(wins, m, n); math.Abs(p-want) > 1e-12 {
					t.Fatalf("RankSum(%d, %d, %d) = %v, want %v", wins, m, n, p, want)
				}
			}
		}
	}
}

// Large classes keep their precision: the distribution is symmetric, and the extreme order is one of all.
func TestRankSumOfLargeClasses(t *testing.T) {
	for _, n := range []int{19, 200, 5000} {
		m := 19
		least := 1.0
		for i := 1; i <= m; i++ {
			least *= float64(i) / float64(n+i)
		}
		if p := RankSum(m*n, m, n); math.Abs(p/least-1) > 1e-12 {
			t.Errorf("n = %d: the best order has p = %v, want %v", n, p, least)
		}
		for _, part := range []int{2, 3, 4} {
			wins := m * n / part
			if sum := RankSum(wins, m, n) + RankSum(m*n-wins+1, m, n); math.Abs(sum-1) > 1e-7 {
				t.Errorf("n = %d: p of %d wins and of as many losses add up to %v", n, wins, sum)
			}
		}
	}
}
