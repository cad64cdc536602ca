// Package samples reads and writes datasets: directories that hold a graph, a table of
// features and, for every trial, a file of samples.
//
//	graph01-mu0.3/
//	    graph.parquet             source, target, cost
//	    features.parquet          name, truth, group, row, col, x, y, mean, deviation, fill, measured
//	    trial-00/samples.parquet  id, patient, y, split, x
//	    trial-01/samples.parquet
//
// Trials that are splits of the same samples have these once, and lists of rows:
//
//	mine/samples.parquet          id, patient, y, x
//	mine/trial-00/rows.parquet    row, split
//
// Their samples are as they were measured, NaN where a value is missing: Dataset.Load fills in and standardises by the
// columns fill, mean and deviation of the trial's features.
//
// Each of the three may be an Arrow IPC file or stream (.arrow, .feather, .ipc or .arrows)
// instead, and a graph or features file in a trial's directory stands in for the dataset's. Node i
// of the graph, row i of the feature table and element i of a sample are the same feature.
//
// # Files of this program
//
// The writers make Parquet files that carry their own checksum (package seal). Lists are
// Parquet LISTs, never fixed-size lists, whose values Arrow's writer loses; pages are of
// version 2 and begin at rows; nothing is compressed or dictionary-encoded but the split,
// so that the same content makes the same bytes. The Arrow schema is not stored: the
// Parquet schema says all of it, and the seal must not stand inside its base64 text.
//
// # Files of other programs
//
// Files from pandas, polars, DuckDB, R and the like are taken as they are: any list type,
// any numeric type whose values a float64 holds, decimals, data frames with one column
// per feature, strings or dictionaries. What cannot be right is refused with a
// tabular.Error: nulls, NaN and infinities, ragged lists, unknown splits and features,
// self-loops, repeated edges, and so on.
package samples
