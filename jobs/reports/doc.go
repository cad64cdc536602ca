// Package reports makes all reports of a run. It merges the results, makes tables and figures, and writes them as
// files and one HTML page. `gdmerge` and `gdrun reproduce` run it.
//
// The typical steps are:
//
//  1. CreateRows begins the files of rows, results.parquet and chosen.parquet (rowfiles.go). Step 2 fills these files.
//  2. Make merges the run and makes every report that the experiment asks for (book.go). printerOf finds the function
//     for a kind of report (kinds.go).
//  3. Book.Print prints a short answer, or all tables (print.go).
//  4. Book.Write writes the page, and each table and figure in every format (write.go). htmlreport.go fills the page,
//     diagnostics.go its warnings, and spent.go its chapter on time and memory.
//
// Options say which reports to make, a Book holds the finished reports, and Extras name tables to print on request.
//
// Each of the following packages uses only packages named before it. Package source has the merged run, which reports
// read, and the output of reports: named tables, figures and warnings. Package tablekinds makes tables of measures,
// tests between methods, and the comparison with published tables. Package claims tests the paper's claims. Package
// figurekinds makes the kinds of report with a figure.
//
// Package io/table lays out tables, package figures draws figures, and package page writes the page. None of
// these three packages knows about runs. A new kind of report needs a file in tablekinds or figurekinds, and a
// line in kinds (kinds.go).
//
// # Guarantees
//
//  1. The same results give the same tables. With fewer than stats.EnoughTrials trials, reports do not test methods,
//     judge numbers or decide claims, and the answer says so.
//  2. A finding that changes no number is a diagnostic. The table of diagnostics says what to do about each finding, or
//     why the finding is harmless.
//  3. If Book.Write may not replace an existing file, it writes no file.
//
// The packages tablekinds and claims have golden files of tables.
package reports
