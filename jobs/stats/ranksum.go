package stats

// RankSum returns how likely samples of two classes in random order win at least the given number of m×n pairs. A
// sample of the first class wins a pair if it is ranked above the sample of the second class. There are m samples of the
// smaller class and n samples of the other class. That is the exact one-sided p-value of Mann and Whitney (Annals of
// Mathematical Statistics 18, 1947). A tie should not be counted as won. Then the p-value is at most too large.
func RankSum(wins, m, n int) float64 {
	lost := m*n - wins
	if m < 1 || wins <= 0 {
		return 1
	}
	// orders[k] is the number of orders with k lost pairs. They are the coefficients of a Gaussian binomial, the product
	// of (1 − q^(n+i))/(1 − q^i) over i from 1 to m.
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
