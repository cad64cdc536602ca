// Package tablekinds makes the tables of a report: it decides which measures are shown, which numbers are marked as
// best (bold in print), how methods are tested against each other, and how results compare with published numbers.
//
// The typical steps, for each dataset of a report, are:
//
//  1. Tables calls tableKind.print (tables.go). frameOf finds the lines of the table in a merge.Summary: a line for
//     each method, and for each variant of a method (merge.Series) (frame.go).
//  2. tableKind.table fills the table. An Entry is a printed column, a measure of w or w̄ (measures.go).
//  3. markBest marks the best value of each column, and values that are not significantly worse (best.go).
//  4. compare sets the results beside a published table, and matched.judge judges each number (compare.go).
//  5. With stats.EnoughTrials trials or more, newTests tests each pair of methods (tests.go), and intervals makes a
//     table of confidence intervals (intervals.go).
//  6. settingsTable shows the chosen settings. frame.warnings says what readers should know (warnings.go).
//
// The main types are Entry, frame, Line, pairTests and comparison. Classification and Regression are the two kinds of
// tables. The functions here decide everything. The table that they return holds numbers and words, and io/table lays
// it out. In CSV and JSON, numbers are exact, and columns for programs are added, such as the 95 % interval of each
// mean.
//
// # What is promised
//
// Values that look equal are marked alike, because the best value is found at printed precision. For nonzeros, the
// share nearest to the true share is best, and a model without nonzeros never is. Methods that know the truth
// (source.Oracle) do not take part.
//
// A published number, a mean over 20 trials, is judged by
//
//	z = (ours − published) / √(s²/n + s_p²/20 + u²/12)
//
// with the sample standard deviations s and s_p, and the unit u of the last printed digit. The paper prints population
// deviations, which are converted. Where no deviation is published, ours replaces it. The number agrees if |z| < 2,
// differs if |z| > 3, and is unclear between.
//
// Trials that are splits of the same samples (plan.Dataset.Overlap) are not independent. Intervals, standard errors and
// tests over them are Nadeau and Bengio's, and a note says so.
//
// The tests pair methods by trial. In print, each method is compared with the method of the best mean. The same trials
// choose that method, so p-values are corrected for all pairs of methods, not only for the printed pairs.
//
// report_test.go and tests_test.go compare tables with golden files in testdata. Their results are
// invented by jobs/reports/reportstest.
package tablekinds
