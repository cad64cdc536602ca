// Package paper holds the experiments, the published numbers and the claims of the paper that this program reproduces.
// The paper is
//
//	Zhou, Chen, Ying: Dual Averaging Method for Online Graph-structured Sparsity. KDD 2019.
//
// Experiments are YAML files, built into the program and read by name. Each has a reduced form, which shows its result
// in minutes. A new one is a file in experiments/.
//
// Published numbers are stored as the strings the paper prints, because the digits tell how far a number was rounded.
// They are keyed by our own names of methods and measures: the column the paper calls AUC is test_balanced_accuracy.
//
// Claims are what the paper's text says of its experiments, with the test that decides each claim: claims.yaml. Reports
// show whether the results support them.
package paper
