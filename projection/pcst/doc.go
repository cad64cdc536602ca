// Package pcst solves the prize-collecting Steiner forest problem: it finds trees in a graph that collect large prizes.
//
// The typical steps are:
//
//  1. Make a Solver for a graph with NewSolver.
//  2. Call Solver.Solve with the prizes of the nodes, the scale of the costs, and Options. The result is a Forest.
//  3. To search for a scale, call Solver.Size, which only counts the nodes, for each scale. Solver.Extract then returns
//     the forest of the last scale.
//
// ExampleSolver_Solve shows these steps. The same input gives the same forest. After the first calls a solve allocates
// nothing.
//
// # The problem
//
// Every node u has a prize π(u) and every edge e has a cost λ·c(e). The scale λ is common to all edges. We look
// for a forest F of g trees with a small sum of the costs of its edges and the prizes of the nodes outside,
//
//	c(F) + π(V∖F).
//
// Finding the F with the smallest sum is NP-hard. The method of Goemans and Williamson grows clusters until
// their moats meet, then prunes the trees. With one tree the result satisfies c(F) + 2·π(V∖F) ≤ 2·OPT, where OPT
// is the smallest sum.
//
// # Growth
//
// Every node starts as a cluster, active if its prize is above 0. Every active cluster widens its moat at speed 1, and
// pays for it from the prizes of its nodes.
//
//   - A cluster that has spent its prizes is deactivated: it dies, and its moats stop growing.
//   - When the moats at the two ends of an edge add up to its cost, the clusters of the two ends merge. The new cluster
//     is active and has the unspent prizes of both clusters. An active cluster absorbs a dead cluster.
//   - The growth stops as soon as at most g clusters are active. With a root it continues until every cluster is dead
//     or has merged with the root's cluster, which never grows.
//
// Events are ordered by time, then deaths before edges, then by index. Times are exact. Nodes without a prize die at
// time 0, by index, while more than g clusters live.
//
// As an example, take a path a–b–c whose edges cost 4 each, with prizes 3, 0 and 2, and g = 1. At time 0 node b dies.
// At time 2 node c dies. Then only cluster a is active, and the forest is {a}. With prizes 9, 0 and 5 the moats of a
// and c reach b at time 4. Edge ab comes first, so a absorbs b. Now the moats fill edge bc too, and the forest is the
// whole path.
//
// # Pruning
//
// NoPruning keeps every edge that merged clusters. SimplePruning keeps only the edges inside the last g clusters.
// GWPruning also removes a cluster that was dead when it merged, unless a later edge that is kept ends in it.
// StrongPruning keeps the best connected part of every tree.
//
// # How it is made fast
//
// Deaths need no events, because every cluster stores its time of death. Every edge has one event, at which the solver
// examines the edge. Then one of three things happens:
//
//   - The clusters at the edge's two ends merge.
//   - The solver queues the edge again for the earliest time at which its moats can meet. This is after half of the
//     unfilled cost if both sides grow, and after all of it if one side grows.
//   - The edge sleeps on the lists of its dead sides. When a cluster absorbs a dead cluster, the solver examines the
//     edges on the dead cluster's list again.
//
// If an edge is sure to reach a dead single node, the solver does not queue edges that would reach the node later. If
// few clusters are active, many edges have an active side that will die before the moats meet. Such an edge sleeps on
// the list of this side until the side gains prizes. The first events of all edges are in a static order; later
// events go to a calendar of buckets. To see whether more than g clusters are active, the solver watches a few
// clusters that die late.
//
// During the growth the solver counts how many nodes of a cluster GWPruning will leave. A search for a scale mostly
// needs to know only whether a forest is too large or too small. The growth can end as soon as the answer is certain
// (see Limits).
//
// Time is an integer. The largest cost has 2^K units, K = min(48, 59−⌊log₂ n⌋). Sums are exact, and ties break alike on
// every machine. The solver divides prizes by λ and leaves costs unchanged. The growth takes O(n·log n) time for
// relabelling, and near constant time per event.
//
// # Notation
//
// There are n nodes and m edges; u and v are nodes, e is an edge, a and b are clusters, t is a time, g is
// Options.Clusters, λ is the scale. A half-edge is one side of an edge (an edge part in the 2014 paper). The width of a
// node's moat is the total time for which its clusters were active. A place is a node of the merge tree. A husk is a
// cluster of several nodes that was dead when it merged. A promise is an edge that is sure to reach a dead single node.
//
// # References and deviations
//
//   - Goemans and Williamson, A general approximation technique for constrained forest problems, SIAM Journal on
//     Computing 24 (1995).
//   - Hegde, Indyk and Schmidt, A fast, adaptive variant of the Goemans–Williamson scheme for the prize-collecting
//     Steiner tree problem, DIMACS Challenge (2014).
//   - Hegde, Indyk and Schmidt, A nearly-linear time framework for graph-structured sparsity, ICML (2015).
//
// The forests are the same as in the 2014 paper. The data structures differ: the paper stores halves of edges in
// mergeable heaps, and queues deaths. Positive costs have at least 2 units, and positive prizes at least one unit.
//
// # Tests
//
// solver_test.go compares forests with plain_test.go, a direct implementation of the papers, and with 150 golden
// forests. oracle_test.go compares forests with the best of all trees. The build tag invariants adds checks.
//
// Exported names may change before version 1.0, and then only with the major version: see docs/stability.md.
package pcst
