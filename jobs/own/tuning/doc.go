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
// so that few values of f and r serve all data (Candidates). Of times T is the number of passes: each is one step along
// the gradient of Cox's partial likelihood of all samples (package cox). Under least squares an iterate comes out
// smaller than the fit by about f/(1 + f). Targets are centred and scaled under least squares.
//
// # Choice
//
// A setting's score is the AUC of w on the validation split, R² under least squares, or Harrell's C of times, in the
// mean over splits; guessing has ½, or of R² 0. The AUC needs no threshold, which w, learned of unequal classes, does
// not have at 0. Of all
// settings within one standard error of the best score, which is corrected for the samples that splits share
// (package stats), the one whose selection is most stable over the splits is chosen: the measure of Nogueira,
// Sechidis and Brown (On the stability of feature selection algorithms, JMLR 2018), which is Kuncheva's index
// where all selections are of one size. Where the best value of a grid is at its end, the grid is extended, three
// times at most.
//
// Settings race over the splits: one is dropped, at the earliest after three splits, if it is worse than the best on
// the same splits by more than two standard errors of the paired difference, corrected likewise, and by more than the
// standard error of the best score. A grid whose best setting was dropped is not extended. If no setting is left that
// can be chosen, those dropped are tried on all splits.
//
// # Whether anything was found
//
// The highest of many scores is too high, and the chosen setting's figures on the test samples are too, since these
// are validation samples of other splits. So each split also chooses for itself: the setting that is best on its
// own validation samples, of those not dropped before, learns from these and the training samples, and predicts the
// test samples. Which settings were dropped and which grids extended is all that test samples, as validation samples
// of other splits, can tell of that choice. The mean over the splits of the AUC of the refitted weights, or of R², with
// the interval of Nadeau and Bengio (package stats), tells whether anything was found: the whole interval is above what
// guessing has. Of what it estimates the figures are a little low, as splits learn from fewer samples than the model.
//
// # Model
//
// The chosen setting learns once more, from all samples, standardised by their own means and deviations. Its iterate w
// is shrunk: the weights to predict with are fitted again on the features that w selects, by ridge regularisation
// (learners.Ridge), and calibrated. A selection that has seen a sample's label favours it, so that selection and refit
// are repeated without each of ten folds, of whole patients; these models score their fold. Of four penalties that one
// is taken under which a line through the held-out scores has the least loss (Platt's slope, never below 0, and
// intercept). The slope is shrunk by what two parameters gain of noise, or by the doubt that the splits leave that
// anything was found, whichever is more. A sample is labelled positive if it is likelier so than the share of
// positives: the model keeps that threshold. No class is weighted: measured (make predict-study and the table in
// docs/own-data.md), weights n/(2 n_class) in the refit are no better once the line and the threshold are fitted. Of
// times the line has a slope alone, and the model keeps the cumulative hazard of a sample of score 0, by stratum.
package tuning
