// Package learning learns one setting on one split of the user's data: it refits the selected features by ridge
// regularisation, calibrates scores to probabilities, measures predictions, and keeps finished work in a journal from
// which a killed command resumes. Packages tuning and confidence use this package, which neither chooses settings nor
// prints.
//
// A Split is one trial, standardised by its training samples, adjusted for covariates and weighted. A Setting is a
// method with scale-free values (package tuning has the formulas). Split.Models learns a setting and refits the
// selected features (refit.go). A Crew runs numbered jobs on several workers.
//
// Calibrate (calibration.go) turns scores into probabilities, predicted numbers or hazard ratios: it fits a line
// through the scores of held-out samples. A Journal (journal.go) keeps the results of finished jobs in a file, so
// that `gdrun tune` and `gdrun confidence` continue after a kill.
package learning
