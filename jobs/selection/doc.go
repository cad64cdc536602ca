// Package selection chooses the hyperparameters that a table reports. A rule picks the best cell of one (dataset,
// trial, method, checkpoint).
//
// A rule chooses separately for the last iterate w and for the running average w̄. Plan order breaks the last ties.
//
//	rule             criterion                                     ties go to
//	validation       highest valid_accuracy (logistic loss) or     the row with fewer mistakes of the same
//	                 lowest valid_mse (least squares)              model, then the first row
//	validation-last  the same                                      the last row
//	oracle-f1        highest f1 against the true support           the first row
//	paper            what the paper's own tables and curves did, by kind of data
//
// The rule "paper" needs a reading: the kind of data. The paper selected differently for three kinds of data.
//
//	benchmark  like validation, except for w̄: only the measures on held-out samples (accuracy,
//	           AUC) of w̄ are read from the cell chosen for w̄. The other measures of w̄
//	           (mistakes, nonzeros) are read from the cell chosen for w.
//	mnist      oracle-f1
//	kegg       validation-last
//
// A rule never chooses a failed row, nor a row whose criterion is NaN, such as the F1 of a dataset without a truth. If
// no row is left, Rule.Best returns −1.
package selection
