// Package simulatetest writes made-up raw files of the forms that package simulate draws
// datasets from, for its tests and those of the programs: a few pictures in place of
// MNIST, eight genes in place of KEGG.
package simulatetest

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

// Raw writes all raw files into a temporary folder and returns that: Pictures in the folder
// mnist, KEGGFiles in the folder kegg.
func Raw(tb testing.TB) string {
	tb.Helper()
	raw := tb.TempDir()
	WriteMNIST(tb, raw, Pictures()...)
	WriteKEGG(tb, raw, KEGGFiles(tb))
	return raw
}

// Put writes a file and the folders above it.
func Put(tb testing.TB, path string, data []byte) {
	tb.Helper()
	must(tb, os.MkdirAll(filepath.Dir(path), 0o777))
	must(tb, os.WriteFile(path, data, 0o666))
}

// Gzip compresses data.
func Gzip(tb testing.TB, data []byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	must(tb, err)
	must(tb, z.Close())
	return b.Bytes()
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
