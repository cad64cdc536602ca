// Package paper holds the experiments, the published numbers and the claims of the paper that this program
// reproduces. The paper is
//
//	Zhou, Chen, Ying: Dual Averaging Method for Online Graph-structured Sparsity. KDD 2019.
//
// Experiments are YAML files in the program, read by name. Each experiment has a quick form, which takes minutes. To
// add an experiment, add a file to experiments/.
//
// Published numbers are strings, because the digits show how the paper rounded. Methods and measures have this
// program's names: the paper's AUC is called test_balanced_accuracy.
//
// Claims are statements of the paper's text about its experiments. claims.yaml lists the claims, each with a test.
// Reports show whether the results support the claims.
package paper
