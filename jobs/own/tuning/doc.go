// Package tuning chooses a method and its setting for a dataset by cross-validation, and fits one model to all samples.
// `gdrun tune` runs it.
//
// The typical steps, all in Tune, are:
//
//  1. New opens the dataset and makes a small grid of settings for each method (package choice). It
//     refuses covariates that give the label away.
//  2. Tuner.chooseWithGate learns every setting on the splits. It drops bad settings early (race.go), extends grids
//     whose best value is at an end, and chooses the most stable of the best settings (search.go). It tries GraphDA
//     last, and only if the network is better than networks with permuted names (network.go).
//  3. Tuner.crossValidate scores all samples by ten folds, to calibrate the model (calibrate.go).
//  4. Tuner.expect measures how well new samples are predicted (fit.go), and Tuner.find decides whether anything was
//     found (found.go).
//  5. Tuner.fit learns the chosen setting from all samples and completes the Answer (fit.go).
//  6. Answer.Printed, Page and Files show the answer (report.go).
//
// A Request says what to tune. A Tuner is a running request, and an Answer is its result. A Tried is a setting with its
// scores, an Expectation says how well weights predict, and a Finding is the verdict.
//
// # Scale-free settings
//
// Let the features be standardised, with mean variance σ². Let T be the number of rounds: training samples times
// passes. Let ḡ be the mean gradient of a pass at w = 0, and λ_max the largest |ḡ_j|. A setting then has the values
//
//	γ = f·√T·σ²            for the dual averaging methods
//	η = 1/(f·√T·σ)         for adagrad
//	λ = r·λ_max            for the methods with a regulariser
//	s                      number of features, for the methods that project
//	q                      level of marginal tests, which take no step and count each sample once.
//
// The same few values of f and r suit all data (see recipes in package choice). For event times, T is the number of
// passes. Each pass is one step along the gradient of Cox's partial likelihood (package cox). Under least squares,
// targets are centred and scaled, and w is about 1/(1 + f) times the least-squares fit.
//
// # Choice
//
// A setting's score is the AUC for labels, R² for numbers, and Harrell's C for event times. The score of w is averaged
// over the validation samples, the test samples and the splits. Guessing has an R² of 0, and an AUC or C of ½.
//
// Settings within one standard error of the best score count as equally good. The standard error is corrected for the
// samples that splits share (package stats). Among the equally good settings, tuning chooses the setting whose
// selections differ least over the splits. Stability (Nogueira, Sechidis and Brown, On the stability of feature
// selection algorithms, JMLR 2018) compares the selections with random selections among the features that the setting
// can reach. GraphDA can reach only the largest parts of the network. A setting is unfit, and not chosen, if it selects
// nearly all features that it can reach, or more features than a split has training samples.
//
// The race (race.go) and the extension of grids use only validation samples. A grid whose best value is at an end is
// extended, at most three times. docs/choice.md has more.
//
// # Whether anything was found
//
// The best of many scores is too optimistic, even on test samples, because a split's test samples are validation
// samples of other splits. So each split also chooses its own setting: the best on its own validation samples. This
// setting learns from the split's training and validation samples, and predicts its test samples. When settings are
// dropped and grids extended, other splits still see these test samples.
//
// Something was found if the confidence interval of the refitted weights' mean AUC, R² or C is wholly above guessing.
// The interval is Nadeau and Bengio's (package stats). With covariates, it is the interval of the gain over a model of
// the covariates alone. Tuning decides nothing with fewer than LeastSplits splits, or fewer than stats.LeastUnits
// samples of a class. The final model learns from more samples than the models of the splits. So for the AUC and the
// C-index, Tuner.expect adds the expected gain (stats.Growth) to the upper end of the interval.
//
// # Model
//
// The chosen setting learns once more, from all samples. Its weights w are shrunk towards 0. So the weights for
// prediction are refitted on the features that w selects, by ridge regression (learners.RidgeBeside), and calibrated
// (package learning).
//
// A model fits its own training samples too well. So calibration divides all samples into ten folds of whole patients,
// and scores each fold with a selection and a refit on the other folds. For each of four ridge penalties, it fits a
// line to these held-out scores (Platt). It takes the penalty whose line has the smallest loss, and shrinks the slope
// by the share that may be chance. For event times the line has no intercept, and the model stores a cumulative hazard
// for each stratum.
//
// A sample is called positive if its probability exceeds the share of positives. The refit does not weight the classes:
// `make predict-study` found no advantage (docs/measured.md).
//
// The studies `make choice-study` and `make tune-study` test the choice and the verdict.
package tuning
