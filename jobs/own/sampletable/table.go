package sampletable

import (
	"errors"
	"fmt"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/probes"
	"graphda/io/samples"
	"graphda/jobs/userinput"
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
func (r *Table) labelFlag() string {
	if r.Task == Survival {
		return "time"
	}
	return "label"
}

// DefaultLabel is the column of the label for which nothing else is said.
const DefaultLabel = "y"

// A Table says how a user's table of samples is read.
type Table struct {
	Samples string            // path of the samples
	Labels  string            // path of their labels, by id; "" if the samples have them
	Text    dataframe.Options // how the samples' file is read
	Force   bool              // what seems to be a mistake is done: see package safefile, and reader.leaveOut

	Probes     probes.Rule // how several columns of one gene become one feature; "": each column is a feature
	Missing    Missing     // what becomes of missing values; "" for MissingError
	Unlabelled string      // what becomes of samples without a label: "error", as "" stands for, or "drop"
	Label      string      // column of the samples, or of their labels; under Survival of the times
	Event      string      // column of whether there was an event then; "" but under Survival
	Strata     string      // column of the strata in which times are compared, under Survival; "" if all are in one
	Task       Task        //
	Positive   string      // the label of the class +1; "" if labels are 0 and 1, −1 and 1, false and true, and the like
	Rest       bool        // all labels but Positive are the class −1
	ID         string      // column of the samples' ids; "" for an index column, if there is one, or their numbers
	RowNames   bool        // an index has the ids, whatever other columns are called
	Patient    string      // column of the samples' patients, of samples or labels; "" if each has its own
	Covariates []string    // columns, of samples or labels, that predictions are adjusted for; or lists with commas
	Batches    []string    // likewise; new samples are taken to be at their mean
	Weight     string      // column of how much samples count, likewise; "" if all count alike
	Drop       []string    // columns of the samples that are no features

	// NoSplit is the error of a file that has a column SplitColumn; nil: samples may say what they are for.
	NoSplit func(path string) error

	// GeneOf returns the gene that a column measures, and false if there are several; nil: of columns of the same name.
	GeneOf func(column string) (gene string, certain bool)
}

// Validate returns an error for each setting that is out of range. It opens no file.
func (r *Table) Validate() (errs []error) {
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
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
	refuse(r.Label == SplitColumn, "%s = %q, which is the column that tells training from test samples", r.labelFlag(),
		r.Label)
	refuse(r.Labels == "" && slices.Contains(r.Drop, r.Label), "drop = %q, which is the %s", r.Label, r.labelFlag())
	refuse(times && r.Event != "" && slices.Contains([]string{r.Label, r.ID, r.Patient, SplitColumn}, r.Event),
		"event = %q, which is the time, the id, the patient or the split; want a column of its own", r.Event)
	refuse(times && slices.Contains(r.Drop, r.Event), "drop = %q, which is the event", r.Event)
	refuse(r.ID != "" && r.ID == r.Label, "id = %q, which is the label", r.ID)
	refuse(r.ID != "" && slices.Contains(r.Drop, r.ID), "drop = %q, which is the id", r.ID)
	refuse(r.Patient != "" && (r.Patient == r.Label || r.Patient == r.ID || r.Patient == SplitColumn),
		"patient = %q, which is the label, the id or the split; want a column of its own", r.Patient)
	refuse(r.Patient != "" && slices.Contains(r.Drop, r.Patient), "drop = %q, which is the patient", r.Patient)
	for i, c := range r.covariates() {
		flag, taken := c.Flag(), []string{r.Label, r.ID, r.Patient, SplitColumn}
		refuse(c.Name == "" || slices.Contains(taken, c.Name), "%s = %q, which is the label, the id, the patient or the "+
			"split; want a column of its own", flag, c.Name)
		refuse(c.Name == r.Event && times, "%s = %q, which is the event", flag, c.Name)
		refuse(slices.Contains(r.Drop, c.Name), "drop = %q, which is a %s", c.Name, flag)
		refuse(slices.ContainsFunc(r.covariates()[:i], func(other samples.Covariate) bool { return other.Name == c.Name }),
			"%s = %q, which is named twice", flag, c.Name)
	}
	refuse(r.Probes != "" && !slices.Contains(probes.AllRules, r.Probes), "probes = %q, want one of %v", string(r.Probes),
		probes.AllRules)
	refuse(r.Missing != "" && !slices.Contains(Missings, r.Missing), "missing = %q, want one of %v", string(r.Missing),
		Missings)
	refuse(!slices.Contains([]string{"", "error", dropUnlabelled}, r.Unlabelled), "unlabelled = %q, want error or %s",
		r.Unlabelled, dropUnlabelled)
	return errs
}

// Asked makes a userinput.Error of what was asked for wrongly: an error that is dataframe.ErrFormat.
func Asked(err error) error {
	if errors.Is(err, dataframe.ErrFormat) {
		return &userinput.Error{Err: err}
	}
	return err
}

// Notes are what a user should know about the files.
type Notes []string

// Add adds a note.
func (n *Notes) Add(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }
