// Package fitting learns a setting on a split of a dataset, fits its selection again by ridge regularisation, and
// measures what it predicts. Packages tuning and confidence are made of it; it chooses nothing, and prints nothing.
//
// A Split is one trial, standardised by its training samples, adjusted for covariates and weighted. A Setting is a
// method with scale-free values (package tuning has the formulas). A Crew runs numbered jobs on several workers and
// keeps their results for a run that is resumed.
package fitting
