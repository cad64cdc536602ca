// Package seal writes files atomically, with a SHA-256 checksum inside, and verifies the checksum before the
// file is parsed.
//
// The typical steps to write a sealed file are:
//
//  1. Put the text of Blank into the file's own metadata under Key, as a Parquet or Arrow key-value pair or a JSON
//     string.
//  2. Pass a function that writes the content to Write, or to WriteNew if an existing file must never be replaced.
//     To write content piece by piece, use Create and Writer.Commit.
//
// The writer computes the SHA-256 of the whole file, in which the digits of seals are zeros, and then writes the
// checksum over these zeros. The result is an ordinary Parquet, Arrow or JSON file. The writer first writes and syncs
// the file beside its path, and then renames or links it to the path. If anything fails, the old file is unchanged, and
// no other file is left.
//
// The typical steps to read a file are:
//
//  1. Read and verify the content with Read. ReadSealed refuses a file without a seal. OpenSealed verifies a file
//     without holding it in memory.
//  2. Parse the content. File.Digest identifies the file by its content.
//
// The checksum must come first: half of all damaged Parquet files read back wrong values without an error, and some
// kill the process that parses them. A file without a seal comes from another program, and the reader decides whether
// to accept it.
//
// If the user names the file to write, a command uses an Output. Output.Check refuses to replace a file that is not
// ours. A file with a seal is ours, and so is an unchanged file in its folder's list .graphda-files. With --force any
// file may be replaced, except files that the command reads.
//
// The main types are:
//
//   - File is verified content. Writer is a file that is not complete yet.
//   - Output says which files may be replaced.
//   - Held is a file that a process has locked, to read and rewrite it.
//
// A killed writer leaves a temporary file .NAME.CODE.tmp. If it is older than an hour, the next process that writes
// NAME removes it.
//
// # Tests
//
// Package sealtest simulates a full disk. The tests in cmd/internal/torture run gdrun and gdmerge on damaged files.
package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"

	"graphda/io/safefile"
)

// Key is the metadata key of a file's seal.
const Key = "graphda.seal"

const (
	prefix = "graphda-seal:sha256:"
	digits = 2 * sha256.Size
)

// Blank returns a seal with zeros for the checksum. Write fills in the checksum.
func Blank() string { return prefix + strings.Repeat("0", digits) }

// ErrDamaged is the error for a file whose content does not match its seal.
var ErrDamaged = errors.New("the content does not match the file's checksum, so the file was damaged or edited; " +
	"restore it or make it again")

// A File is the verified content of a file.
type File struct {
	Data   []byte
	Digest string // SHA-256 of the content in hex, with zeros for the digits of seals
	Sealed bool
}

// Read returns the content of a file, verified if the file has a seal. The error for a damaged or invalid seal is
// ErrDamaged.
func Read(path string) (*File, error) {
	data, err := safefile.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Check(path, data)
}

// Check is like Read for content that was already read from the file at path.
func Check(path string, data []byte) (*File, error) {
	s := newScanner()
	s.Write(data)
	digest, err := s.verify(path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return &File{Data: data, Digest: digest, Sealed: len(s.marks) > 0}, nil
}

// ReadSealed is like Read but refuses a file without a seal. Use it for files that only this program writes.
func ReadSealed(path string) (*File, error) {
	f, err := Read(path)
	if err == nil && !f.Sealed {
		return nil, unsealed(path)
	}
	return f, err
}

// OpenSealed opens a sealed file, verifies every byte and returns its digest. It does not hold the content in memory,
// so later changes of the file are not detected.
func OpenSealed(path string) (f *os.File, digest string, err error) {
	if f, err = safefile.Open(path); err != nil {
		return nil, "", err
	}
	defer func() {
		if err != nil {
			f.Close()
			f = nil
		}
	}()
	s := newScanner()
	if _, err = io.CopyBuffer(s, struct{ io.Reader }{f}, make([]byte, 1<<20)); err != nil {
		return nil, "", err
	}
	if digest, err = s.verify(path, f); err == nil && len(s.marks) == 0 {
		err = unsealed(path)
	}
	return f, digest, err
}

// Digest returns the digest of a sealed file, after verifying every byte.
func Digest(path string) (string, error) {
	f, digest, err := OpenSealed(path)
	if err != nil {
		return "", err
	}
	return digest, f.Close()
}

func unsealed(path string) error {
	return fmt.Errorf("%s: carries no checksum: it is damaged or was not written by graphda", path)
}

// A scanner computes the digest of content while it is written, and records the positions of seals. It holds back
// trailing bytes that could begin a seal.
type scanner struct {
	sum    hash.Hash
	held   []byte  // end of the content so far, not yet in sum
	offset int64   // position of held in the content
	marks  []int64 // positions of the digits of all seals
	broken bool    // whether a seal has no valid digits
}

func newScanner() *scanner { return &scanner{sum: sha256.New()} }

var blankDigits = bytes.Repeat([]byte("0"), digits)

// Write scans the next piece of the content. It never fails.
func (s *scanner) Write(p []byte) (int, error) {
	n := len(p)
	if len(s.held) > 0 {
		// The first bytes of p complete a seal that begins in held.
		head := min(len(p), len(prefix)+digits)
		rest := s.scan(append(s.held, p[:head]...))
		if len(rest) > head {
			s.held = append(s.held[:0], rest...)
			return n, nil
		}
		p = p[head-len(rest):]
	}
	s.held = append(s.held[:0], s.scan(p)...)
	return n, nil
}

// scan adds buf to the digest, and returns the trailing bytes that could begin a seal. These are not added yet.
func (s *scanner) scan(buf []byte) (rest []byte) {
	end := s.offset + int64(len(buf))
	defer func() { s.offset = end - int64(len(rest)) }()
	for {
		i := bytes.Index(buf, []byte(prefix))
		if i < 0 {
			keep := min(len(buf), len(prefix)-1)
			s.sum.Write(buf[:len(buf)-keep])
			return buf[len(buf)-keep:]
		}
		if len(buf) < i+len(prefix)+digits {
			s.sum.Write(buf[:i])
			return buf[i:]
		}
		s.sum.Write(buf[:i+len(prefix)])
		buf = buf[i+len(prefix):]
		if len(bytes.Trim(buf[:digits], "0123456789abcdef")) > 0 {
			s.broken = true
			continue
		}
		s.marks = append(s.marks, end-int64(len(buf)))
		s.sum.Write(blankDigits)
		buf = buf[digits:]
	}
}

// digest returns the digest at the end of the content.
func (s *scanner) digest() string {
	if bytes.Contains(s.held, []byte(prefix)) { // the content ends within a seal
		s.broken = true
	}
	s.sum.Write(s.held)
	s.held = nil
	return hex.EncodeToString(s.sum.Sum(nil))
}

// verify returns the digest at the end of the content, or an error if a seal has a different checksum.
func (s *scanner) verify(path string, content io.ReaderAt) (string, error) {
	digest, found := s.digest(), make([]byte, digits)
	damaged := s.broken
	for _, at := range s.marks {
		if _, err := content.ReadAt(found, at); err != nil {
			return "", err
		}
		damaged = damaged || string(found) != digest
	}
	if damaged {
		return "", fmt.Errorf("%s: %w", path, ErrDamaged)
	}
	return digest, nil
}
