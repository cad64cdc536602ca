// Package projection selects a few features of a vector: its largest entries, or, by head and tail projections, a
// connected part of a graph.
//
// The methods graphda and graphstoiht project vectors after each sample. The typical steps are:
//
//  1. Make a Search for a graph with NewSearch.
//  2. Choose a Window of sizes: HeadWindow for about half of all features, TailWindow for about s features.
//  3. Call Search.Project with the vector, the window and Options such as the number of trees.
//  4. Read Result.Nodes, the selected features. Result.Status says whether their number lies in the window.
//
// ExampleSearch_Project shows these steps. The main types are:
//
//   - Search makes the head and tail projections of the paper. Result holds a projection. Options change the search.
//   - Warm and Kept carry results from one search to the next.
//   - Budget projects onto a Model that also limits the sum of edge costs.
//   - Selector finds the largest entries of a vector, without a graph.
//
// SoftThreshold and GroupFactor are the shrinkage operators of the methods without a graph. After the first calls a
// projection allocates no memory. The forests come from package pcst.
//
// # Head and tail projections
//
// The weighted graph model allows a support F if some forest with g trees spans it. Finding the best support of a given
// size is NP-hard. Hegde, Indyk and Schmidt (A nearly-linear time framework for graph-structured sparsity, ICML 2015)
// allow a range of sizes. They give node i the prize π_i = w_i² and every edge the cost λ·c(e), and solve the
// prize-collecting Steiner forest problem. A large λ makes edges expensive and the forest small. Bisection over λ looks
// for a forest whose size lies in a window [Low, High].
//
// The head projection selects about half of all nodes, and the tail projection about s nodes. Only their windows
// differ:
//
//	head: Low = ⌊p/2⌋, High = ⌊(1+ω)·⌊p/2⌋⌋
//	tail: Low = s,     High = ⌊(1+ω)·s⌋
//
// The search follows the appendix of Zhou, Chen and Ying (KDD 2019), with one change: the window includes its ends. The
// paper's strict inequalities would allow no size at all for s = 5 and ω = 0.1. The size |F| is a step function of λ
// and may jump past the window. Then the search takes the forest at the upper end of the last interval, as in the
// paper, even if it is smaller than Low. Status says how a search ended.
//
// The first interval is (0, max π]. At the upper end, edges of cost 1 are so expensive that the forest is small. For
// small s it may still be larger than High. If its edges cost at least ½ on average, the forest is the result, as in
// the published algorithm. If they cost less, the search doubles the upper end until the forest fits, at most 60 times,
// and bisects again. Otherwise a search in a network with costs of 0.01 would select the whole network. If no scale
// makes the forest small enough, for example because edges cost 0, the status is Unreachable.
//
// With a root, the forest is one tree that contains the root, and the root's cluster does not grow (Goemans and
// Williamson). A rooted search takes longer.
//
// # Faster searches
//
// The vectors of a learner change little from round to round. Three options make use of this fact. Warm starts a search
// where the last search ended. Kept reuses the last support as long as it is provably nearly as good as a new support.
// Cut prunes a forest that is too large instead of searching for a better λ. With these options, a search may find
// other supports. The comments of Warm, Kept and hull state the guarantees.
//
// # Budgets
//
// A Budget projects onto the weighted graph model with a limit B on the sum of edge costs. Its head and tail
// projections have guarantees, proved at Head, Tail and forestPruner. The size and the cost of a support may exceed s
// and B by a known factor.
//
// # Notation
//
// p nodes (features), m edges, s sparsity, g trees (Clusters), ω tolerance (Omega), λ scale of the costs (Scale).
//
// # Tests
//
// search_test.go compares searches with plain_test.go, which follows the pseudo-code of the algorithm. budget_test.go,
// hull_test.go and warm_test.go compare results with the best of all supports of small graphs.
//
// Exported names may change before version 1.0, and then only with the major version: see docs/stability.md.
package projection
