// Package tuning chooses a method and its setting for a dataset by cross-validation, and fits one model to all
// samples. It is what `gdrun tune` runs.
//
// The typical steps, all in Tune, are:
//
//  1. New opens the dataset and makes a small grid of settings for each method (package choice). It refuses
//     covariates that already tell the label.
//  2. Tuner.chooseWithGate learns every setting on the splits, drops bad settings early (race.go), extends grids
//     whose best value is at an end, and chooses the most stable of the best settings (search.go). It tries GraphDA
//     last, if the network is better than networks with permuted names (network.go).
//  3. Tuner.crossValidate scores all samples by ten folds, to calibrate the model (calibrate.go).
//  4. Tuner.expect measures how well new samples are predicted (fit.go), and Tuner.find decides whether anything was
//     found (found.go).
//  5. Tuner.fit learns the chosen setting from all samples and completes the Answer (fit.go).
//  6. Answer.Printed, Page and Files show it (report.go).
//
// The main types are Request; Tuner, a request at work, which package confidence also uses; Answer; Tried, a setting
// with its scores; Expectation, how well weights predict; and Finding, the verdict.
//
// # Scale-free settings
//
// Let the features be standardised, with mean variance σ². Let T be the number of rounds: training samples times
// passes. Let λ_max be the largest |ḡ_j| of the pass at w = 0. Above it a model stays empty. Then a setting is
//
//	γ = f·√T·σ²            of the dual averaging methods
//	η = 1/(f·√T·σ)         of adagrad
//	λ = r·λ_max            of the methods with a regulariser
//	s                      features, of the methods that project
//	q                      level of marginal tests, which take no step and count each sample once
//
// Few values of f and r then serve all data (recipes in package choice). For event times, T is the number of
// passes: each pass is one step along the gradient of Cox's partial likelihood of all samples (package cox). Under
// least squares, targets are centred and scaled, and an iterate comes out smaller than the fit by about f/(1 + f).
//
// # Choice
//
// A setting's score is a measure of w on the validation samples and on the test samples, averaged over both and
// over the splits: the AUC for labels, R² for numbers, Harrell's C for event times. Guessing has ½, and 0 for R².
// The AUC needs no threshold. That matters, because with unequal classes the right threshold of w is not 0.
//
// Settings within one standard error of the best score count as equally good. The standard error is corrected for
// the samples that splits share (package stats). Among these settings, the one with the most stable selection over
// the splits is chosen. Stability is the measure of Nogueira, Sechidis and Brown (On the stability of feature
// selection algorithms, JMLR 2018). It is Kuncheva's index if all selections have the same size. Chance is a choice
// from the features that the setting can reach: GraphDA can reach the largest parts of the network. Two kinds
// of settings cannot be chosen: settings that select nearly all features within reach, and settings that select more
// features than a split has training samples.
//
// The race and the extension of grids look at validation samples alone. If the best value of a grid is at its end,
// the grid is extended, at most three times. A setting is dropped, after three splits at the earliest, if two
// things hold. On the same splits, it is worse than the best by more than two standard errors of the paired
// difference, corrected in the same way. And it is worse by more than the standard error of the best score. A
// setting whose number of features cannot be chosen is dropped too. A grid whose settings were all dropped is still
// extended. If no setting that can be chosen is left, the dropped settings are tried on all splits. docs/choice.md has
// the measurements.
//
// # Whether anything was found
//
// The highest of many scores is too high. The chosen setting's measures on the test samples are too high as well,
// because these are validation samples of other splits. So each split also chooses for itself. Among the settings
// that were not dropped, the setting that is best on the split's own validation samples learns from the training
// and validation samples, and predicts the test samples. Test samples influence this choice only through which
// settings were dropped, which grids were extended, and whether the network passed.
//
// Something was found if the whole interval of Nadeau and Bengio (package stats) for the mean AUC, R² or C of the
// refitted weights is above guessing. With covariates, it is the gain over a model of the covariates alone. Fewer
// than LeastSplits splits, or fewer than stats.LeastUnits samples of a class, decide nothing. The measures are a
// little low for the final model, as splits learn from fewer samples.
//
// # Model
//
// The chosen setting learns once more, from all samples, standardised by their own means and deviations. Its
// iterate w is shrunk. The weights to predict with are therefore fitted again on the features that w selects, by
// ridge regularisation (learners.RidgeBeside), and calibrated (package learning).
//
// A selection that has seen a sample's label favours the sample. Selection and refit are therefore repeated without
// each of ten folds of whole patients, and score that fold. Of four ridge penalties, calibration takes the one for
// which a line through these held-out scores has the least loss (Platt's slope, never below 0, and intercept). The
// slope is shrunk by what two parameters gain on noise, or by the doubt that anything was found, whichever is more.
// For event times the line has a slope alone, and the model keeps the cumulative hazard of a sample of score 0, by
// stratum.
//
// A sample is labelled positive if its probability exceeds the share of positives. The model keeps that threshold. No
// class is weighted: with the line and the threshold fitted, weights n/(2 n_class) in the refit were no better
// (measured by `make predict-study`; the table is in docs/measured.md).
//
// # Where it is tested
//
// tuning_test.go tests grids, the race, the choice and the same answer on any number of workers. found_test.go
// tests the verdict, the folds and calibration. network_test.go tests what is tried for the network's sake.
// choicestudy_test.go measures the rule of choice; `make choice-study` runs it. tunestudy_test.go measures how
// often noise is found; `make tune-study` runs it. The scenario cmd/gdrun/testdata/scenarios/tune.txt shows the
// command.
package tuning
