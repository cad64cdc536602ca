// Package tabled makes the tables of measures, and what stands beside them: tests between methods,
// intervals, the settings that were chosen, the comparison with a published table.
//
// A table is made in two steps. The functions here read a merge.Summary and decide everything: which
// measure stands where, how many digits it shows, what is best, what deserves a footnote. The table
// they return holds numbers and words, and io/table lays it out. In CSV and Arrow numbers are exact,
// and columns that only programs want are added, such as the 95 % interval of each mean (package
// stats). A method that has variants (merge.Series) has a line for each.
//
// The best value of a column is marked, at printed precision, so values that look equal
// are marked alike. A value that is not significantly worse is marked too, where there are
// trials enough for tests. Of nonzeros the share nearest to the true one is best, and never
// a model of none. Methods that know the truth (source.Oracle) do not take part.
//
// A published number, of 20 trials, is judged by
//
//	z = (ours − published) / √(s²/n + s_p²/20 + u²/12)
//
// with the deviations s and s_p of the samples, and the unit u of the last printed digit. What is
// printed is the population's deviation; where none is, ours stands for both. The number agrees
// where |z| < 2, differs where |z| > 3, and is unclear between.
//
// Trials that are splits of the same samples (merge.Grid.Overlap) are not independent: over
// them intervals, standard errors and tests are Nadeau and Bengio's, and a note says so.
//
// The tests compare methods trial by trial. In print each method stands against the
// one with the best mean; since the same trials tell which one that is, p-values are
// corrected for all pairs of methods, not only for the printed ones.
package tabled
