package graph

// Sets partition the numbers 0 to n − 1 into disjoint sets.
type Sets struct{ parent []int32 }

// NewSets returns n sets with one number each.
func NewSets(n int) *Sets {
	s := &Sets{make([]int32, n)}
	for i := range s.parent {
		s.parent[i] = int32(i)
	}
	return s
}

// Lowest returns the lowest number in the set of i.
func (s *Sets) Lowest(i int32) int32 {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// Join unites the sets of i and j, and reports whether they were different.
func (s *Sets) Join(i, j int32) bool {
	a, b := s.Lowest(i), s.Lowest(j)
	s.parent[max(a, b)] = min(a, b)
	return a != b
}
