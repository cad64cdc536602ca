package jobs

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"graphda/io/results"
	"graphda/io/seal"
)

// A part is what a task's attempt appends its rows to: a file in the run's folder, or on
// scratch with a copy there.
type part struct {
	*results.Part
	copy   string    // the copy of a part on scratch; empty: written in place
	copied time.Time // when last
}

// copyEvery is how much work on scratch a lost node may take with it.
const copyEvery = time.Minute

// createPart makes the part of this attempt at a task.
func (s *session) createPart(t *Task) (*part, error) {
	inPlace, err := results.CreatePart(s.Run.folder(t), t.Number, s.attempt, s.layout)
	if err != nil || s.Scratch == "" {
		return &part{Part: inPlace}, err
	}
	// The empty part keeps the name for the copies.
	if err := inPlace.Close(); err != nil {
		return nil, err
	}
	folder := filepath.Join(s.Scratch, "graphda-"+s.Run.Plan.Hash[:16])
	onScratch, err := results.CreatePart(folder, t.Number, s.attempt, s.layout)
	return &part{Part: onScratch, copy: inPlace.Path(), copied: time.Now()}, err
}

func (p *part) append(rows []results.Row) error {
	if err := p.Append(rows...); err != nil || p.copy == "" || time.Since(p.copied) < copyEvery {
		return err
	}
	if err := p.Flush(); err != nil {
		return err
	}
	p.copied = time.Now()
	return p.copyBack()
}

// close brings all rows to the disk and, from scratch, to the run's folder.
func (p *part) close() error {
	if err := p.Close(); err != nil || p.copy == "" {
		return err
	}
	if err := p.copyBack(); err != nil {
		return err
	}
	return os.Remove(p.Path())
}

// copyBack replaces the copy in one step.
func (p *part) copyBack() error {
	from, err := os.Open(p.Path())
	if err != nil {
		return err
	}
	defer from.Close()
	return seal.Write(p.copy, func(w io.Writer) error {
		_, err := io.Copy(w, from)
		return err
	})
}
