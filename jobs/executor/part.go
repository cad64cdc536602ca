package executor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"syscall"
	"time"

	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

// A part is the file to which an attempt at a task appends rows. If it is in the scratch folder, it has copies in the
// run's folder.
type part struct {
	*results.Part
	scratch *os.File // reads a part in the scratch folder; nil for a part in the run's folder
	copy    string   // path of the copy in the run's folder
	copied  time.Time
}

// copyEvery is the time between two copies of a part in the scratch folder. If the node fails, at most this much work
// is lost.
const copyEvery = time.Minute

// errScratch means that scratch files cannot be written, or that a program cannot be started. Other tasks of the
// submission would fail in the same way.
var errScratch = errors.New("nothing was begun")

// createPart makes the part of an attempt at a task. If scratch is empty, the part is in the run's folder.
func createPart(r *run.Run, t *plan.Task, attempt, scratch string) (*part, error) {
	if err := r.MakeFolder(t); err != nil {
		return nil, err
	}
	inPlace, err := results.CreatePart(r.Folder(t), t.Number, attempt, plan.Layout())
	if err != nil {
		return nil, err
	}
	if scratch == "" {
		return &part{Part: inPlace}, nil
	}
	// This empty part in the run's folder reserves the name of the copies.
	if err := inPlace.Close(); err != nil {
		return nil, err
	}
	onScratch, err := createOnScratch(scratch)
	if err != nil {
		err = fmt.Errorf("scratch folder %s: %w", scratch, err)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) {
			err = fmt.Errorf("%w: %w", errScratch, err)
		}
		return nil, errors.Join(err, os.Remove(inPlace.Path()))
	}
	onScratch.copy = inPlace.Path()
	return onScratch, nil
}

func createOnScratch(scratch string) (*part, error) {
	write, read, err := privateFile(scratch)
	if err != nil {
		return nil, err
	}
	p, err := results.NewPart(write, plan.Layout())
	if err != nil {
		return nil, errors.Join(err, write.Close(), read.Close())
	}
	return &part{Part: p, scratch: read, copied: time.Now()}, nil
}

func (p *part) append(rows []results.Row) error {
	if err := p.Append(rows...); err != nil || p.scratch == nil || time.Since(p.copied) < copyEvery {
		return err
	}
	if err := p.Flush(); err != nil {
		return err
	}
	p.copied = time.Now()
	return p.copyBack()
}

func (p *part) close() error {
	err := p.Close()
	if p.scratch == nil {
		return err
	}
	if err == nil {
		err = p.copyBack()
	}
	return errors.Join(err, p.scratch.Close())
}

// copyBack replaces the copy in the run's folder atomically.
func (p *part) copyBack() error {
	return seal.Write(p.copy, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(p.scratch, 0, math.MaxInt64))
		return err
	})
}

// privateFile creates a file below dir and opens it for writing and for reading. Other users cannot replace the file,
// even if they may write to dir: its name is random and is removed at once, and only this user may open it. The file
// disappears when this process ends.
func privateFile(dir string) (write, read *os.File, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, nil, err
	}
	write, err = os.CreateTemp(dir, "graphda-*") // with mode 0600
	if err != nil {
		return nil, nil, err
	}
	fd, err := syscall.Dup(int(write.Fd()))
	if err = errors.Join(err, os.Remove(write.Name())); err != nil {
		return nil, nil, errors.Join(err, write.Close())
	}
	syscall.CloseOnExec(fd)
	return write, os.NewFile(uintptr(fd), write.Name()), nil
}
