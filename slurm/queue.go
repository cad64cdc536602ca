package slurm

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Entry is a job, or an element of a job array, in the queue.
type Entry struct {
	ID     JobID // 123_4 for an element
	Job    JobID // of the whole array
	Index  int   // −1 outside an array
	State  State
	Reason string // why it waits, or ended: Resources, JobHeldUser, NonZeroExitCode, …
	Node   string // or several
	Name   string
	Dir    string // that it works in
}

// record and field stand between jobs and between their fields. A name may hold anything
// else, line ends too.
const record, field = "\x1e", "\x1f"

// queueFormat has the fields of an Entry in the order of squeue's letters.
const queueFormat = record + "%F" + field + "%K" + field + "%T" + field + "%r" + field + "%N" + field + "%j" +
	field + "%Z" + field

// Queue returns what the cluster knows of a job or of all the elements of an array, also if they ended some
// minutes ago; nothing of an id that it does not know. The controller looks one id up; of several in
// one command it sends its whole table of jobs.
func (c *Client) Queue(ctx context.Context, id JobID) ([]Entry, error) {
	if err := id.check(); err != nil {
		return nil, err
	}
	return c.queue(ctx, "--jobs="+string(id))
}

// OwnQueue returns what the cluster knows of this user's jobs, of all or of those with these names.
func (c *Client) OwnQueue(ctx context.Context, names ...string) ([]Entry, error) {
	args := []string{"--me"}
	if len(names) > 0 {
		args = append(args, "--name="+strings.Join(names, ","))
	}
	return c.queue(ctx, args...)
}

func (c *Client) queue(ctx context.Context, which ...string) ([]Entry, error) {
	args := append([]string{"--noheader", "--array", "--states=all", "--format=" + queueFormat}, which...)
	out, err := c.query(ctx, "squeue", args...)
	if IsKind(err, NoSuchJob) { // if it is the only one
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseQueue(out)
}

func parseQueue(text string) ([]Entry, error) {
	var entries []Entry
	_, text, _ = strings.Cut(text, record) // of several clusters, a title
	if text == "" {
		return nil, nil
	}
	for line := range strings.SplitSeq(text, record) {
		e, err := parseEntry(line)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func parseEntry(text string) (Entry, error) {
	f := strings.Split(text, field)
	if len(f) != 8 {
		return Entry{}, fmt.Errorf("squeue printed %q: %d fields, want 8", text, len(f))
	}
	e := Entry{ID: JobID(f[0]), Job: JobID(f[0]), Index: -1, State: parseState(f[2]), Reason: f[3], Node: f[4],
		Name: f[5], Dir: f[6]}
	if f[1] != "N/A" {
		e.ID += JobID("_" + f[1])
		e.Index, _ = strconv.Atoi(f[1]) // checked with the id
	}
	if err := e.ID.check(); err != nil {
		return Entry{}, fmt.Errorf("squeue printed %q: %w", text, err)
	}
	return e, nil
}

// TimeLeft returns the time that a running job has left until its limit. Preemption and
// maintenance may come before. A job without a limit has Unlimited or, on some versions, a
// year.
func (c *Client) TimeLeft(ctx context.Context, id JobID) (time.Duration, error) {
	if err := id.check(); err != nil {
		return 0, err
	}
	out, err := c.query(ctx, "squeue", "--noheader", "--jobs="+string(id), "--format=%L")
	if err != nil {
		return 0, err
	}
	text := strings.TrimSpace(out)
	if text == "" {
		return 0, &Error{Program: "squeue", Kind: NoSuchJob, Text: "job " + string(id) + " does not run"}
	}
	return parseLeft(text[strings.LastIndexByte(text, '\n')+1:])
}

// Cancel cancels jobs, or elements. What has ended is no error.
func (c *Client) Cancel(ctx context.Context, ids ...JobID) error {
	for some := range slices.Chunk(ids, 1000) { // in one command
		which, err := join(some)
		if err != nil {
			return err
		}
		_, err = c.query(ctx, "scancel", strings.Split(which, ",")...)
		if err != nil && !IsKind(err, NoSuchJob) && !strings.Contains(err.Error(), "already completing or completed") {
			return err
		}
	}
	return nil
}

// Requeue puts running jobs, or elements, back into the queue. A job may do so with itself,
// by Env.ID, unless its site forbids it; it is then sent TERM.
func (c *Client) Requeue(ctx context.Context, ids ...JobID) error {
	which, err := join(ids)
	if err != nil || which == "" {
		return err
	}
	_, err = c.query(ctx, "scontrol", "requeue", which)
	return err
}

// join returns ids with commas between.
func join(ids []JobID) (string, error) {
	words := make([]string, len(ids))
	for i, id := range ids {
		if err := id.check(); err != nil {
			return "", err
		}
		words[i] = string(id)
	}
	return strings.Join(words, ","), nil
}
