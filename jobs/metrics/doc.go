// Package metrics computes the measures that reports show from scores and selected features: accuracy, AUC, squared
// error, precision, recall, and also concordance and calibration. A Measure says how reports name and print each.
//
// With scores z_i = ⟨x_i,w⟩ + b, labels y_i ∈ {−1,+1} and the prediction +1 where z ≥ 0:
//
//	accuracy           share of samples whose label is predicted
//	balanced accuracy  mean of the two classes' accuracies. This is the area under the ROC
//	                   curve of the hard labels, which the paper prints as "AUC"
//	AUC                area under the ROC curve of the scores: the probability that a
//	                   positive scores above a negative, ties counting ½ (Hanley, McNeil 1982)
//	mse                mean of (z − y)²
//
// With the selected features S and the true support S*:
//
//	precision |S∩S*|/|S|,  recall |S∩S*|/|S*|,  F1 2|S∩S*|/(|S|+|S*|)
//
// Where a support figure divides by zero it is 0; where the truth is unknown it is NaN. Figures of no samples at all
// are NaN, and so are balanced accuracy and AUC where one class is absent: neither has a value that would not be an
// invention. Accuracy stays defined there, and it is what selection compares. A NaN score is a wrong prediction of
// either label and leaves the AUC undefined.
package metrics
