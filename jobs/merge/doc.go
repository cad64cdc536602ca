// Package merge turns the rows of an experiment's cells into what its tables report.
//
// Collect puts the rows in plan order and takes stock: which (cell, checkpoint) pairs are
// missing, which failed. Summarize then applies one selection rule:
//
//  1. for every series and checkpoint and every trial, choose the cell for w and the cell
//     for w̄ among the rows present;
//  2. read the measures of both models from the chosen cells;
//  3. over the trials, take mean, population standard deviation and count of each measure.
//
// A Series is a method on a dataset. If the experiment varies one of the method's settings
// that are not tuned, each value has a series of its own, told apart by its Variant. The
// trials of a dataset must have been drawn with the same settings, which Collect sees to;
// sizes in which they differ are listed by Grid.Unlike.
//
// Nothing here decides whether an incomplete experiment may be reported. The Grid lists
// what is missing; the caller refuses or goes on.
//
// The result depends on the content of the plan and of the rows alone: not on the order
// of the rows, nor on their time, host and attempt columns.
package merge
