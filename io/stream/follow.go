package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Follow reads a file that is still growing: at its end it waits for more. It ends with the error of the
// context, and with an error if the file becomes shorter, or its name is that of another one or of none.
func Follow(ctx context.Context, f *os.File) io.Reader { return &follower{ctx: ctx, file: f} }

// look is how often a follower looks for more.
const look = 100 * time.Millisecond

type follower struct {
	ctx  context.Context
	file *os.File
	at   int64
}

func (f *follower) Read(p []byte) (int, error) {
	for {
		n, err := f.file.Read(p)
		f.at += int64(n)
		if n > 0 || err != io.EOF {
			return n, err
		}
		info, err := f.file.Stat()
		if err == nil && info.Size() < f.at {
			return 0, fmt.Errorf("%s: has become shorter while it was read", f.file.Name())
		}
		there, gone := os.Stat(f.file.Name())
		if errors.Is(gone, fs.ErrNotExist) || err == nil && gone == nil && !os.SameFile(info, there) {
			return 0, fmt.Errorf("%s: was renamed, removed or replaced while it was followed", f.file.Name())
		}
		select {
		case <-f.ctx.Done():
			return 0, f.ctx.Err()
		case <-time.After(look):
		}
	}
}
