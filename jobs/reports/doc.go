// Package reports makes the reports of a run: its tables and figures, the comparison with
// published numbers, tests between methods, and one page of them all. Make merges the run and
// makes them; Book.Print prints the tables, Book.Write writes everything.
//
// A kind of report is a file here and a line in kinds (kinds.go), which also tells experiment
// files what such a report needs and takes. Tables are laid out by io/table, figures drawn
// by package figures, the page is package page; these three know nothing of runs.
//
// A table is made in two steps. Classification, Regression, Settings, Compare and the tests
// read a merge.Summary and decide everything: which measure stands where, how many digits it
// shows, what is best, what deserves a footnote. The table they return holds numbers and
// words, and io/table lays it out. In CSV and Arrow numbers are exact, and columns that
// only programs want are added, such as the 95 % interval of each mean (package stats).
// A method that has variants (merge.Series) has a line for each.
//
// The best value of a column is marked, at printed precision, so values that look equal
// are marked alike; and so are those that are not significantly worse by the tests, where there
// are trials enough for them. Of nonzeros the share nearest to that of the truth is best, and never
// a model of none. Methods that know the truth (Method.Oracle) do not take part.
//
// A published number, of 20 trials, is judged by
//
//	z = (ours − published) / √(s²/n + s_p²/20 + u²/12)
//
// with the deviations s and s_p of the samples, and the unit u of the last printed digit. What is
// printed is the population's deviation; where none is, ours stands for both. The number agrees
// where |z| < 2, differs where |z| > 3, and is unclear between; fewer than 5 trials cannot decide.
//
// The paper's claims (paper.Claims) come before all reports: a table of those that the run can
// decide, with our numbers and what they say. A claim is data, and names a form (claimForms) that
// makes comparisons of it: margins, trial by trial, that are positive where it is as claimed. They
// are judged alike, whatever the form: see rulingNote. A run with less than a fifth of a claim's
// comparisons says nothing of it.
//
// Trials that are splits of the same samples (merge.Grid.Overlap) are not independent: over
// them intervals, standard errors and tests are those of Nadeau and Bengio, and a note says so.
//
// The tests compare methods trial by trial (Tests). In print each method stands against the
// one with the best mean; since the same trials tell which one that is, p-values are
// corrected for all pairs of methods and not only for those that are printed.
package reports
