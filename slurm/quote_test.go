package slurm

import (
	"os/exec"
	"strings"
	"testing"
)

func TestSh(t *testing.T) {
	for in, want := range map[string]string{
		"": "''", "a-b/c.d": "a-b/c.d", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "~": "'~'", "--x=1,2": "--x=1,2", "#": "'#'", "ü": "'ü'",
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

// FuzzSh asks a real shell for the word again.
func FuzzSh(f *testing.F) {
	for _, name := range awkward {
		f.Add(name)
	}
	f.Add("")
	f.Add("'\\''\n\n")
	f.Add("\xff\xfe")
	f.Fuzz(func(t *testing.T, v string) {
		if strings.ContainsRune(v, 0) {
			t.Skip() // no argument of a program has one
		}
		out, err := exec.Command("sh", "-c", "printf '%s|' -- "+Quote(v)+" x").Output()
		if want := "--|" + v + "|x|"; err != nil || string(out) != want {
			t.Errorf("Quote(%q) = %s: %v, got %q, want %q", v, Quote(v), err, out, want)
		}
	})
}
