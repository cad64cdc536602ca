package stats

// RankSum returns the exact one-sided p-value of Mann and Whitney (Annals of Mathematical Statistics 18, 1947). The two
// classes have m and n samples, with m ≤ n. A sample wins a pair with a sample of the other class if its score is
// higher. The p-value is the probability that one class has at least the given number of wins if the order of the
// samples is random. If ties do not count as wins, the p-value is never too small.
func RankSum(wins, m, n int) float64 {
	lost := m*n - wins
	if m < 1 || wins <= 0 {
		return 1
	}
	// orders[k] is the number of orders with k lost pairs. It is the coefficient of q^k in the Gaussian binomial Π (1 −
	// q^(n+i))/(1 − q^i), i from 1 to m.
	orders, all := make([]float64, lost+1), 1.0
	orders[0] = 1
	for i := 1; i <= m; i++ {
		for k := lost; k >= n+i; k-- {
			orders[k] -= orders[k-n-i]
		}
		for k := i; k <= lost; k++ {
			orders[k] += orders[k-i]
		}
		all *= float64(n+i) / float64(i)
	}
	p := 0.0
	for _, v := range orders {
		p += v / all
	}
	return min(p, 1)
}
