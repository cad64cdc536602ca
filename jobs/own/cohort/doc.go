// Package cohort reads a user's own table of samples, a row each: labels or times of an event, ids, patients,
// covariates, splits, and features, which are all other columns in the order of the file; in a transposed file, all
// other rows. Labels may stand in a file of their own and are then joined by id. All that is wrong with a file is told
// at once: tabular.Problems.
//
// A Table is read to learn from it, Unlabelled samples to predict something of them. Tests of both are those of
// importing and predicting, from files to what a user gets.
package cohort
