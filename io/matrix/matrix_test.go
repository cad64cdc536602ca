package matrix

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/dataframe"
	"graphda/io/seal/sealtest"
)

// npyFile returns the bytes of a file with the given header and values, as NumPy writes them. The header is padded
// with spaces and a newline to a multiple of 64.
func npyFile(header string, values any) []byte {
	pad := 63 - (10+len(header))%64
	b := fmt.Appendf(nil, "\x93NUMPY\x01\x00")
	b = binary.LittleEndian.AppendUint16(b, uint16(len(header)+pad+1))
	b = append(b, header+strings.Repeat(" ", pad)+"\n"...)
	var order binary.ByteOrder = binary.LittleEndian
	if strings.Contains(header, "'>f") {
		order = binary.BigEndian
	}
	b, err := binary.Append(b, order, values)
	if err != nil {
		panic(err)
	}
	return b
}

func describe(descr, fortran, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
}

// version2 converts the header of a version 1 file to version 2, in which its length has four bytes.
func version2(data []byte) []byte {
	return slices.Concat(data[:6], []byte{2, 0}, data[8:10], []byte{0, 0}, data[10:])
}

var (
	singles = []float32{1, 2, 3, 4, 5.5, -6}
	doubles = []float64{1, 2, 3, 4, 5.5, -6}
	corder  = npyFile(describe("<f8", "False", "(2, 3)"), doubles)
	forder  = npyFile(describe("<f4", "True", "(2, 3)"), singles)
)

func TestNPY(t *testing.T) {
	for name, c := range map[string]struct {
		data       []byte
		rows, cols int
		want       []float64
	}{
		"float64":     {corder, 2, 3, doubles},
		"float32":     {npyFile(describe("<f4", "False", "(3, 2)"), singles), 3, 2, doubles},
		"big endian":  {npyFile(describe(">f8", "False", "(6, 1)"), doubles), 6, 1, doubles},
		"big float32": {npyFile(describe(">f4", "False", "(1, 6)"), singles), 1, 6, doubles},
		"Fortran":     {forder, 2, 3, []float64{1, 3, 5.5, 2, 4, -6}},
		"version 2":   {version2(corder), 2, 3, doubles},
	} {
		m, err := Read(sealtest.File(t, "m.npy", c.data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if m.Rows != c.rows || m.Cols != c.cols || !slices.Equal(m.Data, c.want) || m.Names != nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
	m, err := decodeNPY(forder)
	if err != nil || !slices.Equal(m.Row(1), []float64{2, 4, -6}) {
		t.Errorf("row 1 is %v, error %v", m.Row(1), err)
	}
}

func TestNPYRefuses(t *testing.T) {
	value := func(v float64) []byte {
		return npyFile(describe("<f8", "False", "(2, 3)"), []float64{0, 0, 0, 0, v, 0})
	}
	header := func(h string) []byte { return npyFile(h, doubles) }
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":           {nil, `begins with "", want "\x93NUMPY", the beginning of an .npy file`},
		"text":            {[]byte("1,2,3\n4,5,6\n"), `begins with "1,2,3\n", want`},
		"npz":             {[]byte("PK\x03\x04 and so on"), `begins with "PK`},
		"version 3":       {append([]byte("\x93NUMPY\x03\x00"), corder[8:]...), "is an .npy file of version 3, want 1 or 2"},
		"header cut":      {corder[:60], "ends within the header"},
		"length cut":      {[]byte("\x93NUMPY\x02\x00\x10\x00"), "ends within the header"},
		"huge header":     {append([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"), make([]byte, 100)...), "says that its header has 4294967295 bytes, want at most 65536"},
		"no newline":      {[]byte("\x93NUMPY\x01\x00\x06\x00abc, }"), "the header of the .npy file cannot be read"},
		"no header":       {[]byte("\x93NUMPY\x01\x00\x00\x00"), "the header of the .npy file cannot be read"},
		"brace first":     {header("}" + describe("<f8", "False", "(2, 3)")), "the header of the .npy file cannot be read"},
		"another order":   {header("{'shape': (2, 3), 'fortran_order': False, 'descr': '<f8', }"), "the header of the .npy file cannot be read"},
		"integers":        {header(describe("<i8", "False", "(2, 3)")), `has values of type "<i8", want float32 or float64`},
		"objects":         {header(describe("|O", "False", "(2, 3)")), `has values of type "|O"`},
		"scalar":          {header(describe("<f8", "False", "()")), "has the shape [], want two dimensions"},
		"vector":          {header(describe("<f8", "False", "(6,)")), "has the shape [6], want two dimensions"},
		"three":           {header(describe("<f8", "False", "(1, 2, 3)")), "has the shape [1 2 3], want two dimensions"},
		"no rows":         {header(describe("<f8", "False", "(0, 3)")), "has the shape [0 3], want at least one row and one column"},
		"negative":        {header(describe("<f8", "False", "(-2, -3)")), "has the shape [-2 -3], want at least one row and one column"},
		"overflow":        {header(describe("<f8", "False", "(4294967296, 4294967296)")), "is too large"},
		"overflow to fit": {header(describe("<f8", "False", "(2305843009213693952, 8)")), "is too large"},
		"words":           {header(describe("<f8", "False", "(two, 3)")), "the header of the .npy file cannot be read"},
		"too few":         {corder[:len(corder)-1], "has 47 bytes of values, want 48 for 2 × 3 values of type <f8"},
		"too many":        {append(slices.Clone(corder), 0), "has 49 bytes of values, want 48"},
		"wrong shape":     {header(describe("<f8", "False", "(3, 3)")), "has 48 bytes of values, want 72 for 3 × 3"},
		"wrong type":      {header(describe("<f4", "False", "(2, 3)")), "has 48 bytes of values, want 24"},
		"absurd":          {header(describe("<f8", "False", "(1000000, 1000000)")), "has 48 bytes of values, want 8000000000000"},
		"NaN":             {value(math.NaN()), "row 1, column 1 (counting from 0): is NaN, want a finite number"},
		"Inf":             {value(math.Inf(-1)), "row 1, column 1 (counting from 0): is -Inf, want a finite number"},
	} {
		path := sealtest.File(t, "m.npy", c.data)
		m, err := Read(path)
		if err == nil || m != nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// TestNames reads a matrix with names in files beside it, and in a table of genes and a list of samples.
func TestNames(t *testing.T) {
	pair := npyFile(describe("<f8", "False", "(2, 2)"), []float64{1, 3, 2, 4})
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, content := range map[string]string{
		"bare.npy": string(pair), "x.npy": string(pair), "x.columns.txt": "a\nb\n", "x.rows.txt": "r\ts\nu\n",
		"y.npy": string(pair), "y.columns.txt.gz": string(sealtest.Gzip("a\nb\n")), "genes.csv": "index,gene\n0,NAN\n1,007\n",
		"samples.txt": "S1\nS 2\n", "short.txt": "S1\n", "numbers.csv": "index\n1\n2\n",
	} {
		sealtest.Must(t, os.WriteFile(in(name), []byte(content), 0o666))
	}
	told := dataframe.Options{Names: in("genes.csv"), IDs: in("samples.txt")}
	for _, c := range []struct {
		file string
		o    dataframe.Options
		want string
	}{
		{"x.npy", dataframe.Options{}, "|a|b\nr|1|3\nu|2|4\n"},
		{"y.npy", dataframe.Options{}, "|a|b\n1|1|3\n2|2|4\n"},
		{"x.npy", told, "|NAN|007\nS1|1|3\nS 2|2|4\n"},
		{"bare.npy", dataframe.Options{}, "bare.npy: has no column names; write them to"},
		{"x.npy", dataframe.Options{Names: in("genes.csv"), IDs: in("short.txt")}, "has 2 rows and 2 columns, but there are names for 1 rows and 2 columns"},
		{"x.npy", dataframe.Options{Names: in("numbers.csv")}, `numbers.csv: has no column "name"; its columns are index`},
		{"x.npy", dataframe.Options{Names: in("gone.txt")}, "no such file"},
	} {
		table, err := dataframe.Open(in(c.file), c.o)
		if err != nil {
			sealtest.WantError(t, err, c.want)
			continue
		}
		got := strings.Join(table.Columns(), "|") + "\n"
		for table.Next() {
			got += table.Text(0) + "|" + table.Text(1) + "|" + table.Text(2) + "\n"
		}
		if err := table.Err(); err != nil || got != c.want {
			t.Errorf("%s: %q, error %v, want %q", c.file, got, err, c.want)
		}
	}
}

// TestMemoryFollowsData checks that memory is allocated for existing data only, whatever the shape claims.
func TestMemoryFollowsData(t *testing.T) {
	data := npyFile(describe("<f8", "False", "(100000, 100000)"), doubles)
	var err error
	if n := sealtest.Allocated(func() { _, err = decodeNPY(data) }); err == nil || n > 1<<20 {
		t.Errorf("%d bytes were allocated, error %v", n, err)
	}
}

func TestCSV(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		names   []string
	}{
		"numbers": {"1,2,3\n4,5.5,-6\n", nil},
		"names":   {"TP53,E2F1,\"a,b\"\n1,2,3\n4,5.5,-6\n", []string{"TP53", "E2F1", "a,b"}},
		"spaces":  {"\ufeff a, b , c\r\n\r\n 1 , 2,3.0\r\n4,+5.5,-6", []string{"a", "b", "c"}},
	} {
		for file, data := range map[string][]byte{"m.csv": []byte(c.content), "M.CSV": []byte(c.content), "m.csv.gz": sealtest.Gzip(c.content)} {
			m, err := Read(sealtest.File(t, file, data))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if m.Rows != 2 || m.Cols != 3 || !slices.Equal(m.Data, []float64{1, 2, 3, 4, 5.5, -6}) || !slices.Equal(m.Names, c.names) {
				t.Errorf("%s in %s: %+v", name, file, m)
			}
		}
	}
}

func TestCSVRefuses(t *testing.T) {
	for content, want := range map[string]string{
		"":                  "has no row of numbers, want at least one",
		"a,b\n":             "has no row of numbers, want at least one",
		"1,2\n3\n":          "line 2: has 1 field, but line 1 has 2",
		"a,b\n1,x\n":        `line 2, column "b": is "x", want a finite decimal number`,
		"1,2\n3,4\n5,six\n": `line 3, column "2": is "six", want a finite decimal number`,
		"1,b\n":             `line 1, column "2": is "b", want a finite decimal number`,
		"1,2\nNaN,3\n":      `line 2, column "1": is "NaN", want a finite decimal number`,
		"nan,inf\n":         `line 1, column "1": is "nan", want a finite decimal number`,
		"a,b\n1,-Inf\n":     `line 2, column "b": is "-Inf", want a finite decimal number`,
		"1e999,2\n":         `line 1, column "1": is "1e999", want a finite decimal number`,
		"a,b\n1,\n":         `line 2, column "b": is "", want a finite decimal number`,
	} {
		path := sealtest.File(t, "m.csv", content)
		if _, err := Read(path); err == nil || err.Error() != path+": "+want {
			t.Errorf("%q: error %v, want %s", content, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, name := range []string{"absent.npy", "absent.csv", "absent.txt"} {
		if _, err := Read(filepath.Join(t.TempDir(), name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	path := sealtest.File(t, "m.txt", "1,2")
	if _, err := Read(path); err == nil || err.Error() != path+": is of an unknown kind; want a name that ends with .npy, .csv or .csv.gz" {
		t.Errorf("error %v", err)
	}
}

func check(t *testing.T, m *Matrix) {
	t.Helper()
	if m.Rows < 1 || m.Cols < 1 || len(m.Data) != m.Rows*m.Cols || m.Names != nil && len(m.Names) != m.Cols {
		t.Fatalf("%d × %d with %d values and %d names", m.Rows, m.Cols, len(m.Data), len(m.Names))
	}
	for _, v := range m.Data {
		if v-v != 0 {
			t.Fatalf("value %v", v)
		}
	}
}

// FuzzNPY checks that accepted matrices are as large as the file and finite.
func FuzzNPY(f *testing.F) {
	f.Add(corder)
	f.Add(forder)
	f.Add(version2(corder))
	f.Add([]byte("\x93NUMPY\x01\x00\x06\x00abc, }"))
	f.Add(npyFile(describe(">f4", "False", "(2305843009213693952, 8)"), singles))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeNPY(data)
		if err != nil {
			return
		}
		check(t, m)
		if n := 4 * len(m.Data); n > len(data) {
			t.Fatalf("%d values from %d bytes", len(m.Data), len(data))
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Add("a,b\n1,2\n")
	f.Add("1,2\n3,4\n")
	f.Add("\ufeffnan,\"x\"\n")
	path := sealtest.File(f, "f.csv", "")
	f.Fuzz(func(t *testing.T, content string) {
		if os.WriteFile(path, []byte(content), 0o666) != nil {
			return
		}
		m, err := Read(path)
		if err != nil {
			if !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("error %v names no file", err)
			}
			return
		}
		check(t, m)
	})
}
