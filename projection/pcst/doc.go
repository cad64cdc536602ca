// Package pcst solves the prize-collecting Steiner forest problem on a graph.
//
// Every node u has a prize π(u), every edge e a cost λ·c(e), where λ is a scale common
// to all edges. Wanted is a forest F of g trees that keeps
//
//	c(F) + π(V∖F), the costs of its edges and the prizes it leaves out,
//
// small. That is NP-hard. Goemans and Williamson grow clusters until their moats meet,
// then prune; with one tree the result satisfies c(F) + 2·π(V∖F) ≤ 2·OPT.
//
// # Growth
//
// Every node starts as a cluster, active if its prize is above 0, and every active
// cluster widens its moat at speed 1, for which it pays from the prizes of its nodes.
//
//   - A cluster that has spent its prizes dies: its moat stays as it is.
//   - An edge whose two ends' moats fill its cost joins their clusters. The new cluster
//     is active, with what is left of both; a dead one is absorbed.
//   - The growth stops as soon as g clusters are active. With a root it goes on until
//     all are dead or joined the root's cluster, which never grows.
//
// Events are ordered by (time, deaths before edges, index), times compared exactly.
// Nodes without a prize die at time 0, by index, as long as more than g clusters live.
//
// Example: a path a–b–c with costs 4 and 4, prizes 3, 0 and 2, and g = 1. At time 0 node
// b dies. At time 2 node c dies; one cluster is left, a, and the forest is {a}. With
// prizes 9, 0 and 5 the moats of a and c reach b at time 4: edge ab comes first, b is
// absorbed and woken, bc is tight at once, and the forest is the whole path.
//
// # Pruning
//
// NoPruning returns every edge that joined clusters, SimplePruning those inside the last
// g clusters. GWPruning takes back a cluster that was absorbed dead unless some later
// kept edge ends in it. StrongPruning keeps the best connected part of every tree.
//
// # How it is made fast
//
// Deaths are no events: a cluster is active at time t if t < dies, and only when it is
// joined to another does that matter. Every edge has one event, a time at which to look
// at it; it is then joined, queued again for the earliest time at which its moats can
// meet (half the rest if both sides grow, all of it if one does), or put to sleep on the
// lists of its dead sides. An absorbed cluster's edges are looked at again. So of the edges
// that will reach a dead single node only the first is queued if it is sure to get there.
// Where few clusters are active, those edges that an active side will not live to fill
// sleep on its list until it gains time.
// The first events stand in a static order; later ones go to a calendar of buckets. That
// the growth is over is noticed by witnesses, some clusters that die late, rather than by
// counting.
//
// How many nodes GWPruning leaves of a cluster is counted while it grows: an edge between two
// active clusters stays for good, and with it the absorptions that lead to its ends. So a
// search for a scale, which mostly asks whether a forest is too large or too small, can end
// a growth as soon as that is certain; see Limits.
//
// Time is an integer, in which the largest cost has 2^K units, K = min(48, 59−⌊log₂ n⌋):
// sums are exact and ties fall the same way on every machine. Costs never change; prizes
// are divided by λ.
//
// The growth takes O(n·log n) for relabelling and near constant time per event.
//
// # Notation
//
// n nodes and m edges; u, v nodes, e an edge, a, b clusters, t a time, g Options.Clusters,
// λ the scale. A moat is how far a node's clusters have grown around it. A place is a
// position in the tree of mergings. A husk is a cluster of several nodes absorbed dead.
// A promise is an edge that is sure to reach a dead single node.
//
// # References and deviations
//
//   - Goemans and Williamson, A general approximation technique for constrained forest
//     problems, SIAM Journal on Computing 24 (1995).
//   - Hegde, Indyk and Schmidt, A fast, adaptive variant of the Goemans–Williamson scheme
//     for the prize-collecting Steiner tree problem, DIMACS Challenge (2014).
//   - Hegde, Indyk and Schmidt, A nearly-linear time framework for graph-structured
//     sparsity, ICML (2015).
//
// The forests are those of the 2014 paper; the data structures are not: it splits edges
// in two halves with mergeable heaps and queues the deaths. Where a cost is below 2^-K of
// the largest, or a prize that much below λ times it, they are rounded up to one step.
package pcst
