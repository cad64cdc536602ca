// Package metrics computes the measures that reports show: accuracy, AUC, squared error, precision, recall, concordance
// and calibration. A Measure says how reports name and print a measure.
//
// Scores are z_i = ⟨x_i,w⟩ + b and labels y_i ∈ {−1,+1}. The predicted label is +1 if z ≥ 0.
//
//	accuracy           share of samples whose predicted label is right
//	balanced accuracy  mean of the two classes' accuracies. This is the area under the ROC
//	                   curve of the hard labels, which the paper prints as "AUC"
//	AUC                area under the ROC curve of the scores: the probability that a
//	                   positive scores above a negative, ties counting ½ (Hanley, McNeil 1982)
//	mse                mean of (z − y)²
//
// For the selected features S and the true support S*:
//
//	precision |S∩S*|/|S|,  recall |S∩S*|/|S*|,  F1 2|S∩S*|/(|S|+|S*|)
//
// Precision, recall and F1 are 0 if they divide by zero, and NaN if the truth is unknown. All measures are NaN
// without samples. Balanced accuracy and AUC are NaN if one class is missing. Accuracy needs only one class, so
// selection rules compare accuracies. A NaN score counts as wrong and makes the AUC NaN.
package metrics
