// Package merge turns the rows of an experiment's cells into what its tables report.
//
// Stream reads the rows trial by trial, puts those of each in plan order and takes stock: which
// (cell, checkpoint) pairs are missing, which failed. By every rule, for every series and
// checkpoint, it chooses the cell for w and the cell for w̄ among the rows present, and keeps no
// others: what it holds grows with the number of choices, not of rows. Who wants all rows, such as
// the writer of results.parquet, is given them on the way, in plan order. Parameters that reports
// are drawn over are told before (Along), for each of their values has choices of its own; and so
// are measures of which they show the best and the median of all cells (Sweep).
//
// Summarize then takes the choices of one rule:
//
//  1. read the measures of both models from the chosen cells;
//  2. over the trials, take mean, population standard deviation and count of each measure.
//
// A Series is a method on a dataset. If the experiment varies one of the method's settings
// that are not tuned, each value has a series of its own, told apart by its Variant. The
// trials of a dataset must have been drawn with the same settings, which Stream sees to;
// sizes in which they differ are listed by Grid.Unlike.
//
// Nothing here decides whether an incomplete experiment may be reported. The Grid lists
// what is missing; the caller refuses or goes on.
//
// The result depends on the content of the plan and of the rows alone: not on the order
// of the rows, nor on their host and attempt columns, and a Summary not on their times either.
package merge
