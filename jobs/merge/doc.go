// Package merge turns the rows of an experiment's cells into the numbers that its tables report.
//
// The typical steps are:
//
//  1. Make a Request: the plan, the rules, and the parameters and measures that reports are drawn over.
//  2. Stream reads the rows trial by trial. In each trial every rule chooses one row for w and one row for w̄, for
//     every series and checkpoint. Stream keeps only the chosen rows, and counts missing and failed cells in a Grid.
//  3. Pass a Use to Stream to see all rows on the way, in plan order. The writer of results.parquet is one.
//  4. Grid.Summarize takes the choices of one rule, and gives mean, population standard deviation and count over the
//     trials for each measure.
//
// The main types are Request, Grid, Series, ChosenRow and Summary. A Series is a method on a dataset. If the experiment
// varies a setting that is not tuned, each of its values has a series of its own.
//
// The result depends only on the content of the plan and of the rows, and not on the order of the rows. The trials of a
// dataset must have been drawn with the same settings; Stream refuses others. The package does not decide whether an
// incomplete experiment may be reported: Grid lists what is missing, and the caller refuses or goes on.
//
// It is tested by merge_test.go (a plain merge in memory), summary_test.go, slices_test.go, and by the scenarios of
// cmd/gdmerge.
package merge
