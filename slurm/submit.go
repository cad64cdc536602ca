package slurm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A Submission is one call of sbatch.
type Submission struct {
	Script *Script
	File   string        // absolute path of the rendered script
	Dir    string        // absolute path of the job's directory, with the folder of the log
	After  []JobID       // jobs that must end or fail before this job starts
	Begin  time.Duration // shortest time from the call to the start
	Env    []string      // variables for the job, in addition to the variables of this process
}

// Validate returns an error that names every value that sbatch would refuse or misread.
func (s *Submission) Validate() error {
	var errs []error
	for _, path := range []string{s.File, s.Dir} {
		if !filepath.IsAbs(path) {
			errs = append(errs, fmt.Errorf("path %q, want an absolute path", path))
		}
		errs = append(errs, checkWord("path", path))
	}
	if strings.ContainsAny(s.Dir, `%\`) || !utf8.ValidString(s.Dir) {
		errs = append(errs, fmt.Errorf(`folder %q: Slurm misreads a name with %% or \, or one that is not UTF-8; rename the `+
			`folder`, s.Dir))
	}
	for _, id := range s.After {
		errs = append(errs, id.check())
	}
	return errors.Join(append(errs, s.Script.Validate())...)
}

func (s *Submission) args() []string {
	args := []string{"--parsable", "--chdir=" + s.Dir, "--output=" + s.Script.Log}
	if len(s.After) > 0 {
		ids := make([]string, len(s.After))
		for i, id := range s.After {
			ids[i] = string(id)
		}
		args = append(args, "--dependency=afterany:"+strings.Join(ids, ":"))
	}
	if s.Begin > 0 {
		args = append(args, fmt.Sprintf("--begin=now+%d", int(s.Begin.Seconds())))
	}
	if s.Env != nil {
		args = append(args, "--export=ALL") // overrides SBATCH_EXPORT
	}
	return append(args, s.File)
}

// Line returns the call of sbatch as a command line for a shell.
func (s *Submission) Line() string { return shLine(append([]string{"sbatch"}, s.args()...)) }

// Submit submits a script. It tries again while the cluster is busy or down. If the user has too many jobs, it returns
// an Error of the kind SubmitLimit. If sbatch's answer is lost, it finds the job by its name, which must be unique.
//
// Cancelling ctx does not interrupt a running sbatch, because its job would run unnoticed.
func (c *Client) Submit(ctx context.Context, s *Submission) (job Accepted, err error) {
	if err := s.Validate(); err != nil {
		return job, err
	}
	tried := false
	err = c.retry(ctx, func() error {
		if tried {
			ids, err := c.inQueue(ctx, os.Getuid(), s.Script.Name)
			if err != nil {
				return err
			}
			if len(ids) > 0 {
				job.ID = ids[len(ids)-1]
				return nil
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		tried = true
		out, err := c.with(s.Env).limited(context.WithoutCancel(ctx), submitTimeout, "sbatch", s.args()...)
		accepted, unread := parseSubmitted(out.Stdout)
		if unread == nil { // whatever the exit code is
			job, err = accepted, nil
			job.Said = strings.TrimSpace(strings.ReplaceAll(out.Stderr, "sbatch: ", ""))
		}
		return cmp.Or(err, unread)
	})
	return job, err
}

// An Accepted is a job that the cluster has accepted.
type Accepted struct {
	ID      JobID
	Cluster string // "" means the cluster that was asked
	Said    string // messages of sbatch and of the site's plugins
}

var submitted = regexp.MustCompile(`(?m)^(?:Submitted batch job )?(\d{1,10})(?:(?:;| on cluster )(\S+))?[ \r]*$`)

// parseSubmitted reads the last line of stdout that has a job id. A site's plugins and wrappers may print other lines.
func parseSubmitted(stdout string) (job Accepted, err error) {
	all := submitted.FindAllStringSubmatch(stdout, -1)
	if all == nil {
		return job, fmt.Errorf("sbatch printed %q, want a job id", strings.TrimSpace(stdout))
	}
	last := all[len(all)-1]
	return Accepted{ID: JobID(last[1]), Cluster: last[2]}, JobID(last[1]).check()
}

// Find returns the ids of the user's jobs with the given name, the oldest first. It asks the queue, which forgets a job
// some minutes after its end. If the queue has no such job, Find asks accounting for jobs since the given time.
func (c *Client) Find(ctx context.Context, user int, name string, since time.Time) ([]JobID, error) {
	var ids []JobID
	err := c.retry(ctx, func() (err error) {
		ids, err = c.inQueue(ctx, user, name)
		return err
	})
	if err != nil || len(ids) > 0 {
		return ids, err
	}
	return c.inAccounts(ctx, user, name, since), ctx.Err()
}

func (c *Client) inQueue(ctx context.Context, user int, name string) ([]JobID, error) {
	if err := checkAlphabet("job name", name, nameSigns); err != nil {
		return nil, err
	}
	out, err := c.once(ctx, "squeue", "--noheader", "--states=all", "--user="+strconv.Itoa(user), "--name="+name,
		"--format=%F")
	if err != nil {
		return nil, err
	}
	return jobsOf(out.Stdout), nil
}

// inAccounts asks accounting once. It allows for clocks that differ by an hour.
func (c *Client) inAccounts(ctx context.Context, user int, name string, since time.Time) []JobID {
	out, err := c.once(ctx, "sacct", "--allocations", "--noheader", "--parsable2", "--format=JobID", "--name="+name,
		"--user="+strconv.Itoa(user), "--starttime="+since.Add(-time.Hour).Format(dateLayout))
	if err != nil {
		return nil // no answer, perhaps because there is no accounting
	}
	return jobsOf(out.Stdout)
}

// jobsOf reads ids of jobs and elements, such as 7, 7_3 and 7_[4-9], and returns the ids of the jobs, here 7.
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
