package seal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Nothing is replaced but what is ours and unchanged; with Force all but inputs.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("foreign.csv"), []byte("a,b\n"), 0o666))
	must(t, os.WriteFile(at("read.csv"), []byte("a,b\n"), 0o666))
	must(t, os.Link(at("read.csv"), at("same.csv")))
	must(t, os.Symlink("read.csv", at("link.csv")))
	must(t, os.Mkdir(at("folder"), 0o777))
	must(t, Write(at("sealed"), writeString(Blank())))
	o := Output{Inputs: []string{at("read.csv")}}
	for _, name := range []string{"ours.csv", "edited.csv", "ours.csv"} {
		must(t, o.Write(at(name), writeString(name)))
	}
	must(t, os.WriteFile(at("edited.csv"), []byte("edited"), 0o666))
	for _, c := range []struct {
		name          string
		plain, forced bool
	}{
		{"new.csv", true, true}, {"ours.csv", true, true}, {"foreign.csv", false, true}, {"edited.csv", false, true}, {"sealed", false, true},
		{"read.csv", false, false}, {"same.csv", false, false}, {"link.csv", false, false}, {"folder", false, false},
	} {
		for force, want := range map[bool]bool{false: c.plain, true: c.forced} {
			o.Force = force
			err := o.Check(at(c.name))
			if (err == nil) != want || err != nil && (!errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), at(c.name))) {
				t.Errorf("%s, forced %v: error %v", c.name, force, err)
			}
			if err != nil && o.Write(at(c.name), writeString("x")) == nil {
				t.Errorf("%s, forced %v: replaced", c.name, force)
			}
		}
	}
	if err := (Output{Sealed: IsSealed}).Check(at("sealed")); err != nil {
		t.Errorf("a sealed file: %v", err)
	}
	if err := (Output{Sealed: IsSealed}).Check(at("foreign.csv")); err == nil {
		t.Error("a file without a seal may be replaced")
	}
	if got, _ := os.ReadFile(at("read.csv")); string(got) != "a,b\n" {
		t.Errorf("the input is %q", got)
	}
}
