package pcst

// A node is in the cluster label, at the place before next in the circle of that
// cluster's nodes. Its moats reach min(t, dies) − off − w at time t, with dies and off
// its cluster's.
type node struct {
	w     int64
	label int32
	next  int32
}

// A cluster is active at time t if t < dies.
type cluster struct {
	dies    int64 // when its prizes will be spent; for the root's cluster 0: it never grows
	off     int64
	size    int32 // nodes
	tree    int32 // its place: its node of the merge tree
	asleep  int32 // first half-edge of its list, see putOff too, or of a dead single node the promise; −1 for none
	witness int32 // the count of settled's rescan that chose it
}

// An edge and what the growth keeps of it. Half-edge 2e+i of edge e belongs to ends[i].
type edge struct {
	cost int64 // units, even
	key  int64 // time of its valid event: one queued with another time is void
	ends [2]int32
	next [2]int32 // by half-edge: the next in the list of the cluster it sleeps in
}

// A merging joins two places of the merge tree, of which places 0 to n−1 are the
// nodes and place n+k is merging k. If b joined dead, it is stored as its complement.
type merging struct{ edge, a, b int32 }
