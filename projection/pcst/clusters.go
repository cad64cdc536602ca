package pcst

// A node belongs to the cluster whose index is label, and next links the nodes of that cluster in a circle. At time t,
// the width of the node's moat is min(t, dies) − off − w, where dies and off are fields of its cluster.
type node struct {
	w     int64
	label int32
	next  int32
}

// A cluster is a set of connected nodes. It is active at time t if t < dies.
type cluster struct {
	dies    int64 // time at which the cluster will have spent its prizes; 0 for the root's cluster, which never grows
	off     int64
	size    int32 // nodes
	tree    int32 // the cluster's place in the merge tree
	asleep  int32 // first half-edge in its list of sleeping edges; for a dead single node, its promise; −1 if none
	witness int32 // number of the last scan in which settled made the cluster a witness
}

// An edge has two ends, and its state in the growth. The half-edge 2e+i of edge e belongs to ends[i].
type edge struct {
	cost int64 // units, even
	key  int64 // time of its valid event; its events in other buckets are void
	ends [2]int32
	next [2]int32 // by half-edge: the next half-edge in the list in which it sleeps
}

// A merging joins two places of the merge tree. Places 0 to n−1 are the nodes and place n+k is merging k. If the
// second cluster was dead, b holds ^p instead of its place p.
type merging struct{ edge, a, b int32 }
