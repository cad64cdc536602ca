package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"graphda/io/seal/sealtest"
)

var must = sealtest.Must

func writeString(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// content returns a text with n seals.
func content(n int) string {
	s := "begin"
	for i := range n {
		s += fmt.Sprintf("<%d %s>", i, Blank())
	}
	return s + strings.Repeat("values ", 30)
}

// reference digests a whole text in the simplest way.
func reference(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func TestWriteAndRead(t *testing.T) {
	for n := range 4 {
		path := filepath.Join(t.TempDir(), "file.txt")
		blank := content(n)
		must(t, Write(path, writeString(blank)))
		f := must1(Read(path))
		want := reference(blank)
		if f.Digest != want || f.Sealed != (n > 0) {
			t.Errorf("%d seals: digest %s sealed %v, want %s %v", n, f.Digest, f.Sealed, want, n > 0)
		}
		if sealed := strings.ReplaceAll(blank, Blank(), prefix+want); string(f.Data) != sealed {
			t.Errorf("%d seals: content %q, want %q", n, f.Data, sealed)
		}
		_, err := ReadSealed(path)
		opened, digest, openError := OpenSealed(path)
		if (err == nil) != (n > 0) || (openError == nil) != (n > 0) {
			t.Errorf("%d seals: ReadSealed: %v, OpenSealed: %v", n, err, openError)
		}
		if n > 0 {
			if info, err := opened.Stat(); err != nil || int(info.Size()) != len(f.Data) || digest != want {
				t.Errorf("opened a file of digest %s, want %s; %v", digest, want, err)
			}
			must(t, opened.Close())
		}
	}
}

// TestWriteOverStaleSeal checks that Write overwrites old digits in a seal: a sealed file may contain another
// file's text.
func TestWriteOverStaleSeal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.txt")
	stale := strings.Replace(content(2), strings.Repeat("0", 64), strings.Repeat("ab", 32), 1)
	must(t, Write(path, writeString(stale)))
	f := must1(ReadSealed(path))
	if want := reference(content(2)); f.Digest != want {
		t.Errorf("digest %s, want %s", f.Digest, want)
	}
}

func TestEveryDamageIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.txt")
	must(t, Write(path, writeString(content(1))))
	whole := must1(os.ReadFile(path))
	for at := range whole {
		for _, c := range [][]byte{flip(whole, at), whole[:at]} {
			must(t, os.WriteFile(path, c, 0o666))
			_, err := ReadSealed(path)
			_, _, opened := OpenSealed(path)
			if err == nil || opened == nil || err.Error() != opened.Error() {
				t.Fatalf("damage at byte %d: %v, opened %v", at, err, opened)
			}
		}
	}
	at := bytes.Index(whole, []byte(prefix)) + len(prefix)
	for _, c := range [][]byte{flip(whole, at), flip(whole, at+63), flip(whole, 0), whole[:at], whole[:at+63]} {
		must(t, os.WriteFile(path, c, 0o666))
		if _, err := Read(path); !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("damage that leaves the seal visible: %v", err)
		}
	}
}

func flip(b []byte, at int) []byte {
	c := bytes.Clone(b)
	c[at] ^= 0x11
	return c
}

// TestScannerPieces checks that the scanner's result does not depend on how content is cut into writes.
func TestScannerPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	texts := []string{"", "short", content(0), content(1), content(3), Blank() + Blank(), prefix, prefix + prefix + Blank(),
		strings.Repeat("graphda-seal:", 40), content(1) + prefix[:9], content(1) + prefix + "00"}
	for _, text := range texts {
		whole := newScanner()
		whole.Write([]byte(text))
		want := whole.digest()
		for trial := range 200 {
			s := newScanner()
			for rest := []byte(text); len(rest) > 0; {
				n := 1 + rng.IntN(min(len(rest), 1+trial))
				if k, err := s.Write(rest[:n]); k != n || err != nil {
					t.Fatalf("Write returned %d, %v", k, err)
				}
				rest = rest[n:]
			}
			if got := s.digest(); got != want || s.broken != whole.broken || fmt.Sprint(s.marks) != fmt.Sprint(whole.marks) {
				t.Fatalf("%q in pieces: digest %s broken %v marks %v, whole %s %v %v", text, got, s.broken, s.marks, want, whole.broken, whole.marks)
			}
		}
	}
}

// TestFailedWrite checks that a failed write leaves the old file and nothing else.
func TestFailedWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.txt")
	must(t, os.WriteFile(path, []byte("before"), 0o666))
	failure := errors.New("no more data")
	for name, fill := range map[string]func(io.Writer) error{
		"error":       func(w io.Writer) error { io.WriteString(w, content(1)); return failure },
		"broken seal": writeString(prefix + "short"),
		"panic": func(w io.Writer) error {
			w.(*Writer).file.Close() // like a full disk
			if _, err := io.WriteString(w, content(1)); err != nil {
				panic("failed to write")
			}
			return nil
		},
		"ignored error": func(w io.Writer) error {
			w.(*Writer).file.Close() // like a full disk
			io.WriteString(w, content(1))
			return nil
		},
	} {
		if err := Write(path, fill); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one that names %s", name, err, path)
		} else if name == "error" && !errors.Is(err, failure) {
			t.Errorf("%s: error %v does not wrap its cause", name, err)
		}
	}
	func() {
		defer func() { recover() }()
		Write(path, func(io.Writer) error { panic("bug") })
	}()
	if got, _ := os.ReadFile(path); string(got) != "before" {
		t.Errorf("a failed write changed the file to %q", got)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("a failed write left %v", entries)
	}
	if err := Write(filepath.Join(dir, "none", "file.txt"), writeString("")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a write into no directory: %v", err)
	}
}

// TestWriteNew checks that exactly one of many concurrent writers creates a new file, with and without hard links.
func TestWriteNew(t *testing.T) {
	defer func() { link = os.Link }()
	for _, link = range []func(from, to string) error{
		os.Link,
		func(from, to string) error { return &os.LinkError{Op: "link", Old: from, New: to, Err: syscall.EPERM} },
		func(from, to string) error {
			return &os.LinkError{Op: "link", Old: from, New: to, Err: syscall.EOPNOTSUPP}
		},
		func(from, to string) error { // the first answer is lost, as may happen on NFS
			if err := os.Link(from, to); err != nil {
				return err
			}
			return os.Link(from, to)
		},
	} {
		testWriteNew(t)
	}
}

func testWriteNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.txt")
	const n = 20
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { errs[i] = WriteNew(path, writeString(fmt.Sprint(i, " ", Blank()))) })
	}
	wait.Wait()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner >= 0:
			t.Errorf("both %d and %d wrote the file", winner, i)
		case err == nil:
			winner = i
		case !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), path):
			t.Errorf("writer %d: %v", i, err)
		}
	}
	f := must1(ReadSealed(path))
	if !strings.HasPrefix(string(f.Data), fmt.Sprint(winner, " ")) {
		t.Errorf("writer %d succeeded, the file is %q", winner, f.Data)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("writers left %v", entries)
	}
}

// TestWriteNewWithoutLinks checks two failures without hard links. A failure between reserving the path and the
// rename must free the path. The empty file that a crash leaves there must be refused by every reader.
func TestWriteNewWithoutLinks(t *testing.T) {
	defer func() { link = os.Link }()
	link = func(from, to string) error {
		must(t, os.Remove(from)) // makes the rename fail
		return syscall.EOPNOTSUPP
	}
	path := filepath.Join(t.TempDir(), "file.txt")
	if err := WriteNew(path, writeString(Blank())); err == nil {
		t.Error("no error")
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the place is taken: %v", err)
	}
	must(t, os.WriteFile(path, nil, 0o666))
	sealtest.WantError(t, sealtest.Err(ReadSealed(path)), path)
	link = func(string, string) error { return syscall.EIO }
	if err := WriteNew(path+"2", writeString(Blank())); !errors.Is(err, syscall.EIO) {
		t.Errorf("error %v of a broken disk", err)
	}
}

func TestWriter(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.txt")
	w := must1(Create(path))
	for range 5 {
		must1(w.Write([]byte("abc")))
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there before Commit: %v", err)
	}
	must(t, w.Commit())
	w.Abort()
	if got, _ := os.ReadFile(path); string(got) != strings.Repeat("abc", 5) {
		t.Errorf("the file is %q", got)
	}
	if err := w.Commit(); err == nil {
		t.Error("a second Commit succeeded")
	}
	if _, err := w.Write([]byte("more")); err == nil {
		t.Error("a write after Commit succeeded")
	}
	w = must1(Create(path))
	w.Abort()
	w.Abort()
	if err := w.Commit(); err == nil {
		t.Error("Commit after Abort succeeded")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left %v", entries)
	}
}

// left creates the temporary files and folders that a killed writer of the file at path leaves.
func left(t *testing.T, path string) []string {
	t.Helper()
	w := must1(Create(path))
	folder := must1(CreateDir(path))
	must(t, os.WriteFile(filepath.Join(folder, "inside"), nil, 0o666))
	return []string{w.file.Name(), folder}
}

func setAge(t *testing.T, path string, age time.Duration) {
	t.Helper()
	at := time.Now().Add(-age)
	must(t, filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, at, at))
	}))
}

// TestSweep checks that a writer removes what killed writers of its file left, if it is old and ours.
func TestTemporaryFilesAreSwept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mist.png")
	young, others := left(t, path), left(t, filepath.Join(dir, "other.png"))
	old := left(t, path)
	foreign := []string{".mist.png.ABCDEFGHIJ.tmp", ".mist.png.ABCDEFGHIJKLMNOP.tmp", "mist.png.tmp", ".mist.png.import-12"}
	for i, name := range foreign {
		foreign[i] = filepath.Join(dir, name)
		must(t, os.WriteFile(foreign[i], []byte("of the user"), 0o666))
	}
	for _, path := range slices.Concat(old, others, foreign) {
		setAge(t, path, 48*time.Hour)
	}
	must(t, os.Chtimes(filepath.Join(others[1], "inside"), time.Now(), time.Now()))
	must(t, Write(path, writeString("")))
	for _, path := range slices.Concat(young, others, foreign) {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%v: young, of another file, or not ours", err)
		}
	}
	for _, path := range old {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", path, err)
		}
	}
	must(t, Write(filepath.Join(dir, "other.png"), writeString("")))
	if _, err := os.Stat(others[1]); err != nil {
		t.Errorf("%v: something in it is young", err)
	}
}

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }
