package tables

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

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

// slice returns the rows from one to before another.
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

// read reads all groups of a table.
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

// A disk that is full is an error that says so and names the file, at any byte.
func TestFullDisk(t *testing.T) {
	if !sealtest.Alone(t) {
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "t.parquet")
	for _, room := range []uint64{0, 1, 4, 100, 1000} {
		undo := sealtest.FullDisk(t, room)
		err := write(path, table(500))
		undo()
		if !errors.Is(err, sealtest.Full) || !strings.HasPrefix(err.Error(), "writing "+path) {
			t.Errorf("room for %d bytes: error %v", room, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left %v", left)
	}
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

// Values that fill several pages of a group come back, whether some are null or not.
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
	want[0].Unique = false // which says how it is written, and is not read
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
