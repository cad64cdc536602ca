// Package simulatetest writes made-up raw files of the forms that package simulate draws
// datasets from, for its tests and those of the programs: a few pictures in place of
// MNIST, eight genes in place of KEGG.
package simulatetest

import (
	"testing"

	"graphda/io/seal/sealtest"
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

// Gzip compresses data.
func Gzip(_ testing.TB, data []byte) []byte { return sealtest.Gzip(data) }
