// Package learning learns one setting on one split of the user's data. It refits the selected features by ridge
// regression, calibrates scores to probabilities, measures predictions, and stores results for a resumed command. It
// neither chooses settings nor prints. Packages tuning and confidence use it.
//
// A Split is a trial that is standardised by its training samples, adjusted for covariates and weighted. A Setting is
// a method with scale-free values (package tuning has the formulas). Split.Models learns a setting and refits the
// selected features (refit.go). A Crew runs numbered jobs on several workers.
//
// Calibrate (calibration.go) fits a line through the scores of held-out samples. The line turns scores into
// probabilities, predicted numbers or hazard ratios. A Journal (journal.go) stores the results of finished jobs in a
// file, so that `gdrun tune` and `gdrun confidence` can continue after a kill.
package learning
