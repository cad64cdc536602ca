package seal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/io/seal/sealtest"
)

// TestOutput checks that only our own unchanged files are replaced, and with Force all files but inputs.
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

// TestHold checks that one process at a time holds a file, also through a link, and that Check reports changes by
// others.
func TestHold(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "m"), filepath.Join(dir, "link")
	h := must1(Hold(path))
	if _, err := Hold(path); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), path) {
		t.Errorf("held twice before the file is there: %v", err)
	}
	must(t, h.Check())
	must(t, Write(path, writeString(Blank())))
	sealtest.WantError(t, h.Check(), path+" was changed by another program")
	must(t, h.Written())
	must(t, h.Check())
	must(t, os.Symlink("m", link))
	if _, err := Hold(link); !errors.Is(err, ErrHeld) {
		t.Errorf("held by a link too: %v", err)
	}
	h.Release()
	h = must1(Hold(link))
	must(t, Write(path, writeString("other"+Blank())))
	if err := h.Check(); err == nil {
		t.Error("another content is not seen")
	}
	h.Release()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v are left, want the file and the link", entries, err)
	}
}

// TestReplaceable checks that a link stays and its target is replaced. A file keeps its mode; a read-only file is
// not replaced. The list of a folder's files is not written through a link.
func TestReplaceable(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.Mkdir(at("links"), 0o777))
	o := Output{}
	must(t, o.Write(at("a.csv"), writeString("a")))
	must(t, os.Chmod(at("a.csv"), 0o600))
	must(t, os.Symlink("../a.csv", at("links/a.csv")))
	must(t, o.Write(at("links/a.csv"), writeString("b")))
	there := must1(os.Lstat(at("a.csv")))
	if text, _ := os.ReadFile(at("a.csv")); string(text) != "b" || there.Mode() != 0o600 {
		t.Errorf("behind the link is %q of mode %v, want b of mode 600", text, there.Mode())
	}
	if to, err := os.Readlink(at("links/a.csv")); err != nil || to != "../a.csv" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	must(t, os.Chmod(at("a.csv"), 0o666))
	must(t, o.Write(at("a.csv"), writeString("c")))
	if there = must1(os.Lstat(at("a.csv"))); there.Mode() != 0o666 {
		t.Errorf("mode %v, want 666 whatever the umask", there.Mode())
	}
	must(t, os.Chmod(at("a.csv"), 0o444))
	o.Force = true
	for what, err := range map[string]error{"check": o.Check(at("links/a.csv")), "write": Write(at("a.csv"), writeString("d"))} {
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "a.csv is write-protected") {
			t.Errorf("%s of mode 444: %v", what, err)
		}
	}
	must(t, os.Symlink("nothing", at("links/dangling")))
	sealtest.WantError(t, o.Write(at("links/dangling"), writeString("e")), "dangling is a link to a file that does not exist")
	must(t, os.WriteFile(at("victim"), []byte("mine\n"), 0o666))
	must(t, os.Symlink("../victim", at("links/"+listName)))
	sealtest.WantError(t, o.Write(at("links/new.csv"), writeString("f")), listName+" is not an ordinary file")
	if text, _ := os.ReadFile(at("victim")); string(text) != "mine\n" {
		t.Errorf("the list was written through a link: %q", text)
	}
}
