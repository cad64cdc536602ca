// Package source finds what a report needs in a merged run: datasets, methods, trials, and the cells and models that a
// rule chose. It also defines types for the output of a report.
//
// A Source is a merged run. It has a summary by the reports' selection rule, and other summaries for published numbers
// and for curves. It finds the datasets, methods, series, checkpoints and trials that a report shows, and the models
// that tasks have stored (source.go).
//
// A Printer makes a report from a Source. It returns Printed values: named tables, figures and warnings (printed.go).
package source
