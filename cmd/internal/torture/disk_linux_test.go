package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A smallDisk is a file system in memory, on the folder disk of a case. Its size can be changed.
type smallDisk struct {
	t    *testing.T
	path string
}

const roomy = "size=64m,nr_inodes=9999"

// mountDisk mounts a disk with plenty of space on a folder.
func mountDisk(t *testing.T, path string) *smallDisk {
	t.Helper()
	must(t, os.Mkdir(path, 0o777))
	if err := syscall.Mount("tmpfs", path, "tmpfs", 0, roomy); err != nil {
		t.Skipf("no file system can be mounted here, which root may do: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(path, syscall.MNT_DETACH)) })
	return &smallDisk{t, path}
}

// limit leaves the given numbers of pages and inodes free.
func (d *smallDisk) limit(pages, inodes int64) {
	d.t.Helper()
	usedPages, usedInodes := d.used()
	d.remount(fmt.Sprintf("size=%d,nr_inodes=%d", (usedPages+pages)*int64(os.Getpagesize()), usedInodes+inodes))
}

func (d *smallDisk) remount(options string) {
	d.t.Helper()
	must(d.t, syscall.Mount("tmpfs", d.path, "tmpfs", syscall.MS_REMOUNT, options))
}

func (d *smallDisk) used() (pages, inodes int64) {
	d.t.Helper()
	var s syscall.Statfs_t
	must(d.t, syscall.Statfs(d.path, &s))
	return int64(s.Blocks - s.Bfree), int64(s.Files - s.Ffree)
}

// A writer is a command that writes to the folder disk.
type writer struct {
	name  string
	ready string   // a run that is first copied to disk/run
	args  []string // arguments of gdrun or gdmerge
	keeps string   // suffix of the files that are the same in every run; "" for all files
	run   string   // the run to merge afterwards, if any
}

const imports = "import --samples data/s.csv --edges data/e.csv --drop status --drop split "

var writers = []writer{
	{name: "simulate", args: words("simulate benchmark --graph 1 --trials 2 --train 40 --valid 9 --test 9 --out disk/a")},
	{name: "import", args: words(imports + "--trials 2 --out disk/a")},
	{name: "plan", args: words("plan small.yaml --out disk/run"), keeps: "plan.parquet"},
	{name: "local", ready: fresh, args: words("local disk/run -j 2"), keeps: "nothing", run: "disk/run"},
	{name: "task", args: words("task fresh --index 1 --scratch disk"), keeps: "nothing", run: fresh},
	{name: "cell", args: append(cell[:len(cell)-1:len(cell)-1], "disk/w.csv", "--out", "disk/c.arrow"), keeps: ".csv"},
	{name: "project", args: append(project[:len(project)-1:len(project)-1], "disk/p.graphml")},
	{name: "gdmerge", args: words("whole --out disk/report")},
}

func (w *writer) start(t *testing.T, dir string) outcome {
	t.Helper()
	program := "gdrun"
	if w.name == "gdmerge" {
		program = w.name
	}
	return in(t, dir, program, w.args...)
}

// kept returns the files on the disk that are the same in every run.
func (w *writer) kept(t *testing.T, d *smallDisk) map[string]string {
	t.Helper()
	files := contents(t, d.path)
	for name := range files {
		if !strings.HasSuffix(name, w.keeps) {
			delete(files, name)
		}
	}
	return files
}

// place makes a folder with a large enough disk for the command.
func (w *writer) place(t *testing.T, base string) (dir string, d *smallDisk) {
	t.Helper()
	dir = t.TempDir()
	copyTree(t, base, dir)
	d = mountDisk(t, filepath.Join(dir, "disk"))
	if w.ready != "" {
		copyTree(t, filepath.Join(base, w.ready), filepath.Join(d.path, "run"))
	}
	return dir, d
}

// An undisturbed has the files of an undisturbed run of a writer, and the space that they take.
type undisturbed struct {
	files         map[string]string
	pages, inodes int64
}

func (w *writer) undisturbed(t *testing.T, dir string, d *smallDisk) (u undisturbed) {
	t.Helper()
	pages, inodes := d.used()
	w.start(t, dir).must(t)
	u.files = w.kept(t, d)
	u.pages, u.inodes = d.used()
	u.pages -= pages
	u.inodes -= inodes
	return u
}

const sizes = 30

// Each writing command runs on disks of 30 sizes, from one page to more than it needs, and with few inodes. It
// succeeds, or says that there is no space and leaves nothing that looks finished. With enough space, the same
// command succeeds.
func TestFullDisk(t *testing.T) {
	base := runs(t)
	if os.Getuid() != 0 {
		t.Skip("only root may mount a small disk")
	}
	samples, edges, _, _, _, _ := madeUp()
	tables := map[string][]byte{"s.csv": samples.csv(t, ','), "e.csv": edges.csv(t, ',')}
	place := func(t *testing.T, w *writer) (string, *smallDisk) {
		dir, d := w.place(t, base)
		for name, table := range tables {
			write(t, filepath.Join(dir, "data", name), table)
		}
		return dir, d
	}
	whole := make([]lazy[undisturbed], len(writers))
	const inodeLimits = 6
	cases(t, len(writers)*(sizes+inodeLimits), 5, func(t *testing.T, number int, _ *rand.Rand) string {
		w, step := &writers[number%len(writers)], int64(number/len(writers))
		want := whole[number%len(writers)].get(func() undisturbed {
			dir, d := place(t, w)
			return w.undisturbed(t, dir, d)
		})
		dir, d := place(t, w)
		pages, inodes := 1+step*(want.pages+want.pages/4+3)/sizes, int64(9999)
		if step >= sizes {
			pages, inodes = 9999, (step-sizes)*(want.inodes+3)/inodeLimits
		}
		d.limit(pages, inodes)
		return w.name + ": " + w.squeeze(t, dir, d, want, fmt.Sprintf("%d pages and %d inodes free", pages, inodes))
	})
}

// squeeze runs the command on the limited disk. If it fails, squeeze runs it again with enough space.
func (w *writer) squeeze(t *testing.T, dir string, d *smallDisk, want undisturbed, limits string) string {
	o := w.start(t, dir)
	end := "fits"
	if o.code != 0 {
		end = "no space, then done"
		if !strings.Contains(o.last(), "no space left on device") {
			t.Errorf("%s: with %s it does not say that there is no space left: %s", o.line, limits, short(o.stderr))
		}
		for name, text := range w.kept(t, d) {
			if text != want.files[name] {
				t.Errorf("%s: with %s, %s is left unfinished", o.line, limits, name)
			}
		}
		w.noLeftovers(t, d)
		d.remount(roomy)
		w.start(t, dir).must(t)
	}
	d.remount(roomy)
	same(t, w.name, w.kept(t, d), want.files)
	if w.run != "" {
		in(t, dir, "gdrun", "local", w.run).must(t)
		if !merged(t, dir, w.run) {
			t.Errorf("%s: its run cannot be merged", w.name)
		}
	}
	if t.Failed() {
		t.Log(limits)
	}
	return end
}

// noLeftovers checks that no unfinished files are left. The list of a folder's files is not one.
func (w *writer) noLeftovers(t *testing.T, d *smallDisk) {
	t.Helper()
	must(t, filepath.WalkDir(d.path, func(path string, e os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".") && e.Name() != ".graphda-files" {
			t.Errorf("%s: leaves %s", w.name, path)
		}
		return err
	}))
}
