// Gdmerge turns the results of a run, which gdrun has planned and executed, into tables.
//
//	gdmerge RUN [--report NAME] [--format text|markdown|latex|csv] [--out DIR]
//
// For every dataset, trial, method and checkpoint it chooses the cell that the experiment's
// selection rule prefers on the validation split, once for the last iterate w and once for
// the running average w̄. Then it averages over the trials and prints the experiment's
// reports, each with its comparison if the paper has published that table.
//
//	$ gdmerge runs/tiny --report tiny
//	$ gdmerge runs/tiny --report tiny --selection oracle-f1 --settings
//	$ gdmerge runs/tiny --report tiny --format latex
//
// The rules are validation, validation-last, oracle-f1, and paper, which does what the
// paper's own tables and curves did.
//
// With --out it writes every table as text, Markdown, LaTeX and CSV, and results.csv, which
// has a line for each cell and checkpoint in plan order. That file holds no time, host or
// attempt: equal results are equal bytes, however often a run was interrupted.
//
//	$ gdmerge runs/tiny --out report
//
// While cells are missing or failed it names them and prints nothing, unless it is told to
// take what is there:
//
//	$ gdmerge runs/tiny --allow-partial --format csv
//
// # Exit codes
//
//	0   done
//	1   a cell failed, or a file is damaged
//	2   usage or configuration: an unknown report or rule, a missing run, results of another plan
//	3   cells are missing (0 with --allow-partial)
package main
