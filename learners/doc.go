// Package learners implements online learning methods for sparse linear models, such as graphda, adam and l1-rda.
//
// The typical steps are:
//
//  1. Find a method by its name with Lookup, and a loss with LookupLoss.
//  2. Check the values of its parameters, and add defaults, with Method.Fill. The method and the values form Settings.
//  3. Describe the features in a Problem. Make a Workspace with NewWorkspace, and a Learner with Workspace.NewLearner.
//  4. Pass each sample to Learner.Learn, which first predicts the sample and then learns it.
//  5. Read the weights with Learner.Model or Learner.Average, and the mistakes and losses with Learner.Account.
//  6. To continue in another process, save Learner.Snapshot and pass it to Learner.Restore.
//
// The main types are:
//
//   - Method is a learning algorithm with its Params. Methods lists all methods.
//   - Loss is a loss function. Losses lists the logistic loss and least squares.
//   - Learner is one pass over the samples. The Rule of a Learner is the part that differs between methods.
//   - Model is a linear predictor: weights and an intercept.
//   - Problem describes the features, and goroutines may share it. A Workspace and its learners belong to one
//     goroutine.
//
// RidgeBeside refits a model on selected features. Hindsight finds the least loss of a fixed model, for regret. On one
// kind of processor the same samples in the same order give the same model, bit for bit.
//
// # The pass
//
// Samples are (x_t, y_t), t = 1, 2, …. First the iterate and the average predict the sample. Then the Rule turns the
// gradient of the iterate's loss into the next iterate:
//
//	z_t = ⟨x_t, w_{t−1}⟩ + b        the score; z ≥ 0 predicts +1
//	g_t = ∂ℓ(z_t, y_t)/∂z · x_t     the gradient; for the intercept it is ∂ℓ/∂z
//	ḡ_t = (g_1 + … + g_t)/t         the averaged gradient
//	w̄_t = (w_1 + … + w_t)/t         the averaged iterate
//
// In the formulas of the methods, p is the number of features and s is the sparsity. γ, η and α are rates, and λ and
// ρ are weights of regularisers. G is a group of features, a_t = −√t/γ scales dual averaging, and [v]₊ = max(v, 0).
//
// # Methods
//
// Each method has one file with its update formula, source and parameters. There are three families:
//
//   - Dual averaging (l1-rda, da-gl, da-sgl, da-iht, graphda, best-subset) maps ḡ_t to w_t = a_t·P(ḡ_t), where P is a
//     shrinkage or a projection.
//   - Thresholded gradient steps (stoiht, graphstoiht) map w_{t−1} − (η/√t)·g_t to a sparse vector.
//   - Adaptive methods (adagrad, adam) scale the steps of each feature by its past gradients.
//
// The method marginal tests each feature by itself. The methods graphda and graphstoiht project onto connected
// subgraphs of the features' graph; see package projection.
//
// The intercept is the weight of a feature that is always 1. No method shrinks or projects the intercept. All weights
// start at zero.
//
// # Where the code differs from the papers' text
//
//   - Algorithm 1 of Zhou, Chen and Ying (Dual averaging method for online graph-structured sparsity, KDD 2019) sums
//     the gradients and counts t from 0. The code averages the gradients, as in their Theorem 1, and counts t from 1.
//   - Rules store the sums t·ḡ_t and t·w̄_t. This saves a pass over p entries per round.
//   - If groups overlap, a feature has a copy in each of its groups, and its weight is the sum of the copies' weights.
//     A feature in no group is its own group.
//
// # Tests
//
// Package learnertest checks laws of all methods. plain_test.go compares every method with its update formula, and
// learner_test.go compares methods with an independent implementation. hindsight_test.go tests losses and fits.
package learners
