package importing

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/io/tabular"
	"graphda/jobs/usage"
)

// A Task is what is learned from the label.
type Task string

// The tasks.
const (
	Classification Task = "classification" // of two classes, −1 and +1
	Regression     Task = "regression"     // on a number
	Survival       Task = samples.Survival // of times of an event, some of which are censored
)

// Tasks are all of them.
var Tasks = []Task{Classification, Regression, Survival}

// labelFlag is what the label's column is asked for by.
func (r *Request) labelFlag() string {
	if r.Task == Survival {
		return "time"
	}
	return "label"
}

// DefaultTrials is how many random splits samples get for which nothing else is said.
const DefaultTrials = 20

// DefaultLabel is the column of the label for which nothing else is said.
const DefaultLabel = "y"

// DefaultMinMatched is the least share of the network's nodes that are features, or of the features
// that are nodes, whichever are fewer. Where it is less, names mostly are of two kinds.
const DefaultMinMatched = 0.5

// A Request says what to import.
type Request struct {
	Samples  string // path of the samples
	Labels   string // path of their labels, by id; "" if the samples have them
	Features string // path of what else is known about features; "" for nothing
	Groups   string // path of groups of features; "" for none
	Out      string // the dataset's directory: a new one, or one that an import has made, which is replaced

	Edges      network.EdgeRequest // the network
	MinMatched float64             // see DefaultMinMatched, which 0 stands for

	Text  tabular.Options // how the samples' file is read
	Force bool            // what seems to be a mistake is done: see package gzfile, and reader.leaveOut

	Missing     Missing  // what becomes of missing values; "" for MissingError
	Unlabelled  string   // what becomes of samples without a label: "error", as "" stands for, or "drop"
	Label       string   // column of the samples, or of their labels; under Survival of the times
	Event       string   // column of whether there was an event then; "" but under Survival
	Strata      string   // column of the strata in which times are compared, under Survival; "" if all are in one
	Task        Task     //
	Positive    string   // the label of the class +1; "" if labels are 0 and 1, −1 and 1, false and true, and the like
	Rest        bool     // all labels but Positive are the class −1
	ID          string   // column of the samples' ids; "" for an index column, if there is one, or their numbers
	Patient     string   // column of the samples' patients, of samples or labels; "" if each has its own
	Covariates  []string // columns, of samples or labels, that predictions are adjusted for
	Batches     []string // likewise; new samples are taken to be at their mean
	Weight      string   // column of how much samples count, likewise; "" if all count alike
	Drop        []string // columns of the samples that are no features
	Trials      int      // 0: DefaultTrials, or 1 if samples have a column "split"
	Folds       int      // of cross-validation, at least 3, in Trials/Folds orders; 0: trials are drawn by Split
	Seed        uint64   // of the draws
	Standardise bool     // give every feature mean 0 and deviation 1 over each trial's training samples
}

// Validate reports, as a usage.Error, every setting that is out of range. It opens no file.
func (r *Request) Validate() error {
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(r.Samples == "" || r.Edges.Path == "" || r.Out == "", "samples, edges and out must be given")
	refuse(!slices.Contains(Tasks, r.Task), "task = %q, want one of %v", r.Task, Tasks)
	times := r.Task == Survival
	refuse(times != (r.Event != ""), "event = %q: want the column of events with task %s, and with no other", r.Event,
		Survival)
	refuse(!times && r.Strata != "", "strata = %q is for task %s", r.Strata, Survival)
	refuse(times && r.Weight != "", "sample-weight = %q is for classes and numbers: times are not weighed", r.Weight)
	refuse(r.Task == Regression && r.Positive != "", "positive = %q is for classification", r.Positive)
	refuse(r.Rest && (r.Task != Classification || r.Positive == ""), "rest is for task %s with positive: it sets that "+
		"class against all others", Classification)
	refuse(r.Label == "", "%s is empty, want the name of a column", r.labelFlag())
	refuse(r.Label == splitColumn, "%s = %q, which is the column that tells training from test samples", r.labelFlag(),
		r.Label)
	refuse(r.Labels == "" && slices.Contains(r.Drop, r.Label), "drop = %q, which is the %s", r.Label, r.labelFlag())
	refuse(times && r.Event != "" && slices.Contains([]string{r.Label, r.ID, r.Patient, splitColumn}, r.Event),
		"event = %q, which is the time, the id, the patient or the split; want a column of its own", r.Event)
	refuse(times && slices.Contains(r.Drop, r.Event), "drop = %q, which is the event", r.Event)
	refuse(r.ID != "" && r.ID == r.Label, "id = %q, which is the label", r.ID)
	refuse(r.ID != "" && slices.Contains(r.Drop, r.ID), "drop = %q, which is the id", r.ID)
	refuse(r.Patient != "" && (r.Patient == r.Label || r.Patient == r.ID || r.Patient == splitColumn),
		"patient = %q, which is the label, the id or the split; want a column of its own", r.Patient)
	refuse(r.Patient != "" && slices.Contains(r.Drop, r.Patient), "drop = %q, which is the patient", r.Patient)
	for i, c := range r.covariates() {
		flag, taken := c.Flag(), []string{r.Label, r.ID, r.Patient, splitColumn}
		refuse(c.Name == "" || slices.Contains(taken, c.Name), "%s = %q, which is the label, the id, the patient or the "+
			"split; want a column of its own", flag, c.Name)
		refuse(c.Name == r.Event && times, "%s = %q, which is the event", flag, c.Name)
		refuse(slices.Contains(r.Drop, c.Name), "drop = %q, which is a %s", c.Name, flag)
		refuse(slices.ContainsFunc(r.covariates()[:i], func(other samples.Covariate) bool { return other.Name == c.Name }),
			"%s = %q, which is named twice", flag, c.Name)
	}
	refuse(r.Trials < 0 || r.Trials > maxTrials, "trials = %d, want 1 to %d", r.Trials, maxTrials)
	refuse(r.Folds != 0 && (r.Folds < len(draw{}) || r.Trials%r.Folds != 0), "folds = %d of %d trials, want at least %d, "+
		"and trials for all of them", r.Folds, r.Trials, len(draw{}))
	refuse(r.Missing != "" && !slices.Contains(Missings, r.Missing), "missing = %q, want one of %v", string(r.Missing),
		Missings)
	refuse(!slices.Contains([]string{"", "error", dropUnlabelled}, r.Unlabelled), "unlabelled = %q, want error or %s",
		r.Unlabelled, dropUnlabelled)
	refuse(!(r.MinMatched >= 0 && r.MinMatched <= 1), "min-matched = %v, want 0 to 1", r.MinMatched)
	if err := r.Edges.Validate(); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return &usage.Error{Err: errors.Join(errs...)}
	}
	return nil
}

// maxTrials is more than anyone averages over; a directory's number has no more digits.
const maxTrials = 100_000

// place returns the absolute path of the dataset's directory, at which a dataset may be put.
func (r *Request) place() (string, error) {
	dir, err := filepath.Abs(r.Out)
	if err != nil {
		return "", err
	}
	if _, err := samples.NameOf(dir); err != nil {
		return "", err
	}
	if err := replaceable(dir); err != nil {
		return "", usage.Errorf("%s is there already: %w; remove it or choose another directory", r.Out, err)
	}
	return dir, nil
}

// replaceable returns an error if there is something at dir but a dataset that an import has made.
func replaceable(dir string) error {
	switch there, err := os.Lstat(dir); {
	case err != nil:
		return nil // nothing can be seen there: making it fails with the reason
	case !there.IsDir():
		return errors.New("it is no directory")
	}
	ds, err := samples.Open(dir)
	if err != nil {
		return err
	}
	own, err := ds.Files()
	if err != nil {
		return err
	}
	made, err := samples.Metadata(own[len(own)-1]) // the last of a trial: its samples, or its list of them
	if err != nil {
		return err
	}
	if made["generator"] != generator {
		return errors.New("it was not made by import")
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !slices.Contains(own, path) {
			return fmt.Errorf("%s in it was not made by import", entry.Name())
		}
		return err
	})
}

// Notes are what a user should know about the files.
type notes []string

func (n *notes) add(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }
