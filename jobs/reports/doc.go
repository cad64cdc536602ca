// Package reports makes the reports of a run: its tables and figures, the comparison with
// published numbers, tests between methods, and one page of them all. Make merges the run and
// makes them; Book.Print prints the answer and the tables, Book.Write writes everything.
//
// Packages below it do the parts; each uses the ones above it in this list:
//
//	source   what reports are made from, and what they give: named tables, figures, warnings
//	tabled   tables of measures, tests between methods, the comparison with published tables
//	claims   the paper's claims, and whether they hold
//	drawn    the kinds of report with a figure
//
// A kind of report is a file of tabled or drawn and a line in kinds (kinds.go), which also tells
// experiment files what such a report needs and takes. Tables are laid out by io/table, figures drawn
// by package figures, the page is package page; these three know nothing of runs.
//
// With fewer than stats.EnoughTrials trials no report tests, judges or decides anything, and the
// answer says so. What is noticed but changes no number is a diagnostic: it stands in a table of
// its own, with what to do about it or why it is harmless.
package reports
