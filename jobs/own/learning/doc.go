// Package learning learns one setting on one split, fits the selected features again by ridge regularisation, and
// measures the predictions. Packages tuning and confidence are built from it. It chooses nothing, and prints nothing.
//
// A Split is one trial, standardised by its training samples, adjusted for covariates and weighted. A Setting is a
// method with scale-free values (package tuning has the formulas). Split.Models learns a setting and refits it
// (refit.go). A Crew runs numbered jobs on several workers and keeps their results for a run that is resumed.
package learning
