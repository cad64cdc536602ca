// Package experiment has what a user asks for: datasets × trials × methods with their grids of
// hyperparameters, checkpoints, loss, selection rules and reports, as a YAML file or one of the
// built-in ones.
//
// Read and Parse read a file as it is written and refuse what it cannot mean, each fault with
// its line (yaml.go, validate.go). What the file leaves out is taken from the experiment that it
// is like (like.go), and at scale "quick" from its reduced form (scale.go). Grid.Expand lists the
// settings of a method. Package jobs makes a plan of an Experiment, package reports what its
// reports ask for; a kind of report is known here once it is registered (Register).
package experiment
