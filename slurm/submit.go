package slurm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// A Submission is one call of sbatch.
type Submission struct {
	Script *Script
	File   string  // the rendered script, absolute
	Dir    string  // the job's directory, absolute. The folder of the script's log must be there
	After  []JobID // jobs that must end first, in whatever way
}

// Validate reports what sbatch would refuse, or misread.
func (s *Submission) Validate() error {
	var errs []error
	for _, path := range []string{s.File, s.Dir} {
		if !filepath.IsAbs(path) {
			errs = append(errs, fmt.Errorf("path %q, want an absolute one", path))
		}
		errs = append(errs, checkWord("path", path))
	}
	if strings.ContainsAny(s.Dir, `%\`) {
		errs = append(errs, fmt.Errorf(`directory %q: Slurm reads %% and \ as patterns in the names of logs; rename it`,
			s.Dir))
	}
	for _, id := range s.After {
		errs = append(errs, id.check())
	}
	return errors.Join(append(errs, s.Script.Validate())...)
}

// args returns the arguments of sbatch.
func (s *Submission) args() []string {
	args := []string{"--parsable", "--chdir=" + s.Dir, "--output=" + s.Script.Log}
	if len(s.After) > 0 {
		ids := make([]string, len(s.After))
		for i, id := range s.After {
			ids[i] = string(id)
		}
		args = append(args, "--dependency=afterany:"+strings.Join(ids, ":"))
	}
	return append(args, s.File)
}

// Line returns the command for a shell.
func (s *Submission) Line() string { return shLine(append([]string{"sbatch"}, s.args()...)) }

// Submit submits a script. It tries again while the cluster is busy or down, and returns
// an Error of the kind SubmitLimit when the user has too many jobs. A job whose answer was
// lost is found by its name and not submitted twice, so the name must be no other job's.
//
// An sbatch that has begun is not interrupted by ctx, for its job would run unknown.
func (c *Client) Submit(ctx context.Context, s *Submission) (job JobID, err error) {
	if err := s.Validate(); err != nil {
		return "", err
	}
	tried := false
	err = c.retry(ctx, func() error {
		if tried {
			ids, err := c.inQueue(ctx, s.Script.Name)
			if err != nil {
				return err
			}
			if len(ids) > 0 {
				job = ids[len(ids)-1]
				return nil
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		tried = true
		out, err := c.limited(context.WithoutCancel(ctx), submitTimeout, "sbatch", s.args()...)
		if err != nil {
			return err
		}
		job, err = parseSubmitted(out.Stdout)
		return err
	})
	return job, err
}

// parseSubmitted reads "id" or "id;cluster". Plugins of a site may print lines before it.
func parseSubmitted(stdout string) (JobID, error) {
	text := strings.TrimSpace(stdout)
	line := text[strings.LastIndexByte(text, '\n')+1:]
	id, _, _ := strings.Cut(line, ";")
	if _, err := strconv.ParseUint(id, 10, 32); err != nil {
		return "", fmt.Errorf("sbatch printed %q, want a job id", text)
	}
	return JobID(id), nil
}
