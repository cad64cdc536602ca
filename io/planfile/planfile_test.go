package planfile

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"graphda/io/seal"
	"graphda/io/seal/sealtest"
)

func table(rows int) Table {
	t := Table{
		{Name: "name", Strings: make([]string, 0, rows)},
		{Name: "count", Ints: make([]int64, 0, rows)},
		{Name: "value", Floats: make([]float64, 0, rows)},
	}
	for i := range rows {
		t[0].Strings = append(t[0].Strings, "n "+strconv.Itoa(i/3))
		t[1].Ints = append(t[1].Ints, int64(i)*1e9)
		t[2].Floats = append(t[2].Floats, math.Sqrt(float64(i)))
	}
	return t
}

// slice returns the rows from up to, but not including, to.
func (t Table) slice(from, to int) Table {
	part := slices.Clone(t)
	for i := range part {
		switch c := &part[i]; {
		case c.Strings != nil:
			c.Strings = c.Strings[from:to]
		case c.Ints != nil:
			c.Ints = c.Ints[from:to]
		case c.Floats != nil:
			c.Floats = c.Floats[from:to]
		}
	}
	return part
}

func write(path string, t Table) error {
	_, err := WriteRows(path, t[0].Len(), t.slice)
	return err
}

func read(path string) (t Table, digest string, err error) {
	f, err := Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	for group := range f.Groups() {
		part, err := f.Read(group)
		if err != nil {
			return nil, "", err
		}
		if t == nil {
			t = part
			continue
		}
		for i := range t {
			t[i].Strings = append(t[i].Strings, part[i].Strings...)
			t[i].Ints = append(t[i].Ints, part[i].Ints...)
			t[i].Floats = append(t[i].Floats, part[i].Floats...)
		}
	}
	return t, f.Digest(), nil
}

// TestFullDisk checks that a full disk gives an error that says so and names the file, after any number of bytes.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	sealtest.OnFullDisk(t, path, []uint64{0, 1, 4, 100, 1000}, func() error { return write(path, table(500)) })
}

func TestReadNamesWhatThereIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	must(t, write(path, table(1)))
	f := must1(Open(path))
	defer f.Close()
	_, err := f.Read(0, "name", "nmae")
	if err == nil || err.Error() != path+`: has no column "nmae"; its columns are name, count, value` {
		t.Errorf("error %v", err)
	}
}

// TestSeveralPages checks values that fill several pages of a group, with and without nulls.
func TestSeveralPages(t *testing.T) {
	const rows = 40_000
	want := Table{
		{Name: "id", Strings: make([]string, rows), Unique: true}, {Name: "kind", Strings: make([]string, rows)},
		{Name: "n", Ints: make([]int64, rows)}, {Name: "v", Floats: make([]float64, rows)},
	}
	for i := range rows {
		want[0].Strings[i] = strings.Repeat(strconv.Itoa(i%7), 100) + strconv.Itoa(i) // a page holds some 10,000
		want[1].Strings[i] = []string{"", "a", "bc"}[i/5%3]
		want[2].Ints[i] = int64(-i)
		if want[3].Floats[i] = float64(i) / 3; i%3 == 1 || i < 100 || i > rows-100 {
			want[3].Floats[i] = math.NaN()
		}
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	must(t, write(path, want))
	got, _, err := read(path)
	must(t, err)
	want[0].Unique = false // Unique only affects writing
	for i := range rows {
		a, b := got[3].Floats[i], want[3].Floats[i]
		if math.Float64bits(a) != math.Float64bits(b) && !(a != a && b != b) {
			t.Fatalf("row %d: %v, want %v", i, a, b)
		}
	}
	if !reflect.DeepEqual(got[:3], want[:3]) {
		t.Error("strings or integers differ")
	}
}

// numbered writes a table of rows 0 to n−1 in groups of 3 and files of 7.
func numbered(t *testing.T, path string, n int) Table {
	t.Helper()
	table := Table{{Name: "id", Strings: []string{}, Unique: true}, {Name: "kind", Strings: []string{}},
		{Name: "n", Ints: []int64{}}, {Name: "v", Floats: []float64{}}}
	for i := range n {
		table[0].Strings = append(table[0].Strings, fmt.Sprint("id", i))
		table[1].Strings = append(table[1].Strings, strings.Repeat("a", i/4))
		table[2].Ints = append(table[2].Ints, int64(i))
		table[3].Floats = append(table[3].Floats, float64(i)/8)
	}
	digest := must1(split{group: 3, file: 7}.write(path, n, table.slice))
	f := must1(Open(path))
	defer f.Close()
	if f.Digest() != digest {
		t.Errorf("%d rows have the digest %q when they are written, %q when they are read", n, digest, f.Digest())
	}
	return table
}

var must = sealtest.Must

func TestSeveralFiles(t *testing.T) {
	if got := Names("a/t.parquet", 2*usual.file+1); !slices.Equal(got, []string{"a/t.parquet", "a/t.2.parquet", "a/t.3.parquet"}) {
		t.Errorf("names %v", got)
	}
	for _, n := range []int{0, 1, 6, 7, 8, 14, 15, 23} {
		path := filepath.Join(t.TempDir(), "t.parquet")
		want := numbered(t, path, n)
		f := must1(Open(path))
		files := must1(filepath.Glob(filepath.Join(filepath.Dir(path), "*.parquet")))
		if count := max(1, (n+6)/7); f.Files() != count || len(files) != count || f.Rows() != n {
			t.Fatalf("%d rows: %d files of %v, %d rows", n, f.Files(), files, f.Rows())
		}
		// Read from both ends at once, as several goroutines may.
		groups := make([]Table, f.Groups())
		var pool sync.WaitGroup
		for file := range f.Files() {
			pool.Go(func() {
				from, to := f.GroupsOf(file)
				for group := to - 1; group >= from; group-- {
					table := must1(f.Read(group))
					groups[group] = table
				}
			})
		}
		pool.Wait()
		var ids, kinds []string
		var ints []int64
		for _, g := range groups {
			ids, kinds, ints = append(ids, g[0].Strings...), append(kinds, g[1].Strings...), append(ints, g[2].Ints...)
		}
		if !slices.Equal(ids, want[0].Strings) || !slices.Equal(kinds, want[1].Strings) || !slices.Equal(ints, want[2].Ints) {
			t.Errorf("%d rows come back as %v %v", n, ids, ints)
		}
		must(t, f.Close())
	}
}

// TestOtherFilesStayClosed checks that reading a few rows opens only their files: others may be damaged or missing.
func TestOtherFilesStayClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	numbered(t, path, 23)
	must(t, os.Remove(fileName(path, 2)))
	f := must1(Open(path))
	defer f.Close()
	for group := range f.Groups() {
		low, high, err := f.Span(group, "n")
		from, to := f.Group(group)
		if err != nil || int(low) > from || int(high) < to-1 {
			t.Errorf("group %d of rows %d to %d spans %d to %d (%v)", group, from, to-1, low, high, err)
		}
	}
	first, end := f.GroupsOf(2)
	got, err := f.Read(first, "n")
	if err != nil || !slices.Equal(got[0].Ints, []int64{14, 15, 16}) || end-first != 3 {
		t.Errorf("the third file begins with %v (%v) and has %d groups", got, err, end-first)
	}
	if missing, _ := f.GroupsOf(1); true {
		if _, err := f.Read(missing, "n"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a file that is gone: %v", err)
		}
	}
}

func TestFileOfAnotherTable(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "t.parquet"), filepath.Join(dir, "u.parquet")
	numbered(t, path, 15)
	numbered(t, other, 16)
	must(t, os.Rename(fileName(other, 3), fileName(path, 3)))
	f := must1(Open(path))
	defer f.Close()
	if _, err := f.Read(f.Groups() - 1); !errors.Is(err, seal.ErrDamaged) || !strings.Contains(err.Error(), "t.3.parquet") {
		t.Errorf("a file of another table is read: %v", err)
	}
	for k := range 2 {
		data := must1(os.ReadFile(fileName(path, k+1)))
		data[len(data)/2] ^= 1
		must(t, os.WriteFile(fileName(path, k+1), data, 0o666))
	}
	if _, err := Open(path); !errors.Is(err, seal.ErrDamaged) {
		t.Errorf("a damaged first file is opened: %v", err)
	}
	if first, _ := f.GroupsOf(1); true {
		if _, err := f.Read(first); !errors.Is(err, seal.ErrDamaged) {
			t.Errorf("a damaged file is read: %v", err)
		}
	}
}

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }
