// Package selection chooses the hyperparameters that a table reports: a rule picks the best of all cells of one
// (dataset, trial, method, checkpoint).
//
// The choice is made separately for the last iterate w and for the running average w̄, and only ever between rows given
// in plan order, which breaks the last ties.
//
//	rule             criterion                                     ties go to
//	validation       highest valid_accuracy (logistic loss) or     fewer mistakes of the same model
//	                 lowest valid_mse (least squares)              at that checkpoint, then the first
//	validation-last  the same                                      the last
//	oracle-f1        highest f1 against the true support           the first
//	paper            what the paper's own tables and curves did, by kind of data
//
// Rule paper needs a reading, because the published numbers of the three kinds of data were not selected alike:
//
//	benchmark  as validation; but of a table's pairs (w, w̄) only the measures measured on
//	           held-out samples (accuracy, AUC) take their second entry from the cell chosen
//	           for w̄. Mistakes and nonzeros of w̄ are read from the cell chosen for w.
//	mnist      oracle-f1
//	kegg       validation-last
//
// Failed rows are never chosen. Neither are rows whose criterion is NaN (the F1 of a dataset without a truth): a rule
// that cannot rank says so instead of taking the first.
package selection
