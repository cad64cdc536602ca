package slurm

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Find returns the ids of this user's jobs with exactly this name, the oldest first: those
// that the queue knows, which forgets a job some minutes after its end, else those that
// the accounts have of the time since, if there are accounts and they answer.
func (c *Client) Find(ctx context.Context, name string, since time.Time) ([]JobID, error) {
	var ids []JobID
	err := c.retry(ctx, func() (err error) {
		ids, err = c.inQueue(ctx, name)
		return err
	})
	if err != nil || len(ids) > 0 {
		return ids, err
	}
	return c.inAccounts(ctx, name, since), ctx.Err()
}

// inQueue looks for jobs of a name in the queue, once.
func (c *Client) inQueue(ctx context.Context, name string) ([]JobID, error) {
	if err := checkAlphabet("job name", name, nameSigns); err != nil {
		return nil, err
	}
	out, err := c.once(ctx, "squeue", "--noheader", "--states=all", "--me", "--name="+name, "--format=%F")
	if err != nil {
		return nil, err
	}
	return jobsOf(out.Stdout), nil
}

// inAccounts looks for jobs of a name in the accounts, once. The clocks of this machine
// and of the controller may differ by an hour.
func (c *Client) inAccounts(ctx context.Context, name string, since time.Time) []JobID {
	out, err := c.once(ctx, "sacct", "--allocations", "--noheader", "--parsable2", "--format=JobID", "--name="+name,
		"--user="+strconv.Itoa(os.Getuid()), "--starttime="+since.Add(-time.Hour).Format(dateLayout))
	if err != nil {
		return nil // no accounts, or none now
	}
	return jobsOf(out.Stdout)
}

// jobsOf reads ids of jobs and of elements, as 7, 7_3 and 7_[4-9], and returns the jobs'.
func jobsOf(text string) []JobID {
	var numbers []int
	for _, word := range strings.Fields(text) {
		job, _, _ := strings.Cut(word, "_")
		if n, err := strconv.ParseUint(job, 10, 32); err == nil {
			numbers = append(numbers, int(n))
		}
	}
	slices.Sort(numbers)
	var ids []JobID
	for _, n := range slices.Compact(numbers) {
		ids = append(ids, JobID(strconv.Itoa(n)))
	}
	return ids
}
