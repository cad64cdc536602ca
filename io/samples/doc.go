// Package samples reads and writes the datasets that experiments run on: a graph, features, and trials with their
// samples and random seeds.
//
// A dataset is a directory:
//
//	graph01-mu0.3/
//	    graph.parquet             source, target, cost
//	    features.parquet          name, truth, group, row, col, x, y, mean, deviation, fill, measured
//	    trial-00/samples.parquet  id, patient, y, split, x
//	    trial-01/samples.parquet
//
// Node i of the graph, row i of the features and element i of each sample x belong to the same feature. A trial may
// have its own graph or features in its directory. The typical steps of a reader are:
//
//  1. Open the directory. Open lists the trials and checks that each has its files.
//  2. Load a trial with Dataset.Load, which reads and checks everything. Dataset.LoadStructure skips the samples.
//  3. Use Trial.Train, Trial.Valid and Trial.Test. Each is a Block of samples.
//  4. Dataset.Digest identifies a trial by its content, wherever the files are.
//
// The typical steps of a writer are:
//
//  1. Write the graph with WriteGraph and the features with WriteFeatures.
//  2. For each trial call NewSamplesWriter, SamplesWriter.Append for each sample, and SamplesWriter.Close.
//
// The main types are:
//
//   - Trial is a loaded trial with its graph, features and samples.
//   - Block is a matrix of samples with their labels, weights and covariates.
//   - Features describes the features. A Scaling has the means and deviations with which they were standardised.
//   - Covariate is a column to adjust for, such as age or batch. A Design turns covariates into numbers.
//
// # Trials that share their samples
//
// Trials that split the same samples in different ways share one samples file. Each trial stores only a list of rows
// (see WriteRows):
//
//	mine/samples.parquet          id, patient, y, x
//	mine/trial-00/rows.parquet    row, split
//
// Shared samples are stored as they were measured, with NaN for a missing value. Load fills in missing values and
// standardises, with the columns fill, mean and deviation of the trial's features.
//
// # Files of this program
//
// The writers make sealed Parquet files (package seal). The same content must give the same bytes, so nothing is
// compressed, and only the column split has a dictionary. Lists are Parquet LISTs, because Arrow's writer loses the
// values of fixed-size lists. Pages have version 2, and each begins with a new row. The Arrow schema is not stored,
// because the seal must not appear inside its base64 text.
//
// # Files of other programs
//
// Any file may be an Arrow IPC file or stream instead (.arrow, .feather, .ipc or .arrows). Files from pandas, polars,
// DuckDB, R and similar programs are accepted. Columns may hold lists of any type, numbers that a float64 can
// represent, decimals, strings or dictionaries. A data frame with one column per feature is accepted too. These are
// errors (dataframe.Error): nulls, infinities, NaN outside of shared samples, ragged lists, unknown splits and
// features, self-loops, and repeated edges.
package samples
