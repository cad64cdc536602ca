package slurm

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Record is an entry in Slurm's accounting: one start of a job or of an array element.
type Record struct {
	ID       JobID
	State    State // REQUEUED if the job starts again
	ExitCode int
	Signal   int // number of the signal that ended the job; 0 if there was none
	Node     string
	Start    time.Time
}

// clockSkew is the largest difference between the clocks of two machines that munge allows.
const clockSkew = 5 * time.Minute

// BeganBefore tells whether the job of the record started before the time of submission. If so, the record belongs to
// an earlier job with the same id.
func (r *Record) BeganBefore(submitted time.Time) bool {
	return !r.Start.IsZero() && r.Start.Before(submitted.Add(-clockSkew))
}

// accountingTries is the number of times that Accounting tries sacct. It is small, because accounting may be down for
// hours.
const accountingTries = 2

// Accounting returns a record of each start of a job or element, and of each waiting job. It returns only jobs with one
// of the given names, because a cluster may reuse ids. Accounting is some seconds behind the queue, and may lack
// elements that were cancelled while they waited.
func (c *Client) Accounting(ctx context.Context, names []string, ids ...JobID) ([]Record, error) {
	which, err := join(ids)
	if err != nil || which == "" {
		return nil, err
	}
	brief := *c
	brief.Tries = accountingTries
	out, err := brief.query(ctx, "sacct", "--allocations", "--duplicates", "--allusers", "--noheader",
		"--parsable2", "--name="+strings.Join(names, ","), "--jobs="+which, "--format=JobID,State,ExitCode,NodeList,Start")
	if err != nil { // the cluster may have no accounting
		return nil, err
	}
	return parseAccounting(out)
}

// parseAccounting reads one record from each line. It skips the line that stands for all waiting elements of an array.
func parseAccounting(text string) ([]Record, error) {
	var records []Record
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if id, _, _ := strings.Cut(line, "|"); line == "" || strings.Contains(id, "[") {
			continue
		}
		r, err := parseRecord(strings.Split(line, "|"))
		if err != nil {
			return nil, fmt.Errorf("sacct printed %q: %w", line, err)
		}
		records = append(records, r)
	}
	return records, nil
}

func parseRecord(f []string) (r Record, err error) {
	if len(f) != 5 {
		return r, fmt.Errorf("%d fields, want 5", len(f))
	}
	r = Record{ID: JobID(f[0]), State: parseState(f[1]), Node: f[3]}
	if !only(r.Node, letters+"_.,[]-") { // such as "None assigned"
		r.Node = ""
	}
	if err = r.ID.check(); err != nil {
		return r, err
	}
	code, sig, _ := strings.Cut(f[2], ":")
	if r.ExitCode, err = strconv.Atoi(code); err == nil {
		r.Signal, err = strconv.Atoi(sig)
	}
	if err != nil {
		return r, fmt.Errorf("exit code %q", f[2])
	}
	r.Start, err = parseDate(f[4])
	return r, err
}
