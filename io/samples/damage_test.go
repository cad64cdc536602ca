package samples

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"

	"graphda/io/columnar"
	"graphda/io/dataframe"
	"graphda/io/seal"
)

// damagedCopies calls use with copies of content, each damaged in another way.
func damagedCopies(content []byte, seed uint64, use func(what string, copy []byte)) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range 160 {
		c := bytes.Clone(content)
		// Most of a file is values, so half of the damage goes to the end, where the structure is.
		at := rng.IntN(len(c))
		if i%2 == 0 {
			at = max(0, len(c)-1-rng.IntN(min(1500, len(c))))
		}
		what := ""
		switch i % 5 {
		case 0, 1:
			what = fmt.Sprintf("bit %d of byte %d flipped", i%8, at)
			c[at] ^= 1 << (i % 8)
		case 2:
			what = fmt.Sprintf("cut at byte %d", at)
			c = c[:at]
		case 3:
			n := min(1+rng.IntN(64), len(c)-at)
			what = fmt.Sprintf("%d random bytes at %d", n, at)
			for k := range n {
				c[at+k] = byte(rng.IntN(256))
			}
		case 4:
			n := min(1+rng.IntN(4096), len(c)-at)
			what = fmt.Sprintf("%d bytes cut out at %d", n, at)
			c = append(c[:at], c[at+n:]...)
		}
		use(what, c)
	}
}

func errorPath(err error) string {
	var e *dataframe.Error
	if errors.As(err, &e) {
		return e.Path
	}
	path, _, _ := bytes.Cut([]byte(err.Error()), []byte(": "))
	return string(path)
}

// TestDamagedSeal checks that a damaged seal is reported as damage, in either of its parts.
func TestDamagedSeal(t *testing.T) {
	dir := small(t)
	path := filepath.Join(dir, "graph.parquet")
	content := must1(os.ReadFile(path))
	d := must1(Open(dir))
	for _, part := range []string{seal.Key, "graphda-seal:sha256:"} {
		at := bytes.Index(content, []byte(part))
		for i := range len(part) + 64 {
			c := bytes.Clone(content)
			c[at+i] ^= 0x15
			must(t, os.WriteFile(path, c, 0o666))
			if _, err := d.Load(0, AnyLabels); err == nil {
				t.Errorf("byte %d after the start of %q is damaged and nobody minds", i, part)
			}
		}
	}
}

// TestDamagedForeign checks that damaged files from other programs are refused or read as something. They must not
// panic, hang or exhaust memory, and the error must name the file.
func TestDamagedForeign(t *testing.T) {
	for i, f := range []struct {
		name  string
		ext   string
		props []parquet.WriterProperty
	}{
		{"plain", ".parquet", []parquet.WriterProperty{parquet.WithDictionaryDefault(false)}},
		{"dictionary", ".parquet", nil},
		{"snappy", ".parquet", []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Snappy)}},
		{"zstd", ".parquet", []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageVersion(parquet.DataPageV2)}},
		{"gzip", ".parquet", []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Gzip)}},
		{"delta", ".parquet", []parquet.WriterProperty{parquet.WithDictionaryDefault(false), parquet.WithEncodingFor("split", parquet.Encodings.DeltaByteArray)}},
		{"ipc", ".arrow", nil},
	} {
		for _, shape := range []frame{{listed, only(smallRows, listed)}, {wide, only(smallRows, wide)}} {
			t.Run(fmt.Sprint(f.name, len(shape.fields)), func(t *testing.T) {
				content := shape.bytes(t, "file"+f.ext, 3, f.props...)
				refused := 0
				damagedCopies(content, uint64(i), func(what string, c []byte) {
					if err := parseSamples(t, "file"+f.ext, c); err != nil {
						refused++
						if strings.Contains(err.Error(), "runtime error") {
							t.Errorf("%s: how the library failed is no reason for a user: %v", what, err)
						}
					}
				})
				if refused < 40 {
					t.Errorf("%d of 160 damaged copies were refused", refused)
				}
			})
		}
	}
}

// bytes returns the frame as a file in the format of the name's extension.
func (f frame) bytes(tb testing.TB, name string, rowGroup int64, props ...parquet.WriterProperty) []byte {
	tb.Helper()
	if filepath.Ext(name) == ".parquet" {
		var buf bytes.Buffer
		encodeParquet(tb, &buf, f.record(tb), rowGroup, props...)
		return buf.Bytes()
	}
	path := filepath.Join(tb.TempDir(), name)
	f.write(tb, path)
	return must1(os.ReadFile(path))
}

func FuzzParquet(f *testing.F) {
	for _, shape := range []frame{{listed, only(smallRows, listed)}, {wide, only(smallRows, wide)}} {
		for _, props := range [][]parquet.WriterProperty{nil, {parquet.WithDictionaryDefault(false), parquet.WithDataPageVersion(parquet.DataPageV2)}} {
			f.Add(shape.bytes(f, "file.parquet", 3, props...))
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) { parseAll(t, "file.parquet", content) })
}

func FuzzIPC(f *testing.F) {
	for _, shape := range []frame{{listed, only(smallRows, listed)}, {wide, only(smallRows, wide)}, {named, `[{"source": "a", "target": "b"}]`}} {
		f.Add(shape.bytes(f, "file.arrow", 3))
	}
	f.Fuzz(func(t *testing.T, content []byte) { parseAll(t, "file.arrow", content) })
}

// parsed reads content as a file of the given name. Reading may fail with an error that names the file, but must
// not panic.
func parsed(t *testing.T, path string, content []byte, read func(*columnar.File, *featureTable) error) error {
	t.Helper()
	f, err := columnar.Parse(path, content)
	if err == nil {
		defer f.Release()
		err = read(f, &featureTable{Features: &Features{Names: smallNames}, index: map[string]int32{"a": 0, "b": 1, "c": 2}, path: "features.parquet"})
	}
	if err != nil && errorPath(err) != path {
		t.Errorf("the error does not name the file: %v", err)
	}
	return err
}

// parseSamples reads content as a samples file. If it is accepted, it must be complete.
func parseSamples(t *testing.T, path string, content []byte) error {
	t.Helper()
	return parsed(t, path, content, func(f *columnar.File, features *featureTable) error {
		var trial Trial
		err := trial.readSamples(f, features, AnyLabels, nil)
		for _, b := range []*Block{&trial.Train, &trial.Valid, &trial.Test} {
			if err == nil && (b.Rows() == 0 || len(b.X) != 3*b.Rows()) {
				t.Errorf("a block of %d rows has %d values", b.Rows(), len(b.X))
			}
		}
		return err
	})
}

func parseAll(t *testing.T, path string, content []byte) {
	_ = parseSamples(t, path, content)
	_ = parsed(t, path, content, func(f *columnar.File, features *featureTable) error {
		_, err := readGraph(f, features)
		return err
	})
	_ = parsed(t, path, content, func(f *columnar.File, _ *featureTable) error {
		_, err := readFeatures(f)
		return err
	})
}
