package slurm

import (
	"errors"
	"fmt"
	"strings"
)

// A Kind says what a caller can do about an Error.
type Kind uint8

const (
	Refused     Kind = iota // do not try again: Slurm would refuse again
	Transient               // try again: the controller is down or busy
	SubmitLimit             // try again when some jobs have ended: the user has as many jobs as allowed
	NoSuchJob               // the cluster has no such job, or has forgotten it
)

// An Error says how a command of Slurm failed.
type Error struct {
	Program string
	Kind    Kind
	Code    int    // exit code of the command; −1 if the command was killed
	Text    string // output on stderr, without the command's name
	Err     error  // why the command did not run or end; may be nil
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

// IsKind tells whether err is an Error of the given kind.
func IsKind(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}

// texts lists parts of messages of Slurm 20 to 24, in lower case. The first of these parts in a
// message decides its Kind.
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
		"could not establish a configuration source", // the machine has no slurm.conf
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
		"unexpected message received", // scontrol requeue prints this if the controller is down
		"message receive failure",
		"message send failure",
		"protocol authentication error", // munged is down, mostly only for a moment
		"try again later", "not available right now",
		"prolog is still running",
	}},
}

// generic is the message of some versions of Slurm for any limit of a user or of a QOS.
const generic = "job violates accounting/qos policy"

func classify(text string) Kind {
	text = strings.ToLower(text)
	for _, t := range texts {
		for _, part := range t.parts {
			if strings.Contains(text, part) {
				return t.kind
			}
		}
	}
	// Newer versions name the limit in a separate line. If texts does not have the limit, it applies to each job alone,
	// so another try would fail too.
	if i := strings.Index(text, generic); i >= 0 && !strings.Contains(text[:i], "qos") &&
		!strings.Contains(text[:i], "assoc") {
		return SubmitLimit
	}
	return Refused
}
