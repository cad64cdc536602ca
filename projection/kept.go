package projection

// A Kept stores a support H, so that the projection of a later vector w can reuse H without a search. H is reused
// while its share of w is at least Least times its share when H was found. The share is a lower bound of ‖w_H‖²/top,
// where top is the sum of the |H| largest squares of w.
//
// Every support S of at most |H| entries has ‖w_S‖² ≤ top. So H captures at least the fraction ‖w_H‖²/top of what any
// such S captures. In every round, whether H is new or reused, the constant c_H² of the head projection is therefore
// at least ‖w_H‖²/top.
//
// To start, set only Least: the first call is then a full search.
type Kept struct {
	// Least is in (0, 1]. H is reused as long as its share is at least Least·Found.
	Least float64

	// If Below is above 0, H leaves out the nodes with indices Below, Below+1, …, because they have no values.
	Below int

	Nodes []int32 // H, ascending
	Found float64 // H's share when a search found H; 0 before the first search
	Floor float64 // |H|-th largest square divided by the sum of all squares, when a search found H
}

// share returns a lower bound of ‖w_H‖²/top. For any floor τ ≥ 0, top is at most |H|·τ + Σ max(π − τ, 0), and is equal
// to this sum if τ is the |H|-th largest square π.
func (k *Kept) share(prizes []float64, total float64) float64 {
	floor := k.Floor * total
	captured, top := 0.0, float64(len(k.Nodes))*floor
	for _, i := range k.Nodes {
		captured += prizes[i]
	}
	for _, p := range prizes {
		top += max(p-floor, 0)
	}
	return captured / top
}

// keep makes the support in k the result if its share is still large enough, and tells whether it was.
func (s *Search) keep(dst *Result, k *Kept) bool {
	if k.Found == 0 {
		return false
	}
	share := k.share(s.prizes, s.total)
	if share < k.Least*k.Found {
		return false
	}
	dst.Nodes, dst.Status, dst.Share = append(dst.Nodes, k.Nodes...), Certified, share
	return true
}

// Below returns the nodes with an index below limit. nodes must be in ascending order.
func Below(nodes []int32, limit int) []int32 {
	for len(nodes) > 0 && int(nodes[len(nodes)-1]) >= limit {
		nodes = nodes[:len(nodes)-1]
	}
	return nodes
}

// replace stores the result of a search in k, as the support to reuse.
func (s *Search) replace(k *Kept, found *Result) {
	k.Nodes = append(k.Nodes[:0], found.Nodes...)
	if k.Below > 0 {
		k.Nodes = Below(k.Nodes, k.Below)
	}
	s.squares = append(s.squares[:0], s.prizes...)
	k.Floor = selectLargest(s.squares, len(k.Nodes)) / s.total
	k.Found = k.share(s.prizes, s.total)
	found.Share = k.Found
}
