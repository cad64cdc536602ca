// Package experiment reads and checks experiment files: datasets, trials, methods with their grids of hyperparameters,
// checkpoints, loss, selection rules and reports. Built-in experiments are read by name.
//
// The typical steps are:
//
//  1. Read reads a YAML file or a built-in experiment (read.go). ReadChanged reads a built-in experiment with other
//     methods, values, datasets or checkpoints (change.go).
//  2. inherit takes missing keys from the experiment that `like:` names (like.go). At scale "quick", the quick form
//     replaces the full form (scale.go).
//  3. validate returns all faults with their lines in one error (validate.go).
//  4. Grid.Expand lists all settings of a method. Package plan makes cells from these settings.
//  5. Experiment.AllReports lists the reports. Package reports makes the reports.
//
// An Experiment has Grids and Reports. A Grid is a method with an Axis for each hyperparameter. An Axis lists the
// values to try. A Report is a table or figure. A Program is a user's own program that runs as a method.
//
// # What is promised
//
//   - A value that YAML would change, such as 010 to 8, is refused (yaml.go).
//   - Read reads back the experiment that Experiment.YAML writes (write.go).
//   - An experiment may only have registered kinds of reports. Package reports registers all kinds.
//
// The built-in files are in jobs/paper/experiments, and catalog.go lists them. experiment_test.go tests reading,
// refusing and changes, and fuzzes Parse. scale_test.go tests `like:` and scales. The scenario
// cmd/gdrun/testdata/scenarios/refused-experiment.txt shows the messages.
package experiment
