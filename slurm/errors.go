package slurm

import (
	"errors"
	"fmt"
	"strings"
)

// A Kind says what can be done about an Error.
type Kind uint8

const (
	Refused     Kind = iota // another try will be refused too
	Transient               // the controller is down or busy: try again
	SubmitLimit             // the user has the maximum number of jobs: try again when some have ended
	NoSuchJob               // the cluster does not know the job, or has forgotten it
)

// An Error is the failure of one of Slurm's commands.
type Error struct {
	Program string
	Kind    Kind
	Code    int    // exit code; −1 if the program was killed
	Text    string // what the program printed to stderr, without the program's name
	Err     error  // why the program did not run or did not end; nil if it did
}

func (e *Error) Error() string {
	said := strings.ReplaceAll(e.Text, "\n", "; ")
	switch {
	case e.Text != "" && e.Err != nil:
		return fmt.Sprintf("%s: %v: %s", e.Program, e.Err, said)
	case e.Err != nil:
		return fmt.Sprintf("%s: %v", e.Program, e.Err)
	case e.Text == "":
		return fmt.Sprintf("%s: exit code %d without a message", e.Program, e.Code)
	default:
		return fmt.Sprintf("%s: %s", e.Program, said)
	}
}

// Unwrap returns the cause, if there is one.
func (e *Error) Unwrap() error { return e.Err }

// IsKind tells whether err is an Error of the kind.
func IsKind(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}

// texts lists messages of Slurm 20 to 24, in lower case, in the order of the search.
var texts = []struct {
	kind  Kind
	parts []string
}{
	{NoSuchJob, []string{
		"invalid job id specified",
	}},
	{SubmitLimit, []string{
		"maxsubmitjob", // AssocMaxSubmitJobLimit, QOSMaxSubmitJobPerUserLimit and similar limits
		"grpsubmitjob",
	}},
	{Refused, []string{
		"could not establish a configuration source", // a machine without slurm.conf
	}},
	{Transient, []string{
		"unable to contact slurm controller",
		"socket timed out",
		"connection refused",
		"connection reset",
		"connection timed out",
		"communication connection failure",
		"communication shutdown failure",
		"transport endpoint is not connected",
		"zero bytes were transmitted or received",
		"resource temporarily unavailable",
		"temporarily unable to accept job",
		"slurm job queue full",
		"job creation temporarily disabled",
		"standby mode",
		"unable to load job state information",
		"unexpected missing socket error", "header lengths are longer than data received", // the answer was cut off
		"unexpected message received", // what scontrol requeue says if the controller is down
		"message receive failure",
		"message send failure",
		"protocol authentication error", // munged is down, mostly for a moment
		"try again later", "not available right now",
		"prolog is still running",
	}},
}

// generic is what some versions of Slurm print for any limit of a user or a quality of service.
const generic = "job violates accounting/qos policy"

// classify returns the kind of a failure from the command's output.
func classify(text string) Kind {
	text = strings.ToLower(text)
	for _, t := range texts {
		for _, part := range t.parts {
			if strings.Contains(text, part) {
				return t.kind
			}
		}
	}
	// Newer versions name the limit in a separate line. A limit that texts does not list applies to one job, so
	// another try would fail too.
	if i := strings.Index(text, generic); i >= 0 && !strings.Contains(text[:i], "qos") &&
		!strings.Contains(text[:i], "assoc") {
		return SubmitLimit
	}
	return Refused
}
