// Package projection maps vectors to sparse ones: the s largest entries, soft and group
// thresholds, and the head and tail projections onto connected subgraphs.
//
// # Head and tail projections
//
// The weighted graph model allows a support F if some forest with g trees spans it.
// Finding the best such support of a given size is NP-hard. Hegde, Indyk and Schmidt
// (A nearly-linear time framework for graph-structured sparsity, ICML 2015) relax the
// size: give node i the prize π_i = w_i², give every edge the cost λ·c(e), and solve the
// prize-collecting Steiner forest problem. A large λ makes edges dear and the forest
// small. Bisection over λ looks for a forest whose size lies in a window [Low, High].
//
// The head projection keeps about half of all nodes (it must catch most of the norm); the
// tail projection keeps about s of them (it must leave little of the norm outside). Both
// are the same search with another window:
//
//	head: Low = ⌊p/2⌋, High = ⌊(1+ω)·⌊p/2⌋⌋
//	tail: Low = s,     High = ⌊(1+ω)·s⌋
//
// The search follows the appendix of Zhou, Chen and Ying (KDD 2019), with the window's
// ends allowed: their pseudo-code writes strict inequalities, which for s = 5 and ω = 0.1
// would admit no size at all. |F| is a step function of λ and may jump over the window;
// then the forest at the upper end of the last interval is taken, which may be smaller
// than Low. That is part of the algorithm: Status tells how a search ended.
//
// The interval starts as (0, max π]. With edges that cost about 1 its upper end is dear
// enough, and a forest that is still larger than High there, as happens for small s, is
// taken as the published algorithm takes it. With cheap edges (that forest's edges cost
// less than ½ on average) the end is doubled, at most 60 times, until the forest fits,
// and the bisection starts again: otherwise a network with costs of 0.01 would always be
// selected whole. Edges of cost zero can never be cut, nor can there be fewer nodes
// than trees; then the status is Unreachable.
//
// With a root the forest is one tree that has this node: the rooted problem of Goemans and Williamson,
// where the root's cluster does not grow. It costs more, for the growth goes on until all else is dead
// or has joined the root.
//
// Learners project vectors that change little from round to round. A search may start where the
// last one ended (Warm), keep the last support for as long as it is certified to be nearly as
// good (Kept), and cut forests that are too large instead of looking for the scale at which they
// shrink (Cut). The results are other supports than the published search's, with guarantees of
// their own: see Warm, Kept and hull.
//
// A budget on the costs of edges, the B of the weighted graph model, is Budget's: head and
// tail projections onto a Model with the guarantees of Hegde, Indyk and Schmidt, proved at
// Head, Tail and forestPruner. They fix neither size nor cost, but bound both.
//
// Notation: p nodes (features), m edges, s sparsity, g trees (Clusters), ω tolerance
// (Omega), λ scale of the costs (Scale).
//
// Exported names may change before version 1.0, and then only with the major version: see docs/stability.md.
package projection
