package learning

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"

	"graphda/io/message"
	"graphda/io/safefile"
	"graphda/io/seal"
	"graphda/jobs/executor"
	"graphda/jobs/userinput"
)

// A Journal stores the results of a command in a file, so that the same command can continue after a kill. A record has
// a length, a key, the values and a checksum. Journal does not sync the file: after a crash of the machine, the command
// computes lost results again. A nil Journal stores nothing.
type Journal struct {
	path string
	lost func(error) // called once, by Keep, after the first error

	mu    sync.Mutex
	known map[string][]byte // by key: records that Recall has not returned yet
	whole int64             // length of the file's complete records, in bytes
	file  *os.File          // nil until Keep writes the first record
	err   error
}

// ErrChanged reports a record whose checksum is right, but that no run can have written.
var ErrChanged = userinput.Errorf("the results of an earlier run were changed, so they are not used; run the command " +
	"again to start over")

// journalMark begins a journal's file, before the program's version and a line break.
const journalMark = "graphda resume "

// OpenJournal reads the journal at path. The file may be missing. If Keep cannot write the file later, it calls lost.
func OpenJournal(path string, lost func(error)) (*Journal, error) {
	j := &Journal{path: path, lost: lost, known: map[string][]byte{}}
	data, err := safefile.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return j, nil
	case err != nil:
		return nil, err
	case len(data) == 0:
		return j, nil
	}
	mark, _, whole := bytes.Cut(data, []byte("\n"))
	version, ours := strings.CutPrefix(string(mark), journalMark)
	if !ours || !whole {
		return nil, message.Because(fs.ErrExist, "%s was not written by this command; remove it", message.Text(path))
	}
	if err := seal.CheckVersion(version, "remove it"); err != nil {
		return nil, message.Because(fs.ErrExist, "%s: %w", message.Text(path), err)
	}
	j.whole = int64(len(mark)) + 1
	for rest := data[j.whole:]; len(rest) >= 4; rest = data[j.whole:] {
		n := int64(binary.LittleEndian.Uint32(rest))
		if int64(len(rest)) < n+8 || n < keySize || crc32.ChecksumIEEE(rest[:4+n]) != binary.LittleEndian.Uint32(rest[4+n:]) {
			break
		}
		j.known[string(rest[4:4+keySize])] = rest[4+keySize : 4+n]
		j.whole += n + 8
	}
	return j, nil
}

// keySize is a key's length: 32 bytes for the SHA-256 of the values passed to Crew.Give, and 4 for the job's number.
const keySize = 36

// Len returns the number of records that Recall has not returned yet.
func (j *Journal) Len() int { return len(j.known) }

// Recall decodes the record with the given key into values. It returns false if there is no complete record.
func (j *Journal) Recall(key string, values []any) bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	kept, ok := j.known[key]
	delete(j.known, key)
	j.mu.Unlock()
	in := gob.NewDecoder(bytes.NewReader(kept))
	for _, v := range values {
		ok = ok && in.Decode(v) == nil
	}
	return ok
}

// Keep writes a record of the values under the key, unless there are no values.
func (j *Journal) Keep(key string, values []any) {
	if j == nil || len(values) == 0 {
		return
	}
	record := bytes.NewBufferString("size" + key)
	out := gob.NewEncoder(record)
	err := error(nil)
	for _, v := range values {
		err = errors.Join(err, out.Encode(v))
	}
	b := record.Bytes()
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil && j.file == nil {
		err = errors.Join(err, j.begin())
	}
	if j.err == nil && err == nil {
		_, err = j.file.Write(b)
	}
	if j.err == nil && err != nil {
		j.err = err
		j.lost(err)
	}
}

// begin creates the file, or continues after its last complete record. It fails if another process uses the journal.
func (j *Journal) begin() (err error) {
	if err = os.MkdirAll(filepath.Dir(j.path), 0o777); err != nil {
		return err
	}
	if j.file, err = os.OpenFile(j.path, os.O_WRONLY|os.O_CREATE|syscall.O_NOFOLLOW, 0o666); err != nil {
		return err
	}
	if err := syscall.Flock(int(j.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("another process writes %s", j.path)
	}
	if err := j.file.Truncate(j.whole); err != nil {
		return err
	}
	if _, err = j.file.Seek(j.whole, 0); err == nil && j.whole == 0 {
		_, err = j.file.WriteString(journalMark + seal.Version + "\n")
	}
	return err
}

// Close releases the journal for other processes.
func (j *Journal) Close() {
	if j.file != nil {
		j.file.Close()
	}
}

// Remove removes the journal's file.
func (j *Journal) Remove() error {
	j.Close()
	if err := os.Remove(j.path); j.err == nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Program identifies the program and the kind of processor, because another processor may round differently.
func Program() string {
	build, _ := debug.ReadBuildInfo()
	return fmt.Sprint(seal.Version, executor.CPUKind(), build)
}
