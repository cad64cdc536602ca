// Package drawn has the kinds of report with a figure: curves over samples, parameters and datasets,
// pictures of models and networks, and ranks, sensitivity, cost and stability with tables beside them.
//
// It computes what stands in a figure; package figures draws it.
package drawn
