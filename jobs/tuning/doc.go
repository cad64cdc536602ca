// Package tuning goes from a dataset to one model of it: it tries a few methods with small grids that fit
// any data, chooses a setting by how well it predicts and how stable its selection is, and fits it to all
// samples.
//
// # Scale-free settings
//
// With standardised features of mean variance σ², T rounds (training samples times passes), and λ_max
// the largest |ḡ_j| of the pass at w = 0, above which a model stays empty, a setting is
//
//	γ = f·√T·σ²            of the dual averaging methods
//	η = 1/(f·√T·σ)         of adagrad
//	λ = r·λ_max            of the methods with a regulariser
//	s                      features, of the methods that project
//	q                      level of marginal tests, which take no step and count each sample once
//
// so that few values of f and r serve all data (Candidates). Under least squares an iterate comes out
// smaller than the fit by about f/(1 + f). Targets are centred and scaled under least squares.
//
// # Choice
//
// A setting's score is the balanced accuracy of w on the validation split, or R² under least squares, in
// the mean over splits; that of the commoner class alone, or of the mean target, is ½, or 0. Of all
// settings within one standard error of the best score, the one whose selection is most stable over the
// splits is chosen: the measure of Nogueira, Sechidis and Brown (On the stability of feature selection
// algorithms, JMLR 2018), which is Kuncheva's index where all selections are of one size. Where the best
// value of a grid is at its end, the grid is extended, three times at most.
//
// # Model
//
// The chosen setting learns once more, from all samples. Its iterate w is shrunk: the weights to predict
// with are fitted again on the features that w selects, by ridge regularisation (learners.Ridge).
package tuning
