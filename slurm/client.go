package slurm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/time/rate"
)

// A JobID names a job, as 123, or one element of a job array, as 123_4.
type JobID string

// check refuses what is no id.
func (id JobID) check() error {
	job, index, isElement := strings.Cut(string(id), "_")
	_, err := strconv.ParseUint(job, 10, 32)
	if isElement && err == nil {
		_, err = strconv.ParseUint(index, 10, 31)
	}
	if err != nil {
		return fmt.Errorf("job id = %q, want a number, or number_index", id)
	}
	return nil
}

// A Client talks to a cluster by Slurm's own commands. The zero Client is ready to use.
type Client struct {
	Runner  Runner                                           // nil: Exec
	Timeout time.Duration                                    // of one command other than sbatch; 0: a minute
	Tries   int                                              // of what fails for a while; 0: 8, in two minutes
	Sleep   func(ctx context.Context, d time.Duration) error // nil: the clock's
	Notify  func(err error, wait time.Duration)              // if not nil, told of each wait before another try
	Rate    *rate.Limiter                                    // of the commands that ask the controller; nil: no limit
	Cluster string                                           // that is asked; empty: the one of this machine
	Clock   func() time.Time                                 // nil: time.Now
}

// On returns a client that asks another cluster, and does not wait for one that gives no answer. Slurm finds other
// clusters by its accounts.
func (c *Client) On(cluster string) *Client {
	other := *c
	other.Cluster, other.Tries, other.Timeout = cluster, 1, 20*time.Second
	return &other
}

// Now returns the time by the client's clock.
func (c *Client) Now() time.Time {
	if c.Clock != nil {
		return c.Clock()
	}
	return time.Now()
}

// Polite is a rate that no administrator minds: ten commands at once, and one a second in the
// long run.
func Polite() *rate.Limiter { return rate.NewLimiter(rate.Every(time.Second), 10) }

// submitTimeout leaves sbatch the time of its own tries, which take some minutes.
const submitTimeout = 10 * time.Minute

// tools are the commands without which nothing can be submitted and watched.
var tools = []string{"sbatch", "squeue", "scancel", "scontrol"}

// versionArgs have a command tell its version, for which it asks nobody.
var versionArgs = []string{"--version"}

// A MissingError says that this machine cannot talk to a cluster.
type MissingError struct {
	Tools []string // that are not installed; none: they are, and do not work
	Err   error
}

func (e *MissingError) Error() string {
	const instead = "submit from a login node of a cluster, or run the plan on this machine with gdrun local"
	if len(e.Tools) == 0 {
		first, _, _ := strings.Cut(e.Err.Error(), ";")
		return fmt.Sprintf("Slurm is installed but not set up here: %s; %s", first, instead)
	}
	return fmt.Sprintf("no %s on this machine's PATH; %s", strings.Join(e.Tools, ", "), instead)
}

// Unwrap returns the cause, if there is one.
func (e *MissingError) Unwrap() error { return e.Err }

// Available returns a MissingError unless all commands are there and know a cluster. It
// does not ask whether the cluster answers.
func (c *Client) Available(ctx context.Context) error {
	var missing []string
	for _, tool := range tools {
		out, err := c.once(ctx, tool, versionArgs...)
		switch {
		case errors.Is(err, exec.ErrNotFound):
			missing = append(missing, tool)
		case err != nil && strings.Contains(out.Stderr, "configuration source"):
			return &MissingError{Err: err}
		case err != nil:
			return err
		}
	}
	if missing != nil {
		return &MissingError{Tools: missing, Err: exec.ErrNotFound}
	}
	return nil
}

// with returns a client whose commands on this machine have more variables.
func (c *Client) with(env []string) *Client {
	on, ours := c.Runner.(Exec)
	if len(env) == 0 || !ours && c.Runner != nil {
		return c
	}
	on.Env = env
	more := *c
	more.Runner = on
	return &more
}

// once runs a command, within the client's time limit. It turns every failure into an
// Error.
func (c *Client) once(ctx context.Context, name string, args ...string) (Output, error) {
	return c.limited(ctx, cmp.Or(c.Timeout, time.Minute), name, args...)
}

func (c *Client) limited(ctx context.Context, limit time.Duration, name string, args ...string) (Output, error) {
	if c.Rate != nil && !slices.Equal(args, versionArgs) {
		if err := c.Rate.Wait(ctx); err != nil {
			return Output{Code: -1}, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	runner := c.Runner
	if runner == nil {
		runner = Exec{}
	}
	if c.Cluster != "" && !slices.Equal(args, versionArgs) {
		args = slices.Insert(slices.Clone(args), 0, "--clusters="+c.Cluster)
	}
	out, err := runner.Run(limited, name, args...)
	if title, rest, _ := strings.Cut(out.Stdout, "\n"); strings.HasPrefix(title, "CLUSTER: ") {
		out.Stdout = rest
	}
	text := strings.ReplaceAll(strings.TrimSpace(out.Stderr), name+": error: ", "")
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case limited.Err() != nil && err != nil:
		return out, &Error{Program: name, Kind: Transient, Code: -1, Text: text,
			Err: fmt.Errorf("no answer within %v", limit)}
	case err != nil:
		e := &Error{Program: name, Code: -1, Text: text, Err: err}
		if strings.Contains(err.Error(), syscall.SIGPIPE.String()) { // the controller has closed the connection
			e.Kind = Transient
		}
		return out, e
	case out.Code != 0:
		return out, &Error{Program: name, Kind: classify(text), Code: out.Code, Text: text}
	}
	return out, nil
}

// query runs a command that may be run any number of times and returns what it prints.
func (c *Client) query(ctx context.Context, name string, args ...string) (string, error) {
	var out Output
	err := c.retry(ctx, func() (err error) {
		out, err = c.once(ctx, name, args...)
		return err
	})
	return out.Stdout, err
}

// retry calls try until it succeeds, fails for good, or has failed too often. It waits a second, and then twice as
// long every time, up to a minute.
func (c *Client) retry(ctx context.Context, try func() error) error {
	tries := cmp.Or(c.Tries, 8)
	for n, wait := 1, time.Second; ; n, wait = n+1, min(2*wait, time.Minute) {
		err := try()
		if err == nil || !IsKind(err, Transient) {
			return err
		}
		if n >= tries {
			return fmt.Errorf("%w (tried %d times)", err, n)
		}
		if err := c.Wait(ctx, err, wait); err != nil {
			return err
		}
	}
}

// Wait waits before another try and tells why. A reason of nil is not told.
func (c *Client) Wait(ctx context.Context, reason error, d time.Duration) error {
	if c.Notify != nil && reason != nil {
		c.Notify(reason, d)
	}
	if c.Sleep != nil {
		return c.Sleep(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// NodeClient returns a client for use within a job, where neither the beginning of the work nor the little time before
// the limit may be spent on a controller that hangs: it gives up after half a minute. Nothing depends on an answer.
func NodeClient() *Client { return &Client{Timeout: 14 * time.Second, Tries: 2} }
