package pcst

// A node belongs to a cluster. At time t, its moat has the width min(t, dies) − off − w, where dies and off are fields
// of its cluster.
type node struct {
	w     int64
	label int32 // index of the cluster
	next  int32 // next node of the cluster, in a circle
}

// A cluster is a set of connected nodes. It is active at time t if t < dies.
type cluster struct {
	dies    int64 // time at which the cluster has spent its prizes; 0 for the root's cluster
	off     int64
	size    int32 // number of nodes
	tree    int32 // place in the merge tree
	asleep  int32 // first half-edge on the cluster's list; for a dead single node, its promise; or −1
	witness int32 // number of the last scan in which settled made the cluster a witness
}

// An edge has two half-edges. The half-edge 2e+i of edge e belongs to ends[i].
type edge struct {
	cost int64 // an even number of units
	key  int64 // time of the edge's event
	ends [2]int32
	next [2]int32 // for each half-edge: the next on its list of sleeping half-edges
}

// A merging joins two places of the merge tree. Places 0 to n−1 are the nodes, and place n+k is merging k. If the
// second cluster was dead, b is ^p, where p is its place.
type merging struct{ edge, a, b int32 }
