package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"graphda/io/safefile"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/userinput"
)

// Jobs run the programs that submitted them: copies in the run's folder, which are named by their contents, so that
// a program that is built anew while jobs wait does not change what they run.

// stage finds the places of the programs' copies, and the digest of what it takes for a job to start.
func (o *SubmitOptions) stage() error {
	sum, err := digest(o.Program)
	if err != nil {
		return &userinput.Error{Err: err}
	}
	base, _ := strings.CutSuffix(filepath.Base(o.Program), "-"+sum) // a follow-up job runs the copy
	kept := filepath.Join(o.dir, journal.SubmissionsDir, base+"-"+sum)
	o.sources, o.Program = map[string]string{kept: o.Program}, kept
	setup := ""
	if o.Setup != "" {
		var err error
		if setup, err = digest(o.Setup); err != nil {
			return err
		}
	}
	r := o.Resources
	r.Time, r.Mem, r.MemPerCPU = "", "", "" // change with what is measured
	text, err := json.Marshal([]any{filepath.Base(o.Program), setup, o.Scratch, o.Launcher, r})
	if err != nil {
		return err
	}
	way := sha256.Sum256(text)
	o.way = hex.EncodeToString(way[:6])
	return nil
}

// digest is the beginning of the SHA-256 of a file's contents.
func digest(path string) (string, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// keepPrograms puts the programs into the run's folder, by a hard link where that can be, unless they are there and
// whole.
func (o *SubmitOptions) keepPrograms() error {
	for kept, source := range o.sources {
		if sum, err := digest(kept); err == nil && strings.HasSuffix(kept, "-"+sum) {
			continue
		}
		if err := os.Remove(kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if os.Link(source, kept) == nil {
			continue
		}
		if err := copyProgram(source, kept); err != nil {
			return fmt.Errorf("%s: %w", kept, err)
		}
	}
	return nil
}

// copyProgram copies a program under a name of its own first, so that no job finds half of it.
func copyProgram(from, to string) error {
	f, err := safefile.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := os.OpenFile(to+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	if err = errors.Join(err, w.Sync(), w.Close()); err != nil {
		return errors.Join(err, os.Remove(to+".new"))
	}
	return os.Rename(to+".new", to)
}
