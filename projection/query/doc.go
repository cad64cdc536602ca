// Package query finds connected subgraphs worth having in one large graph, many queries one after the other or at the
// same time. A query is prizes of a few nodes, perhaps of edges, and what the answer must or may not have.
//
// # How an answer comes about
//
// The growth of package fewprize (that of pcst where many nodes have prizes) gives a forest with all its mergings.
// Strong pruning (Johnson, Minkoff and Phillips, SODA 2000) finds the part of each tree that is worth the most,
// prizes less costs. With a limit on nodes or weights a tree knapsack finds the best part within it, on the forests
// of the scales 1, 2 and 4. Both are exact for the tree they are given, which is not always that of the best answer.
//
//   - Without limits the growth's forest costs, with the prizes outside it, at most twice the least (Goemans and
//     Williamson 1995), and strong pruning is never worse.
//   - Nodes that must be in the answer have a prize above all that a tree can cost. The factor 2 still holds.
//   - Prizes of edges, q on an edge of cost c: the edge costs max(0, c − q), and both of its ends have half of
//     max(0, q − c). The best answers of both problems are the same, so that factor 2 holds of the second one.
//   - Costs of nodes, and negative prizes: half of the costs of its ends is added to each edge in the growth. Then the
//     best part is found by what nodes cost. No factor is known.
//   - With a limit no factor is known either.
//
// A bound on how good an answer may be comes from dual ascent: see bound.
//
// Exported names may change before version 1.0, and then only with the major version: see docs/stability.md.
package query
