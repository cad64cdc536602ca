// Package report prints a merged experiment: tables of one dataset at one checkpoint,
// their comparison with published numbers, and the rows behind them.
//
// A table is made in two steps. Classification, Regression, Settings and Compare read a
// merge.Summary and decide everything: which figure stands where, how many digits it
// shows, what is best, what deserves a footnote. The Table they return holds nothing but
// strings and marks, and Text, Markdown, LaTeX and CSV only lay it out. In CSV numbers
// are in shortest round-trip form, and columns that only programs want are added.
//
// The best value of a column is marked, at printed precision, so values that look equal
// are marked alike. Methods that know the truth (Method.Oracle) do not take part.
//
// A published number agrees with ours when
//
//	|ours − published| ≤ 2·(std over our trials) + ½ unit of the last printed digit
//
// which one trial, having no spread, cannot decide.
package report
