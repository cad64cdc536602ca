// Package stats computes the tests between methods, the corrections for many tests, and the confidence intervals
// of means over trials.
//
//	SignedRank   Wilcoxon's test of paired values; F. Wilcoxon, Individual comparisons by ranking
//	             methods, Biometrics Bulletin 1 (1945)
//	Holm         corrected p-values of a family of tests; S. Holm, A simple sequentially rejective
//	             multiple test procedure, Scandinavian Journal of Statistics 6 (1979)
//	MeanInterval Student's interval of a mean; from 20 values on, a bootstrap interval (BCa) with Student's
//	             quantiles; B. Efron, Better bootstrap confidence intervals, JASA 82 (1987); T. Hesterberg,
//	             What teachers should know about the bootstrap, The American Statistician 69 (2015)
//	AreaInterval the interval of a mean area under the ROC curve
//	Ranks        ranks of methods on a dataset; with Cliques, the bars of a critical-difference diagram;
//	             J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006)
//	PairedSplits the paired test for trials that are splits of the same samples (MeanInterval takes
//	             such trials too); C. Nadeau, Y. Bengio, Inference for the generalization error,
//	             Machine Learning 52 (2003)
//
// All results depend only on the arguments: the values seed the bootstrap's random numbers.
//
// # The signed-rank test
//
// The test takes the differences of n pairs (a, b). It drops differences of zero, and ranks the others by absolute
// value; ties share the mean of their ranks. W⁺ is the sum of the ranks of positive differences, and W⁻ of negative
// differences. Under the null hypothesis, the differences are symmetric about zero, so each rank has either sign with
// probability ½. The two-sided p-value is twice the probability that W⁺ is at most the smaller of the two sums.
//
// Up to ExactPairs pairs, the test counts all 2ⁿ combinations of signs exactly, even with ties. For more pairs, it uses
// the normal approximation, with a correction for ties and a continuity correction of ½.
//
// The smallest possible p for n pairs is 2·2⁻ⁿ (LeastP), so fewer than 6 pairs can never give p < 0.05.
package stats
