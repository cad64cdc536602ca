package safefile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"graphda/io/seal/sealtest"
)

var compress = sealtest.Gzip[string]

func read(path string) (string, error) {
	r, err := OpenUnpacked(path)
	if err != nil {
		return "", err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	return string(data), err
}

// TestContentTells checks that a file's content decides what it is, whatever its name.
func TestContentTells(t *testing.T) {
	long := strings.Repeat("0123456789", 50_000)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"plain":            {[]byte("a,b\n"), "a,b\n"},
		"plain.gz":         {[]byte("plain after all"), "plain after all"},
		"packed.gz":        {compress(long), long},
		"packed.csv":       {compress("x"), "x"},
		"empty":            {nil, ""},
		"one byte":         {[]byte{0x1f}, "\x1f"},
		"packed emptiness": {compress(""), ""},
		"two members":      {append(compress("first "), compress("second")...), "first second"},
	} {
		if got, err := read(sealtest.File(t, name, c.data)); err != nil || got != c.want {
			t.Errorf("%s: %d bytes and error %v, want %d bytes", name, len(got), err, len(c.want))
		}
	}
}

// TestCutOff checks that every truncation of a compressed file is detected.
func TestCutOff(t *testing.T) {
	whole := compress("some content that is not too short")
	for n := 2; n < len(whole); n++ {
		path := sealtest.File(t, "f.gz", whole[:n])
		_, err := read(path)
		if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), path+": the gzip file is cut off after ") {
			t.Fatalf("cut after %d of %d bytes: error %v", n, len(whole), err)
		}
	}
}

func TestDamaged(t *testing.T) {
	sum := compress("content")
	sum[len(sum)-6] ^= 1
	for name, data := range map[string][]byte{
		"checksum": sum,
		"method":   append([]byte("\x1f\x8b\x07"), make([]byte, 20)...),
		"trailing": append(compress("content"), "rest of the file"...),
	} {
		path := sealtest.File(t, name, data)
		if _, err := read(path); err == nil || !strings.Contains(err.Error(), path+": the gzip file is damaged after ") &&
			!strings.Contains(err.Error(), "the gzip file has other bytes after its end") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := read(filepath.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "absent") {
		t.Errorf("error %v, want fs.ErrNotExist", err)
	}
	if _, err := read(dir); err == nil || strings.Count(err.Error(), dir) != 1 {
		t.Errorf("a directory: error %v", err)
	}
}

// TestBomb checks that a small compressed file cannot fill the memory: its unpacked size is limited.
// OpenUnpackedAny reads all of it.
func TestBomb(t *testing.T) {
	path := sealtest.File(t, "f.gz", sealtest.Gzip(make([]byte, 20<<20)))
	r := must1(OpenUnpacked(path))
	defer r.Close()
	n, err := io.Copy(io.Discard, r)
	if err == nil || !strings.Contains(err.Error(), path+": the gzip file unpacks to more than 100 times its size") || n > 8<<20 {
		t.Errorf("%d bytes and error %v", n, err)
	}
	all := must1(OpenUnpackedAny(path))
	defer all.Close()
	if n, err := io.Copy(io.Discard, all); err != nil || n != 20<<20 {
		t.Errorf("without a limit: %d bytes and error %v", n, err)
	}
	if got, err := read(sealtest.File(t, "f.gz", sealtest.Gzip(make([]byte, 1<<20)))); err != nil || len(got) != 1<<20 {
		t.Errorf("a MiB of zeros: %d bytes and error %v", len(got), err)
	}
}

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, want := range [][]byte{{}, []byte("x"), bytes.Repeat([]byte("0123456789"), 100_000)} {
		must(t, os.WriteFile(path, want, 0o666))
		if got, err := ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
		}
	}
	link := path + " link"
	must(t, os.Symlink(path, link))
	if got, err := ReadFile(link); err != nil || len(got) != 1_000_000 {
		t.Errorf("through a link: %d bytes, %v", len(got), err)
	}
}

// TestRefuses checks that anything but an ordinary file is refused at once, even a pipe without a writer.
func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	link := filepath.Join(dir, "link")
	must(t, os.Symlink(pipe, link))
	for path, want := range map[string]string{pipe: "a pipe (write its content to a file)", link: "a pipe (write its content to a file)", dir: "a directory", os.DevNull: "a device"} {
		_, err := ReadFile(path)
		var bad *fs.PathError
		if !errors.As(err, &bad) || err.Error() != "open "+path+": is "+want+"; want an ordinary file" {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if _, err := Open(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "gone") {
		t.Errorf("no file: %v", err)
	}
}

// TestSparse checks that a huge file with nothing on disk is refused before a byte is read.
func TestSparse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, []byte("PAR1"), 0o666))
	must(t, os.Truncate(path, 64<<30))
	if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), "MB on disk") {
		t.Errorf("error %v", err)
	}
}

var must = sealtest.Must

// TestEncode checks that texts that look like formulas, and no others, get an apostrophe.
func TestEncode(t *testing.T) {
	for field, want := range map[string]string{
		`=HYPERLINK("x")`: `'=HYPERLINK("x")`, "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "-x": "'-x", "@SUM(A1)": "'@SUM(A1)",
		"'=x": "''=x", "''@": "'''@", " =x": "' =x", "\t=x": "'\t=x", "-1+1": "'-1+1", "-": "'-",
		"-1.5": "-1.5", "+1e-9": "+1e-9", "-Inf": "-Inf", "'-1": "'-1", "": "", "'": "'", "'a": "'a", "a=b": "a=b", "1-2": "1-2", "é": "é",
	} {
		if got := encodeField(field); got != want || DecodeField(got) != field {
			t.Errorf("%q is written %q and read %q, want %q", field, got, DecodeField(got), want)
		}
	}
}

// FuzzEncode checks that every field is read back equal, and that no written field is a formula.
func FuzzEncode(f *testing.F) {
	for _, field := range []string{"=1", "'=1", "-1", "- 1", "''+a\n", " \t@\""} {
		f.Add(field)
	}
	f.Fuzz(func(t *testing.T, field string) {
		text := encodeField(field)
		if got := DecodeField(text); got != field {
			t.Errorf("%q is written %q and read %q", field, text, got)
		}
		if isFormula(text) && text[0] != '\'' {
			t.Errorf("%q is written %q", field, text)
		}
	})
}

// TestEndlessLine checks that an endless line is refused by its number, without filling the memory.
func TestEndlessLine(t *testing.T) {
	long := strings.NewReader("a,b\n1," + strings.Repeat("0", MaxLine+1<<17) + "\n")
	_, err := io.Copy(io.Discard, &lineLimit{path: "x.csv", in: long, line: 1})
	want := "x.csv: line 2: is longer than 64 MiB, or has more than 8 million fields"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	commas := strings.NewReader("a,b\n" + strings.Repeat(",", 3*maxFields))
	if n, err := io.Copy(io.Discard, &lineLimit{path: "x.csv", in: commas, line: 1}); err == nil || n > 2*maxFields+1<<16 ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("commas: %d bytes, error %v", n, err)
	}
	lines := strings.NewReader(strings.Repeat(strings.Repeat("0", 1<<20)+"\n", 65))
	if _, err := io.Copy(io.Discard, &lineLimit{in: lines, line: 1}); err != nil {
		t.Errorf("65 lines of a MiB: %v", err)
	}
}
