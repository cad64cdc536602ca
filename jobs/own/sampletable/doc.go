// Package sampletable reads a user's own table of samples: labels or event times, ids, patients, covariates, splits and
// features. The table has a row for each sample or, transposed, a column.
//
// The typical steps are:
//
//  1. The user's flags fill a Table, and Table.Validate checks it without opening a file (table.go).
//  2. Table.Read finds the columns: label, split, id, patient, covariates. All other columns are features, in the
//     order of the file (columns.go). Labels may be in a separate file, joined by id (labels.go).
//  3. Read reads all rows (samples.go), and turns labels into −1 and +1 (labels.go), or times and events into numbers
//     (times.go). Package coding decides which label is +1.
//  4. As the user asked, Read refuses missing values, drops their samples or features, or stores them as NaN
//     (missing.go).
//  5. Read sorts the samples by their ids or values, unless the file assigns them to splits. The result is a Data.
//
// Package importing later fills in missing values with means or medians of each trial's training samples.
//
// A Table says how to read the files, Data holds the samples, and Notes tell the user about the files. Unlabelled reads
// samples to predict, one by one (unlabelled.go).
//
// # Guarantees
//
//  1. Read reports all faults of a file at once, each with its place (dataframe.Problems).
//  2. The order of rows matters only if the file assigns samples to splits.
//  3. It is an error if no file has a requested column, or if both files have it.
//  4. Read drops at most a tenth of the samples, unless the user forces more.
//
// jobs/own/predicting tests Unlabelled, and jobs/own/importing tests the rest.
package sampletable
