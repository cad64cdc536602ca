// Package experiment reads and checks experiment files: datasets, trials, methods with their grids of hyperparameters,
// checkpoints, loss, selection rules and reports. Built-in experiments are read by name.
//
// The typical steps are:
//
//  1. Read reads a YAML file, or the built-in experiment of a name (read.go). Parse does the same for a text.
//     ReadChanged reads a built-in experiment with other methods, values, datasets or checkpoints (change.go).
//  2. Keys that the file leaves out are taken from the experiment that `like:` names (like.go). At scale "quick", the
//     quick form replaces the full one (scale.go).
//  3. validate collects all faults, each with its line, in one error (validate.go).
//  4. Grid.Expand lists all settings of a method. Package plan makes cells from these settings.
//  5. Experiment.AllReports lists the reports. Package reports makes the reports.
//
// The main types are Experiment; Grid, a method with the values to try; Axis, the values of one hyperparameter; Report,
// a table or figure; and Program, a user's own program that runs as a method.
//
// # What is promised
//
//   - A file is read as it is written. A value that YAML would change, such as 010, is refused (yaml.go).
//   - Experiment.YAML writes a file that Read reads as the same experiment (write.go).
//   - A kind of report is accepted only if it was registered by Register. Package reports registers all kinds.
//
// The built-in files are in jobs/paper/experiments, and catalog.go lists them. experiment_test.go tests reading,
// refusing and changes, and fuzzes Parse. scale_test.go tests `like:` and scales, and write_test.go tests writing. The
// scenario cmd/gdrun/testdata/scenarios/refused-experiment.txt shows the messages.
package experiment
