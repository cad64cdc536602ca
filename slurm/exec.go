package slurm

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Output is the result of a command.
type Output struct {
	Stdout, Stderr string
	Code           int
}

// A Runner runs commands.
type Runner interface {
	// Run runs a program until it ends or ctx is done. If the program exits, with any exit code, the error is nil. If the
	// program does not exist, the error wraps exec.ErrNotFound.
	Run(ctx context.Context, name string, args ...string) (Output, error)
}

// Exec runs commands on this machine, without environment variables that would change Slurm's commands.
type Exec struct {
	Env  []string // additional variables
	Keep *os.File // locked file that commands hold open, even after this process has ended; may be nil
}

var _ Runner = Exec{}

// Run implements Runner. The command gets its own process group, so that Ctrl-C in the terminal does not end it.
func (e Exec) Run(ctx context.Context, name string, args ...string) (Output, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !reaches(name)
	})
	cmd.Env = append(cmd.Env, e.Env...)
	if e.Keep != nil {
		cmd.ExtraFiles = []*os.File{e.Keep}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	out := Output{Stdout: stdout.String(), Stderr: stderr.String(), Code: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		err = nil
	}
	return out, err
}
