// Package stats computes the tests between methods, the corrections for many tests, and the confidence intervals of
// means over trials. It knows numbers only, nothing of tables or jobs.
//
//	SignedRank   Wilcoxon's test of paired values; F. Wilcoxon, Individual comparisons by ranking
//	             methods, Biometrics Bulletin 1 (1945)
//	Holm         p-values of a family of tests, corrected; S. Holm, A simple sequentially rejective
//	             multiple test procedure, Scandinavian Journal of Statistics 6 (1979)
//	MeanInterval Student's interval of a mean, from 20 values on a bootstrap interval (BCa); B. Efron,
//	             Better bootstrap confidence intervals, JASA 82 (1987), set as far out as Student's t
//	             has it; T. Hesterberg, What teachers should know about the bootstrap, The American
//	             Statistician 69 (2015)
//	AreaInterval the interval of a mean area under the ROC curve
//	Ranks        places of methods on a dataset; with Cliques, the bars of a critical-difference diagram;
//	             J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006)
//	PairedSplits the paired test for trials that are splits of the same samples, as MeanInterval
//	             knows them too; C. Nadeau, Y. Bengio, Inference for the generalization error,
//	             Machine Learning 52 (2003)
//
// All are functions of their arguments alone: the bootstrap's random numbers are seeded by the values themselves, so
// equal values have equal intervals wherever they are printed.
//
// # The signed-rank test
//
// Of n pairs (a, b) the differences that are zero are dropped, as Wilcoxon did, and the others ranked by size, equal
// ones with the mean of their ranks. Under the hypothesis that the differences are symmetric about zero each rank has
// either sign with probability ½. The sum of the positive ranks, W⁺, is then symmetric about half the sum of all ranks,
// and the two-sided p-value is twice the probability of a sum as small as the smaller of W⁺ and W⁻.
//
// Up to ExactPairs pairs that distribution is counted, over all 2ⁿ signs of the ranks at hand, ties or not; above it is
// taken as normal, with the variance that ties leave and a continuity correction of ½.
//
// The least p there is for n pairs is 2·2⁻ⁿ (LeastP): fewer than 6 pairs can never give p < 0.05.
package stats
