// Package source finds what a report needs in a merged run: datasets, methods, trials, and the cells and models that a
// rule chose. It also defines the types of a report's output.
//
// A Source is a merged run, summarized by the reports' selection rule and, for published numbers and curves, by other
// rules (source.go).
//
// A Printer makes a report from a Source: named tables, figures and warnings (printed.go).
package source
