package tables_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"unicode/utf8"

	"graphda/io/tables"
)

// FuzzTable: any values come back as they were, and any other byte in the file is refused.
func FuzzTable(f *testing.F) {
	f.Add("name", "value", "", int64(-1), 0.5, uint(20), byte(1))
	f.Add("é", "graphda-seal:sha256:", "\n", int64(1)<<62, math.Copysign(0, -1), uint(1<<20), byte(0x80))
	f.Fuzz(func(t *testing.T, name, s, last string, i int64, v float64, at uint, flip byte) {
		if name == "i" || name == "v" || v != v || !utf8.ValidString(name+s+last) {
			return
		}
		path := filepath.Join(t.TempDir(), "t.parquet")
		want := tables.Table{{Name: name, Strings: []string{s, s, last}}, {Name: "i", Ints: []int64{i, 0, -i}}, {Name: "v", Floats: []float64{v, 1, -v}}}
		if tables.Write(path, want) != nil {
			return // as for a seal among the values
		}
		if got, _, err := read(path); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, %v, want %+v", got, err, want)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[at%uint(len(data))] ^= flip
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := read(path); (err == nil) != (flip == 0) {
			t.Fatalf("byte %d changed by %d: %v", at%uint(len(data)), flip, err)
		}
	})
}
