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
	"time"

	"golang.org/x/time/rate"
)

// A JobID is the id of a job, such as 123, or of an element of a job array, such as 123_4.
type JobID string

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

// A Client runs Slurm's commands to talk to a cluster. The zero Client is ready to use.
type Client struct {
	Runner  Runner                                           // nil means Exec
	Timeout time.Duration                                    // limit for each command except sbatch; 0 means one minute
	Tries   int                                              // tries of each command; 0 means 8, which take two minutes
	Sleep   func(ctx context.Context, d time.Duration) error // nil means to wait in real time
	Notify  func(err error, wait time.Duration)              // called before each wait; may be nil
	Rate    *rate.Limiter                                    // limit for calls of the controller; nil means no limit
	Cluster string                                           // cluster to ask; "" means the cluster of this machine
	Clock   func() time.Time                                 // nil means time.Now
}

// On returns a client that asks another cluster, and tries each command only once.
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

// Polite returns a limit that administrators accept: ten commands at once, then one per second.
func Polite() *rate.Limiter { return rate.NewLimiter(rate.Every(time.Second), 10) }

// submitTimeout is the time limit of sbatch. sbatch itself retries for some minutes.
const submitTimeout = 10 * time.Minute

var tools = []string{"sbatch", "squeue", "scancel", "scontrol"}

// versionArgs make a command print its version without asking the controller.
var versionArgs = []string{"--version"}

// A MissingError is the error if Slurm is not installed or not configured.
type MissingError struct {
	Tools []string // commands that are not installed; nil if Slurm is installed but not configured
	Err   error
}

func (e *MissingError) Error() string {
	const instead = "submit on a login node of a cluster, or run the plan on this machine with gdrun local"
	if len(e.Tools) == 0 {
		first, _, _ := strings.Cut(e.Err.Error(), ";")
		return fmt.Sprintf("Slurm is installed here, but not set up: %s; %s", first, instead)
	}
	return fmt.Sprintf("this machine has no %s on its PATH; %s", strings.Join(e.Tools, ", "), instead)
}

// Unwrap returns the cause, if there is one.
func (e *MissingError) Unwrap() error { return e.Err }

// Available returns a MissingError if a command is missing or Slurm is not configured. It asks no controller.
func (c *Client) Available(ctx context.Context) error {
	var missing []string
	for _, tool := range tools {
		_, err := c.query(ctx, tool, versionArgs...)
		switch {
		case errors.Is(err, exec.ErrNotFound):
			missing = append(missing, tool)
		case err != nil && strings.Contains(err.Error(), "configuration source"):
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

// with returns a client whose commands also get the variables in env.
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

// once runs a command once, within c.Timeout. It returns an Error or the error of ctx.
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
	text := strings.NewReplacer(name+": error: ", "", name+": fatal: ", "").Replace(strings.TrimSpace(out.Stderr))
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case limited.Err() != nil && err != nil:
		return out, &Error{Program: name, Kind: Transient, Code: -1, Text: text,
			Err: fmt.Errorf("no answer within %v", limit)}
	case err != nil:
		e := &Error{Program: name, Code: -1, Text: text, Err: err}
		if errors.As(err, new(*exec.ExitError)) { // killed, perhaps after the controller did what it was asked
			e.Kind = Transient
		}
		return out, e
	case out.Code != 0:
		return out, &Error{Program: name, Kind: classify(text), Code: out.Code, Text: text}
	}
	return out, nil
}

// query runs a command, with retries, and returns its output.
func (c *Client) query(ctx context.Context, name string, args ...string) (string, error) {
	var out Output
	err := c.retry(ctx, func() (err error) {
		out, err = c.once(ctx, name, args...)
		return err
	})
	return out.Stdout, err
}

// retry calls try until it succeeds, fails permanently, or was called c.Tries times. The first wait takes a second, and
// each wait is twice as long as the last, up to a minute.
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

// Wait waits for the time d before the next try. If reason is not nil, it calls Notify first.
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

// NodeClient returns a client for use inside a job. It gives up after half a minute, because a job also works without
// an answer.
func NodeClient() *Client { return &Client{Timeout: 14 * time.Second, Tries: 2} }
