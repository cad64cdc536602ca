package pcst

// A node belongs to the cluster label; next links that cluster's nodes in a circle. At time t the node's moats reach
// min(t, dies) − off − w, where dies and off are fields of its cluster.
type node struct {
	w     int64
	label int32
	next  int32
}

// A cluster is active at time t if t < dies.
type cluster struct {
	dies    int64 // when its prizes will be spent; 0 for the root's cluster, which never grows
	off     int64
	size    int32 // nodes
	tree    int32 // its place in the merge tree
	asleep  int32 // first half-edge of its list of sleeping edges, or a dead single node's promise; −1 for none
	witness int32 // the scan of settled that chose it as a witness
}

// An edge has its ends and its state in the growth. Half-edge 2e+i of edge e belongs to ends[i].
type edge struct {
	cost int64 // units, even
	key  int64 // time of its valid event; events queued for other times are void
	ends [2]int32
	next [2]int32 // by half-edge: the next half-edge in the list it sleeps in
}

// A merging joins two places of the merge tree. Places 0 to n−1 are the nodes and place n+k is merging k. If b was
// dead, its complement ^b is stored.
type merging struct{ edge, a, b int32 }
