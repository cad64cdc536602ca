package plain

import (
	"errors"
	"fmt"
	"os"
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 cells", 1: "1 cell", 2: "2 cells"} {
		if got := Count(n, "cell"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 61860: "61,860", 1234567: "1,234,567", -999: "-999", -1000: "-1,000"} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestError(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"gone.csv":       "reading: gone.csv: does not exist",
		"no/such/r.csv":  "reading: no/such/r.csv: the folder no/such does not exist",
		"file/r.csv":     "reading: file/r.csv: file is a file, want a folder",
		"file/deep/r":    "reading: file/deep/r: file is a file, want a folder",
		"gone\x1b[31m.x": `reading: gone\x1b[31m.x: does not exist`,
	} {
		_, err := os.Stat(path)
		if got := Error(fmt.Errorf("reading: %w", err)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Error(errors.New("bad")); got != "bad" {
		t.Errorf("%q, want bad", got)
	}
}
