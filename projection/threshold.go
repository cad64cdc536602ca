package projection

// SoftThreshold returns sign(x)·max(|x| − t, 0) for a threshold t ≥ 0: the point that
// minimises ½(z − x)² + t|z|. It is x less what of x lies within ±t, which takes no branch.
func SoftThreshold(x, t float64) float64 { return x - max(-t, min(t, x)) }

// GroupFactor returns max(1 − t/norm, 0), the factor by which a group of Euclidean norm
// norm ≥ 0 shrinks under the threshold t ≥ 0; 0 for a group of zeros.
func GroupFactor(norm, t float64) float64 {
	if norm > t {
		return 1 - t/norm
	}
	return 0
}
