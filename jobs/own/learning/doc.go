// Package learning learns one setting on one split of the user's data, measures its predictions, and stores results for
// a resumed command. Packages tuning and confidence use it.
//
// The typical steps are:
//
//  1. NewSplit standardises a trial by its training samples, adjusts it for covariates, and scales weights (split.go).
//  2. Split.Models learns a Setting, and refits the weights of the selected features by ridge regression (refit.go).
//  3. Split.Predict measures the predictions of a model (measures.go).
//  4. Calibrate fits a line to the scores of held-out samples (calibration.go). The line turns scores into log-odds,
//     numbers or log hazard ratios.
//
// The main types are Split, Setting, Learned and Calibration. A Crew runs numbered jobs on several workers. A Journal
// stores the results of finished jobs in a file, so that a command can continue after a kill.
//
// calibration_test.go and times_test.go test calibration and event times. Package tuning's tests cover the rest.
package learning
