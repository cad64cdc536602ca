// Package learners holds losses and online learning methods for sparse linear models.
//
// A pass (Learner) takes samples (x_t, y_t), t = 1, 2, …, one at a time. It predicts each
// with the models learned from the samples before it, counts mistakes and losses, and lets
// the method's Rule turn the gradient of the sample's loss into the next iterate:
//
//	z_t = ⟨x_t, w_{t−1}⟩ + b        the score; z ≥ 0 predicts +1
//	g_t = ∂ℓ(z_t, y_t)/∂z · x_t     the gradient; for the intercept ∂ℓ/∂z itself
//	ḡ_t = (g_1 + … + g_t)/t         the averaged gradient
//	w̄_t = (w_1 + … + w_t)/t         the averaged iterate, which predicts beside w_t
//
// Further notation: p features; s sparsity; γ, η, α rates; λ, ρ weights of regularisers; G
// a group of features; a_t = −√t/γ the dual averaging scale; [v]₊ = max(v, 0).
//
// # Methods
//
// Methods lists them; each is one file with its update, source and parameters. There are
// three families: dual averaging (l1-rda, da-gl, da-sgl, da-iht, graphda, best-subset) maps
// ḡ_t to w_t = a_t·P(ḡ_t) for some shrinkage or projection P; thresholded gradient steps
// (stoiht, graphstoiht) map w_{t−1} − (η/√t)·g_t to a sparse vector; adagrad and adam scale
// each feature by its past gradients. marginal is none of them: it tests each feature by itself. graphda
// and graphstoiht project onto connected subgraphs of the features' graph; see package projection.
//
// The intercept is a feature that is always 1, except that no method shrinks or projects it.
// All models start at zero.
//
// # Where the code differs from the papers' text
//
//   - Algorithm 1 of Zhou, Chen and Ying (Dual averaging method for online graph-structured
//     sparsity, KDD 2019) adds gradients up and takes √t with t from 0; its Theorem 1
//     averages them. Here it is the average and t from 1.
//   - Rules keep the sums t·ḡ_t and t·w̄_t, not the averages: a pass over p entries less.
//   - Where groups overlap, a feature has a copy in each of its groups and its weight is the
//     sum of the copies. A feature in no group is a group of its own.
//
// A Problem may be shared by workers; a Workspace, and the passes on it, belong to one.
package learners
