// Package merge turns the rows of an experiment's cells into the numbers that its tables report.
//
// The typical steps are:
//
//  1. Make a Request: the plan, the rules, and the parameters and measures that reports show.
//  2. Stream reads the rows trial by trial. In each trial every rule chooses one row for w and one row for w̄, for
//     every series and checkpoint. Stream returns a Grid with the chosen rows and the counts of missing and failed
//     cells.
//  3. A Use that is passed to Stream gets all rows in plan order. For example, the writer of results.parquet is a Use.
//  4. Grid.Summarize averages the choices of one rule. For each measure it returns the mean and the population standard
//     deviation over the trials, and the number of trials.
//
// The main types are Request, Grid, Series, ChosenRow and Summary. A Series is a method on a dataset. If the
// experiment varies a setting that is not tuned, each value of the setting has its own series.
//
// The result does not depend on the order of the rows. Stream refuses a dataset whose trials were drawn with different
// settings. A Grid lists missing results, and the caller decides whether to report an incomplete experiment.
//
// merge_test.go tests a plain merge in memory, and slices_test.go tests slices, variants and profiles. The scenarios of
// cmd/gdmerge test whole merges.
package merge
