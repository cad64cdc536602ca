// Package tablekinds makes the tables of a report. It decides which measures to show, which numbers to mark as best (in
// bold), and how to test methods against each other. It also compares results with published numbers.
//
// The typical steps, for each dataset of a report, are:
//
//  1. Tables calls tableKind.print (tables.go). frameOf finds the lines of the table in a merge.Summary. There is a
//     line for each variant of each method (frame.go).
//  2. tableKind.table fills the table. An Entry is a printed column: a measure of w or of w̄ (measures.go).
//  3. markBest marks the best value of each column, and values that are not significantly worse (best.go).
//  4. compare compares the results with a published table, and matched.judge judges each number (compare.go).
//  5. With stats.EnoughTrials trials or more, newTests tests each pair of methods (tests.go), and intervals makes
//     a table of confidence intervals (intervals.go).
//  6. settingsTable shows the chosen settings. frame.warnings collects warnings for readers (warnings.go).
//
// Classification and Regression are the two kinds of tables. The functions here return tables of numbers and words,
// and package io/table lays them out. In CSV and JSON, numbers are exact, and there are more columns, such as the 95 %
// interval of each mean.
//
// # What is promised
//
// Values that look equal get the same mark, because markBest compares printed values. In the column of nonzeros, the
// value nearest to the true percentage is best, and a method that selects nothing in some trial is never best. Methods
// that know the truth (source.Oracle) do not compete.
//
// A published number is a mean over 20 trials. judge computes the difference between our mean and this number, in
// standard errors:
//
//	z = (ours − published) / √(s²/n + s_p²/20 + u²/12).
//
// Here s and s_p are the sample standard deviations, and u is the unit of the last printed digit. The paper prints
// population deviations, and judge converts them. If the paper prints no deviation, s replaces s_p. The published
// number and ours agree if |z| < 2, and differ if |z| > 3. Otherwise it is unclear whether they agree.
//
// Trials that are splits of the same samples (plan.Dataset.Overlap) are not independent. For such trials,
// intervals, standard errors and tests follow Nadeau and Bengio, and a note says so.
//
// The tests pair methods by trial. Printed tables compare each method with the method that has the best mean. The same
// trials decide which method is best. So the tests correct p-values for all pairs of methods.
//
// report_test.go and tests_test.go compare tables with golden files in testdata. Package jobs/reports/reportstest
// invents the results in these tables.
package tablekinds
