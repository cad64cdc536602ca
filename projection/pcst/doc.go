// Package pcst solves the prize-collecting Steiner forest problem: it finds trees in a graph that collect large prizes.
//
// The typical steps are:
//
//  1. Make a Solver for a graph with NewSolver. It serves any number of prizes. Each goroutine needs its own.
//  2. Call Solver.Solve with the prizes of the nodes, the scale of the costs, and Options: how many trees or which
//     root, and a Pruning. The result is a Forest with its nodes and edges.
//  3. To search for a scale, call Solver.Size, which only counts the nodes, and Solver.Extract for the forest chosen.
//
// ExampleSolver_Solve shows these steps. The same input gives the same forest. Once its memory has grown to its size, a
// solve allocates nothing.
//
// # The problem
//
// Every node u has a prize π(u), every edge e a cost λ·c(e), where λ is a scale common to all edges. We look for a
// forest F of g trees with a small
//
//	c(F) + π(V∖F), the costs of its edges and the prizes of the nodes outside.
//
// Finding the smallest is NP-hard. Goemans and Williamson grow clusters until their moats meet, then prune. With one
// tree the result satisfies c(F) + 2·π(V∖F) ≤ 2·OPT.
//
// # Growth
//
// Every node starts as a cluster, active if its prize is above 0. Every active cluster widens its moat at speed 1, and
// pays for it from the prizes of its nodes.
//
//   - A cluster that has spent its prizes is deactivated, or dies: its moats stay as they are.
//   - When the moats at the two ends of an edge add up to its cost, their clusters merge. The new cluster is active and
//     has the unspent prizes of both. A dead cluster is absorbed.
//   - The growth stops as soon as g clusters are active. With a root it goes on until all are dead or have merged with
//     the root's cluster, which never grows.
//
// Events are ordered by (time, deaths before edges, index), and times are compared exactly. Nodes without a prize die
// at time 0, by index, as long as more than g clusters live.
//
// Example: a path a–b–c with costs 4 and 4, prizes 3, 0 and 2, and g = 1. At time 0 node b dies. At time 2 node c dies.
// One cluster is active, a, and the forest is {a}. With prizes 9, 0 and 5 the moats of a and c reach b at time 4: edge
// ab comes first, b is absorbed by a, bc is tight at once, and the forest is the whole path.
//
// # Pruning
//
// NoPruning returns every edge that merged clusters. SimplePruning returns only such edges inside the last g clusters.
// GWPruning removes a cluster that was dead when it merged, unless a later edge that is kept ends in it. StrongPruning
// keeps the best connected part of every tree.
//
// # How it is made fast
//
// There are no events for deactivations. A cluster is active at time t if t < dies, which matters only when it merges.
// Every edge has one event, a time at which it is examined. Then one of three things happens:
//
//   - Its clusters merge.
//   - It is queued again for the earliest time at which its moats can meet. That is after half of what is left of its
//     cost if both sides grow, and after all of it if one side grows.
//   - It is put on the lists of its dead sides, where it sleeps. The edges of an absorbed cluster are examined again.
//
// So, of the edges that will reach a dead single node, only the first is queued if it is sure to get there. Where few
// clusters are active, edges whose active side will die before they are filled sleep on its list until it gains prizes.
// The first events are in a static order; later ones go to a calendar of buckets. The solver does not count whether
// more than g clusters are active: it watches a few that die late.
//
// The growth counts how many nodes GWPruning will leave of a cluster. An edge that merged two active clusters is never
// removed, nor are the absorbed clusters that it ends in. A search for a scale mostly asks whether a forest is too
// large or too small, so it can end a growth as soon as that is certain; see Limits.
//
// Time is an integer, in which the largest cost has 2^K units, K = min(48, 59−⌊log₂ n⌋). Sums are exact and ties fall
// the same way on every machine. Costs never change; prizes are divided by λ. The growth takes O(n·log n) for
// relabelling and near constant time per event.
//
// # Notation
//
// n nodes and m edges; u, v nodes, e an edge, a, b clusters, t a time, g Options.Clusters, λ the scale. A half-edge is
// the 2014 paper's edge part. A node's moat on its edges is the sum of the times for which its clusters were active. A
// place is a node of the merge tree. A husk is a cluster of several nodes that was dead when it merged. A promise is an
// edge that is sure to reach a dead single node.
//
// # References and deviations
//
//   - Goemans and Williamson, A general approximation technique for constrained forest problems, SIAM Journal on
//     Computing 24 (1995).
//   - Hegde, Indyk and Schmidt, A fast, adaptive variant of the Goemans–Williamson scheme for the prize-collecting
//     Steiner tree problem, DIMACS Challenge (2014).
//   - Hegde, Indyk and Schmidt, A nearly-linear time framework for graph-structured sparsity, ICML (2015).
//
// The forests are those of the 2014 paper. The data structures differ: the paper splits edges in two halves with
// mergeable heaps and queues the deaths. A cost below 2^-K of the largest is rounded up to one step, and so is a prize
// below 2^-K of λ times the largest cost.
//
// # Tests
//
// solver_test.go compares with plain_test.go, the growth and prunings as the papers describe them, and with the 150
// golden forests. oracle_test.go compares with the best of all trees. Build tag invariants adds checks.
//
// Exported names may change before version 1.0, and then only with the major version: see docs/stability.md.
package pcst
