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

	"golang.org/x/sys/unix"

	"graphda/io/safefile"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/userinput"
)

// Jobs run the programs that submitted them: copies in the run's folder, which are named by their contents, so that
// a program that is replaced while jobs wait does not change what they run.

// stage finds the places of the programs' copies, and the digest of what it takes for a job to start.
func (o *SubmitOptions) stage() error {
	sum, err := digest(o.Program)
	if err != nil {
		return &userinput.Error{Err: err}
	}
	if o.sources, o.inPlace = map[string]string{}, runsNothing(o.dir); !o.inPlace {
		name, _, _ := strings.Cut(filepath.Base(o.Program), "-"+sum) // a follow-up job runs the copy
		kept := filepath.Join(o.dir, journal.SubmissionsDir, name+"-"+sum)
		if _, err := digest(kept); errors.Is(err, fs.ErrPermission) { // another user's
			kept += fmt.Sprintf("-%d", os.Getuid())
		}
		o.sources[kept], o.Program = o.Program, kept
	}
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

// keepPrograms copies the programs into the run's folder, unless there is a whole copy that can be read. That may be
// another user's. A copy that this user may not read stays as it is, because jobs of its owner may wait for it.
func (o *SubmitOptions) keepPrograms() error {
	for kept, source := range o.sources {
		if sum, err := digest(kept); err == nil && strings.Contains(filepath.Base(kept), "-"+sum) {
			continue
		}
		if err := copyProgram(source, kept); err != nil {
			return fmt.Errorf("%s: %w", kept, err)
		}
	}
	return nil
}

// copyProgram copies a program under a name of its own first, so that no job finds half of it. Whoever may read the
// folder may run the copy.
func copyProgram(from, to string) error {
	f, err := safefile.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	folder, err := os.Stat(filepath.Dir(to))
	if err != nil {
		return err
	}
	w, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".new-*")
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	if err = errors.Join(err, w.Chmod(folder.Mode().Perm()), w.Sync(), w.Close()); err == nil {
		err = os.Rename(w.Name(), to)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(w.Name()))
	}
	return err
}

// runsNothing tells whether no program can be run from a folder, because its file system is mounted noexec.
func runsNothing(dir string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(dir, &fs) == nil && fs.Flags&unix.ST_NOEXEC != 0
}
