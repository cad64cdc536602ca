package seal

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A temporary file or folder is named .NAME.CODE.tmp, where NAME is the file to write. CODE has random letters and a
// checksum of the rest of the name, so that no other program's file has such a name.
const (
	temporarySuffix = ".tmp"
	randomLetters   = 10
	checkLetters    = 6
)

func temporaryName(name string) string {
	random := rand.Text()[:randomLetters]
	return "." + name + "." + random + checkOf(name, random) + temporarySuffix
}

func checkOf(name, random string) string {
	sum := sha256.Sum256([]byte("graphda temporary " + random + " " + name))
	return base32.StdEncoding.EncodeToString(sum[:])[:checkLetters]
}

// Temporary reports whether an entry of a folder is a temporary file or folder of this package, and returns the name of
// the file to write.
func Temporary(entry string) (name string, ok bool) {
	stem, ok := strings.CutSuffix(entry, temporarySuffix)
	at := strings.LastIndexByte(stem, '.')
	if !ok || at < 1 || entry[0] != '.' || len(stem)-at-1 != randomLetters+checkLetters {
		return "", false
	}
	name, code := stem[1:at], stem[at+1:]
	return name, code[randomLetters:] == checkOf(name, code[:randomLetters])
}

// CreateDir creates a temporary folder, with mode 0700, beside path. Files made in it can be moved to path.
func CreateDir(path string) (string, error) {
	dir, name := filepath.Split(path)
	temporary := filepath.Join(dir, temporaryName(name))
	if err := os.Mkdir(temporary, 0o700); err != nil {
		return "", err
	}
	sweep(path, temporary)
	return temporary, nil
}

// stale is the age of an abandoned temporary file.
const stale = time.Hour

// sweep removes this user's stale temporary files for the file at path, if it can. The file `newest` was just made, so
// its time tells the current time of the file system's clock.
func sweep(path, newest string) {
	now, err := os.Lstat(newest)
	if err != nil {
		return
	}
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return
	}
	for _, e := range entries {
		left := filepath.Join(dir, e.Name())
		if name, ok := Temporary(e.Name()); ok && name == base && now.ModTime().Sub(lastTouched(left, now)) >= stale {
			_ = os.RemoveAll(left)
		}
	}
}

// lastTouched returns the time of the last write to path or to anything below. If anything there belongs to another
// user or is unreadable, it returns now.ModTime(), so that nothing is removed.
func lastTouched(path string, now fs.FileInfo) time.Time {
	var last time.Time
	err := filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if st, ok := info.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != os.Geteuid() {
			return fs.ErrPermission
		}
		if info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	if err != nil {
		return now.ModTime()
	}
	return last
}
