// Package figurekinds computes the reports that have a figure: curves, ranks, sensitivity, and pictures of
// models and networks. It decides which numbers a figure shows. Package figures draws the figure.
//
// Each kind of report has a function, which package reports calls (jobs/reports/kinds.go):
//
//	checkpoints   OverCheckpoints   a measure over the training samples (curves.go)
//	parameter     OverParameter     a measure over a hyperparameter
//	datasets      OverDatasets      a measure over a parameter of the datasets
//	mistakes      MistakeCurves     wrong predictions, sample by sample
//	regret        RegretCurves      regret over the training samples (regret.go, comparator.go)
//	truth         TruthImages       true weights as pictures (images.go)
//	models        ModelImages       learned weights as pictures
//	network       Subnetworks       selected features and the edges between them (subnetworks.go)
//	ranks         Rankings          mean ranks of methods over datasets (ranks.go)
//	sensitivity   Sensitivities     results at each value of a hyperparameter (sensitivity.go).
//
// The typical steps of such a function are:
//
//  1. It reads the report's datasets, series and chosen cells or models from the source.Source.
//  2. It computes lines, pictures or networks. Titles and captions say how many trials a mean has (info.go).
//  3. It returns figures.Figure values, or source.Printed values if tables belong to the figure.
//  4. Figures turns a function that returns figures into a source.Printer. If there is nothing to draw, the function
//     returns a source.NotDrawn, which becomes a note in the report.
//
// # What is promised
//
// A method that knows the truth (source.Oracle) is never ranked. If a point is a mean over fewer trials than planned,
// the title of its panel says so.
//
// ranks_test.go compares ranks with ranks computed by hand. The tests of package reports check the other kinds.
package figurekinds
