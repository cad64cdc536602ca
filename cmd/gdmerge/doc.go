// Gdmerge turns the results of a run, which gdrun has planned and executed, into tables and
// figures.
//
//	gdmerge RUN [--report NAME] [--format text|markdown|latex|csv] [--out DIR]
//
// For every dataset, trial, method and checkpoint it chooses the cell that the experiment's
// selection rule prefers on the validation split, once for the last iterate w and once for
// the running average w̄. Then it averages over the trials and prints the experiment's
// reports, each with its comparison if the paper has published that table. If the results can
// decide claims that the paper makes, a table of these comes first: the claim, our numbers, and
// whether it holds, fails or is undecided. Asked for single reports it leaves that table out.
//
//	$ gdmerge runs/tiny --report tiny
//	$ gdmerge runs/tiny --report tiny --selection oracle-f1 --settings
//	$ gdmerge runs/tiny --report tiny --format latex
//
// With --tests it adds Wilcoxon's signed-rank tests, over the trials, of every method against
// the best one, with Holm's correction for all pairs of methods:
//
//	$ gdmerge runs/tiny --report tiny --tests
//
// With --intervals it adds 95 % intervals of the means: Student's t, and from 20 independent
// trials on a bootstrap (BCa), which follows the values' skewness.
//
//	$ gdmerge runs/tiny --report tiny --intervals
//
// Trials that are splits of the same samples, as gdrun import makes them, are not independent:
// over them the tests are corrected t-tests, and intervals are wider (Nadeau and Bengio 2003).
//
// Only like results are averaged. A method that ran with several values of a setting that is
// not tuned, such as search, has a line for each of them. A dataset whose trials were drawn
// with different settings is refused, with the settings and trials; plan those of one kind
// with gdrun plan --trials.
//
// The rules are validation, validation-last, oracle-f1, and paper, which does what the
// paper's own tables and curves did.
//
// With --out it writes report.html, one page of everything that opens in any browser, with its data in
// files beside it; report.md, the same as Markdown, with the figures that it shows beside it; every
// figure as SVG, PNG and PDF, with its data as CSV; every table as text, Markdown, LaTeX, CSV and
// Arrow (which is for files only); and results.parquet, which has a row for each cell and checkpoint:
// dataset by dataset, of a dataset trial by trial and of a trial method by method, as they are
// planned. Each group of rows is of one dataset, trial and method, so that who reads only some of them
// skips the others. Its last column has the seconds that learning up to the checkpoint took, which are
// other ones in each run. With --csv the same rows are in results.csv too, without the seconds: there
// equal results are equal bytes, however often a run was interrupted. Tables as CSV and Arrow also have
// the intervals of the means, the tests of all pairs of methods, and the comparison with published
// values one by one.
//
//	$ gdmerge runs/tiny --out report
//
// While cells are missing or failed it names them and prints nothing, unless it is told to
// take what is there:
//
//	$ gdmerge runs/tiny --allow-partial --format csv
//
// A figure that is drawn from models of which some are missing or damaged is left out, and
// gdrun local learns those again; with --allow-partial it is drawn, and says of how many trials.
//
// # Exit codes
//
//	0   done
//	1   a cell failed, a file is damaged, or trials are not alike
//	2   usage or configuration: an unknown report or rule, a missing run, results of another plan
//	3   cells are missing, or models that a figure needs (0 with --allow-partial)
package main
