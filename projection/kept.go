package projection

// A Kept reuses a support H as the projection of later vectors. It does so while H certainly captures almost the
// same share of the vector's norm as when H was found.
//
// Every support S of at most |H| entries has ‖w_S‖² ≤ top, the sum of the |H| largest squares of w. So H captures
// at least the fraction ‖w_H‖²/top of what any such S captures, and c_H² ≥ ‖w_H‖²/top holds for the head
// projection in every round, whether H is new or reused.
//
// With the zero Kept and Least set, the first call is a full search.
type Kept struct {
	// Least is c, above 0 and at most 1. H is reused while its share is at least c times Found.
	Least float64

	// Below is the first node that H leaves out with all after it, since they have no value; 0: H has all nodes.
	Below int

	Nodes []int32 // H, ascending
	Found float64 // H's share when it was found; 0 before the first search
	Floor float64 // the |H|-th largest square at that time, divided by the sum of all
}

// share returns a lower bound of ‖w_H‖²/top. For any floor τ ≥ 0, top is at most |H|·τ + Σ max(π − τ, 0); they are
// equal if τ is the |H|-th largest square π.
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

// keep makes the kept support the result if it is still certified.
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

// Below returns the nodes below limit. nodes must ascend.
func Below(nodes []int32, limit int) []int32 {
	for len(nodes) > 0 && int(nodes[len(nodes)-1]) >= limit {
		nodes = nodes[:len(nodes)-1]
	}
	return nodes
}

// replace stores the result of a search as the support to reuse.
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
