// Package selection chooses the hyperparameters that a table reports: a rule picks the best of all cells of one
// (dataset, trial, method, checkpoint).
//
// A rule chooses separately for the last iterate w and for the running average w̄. Rows are given in plan order,
// which breaks the last ties.
//
//	rule             criterion                                     ties go to
//	validation       highest valid_accuracy (logistic loss) or     fewer mistakes of the same model
//	                 lowest valid_mse (least squares)              at that checkpoint, then the first
//	validation-last  the same                                      the last
//	oracle-f1        highest f1 against the true support           the first
//	paper            what the paper's own tables and curves did, by kind of data
//
// Rule paper needs a reading (an interpretation of the paper), because the paper selected differently for each of
// its three kinds of data:
//
//	benchmark  as validation; but of a table's pairs (w, w̄) only the measures measured on
//	           held-out samples (accuracy, AUC) take their second entry from the cell chosen
//	           for w̄. Mistakes and nonzeros of w̄ are read from the cell chosen for w.
//	mnist      oracle-f1
//	kegg       validation-last
//
// A rule never chooses a failed row, nor a row whose criterion is NaN, such as the F1 of a dataset without a
// truth. If no row is left, the rule says so instead of choosing the first.
package selection
