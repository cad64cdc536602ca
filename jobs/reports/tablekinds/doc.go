// Package tablekinds makes the tables of a report. It chooses the measures, marks the best numbers, and tests methods
// against each other. It also compares results with published numbers.
//
// The typical steps, for each dataset of a report, are:
//
//  1. Tables calls tableKind.print (tables.go). frameOf finds the table's lines, one for each variant of each method
//     (frame.go).
//  2. tableKind.table fills the table. An Entry is a column: a measure of w or of w̄ (measures.go).
//  3. markBest marks the best value of each column, and values that are not significantly worse (best.go).
//  4. compare compares the results with a published table, and matched.judge judges each number (compare.go).
//  5. If there are enough trials, newTests tests each pair of methods (tests.go), and intervals makes a table of
//     confidence intervals (intervals.go).
//  6. settingsTable shows the chosen settings. frame.warnings collects warnings for readers (warnings.go).
//
// Classification and Regression are the two kinds of tables. Package io/table lays them out. CSV and JSON have exact
// numbers and more columns, such as the 95 % interval of each mean.
//
// # What is promised
//
// Values that look equal get the same mark. In the column of nonzeros, the value nearest to the true percentage is
// best, except for methods that select nothing in some trial. Methods that know the truth (source.Oracle) do not
// compete.
//
// A published number is a mean over 20 trials. judge computes our difference from this number, in standard errors:
//
//	z = (ours − published) / √(s²/n + s_p²/20 + u²/12).
//
// Here s and s_p are the sample standard deviations, and u is the unit of the last printed digit. The paper prints
// population deviations, and judge converts them. If the paper prints no deviation, s replaces s_p. The numbers agree
// if |z| < 2, and differ if |z| > 3. Otherwise the verdict is unclear.
//
// Trials that are splits of the same samples (plan.Dataset.Overlap) are not independent. Their intervals, errors and
// tests follow Nadeau and Bengio, and a note says so.
//
// The tests pair methods by trial. Printed tables compare each method with the best method. The same trials also decide
// which method is best, so p-values are corrected for all pairs of methods.
//
// report_test.go and tests_test.go compare tables of invented results with golden files (package reportstest).
package tablekinds
