// Package learning learns one setting on one split of the user's data. It refits the selected features by ridge
// regression, calibrates scores to probabilities, measures predictions, and stores results for a resumed command.
// Packages tuning and confidence use it.
//
// A Split is a trial that is standardised by its training samples, adjusted for covariates and weighted. A Setting is a
// method with values that do not depend on the data's scale (formulas in package tuning). Split.Models learns a setting
// and refits the selected features (refit.go). A Crew runs numbered jobs on several workers.
//
// Calibrate (calibration.go) fits a line to the scores of held-out samples. The line turns scores into log-odds,
// numbers or log hazard ratios. A Journal (journal.go) stores the results of finished jobs in a file, so that `gdrun
// tune` and `gdrun confidence` can continue after a kill.
package learning
