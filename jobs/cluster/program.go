package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"graphda/io/safefile"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/userinput"
)

// Jobs run copies of the programs, so the user can replace a program while jobs wait. The copies are in the run's
// folder, with a digest in their names.

// stage finds the paths of the copies, and the digest of everything that a job needs to start.
func (o *SubmitOptions) stage() error {
	sum, err := journal.Digest(o.Program)
	if err != nil {
		return &userinput.Error{Err: err}
	}
	if o.sources, o.inPlace = map[string]string{}, safefile.RunsNothing(o.dir); !o.inPlace {
		name, _, _ := strings.Cut(filepath.Base(o.Program), "-"+sum) // a follow-up job already runs a copy
		kept := filepath.Join(o.dir, journal.SubmissionsDir, name+"-"+sum)
		if _, err := journal.Digest(kept); errors.Is(err, fs.ErrPermission) { // another user owns the copy
			kept += fmt.Sprintf("-%d", os.Getuid())
		}
		o.sources[kept], o.Program = o.Program, kept
	}
	setup := ""
	if o.Setup != "" {
		var err error
		if setup, err = journal.Digest(o.Setup); err != nil {
			return err
		}
	}
	r := o.Resources
	r.Time, r.Mem, r.MemPerCPU = "", "", "" // not part of the digest, because they change with every measurement
	text, err := json.Marshal([]any{filepath.Base(o.Program), setup, o.Scratch, o.Launcher, r})
	if err != nil {
		return err
	}
	way := sha256.Sum256(text)
	o.way = hex.EncodeToString(way[:6])
	return nil
}
