// Package paper holds the experiments, the published numbers and the claims of the paper that this program
// reproduces. The paper is
//
//	Zhou, Chen, Ying: Dual Averaging Method for Online Graph-structured Sparsity. KDD 2019.
//
// Experiments are YAML files, built into the program and read by name. Each has a reduced form, which shows its
// result in minutes. To add an experiment, add a file to experiments/.
//
// Published numbers are stored as the strings that the paper prints, because the digits show how a number was
// rounded. Methods and measures have this program's names. For example, the column that the paper calls AUC is
// test_balanced_accuracy.
//
// Claims are statements of the paper's text about its experiments. claims.yaml has them, with the test that
// decides each claim. Reports show whether the results support them.
package paper
