// Package source finds what a report needs in a merged run: datasets, methods, trials, and the cells and models that a
// rule chose. It also defines what a report gives back.
//
// A Source is a merged run. It has the summary by the rule of the reports, and the summaries by the rules that
// published numbers and curves are read by. It finds the datasets, methods, series, checkpoints and trials that a
// report shows, and the models that tasks have kept (source.go).
//
// A Printer makes a report of a Source. It returns Printed values: tables with names and roles, figures, and warnings
// (printed.go).
package source
