package projection

// A Kept stores a support H, so that a later projection of a vector w can reuse H without a search. The share of H is a
// lower bound of ‖w_H‖²/top, where top is the sum of the |H| largest squares of w.
//
// Every support S of at most |H| entries has ‖w_S‖² ≤ top. So the head projection has c_H² ≥ ‖w_H‖²/top, no matter
// whether H is new or reused.
//
// To start, set only Least and Below. The first call is then a full search.
type Kept struct {
	// Least is in (0, 1]. A projection reuses H as long as its share is at least Least·Found.
	Least float64

	// If Below > 0, H omits the nodes with an index of Below or more, which have no values.
	Below int

	Nodes []int32 // H, ascending
	Found float64 // share at the search that found H; 0 before the first search
	Floor float64 // |H|-th largest square divided by the sum of squares, at the same search
}

// share returns a lower bound of ‖w_H‖²/top. For squares π and any floor τ ≥ 0, top is at most |H|·τ + Σ max(π − τ, 0),
// with equality for the |H|-th largest square.
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

// keep tells whether the share of the support in k is still large enough. Then the support becomes the result.
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

// Below returns the nodes with an index below limit. The nodes must ascend.
func Below(nodes []int32, limit int) []int32 {
	for len(nodes) > 0 && int(nodes[len(nodes)-1]) >= limit {
		nodes = nodes[:len(nodes)-1]
	}
	return nodes
}

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
