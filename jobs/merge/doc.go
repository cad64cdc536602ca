// Package merge turns the rows of an experiment's cells into the numbers that its tables report.
//
// The typical steps are:
//
//  1. The caller makes a Request: the plan, the rules, and the parameters and measures that reports show.
//  2. Stream reads the rows trial by trial. In each trial, every rule chooses a row for w and a row for w̄, for every
//     series and checkpoint. Stream returns a Grid with the chosen rows and the counts of missing and failed cells.
//  3. Stream also passes all rows, in plan order, to Uses such as the writer of results.parquet.
//  4. Grid.Summarize averages the rows that a rule chose. For each measure it returns the mean and the population
//     standard deviation over the trials, and the number of trials.
//
// The main types are Request, Grid, Series, ChosenRow and Summary.
//
// The result does not depend on the order of the rows. A Grid lists missing results. The caller decides whether to
// report an incomplete experiment.
//
// merge_test.go tests merges in memory, and slices_test.go tests slices, variants and profiles. The scenarios of
// cmd/gdmerge test whole merges.
package merge
