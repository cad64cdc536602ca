package sampletable

import (
	"errors"
	"fmt"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/probes"
	"graphda/io/samples"
	"graphda/jobs/userinput"
)

// A Task is the kind of label that models learn to predict.
type Task string

const (
	Classification Task = "classification" // labels of two classes, −1 and +1
	Regression     Task = "regression"     // labels are numbers
	Survival       Task = samples.Survival // event times, some of them censored
)

var Tasks = []Task{Classification, Regression, Survival}

func (r *Table) labelFlag() string {
	if r.Task == Survival {
		return "time"
	}
	return "label"
}

// DefaultLabel is the default name of the label's column.
const DefaultLabel = "y"

// A Table says how to read a user's table of samples.
type Table struct {
	Samples string // path of the samples
	Labels  string // path of the labels, joined by id; "" if the samples' file has them
	Text    dataframe.Options
	Force   bool // accept probable mistakes (see package safefile and reader.leaveOut)

	Probes     probes.Rule // how to combine columns of one gene; "" if each column is a feature
	Missing    Missing     // what to do with missing values; "" means MissingError
	Unlabelled string      // what to do with samples without a label: "error" (or "") or "drop"
	Label      string      // column of the label; for Survival, column of the times
	Event      string      // column that says whether there was an event; "" except under Survival
	Strata     string      // column of the strata under Survival; "" if all samples are in one stratum
	Task       Task
	Positive   string   // the label of the class +1; "" if labels are 0 and 1, −1 and 1, false and true, and the like
	Rest       bool     // every label except Positive belongs to the class −1
	ID         string   // column of the samples' ids; "" means an index column or, without one, row numbers
	RowNames   bool     // whether an index (row names) has the ids, even if other columns look like ids
	Patient    string   // column of the samples' patients, in either file; "" if every sample is of a different patient
	Covariates []string // columns of covariates, in either file; see coding.Listed
	Batches    []string // columns of batches, listed like Covariates; new samples get the mean of the training samples
	Weight     string   // column of the samples' weights, in either file; "" if all weights are equal
	Drop       []string // columns of the samples' file to ignore

	// NoSplit returns the error for a file with a column SplitColumn. If it is nil, the column is allowed.
	NoSplit func(path string) error

	// GeneOf returns the gene that a column measures. certain is false if the column measures several genes. If GeneOf is
	// nil, the names of columns are genes.
	GeneOf func(column string) (gene string, certain bool)
	head   []string // names of the columns of both files; set by the method open
}

type refusals []error

func (r *refusals) add(bad bool, format string, args ...any) {
	if bad {
		*r = append(*r, fmt.Errorf(format, args...))
	}
}

// Validate returns an error for each setting that is out of range. It opens no file.
func (r *Table) Validate() (errs []error) {
	refuse := (*refusals)(&errs).add
	refuse(!slices.Contains(Tasks, r.Task), "task = %q, want one of %s", r.Task, message.List(Tasks))
	times := r.Task == Survival
	refuse(!times && r.Event != "", "event = %q is for --task %s", r.Event, Survival)
	refuse(!times && r.Strata != "", "strata = %q is for --task %s", r.Strata, Survival)
	refuse(times && r.Weight != "", "sample-weight = %q is for --task %s and %s", r.Weight, Classification, Regression)
	refuse(r.Task == Regression && r.Positive != "", "positive = %q is for --task %s and %s", r.Positive,
		Classification, Survival)
	refuse(r.Rest && (r.Task != Classification || r.Positive == ""), "--rest is for --task %s with --positive CLASS: it "+
		"compares this class with all others", Classification)
	refuse(r.Label == "" && !times, "--label is empty, want the name of a column")
	refuse(r.Label == SplitColumn, "%s = %q is the column that tells training from test samples; want a different column",
		r.labelFlag(), r.Label)
	label := role{theLabel, r.labelFlag(), r.Label}
	for _, c := range []role{label, {theEvent, "event", r.Event}, {0, "id", r.ID}, {thePatient, "patient", r.Patient}} {
		refuse(c.name != "" && (c != label || r.Labels == "") && slices.Contains(r.Drop, c.name),
			"drop = %q is also --%s; name the column in only one of them", c.name, c.flag)
	}
	refuse(times && r.Event != "" && slices.Contains([]string{r.Label, r.ID, r.Patient, SplitColumn}, r.Event),
		"event = %q is also the time, the id, the patient or the split; want a different column", r.Event)
	refuse(r.ID != "" && r.ID == r.Label, "id = %q is also the label; want a different column", r.ID)
	refuse(r.Patient != "" && (r.Patient == r.Label || r.Patient == r.ID || r.Patient == SplitColumn),
		"patient = %q is also the label, the id or the split; want a different column", r.Patient)
	refuse(r.Probes != "" && !slices.Contains(probes.AllRules, r.Probes), "probes = %q, want one of %s", string(r.Probes),
		message.List(probes.AllRules))
	refuse(r.Missing != "" && !slices.Contains(Missings, r.Missing), "missing = %q, want one of %s", string(r.Missing),
		message.List(Missings))
	refuse(!slices.Contains([]string{"", "error", dropUnlabelled}, r.Unlabelled), "unlabelled = %q, want error or %s",
		r.Unlabelled, dropUnlabelled)
	return errs
}

// Asked turns an error that wraps dataframe.ErrFormat into a userinput.Error: the user's flags caused it.
func Asked(err error) error {
	if errors.Is(err, dataframe.ErrFormat) {
		return &userinput.Error{Err: err}
	}
	return err
}

// Notes are notes to the user about the files.
type Notes []string

// Add adds a note.
func (n *Notes) Add(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }
