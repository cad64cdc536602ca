package tables_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"graphda/io/seal"
	"graphda/io/tables"
)

func table(rows int) tables.Table {
	t := tables.Table{
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

func TestRoundTrip(t *testing.T) {
	for _, rows := range []int{1, 5, 70_000} {
		want := table(rows)
		path := filepath.Join(t.TempDir(), "t.parquet")
		if err := tables.Write(path, want); err != nil {
			t.Fatal(err)
		}
		got, digest, err := tables.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d rows: what was read differs from what was written", rows)
		}
		if len(digest) != 64 {
			t.Errorf("digest %q", digest)
		}
	}
}

func TestNaNIsNull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	if err := tables.Write(path, tables.Table{{Name: "v", Floats: []float64{1, math.NaN(), math.Inf(1)}}}); err != nil {
		t.Fatal(err)
	}
	got, _, err := tables.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	v := got[0].Floats
	if len(v) != 3 || v[0] != 1 || !math.IsNaN(v[1]) || !math.IsInf(v[2], 1) {
		t.Errorf("read %v, want 1, NaN, +Inf", v)
	}
}

func TestDamageIsSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	if err := tables.Write(path, table(100)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(data); at += 17 {
		bad := append([]byte(nil), data...)
		bad[at] ^= 0x10
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := tables.Read(path); err == nil {
			t.Errorf("byte %d flipped: no error", at)
		}
	}
	if err := os.WriteFile(path, data[:len(data)-3], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := tables.Read(path); !errors.Is(err, seal.ErrDamaged) {
		t.Errorf("truncated: %v, want ErrDamaged", err)
	}
}

func TestColumnNamesWhatThereIs(t *testing.T) {
	_, err := table(1).Column("nmae")
	if err == nil || err.Error() != `no column "nmae", only ["name" "count" "value"]` {
		t.Errorf("error %v", err)
	}
}
