package slurm

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Record is one life of a job, or of an element of a job array, in the accounts. A job
// that was requeued has several.
type Record struct {
	ID       JobID
	State    State // REQUEUED: this life has ended, another follows
	ExitCode int
	Signal   int // that ended it; 0: none
	Node     string
	Start    time.Time
}

// accountingTries is how often the accounts are asked: nothing that cannot wait depends on them, and their database
// may be down for hours.
const accountingTries = 2

// Accounting returns all lives of jobs and elements that have begun, and of those that
// wait what there is. The accounts trail the queue by some seconds, and elements cancelled
// while they wait may not be in them.
func (c *Client) Accounting(ctx context.Context, ids ...JobID) ([]Record, error) {
	which, err := join(ids)
	if err != nil || which == "" {
		return nil, err
	}
	brief := *c
	brief.Tries = accountingTries
	out, err := brief.query(ctx, "sacct", "--allocations", "--duplicates", "--noheader", "--parsable2",
		"--jobs="+which, "--format=JobID,State,ExitCode,NodeList,Start")
	if err != nil { // also where there are no accounts
		return nil, err
	}
	return parseAccounting(out)
}

func parseAccounting(text string) ([]Record, error) {
	var records []Record
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			continue
		}
		r, waits, err := parseRecord(strings.Split(line, "|"))
		if err != nil {
			return nil, fmt.Errorf("sacct printed %q: %w", line, err)
		}
		if !waits {
			records = append(records, r)
		}
	}
	return records, nil
}

// parseRecord reads a line. Elements that have not begun share one, with a list of their
// indices.
func parseRecord(f []string) (r Record, waits bool, err error) {
	if len(f) != 5 {
		return r, false, fmt.Errorf("%d fields, want 5", len(f))
	}
	if strings.ContainsRune(f[0], '[') {
		return r, true, nil
	}
	if r.ID, err = parseJobID(f[0]); err != nil {
		return r, false, err
	}
	r.State, r.Node = parseState(f[1]), f[3]
	code, sig, _ := strings.Cut(f[2], ":")
	if r.ExitCode, err = strconv.Atoi(code); err != nil {
		return r, false, fmt.Errorf("exit code %q", f[2])
	}
	if r.Signal, err = strconv.Atoi(sig); err != nil {
		return r, false, fmt.Errorf("exit code %q", f[2])
	}
	r.Start, err = parseDate(f[4])
	return r, false, err
}
