package running

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// ErrStopped is the cause of the error of a run that was interrupted. What was finished
// is on the disk, and the same command goes on from there.
var ErrStopped = errors.New("stopped early; the same command goes on from here")

// ErrOutOfTime is ErrStopped where the deadline was the reason.
var ErrOutOfTime = fmt.Errorf("the time limit is near: %w", ErrStopped)

// A SignalError is the cause of a context that a signal ended.
type SignalError struct{ Signal os.Signal }

func (e *SignalError) Error() string { return e.Signal.String() }

// Signalled tells whether it was this signal that ended ctx.
func Signalled(ctx context.Context, sig os.Signal) bool {
	var cause *SignalError
	return errors.As(context.Cause(ctx), &cause) && cause.Signal == sig
}
