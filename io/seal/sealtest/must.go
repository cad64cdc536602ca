package sealtest

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Must ends the test on an error.
func Must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Must1 returns v. It panics on an error.
func Must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// WantError fails unless the text of err is one line that contains all parts.
func WantError(tb testing.TB, err error, parts ...string) {
	tb.Helper()
	if err == nil {
		tb.Errorf("no error, want one that says %q", parts)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			tb.Errorf("error %q does not say %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		tb.Errorf("error of several lines: %q", err)
	}
}

// Err returns the error of a call that also returns a value.
func Err[T any](_ T, err error) error { return err }

// File writes content to a file with the given name in a new folder, and returns the file's path.
func File[T string | []byte](tb testing.TB, name string, content T) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	Must(tb, os.WriteFile(path, []byte(content), 0o666))
	return path
}

// Gzip returns content compressed as a gzip file.
func Gzip[T string | []byte](content T) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(content)) // writing into memory does not fail
	z.Close()
	return b.Bytes()
}
