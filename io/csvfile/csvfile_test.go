package csvfile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func read(content string) (records [][]string, lines []int, err error) {
	r := NewRows("f.csv", strings.NewReader(content))
	for r.Next() {
		records, lines = append(records, slices.Clone(r.Record())), append(lines, r.Line())
	}
	return records, lines, r.Err()
}

func TestRows(t *testing.T) {
	records, lines, err := read("\ufeffa, b ,c\r\n\n1,\"two, or\nthree\", 3\n,,\n")
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"a", "b", "c"}, {"1", "two, or\nthree", "3"}, {"", "", ""}}
	if !slices.EqualFunc(records, want, slices.Equal[[]string]) || !slices.Equal(lines, []int{1, 3, 5}) {
		t.Errorf("records %q in lines %v", records, lines)
	}
	if records, _, err := read("\ufeff\"a\",\"b,c\"\n"); err != nil || !slices.Equal(records[0], []string{"a", "b,c"}) {
		t.Errorf("quotes after a byte order mark: %q, %v", records, err)
	}
	if records, _, err := read(""); err != nil || records != nil {
		t.Errorf("an empty file: %q, %v", records, err)
	}
}

func TestRowsRefuse(t *testing.T) {
	for content, want := range map[string]string{
		"a,b\n1,2\n3\n":     "f.csv: line 3: has 1 fields, want 2 as in line 1",
		"\n\na\n1,2\n":      "f.csv: line 4: has 2 fields, want 1 as in line 3",
		"a\n\"1\n2":         "f.csv: line 3: extraneous or missing \" in quoted-field",
		"a,b\n1,2\"\n":      "f.csv: line 2: bare \" in non-quoted-field",
		"a\n\"1\" \"2\"\n1": "f.csv: line 2: extraneous or missing \" in quoted-field",
	} {
		_, _, err := read(content)
		var located *Error
		if err == nil || err.Error() != want || !errors.As(err, &located) {
			t.Errorf("%q: error %v, want %s", content, err, want)
		}
	}
}

// Once there is an error there are no more records.
func TestRowsStop(t *testing.T) {
	r := NewRows("f", strings.NewReader("a\n1,2\n3\n"))
	for range 3 {
		r.Next()
	}
	if r.Next() || r.Err() == nil {
		t.Errorf("records go on after an error, %v", r.Err())
	}
}

func TestTable(t *testing.T) {
	table, err := NewTable("t.csv", strings.NewReader("cost,other,name\n1.5,x,A\n-2e3,,B\n"), "name", "cost")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var sum float64
	for table.Next() {
		x, err := table.Number(1)
		if err != nil {
			t.Fatal(err)
		}
		names, sum = append(names, table.Text(0)), sum+x
	}
	if table.Err() != nil || sum != -1998.5 || !slices.Equal(names, []string{"A", "B"}) {
		t.Errorf("names %q, sum %v, error %v", names, sum, table.Err())
	}
	if want, err := `t.csv: line 3, column "cost": is too small`, table.Bad(1, "is too %s", "small"); err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestTableRefuses(t *testing.T) {
	for content, want := range map[string]string{
		"":                             "t.csv: is empty, want a row of column names: name, cost",
		"name,price\n":                 `t.csv: line 1: has no column "cost"; its columns are name, price`,
		"cost,name,cost":               `t.csv: line 1, column "cost": stands twice in the file`,
		"name,\"cost":                  `t.csv: line 1: extraneous or missing " in quoted-field`,
		strings.Repeat("x,", 13) + "x": `t.csv: line 1: has no column "name"; its columns are ` + strings.Repeat("x, ", 11) + "x and 2 more",
	} {
		if _, err := NewTable("t.csv", strings.NewReader(content), "name", "cost"); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", content, err, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for field, want := range map[string]float64{"0": 0, "-1.5": -1.5, "+2": 2, "1e-3": 0.001, ".5": 0.5, "1e-400": 0, "1.7976931348623157e308": math.MaxFloat64} {
		if got, err := Number(field); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", field, got, err, want)
		}
	}
	for _, field := range []string{"", "x", "NaN", "nan", "Inf", "-inf", "+Infinity", "1e400", "0x1p-2", "1_000", "1,5", "1 2", "٣", strings.Repeat("9", 400)} {
		if x, err := Number(field); err == nil || !strings.Contains(err.Error(), ", want a finite decimal number") || len(err.Error()) > 120 {
			t.Errorf("%q is %v, error %v", field, x, err)
		}
	}
}

// A file is opened through gzip if its content says so, and its errors name it.
func TestOpen(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("name,cost\nA,1\n"))
	z.Close()
	for name, data := range map[string][]byte{"t.csv": []byte("name,cost\nA,1\n"), "packed.csv": packed.Bytes()} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		table, err := OpenTable(path, "cost")
		if err != nil {
			t.Fatal(err)
		}
		if !table.Next() || table.Text(0) != "1" || table.Next() || table.Err() != nil || table.Close() != nil {
			t.Errorf("%s: error %v", name, table.Err())
		}
	}
	cut := filepath.Join(t.TempDir(), "cut.csv.gz")
	if err := os.WriteFile(cut, packed.Bytes()[:packed.Len()-9], 0o666); err != nil {
		t.Fatal(err)
	}
	table, err := OpenTable(cut, "cost")
	if err == nil {
		for table.Next() {
		}
		err = table.Err()
	}
	if err == nil || !strings.Contains(err.Error(), cut+": the gzip file is cut off") {
		t.Errorf("a truncated file: error %v", err)
	}
	if _, err := OpenTable("absent.csv", "cost"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v", err)
	}
}

// Tabs separate the fields of a file with such a name, also where a field is empty.
func TestOpenTabs(t *testing.T) {
	for name, want := range map[string][]string{"t.tsv": {"a, b", "", "c"}, "t.csv": {"a", "b\t\tc"}} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("a, b\t\tc\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if !r.Next() || !slices.Equal(r.Record(), want) {
			t.Errorf("%s: %q, %v, want %q", name, r.Record(), r.Err(), want)
		}
	}
}

// Whatever is read has as many fields in every row, and in lines that ascend.
func FuzzRows(f *testing.F) {
	f.Add("a,b\n1,2\n3,4\n")
	f.Add("\ufeff\"a\",b\r\n\"1\"\"\",\"2\n3\"\n")
	f.Add("a\n\n\n1")
	f.Add("a,b\n1\n")
	f.Fuzz(func(t *testing.T, content string) {
		records, lines, err := read(content)
		if err != nil && !strings.HasPrefix(err.Error(), "f.csv: line ") {
			t.Errorf("error %v names no place", err)
		}
		for i, r := range records {
			if len(r) != len(records[0]) || i > 0 && lines[i] <= lines[i-1] {
				t.Errorf("record %d, %q, stands in line %d", i, r, lines[i])
			}
		}
		if table, err := NewTable("t.csv", strings.NewReader(content), "a", "b"); err == nil {
			for table.Next() {
				if x, err := table.Number(1); err == nil && x-x != 0 {
					t.Errorf("%q is read as %v", table.Text(1), x)
				}
			}
		}
	})
}
