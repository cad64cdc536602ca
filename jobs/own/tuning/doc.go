// Package tuning chooses a method and its setting for a dataset by cross-validation, and fits one model to all samples.
// `gdrun tune` runs it.
//
// The typical steps, all in Tune, are:
//
//  1. New opens the dataset and makes a small grid of settings for each method (package choice). It refuses
//     covariates that already tell the label.
//  2. Tuner.chooseWithGate learns every setting on the splits, drops bad settings early (race.go), extends grids whose
//     best value is at an end, and chooses the most stable of the best settings (search.go). It tries GraphDA last, and
//     only if the network is better than networks with permuted names (network.go).
//  3. Tuner.crossValidate scores all samples by ten folds, to calibrate the model (calibrate.go).
//  4. Tuner.expect measures how well new samples are predicted (fit.go), and Tuner.find decides whether anything was
//     found (found.go).
//  5. Tuner.fit learns the chosen setting from all samples and completes the Answer (fit.go).
//  6. Answer.Printed, Page and Files show the answer (report.go).
//
// The main types are Request; Tuner, a running request, which package confidence also uses; Answer; Tried, a setting
// with its scores; Expectation, how well weights predict; and Finding, the verdict.
//
// # Scale-free settings
//
// Let the features be standardised, with mean variance σ². Let T be the number of rounds: training samples times
// passes. Let λ_max be the largest |ḡ_j| of a pass at w = 0: with a λ above λ_max, a model stays empty. Then a setting
// is
//
//	γ = f·√T·σ²            for the dual averaging methods
//	η = 1/(f·√T·σ)         for adagrad
//	λ = r·λ_max            for the methods with a regulariser
//	s                      number of features, for the methods that project
//	q                      level of marginal tests, which take no step and count each sample once
//
// Few values of f and r then serve all data (recipes in package choice). For event times, T is the number of passes:
// each pass is one step along the gradient of Cox's partial likelihood of all samples (package cox). Under least
// squares, targets are centred and scaled, and an iterate is about 1/(1 + f) times the fit.
//
// # Choice
//
// A setting's score is a measure of w on the validation samples and on the test samples, averaged over both and over
// the splits: the AUC for labels, R² for numbers, Harrell's C for event times. Guessing has an R² of 0, and an AUC or C
// of ½. The AUC needs no threshold. That matters, because with unequal classes the right threshold of w is not 0.
//
// Settings within one standard error of the best score count as equally good. The standard error is corrected for the
// samples that splits share (package stats). Among these settings, the one with the most stable selection over the
// splits is chosen. Stability is the measure of Nogueira, Sechidis and Brown (On the stability of feature selection
// algorithms, JMLR 2018), which is Kuncheva's index if all selections have the same size. It compares with random
// selections among the features within the setting's reach: for GraphDA, the largest parts of the network. Two kinds of
// settings cannot be chosen: settings that select nearly all features within reach, and settings that select more
// features than a split has training samples.
//
// The race (race.go) and the extension of grids look at validation samples alone. If the best value of a grid is at
// its end, the grid is extended, at most three times, even if all its settings were dropped. docs/choice.md has more.
//
// # Whether anything was found
//
// The highest of many scores is too high. The chosen setting's measures on the test samples are too high as well,
// because test samples of a split are validation samples of other splits. So each split also chooses a setting for
// itself. Among the settings that were not dropped, it takes the best setting on its own validation samples. This
// setting learns from the split's training and validation samples, and predicts its test samples. Test samples
// influence this choice only through which settings were dropped, which grids were extended, and whether the network
// passed.
//
// Something was found if the mean AUC, R² or C of the refitted weights has an interval (Nadeau and Bengio's, package
// stats) that is wholly above guessing. With covariates, the interval is for the gain over a model of the covariates
// alone. Fewer than LeastSplits splits, or fewer than stats.LeastUnits samples of a class, decide nothing. The
// upper end of an AUC's or a C-index's interval allows for what a final model gains from all samples (stats.Growth).
//
// # Model
//
// The chosen setting learns once more, from all samples, standardised by their own means and deviations. Its iterate w
// is shrunk. The weights for prediction are therefore fitted again on the features that w selects, by ridge
// regularisation (learners.RidgeBeside), and calibrated (package learning).
//
// A selection that has seen a sample's label favours that label. For calibration, all samples are therefore divided
// into ten folds of whole patients, and each fold is scored by a selection and a refit on the other folds. For each of
// four ridge penalties, calibration fits a line through these held-out scores (Platt), and takes the penalty whose line
// has the least loss. The slope is never below 0. It is shrunk by what two parameters gain on noise, or by the doubt
// that anything was found, whichever is more. For event times the line has no intercept, and the model keeps the
// cumulative hazard of a sample with score 0, by stratum.
//
// A sample is labelled positive if its probability exceeds the share of positives. The model stores that threshold.
// Classes have no weights: because the line and the threshold are fitted, weights n/(2 n_class) in the refit were no
// better (measured by `make predict-study`; the table is in docs/measured.md).
//
// # Where it is tested
//
// tuning_test.go tests grids, the race, the choice, and that the answer is the same on any number of workers.
// found_test.go tests the verdict, the folds and calibration, and network_test.go the comparison of networks. The
// studies are `make choice-study` and `make tune-study`. The scenario scenarios/tune.txt shows the command.
package tuning
