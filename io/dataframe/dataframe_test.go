package dataframe

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/io/safefile"
	"graphda/io/seal/sealtest"
)

func read(content string) (records [][]string, lines []int, err error) {
	r := NewRows("f.csv", strings.NewReader(content), Options{})
	for r.Next() {
		records, lines = append(records, slices.Clone(r.Record())), append(lines, int(r.Row()))
	}
	return records, lines, r.Err()
}

// TestRowsEnded checks that a file cut anywhere, even within its last number, is detected if the last line must
// have a line end.
func TestRowsEnded(t *testing.T) {
	const text = "a,b\n1,2\n3,5.626\n"
	for end := len("a,b\n1,2\n3,"); end <= len(text); end++ {
		r := NewRows("f", strings.NewReader(text[:end]), Options{Unended: func(err error) error { return err }})
		for r.Next() {
		}
		if whole := end == len(text); whole != (r.Err() == nil) || !whole && !strings.HasPrefix(r.Err().Error(), "f: line 3: has no line end") {
			t.Errorf("%q: %v", text[:end], r.Err())
		}
	}
	one := must1(tableOf("a,b\n1,2", Options{Unended: func(err error) error { return err }}))
	if !one.Next() || one.Next() || one.Err() == nil || !strings.HasPrefix(one.Err().Error(), "t.csv: line 2: has no line end") {
		t.Errorf("of a table of one row: %v", one.Err())
	}
	r := NewRows("f", strings.NewReader("\xff\xfea\x00\n\x001\x00\r\x00\n\x00"), Options{Unended: func(err error) error { return err }})
	for r.Next() {
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

// newTable opens a text that must have the named columns.
func newTable(content string, names ...string) (*Table, error) {
	t, err := tableOf(content, Options{})
	if err != nil {
		return nil, err
	}
	return t, t.selects(names)
}

func tableOf(content string, o Options) (*Table, error) {
	s, err := newTextSource(NewRows("t.csv", strings.NewReader(content), o))
	if err != nil {
		return nil, err
	}
	return &Table{path: "t.csv", source: s, names: s.Columns()}, nil
}

func TestTable(t *testing.T) {
	table := must1(newTable("cost,other,name\n1.5,x,A\n-2e3,,B\n", "name", "cost"))
	var names []string
	var sum float64
	for table.Next() {
		x := must1(table.Number(1))
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
		"":                             "t.csv: is empty, want a row of column names",
		"name,price\n":                 `t.csv: has no column "cost"; its columns are name, price`,
		"#made by x\nname,cost\na,1\n": `t.csv: line 1: begins with "#made by x", which looks like a comment; remove the lines before the column names`,
		"cost,name,cost":               `t.csv: column "cost": occurs twice in the file; rename or remove one of the two columns`,
		"name,\"cost":                  `t.csv: line 1: has a quotation mark that is not closed, or is inside a field; inside a field, write it twice: ""`,
		strings.Repeat("x,", 39) + "x": `t.csv: has no column "name"; its columns are ` + strings.Repeat("x, ", 39) + "x",
		strings.Repeat("x,", 40) + "x": `t.csv: has no column "name"; its columns are ` + strings.Repeat("x, ", 11) + "x and 29 more",
	} {
		if _, err := newTable(content, "name", "cost"); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", content, err, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, field := range []string{"", "-", ".", "-.", "1.2.3", "--1", "1 ", "x", "NaN", "nan", "Inf", "-inf", "+Infinity", "1e400", "0x1p-2", "1_000", "1,5", "1 2", "٣", strings.Repeat("9", 400)} {
		if x, err := Number(field); err == nil || !strings.Contains(err.Error(), ", want a finite decimal number") || len(err.Error()) > 120 {
			t.Errorf("%q is %v, error %v", field, x, err)
		}
	}
}

// TestSeparator checks that the first line decides the separator if neither the user nor the file's name does.
func TestSeparator(t *testing.T) {
	for _, c := range []struct {
		path, content string
		told          rune
		want          []string
	}{
		{"t.csv", "a;b\tc\n", 0, []string{"a;b", "c"}},
		{"t.csv", "\ufeff\r\n\"a, b\";c;\r\n", 0, []string{"a, b", "c", ""}},
		{"t.csv", "a;b,c\n", 0, []string{"a;b", "c"}},
		{"t.csv", "a;b,c\n", ';', []string{"a", "b,c"}},
		{"t.tsv", "a b;c\n", 0, []string{"a b", "c"}},
		{"t.tsv.gz", "a;b\t\n", 0, []string{"a;b", ""}},
		{"t.tsv", "a,b\n", 0, []string{"a", "b"}},
		{"t.tsv", "a, b\t\tc\n", 0, []string{"a, b", "", "c"}},
		{"t.csv", "a | b\n", '|', []string{"a", "b"}},
		{"t.csv", "a b\n", 0, []string{"a b"}},
		{"t.csv", "a;b, c;d\n1,5;2;3\n", 0, []string{"a", "b, c", "d"}},
		{"t.csv", "a;b, c\n1;2\n", 0, []string{"a", "b, c"}},
		{"t.csv", "a,b;c;d\n1,2\n", 0, []string{"a", "b;c;d"}},
		{"t.csv", "a,b\n1,2,3\n", 0, []string{"a", "b"}},
		{"t.csv", "a;b;c, d\n", 0, []string{"a", "b", "c, d"}},
		{"t.csv", "a;b;c\n1;\"x\ny\";3\n", 0, []string{"a", "b", "c"}},
		{"t.txt", "a, b c\n", 0, []string{"a", "b c"}},
		{"t.txt", "a\n\"b c\" d\ne f\n", 0, []string{"a", "b c", "d"}},
		{"t.csv", "a\nb,1\nc,2\n", 0, []string{"a", "b", "1"}},
		{"t.csv", "\"a\" \"b\"\n\"c d\" 1\n", 0, []string{"a", "b", "c d", "1"}},
		{"t.csv", "\"a b\"\n\"c d\"\n", 0, []string{"a b"}},
		{"t.txt", "a\nb c d\ne f\n", 0, []string{"a", "b c d"}},
	} {
		r := NewRows(c.path, strings.NewReader(c.content), Options{Separator: c.told})
		var got []string
		for n := 0; len(got) < len(c.want) && r.Next(); n++ {
			if got = append(got, r.Record()...); n == 0 {
				r.fields = 0 // the next record may have more fields
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s of %q: %q, %v, want %q", c.path, c.content, r.Record(), r.Err(), c.want)
		}
	}
}

// TestDecimalComma checks that numbers have a decimal comma on request, or if a file with semicolons begins with
// one. Then all numbers must have it.
func TestDecimalComma(t *testing.T) {
	const reads = "; write thousands without a comma, and decimals with a point"
	const point, comma = ", want a finite decimal number", ", want a finite number with a decimal comma"
	for _, c := range []struct {
		content string
		o       Options
		want    []float64
		refused string
	}{
		{"a;b\n1;2,5\n-3,5e2;,5\n", Options{}, []float64{1, 2.5, -350, 0.5}, ""},
		{"a;b\n1;2.5\n3,5;4\n", Options{}, []float64{1, 2.5}, `t.csv: line 3, column "a": is "3,5"` + point + reads},
		{"a;b\n1;2,5\n3.5;4\n", Options{}, []float64{1, 2.5}, `t.csv: line 3, column "a": is "3.5"` + comma},
		{"a;b\nx,y;1\n", Options{}, nil, `t.csv: line 2, column "a": is "x,y"` + comma},
		{"a;b\n1.234,5;1\n", Options{}, nil, `t.csv: line 2, column "a": is "1.234,5"` + point},
		{"a;b\n1,234,5;1\n", Options{}, nil, `t.csv: line 2, column "a": is "1,234,5"` + comma},
		{"a\tb\n1,5\t1\n", Options{}, nil, `t.csv: line 2, column "a": is "1,5"` + point + reads},
		{"a\tb\n1,5\t1\n", Options{Decimal: ','}, []float64{1.5, 1}, ""},
		{"a\tb\n1\t1.5\n", Options{Decimal: ','}, []float64{1}, `t.csv: line 2, column "b": is "1.5"` + comma},
		{"a,b\n\"1,5\",2\n", Options{Decimal: ','}, []float64{1.5, 2}, ""},
		{"a;b\n837;1,282\n764;961\n", Options{}, []float64{837, 1.282, 764, 961}, `t.csv: column "b": has "1,282" and "961", so , or . ` +
			`may mark decimals or thousands; write "1,282" as 1282 or 1,2820`},
		{"a;b\n1.282;1\n764;9\n", Options{Flags: true}, []float64{1.282, 1, 764, 9}, `t.csv: column "a": has "1.282" and "764", so , or . ` +
			`may mark decimals or thousands; write "1.282" as 1282 or 1.2820, or name the decimal sign with --decimal . or --decimal ,`},
		{"a\tb\n1,5\t1\n", Options{Flags: true}, nil, `t.csv: line 2, column "a": is "1,5"` + point +
			"; write thousands without a comma, or add --decimal , if the comma is a decimal comma"},
		{"a;b\n837;1,282\n0,5;961\n", Options{}, []float64{837, 1.282, 0.5, 961}, ""},
		{"a;b\n1.282;7\n2.764;9\n", Options{}, []float64{1.282, 7, 2.764, 9}, ""},
		{"a;b\n7;1,282\n4;961\n", Options{Decimal: ','}, []float64{7, 1.282, 4, 961}, ""},
		{"a;b\n7;1,282\n", Options{Decimal: '.'}, []float64{7}, `t.csv: line 2, column "b": is "1,282"` + point + reads},
		{"sep=;\na;b\n1;2,5\n", Options{}, []float64{1, 2.5}, ""},
		{"\"SEP=|\"\r\na|b\r\n1|x\r\n", Options{}, []float64{1}, `t.csv: line 3, column "b": is "x"` + point},
		{"a,b\n\"1,5\",2\n", Options{}, nil, `t.csv: line 2, column "a": is "1,5"` + point + reads},
	} {
		table := must1(tableOf(c.content, c.o))
		var got []float64
		var err error
		for err == nil && table.Next() {
			for i := 0; i < 2 && err == nil; i++ {
				var x float64
				if x, err = table.Number(i); err == nil {
					got = append(got, x)
				}
			}
		}
		if err == nil {
			err = table.Err()
		}
		if !slices.Equal(got, c.want) || c.refused == "" && err != nil || c.refused != "" && (err == nil || err.Error() != c.refused) {
			t.Errorf("%q: %v, %v, want %v, %s", c.content, got, err, c.want, c.refused)
		}
	}
}

// FuzzRows checks that all accepted rows have the same number of fields, and that their lines ascend.
func FuzzRows(f *testing.F) {
	f.Add("a,b\n1,2\n3,4\n")
	f.Add("\ufeff\"a\",b\r\n\"1\"\"\",\"2\n3\"\n")
	f.Add("a\n\n\n1")
	f.Add("a,b\n1\n")
	f.Fuzz(func(t *testing.T, content string) {
		records, lines, err := read(content)
		if err != nil && !strings.HasPrefix(err.Error(), "f.csv: ") {
			t.Errorf("error %v names no place", err)
		}
		for i, r := range records {
			if len(r) != len(records[0]) || i > 0 && lines[i] <= lines[i-1] {
				t.Errorf("record %d, %q, stands in line %d", i, r, lines[i])
			}
		}
		if table, err := newTable(content, "a", "b"); err == nil {
			for table.Next() {
				if x, err := table.Number(1); err == nil && x-x != 0 {
					t.Errorf("%q is read as %v", table.Text(1), x)
				}
			}
		}
	})
}

// TestWriteAll checks that a file written by safefile.CSVWriter is read back equal, including its head.
func TestWriteAll(t *testing.T) {
	records := [][]string{{"=head", "value"}, {`@gene, "1"`, "-1"}, {"'+x", "plain"}}
	var b bytes.Buffer
	must(t, safefile.WriteCSV(&b, records))
	if want := "'=head,value\n\"'@gene, \"\"1\"\"\",-1\n''+x,plain\n"; b.String() != want {
		t.Errorf("written %q, want %q", &b, want)
	}
	rows := NewRows("f", strings.NewReader(b.String()), Options{})
	for _, want := range records {
		if !rows.Next() || !slices.Equal(rows.Record(), want) {
			t.Errorf("read %q, want %q", rows.Record(), want)
		}
	}
}

// TestNumberIsExact checks that Number equals ParseFloat to the bit, for numbers of any length.
func TestNumberIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 100000 {
		text := strconv.FormatFloat(r.NormFloat64()*math.Pow(10, float64(r.IntN(40)-20)), "fg"[r.IntN(2)], r.IntN(18)-1, 64)
		want, err := strconv.ParseFloat(text, 64)
		got, bad := Number(text)
		if err != nil || bad != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s is read as %v, %v, want %v, %v", text, got, bad, want, err)
		}
	}
	for text, want := range map[string]float64{"0": 0, "-1.5": -1.5, "1e-3": 0.001, "1e-400": 0, "1.7976931348623157e308": math.MaxFloat64,
		"-0": math.Copysign(0, -1), "007": 7, ".5": 0.5, "5.": 5, "+1": 1, "-.0": math.Copysign(0, -1)} {
		if got, err := Number(text); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s is read as %v, %v", text, got, err)
		}
	}
}

var must = sealtest.Must

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }

// TestTabs checks files with tabs: quotation marks within a field are ordinary characters, and those around a
// field are removed.
func TestTabs(t *testing.T) {
	for line, want := range map[string][]string{
		"a\tthe \"wild type\" rescue":  {"a", `the "wild type" rescue`},
		"a\t\"wild type\" rescue":      {"a", `"wild type" rescue`},
		"a\t\"wild\" or \"type\"":      {"a", `"wild" or "type"`},
		"\"5' end\tinch\"":             {`"5' end`, `inch"`},
		"\"a\"\t\"say \"\"b\"\"\"":     {"a", `say "b"`},
		"a\t\"":                        {"a", `"`},
		"a\t\"\"":                      {"a", ""},
		"a\t\"a\ttab\"":                {"a", "a\ttab"},
		"\"a\nb\"\t\"c\nd\"":           {"a\nb", "c\nd"},
		"a\t\"two\nlines\tand a tab\"": {"a", "two\nlines\tand a tab"},
	} {
		rows := NewRows("t.tsv", strings.NewReader("x\ty\n"+line+"\nlast\t1\n"), Options{})
		var got [][]string
		for rows.Next() {
			got = append(got, slices.Clone(rows.Record()))
		}
		if rows.Err() != nil || len(got) != 3 || !slices.Equal(got[1], want) || got[2][0] != "last" {
			t.Errorf("%q: %q, %v, want %q", line, got, rows.Err(), want)
		}
	}
	for content, want := range map[string]string{
		"\"a\nb\t1\t2\n": "line 2: has 1 field, but line 1 has 2",
	} {
		rows := NewRows("t.tsv", strings.NewReader("x\ty\n"+content), Options{})
		for rows.Next() {
		}
		if err := rows.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

// TestFeature checks columns of features with numbers, or with true and false, which become 1 and 0.
func TestFeature(t *testing.T) {
	for content, want := range map[string]string{
		"a\nTRUE\nfalse\nTrue\n": "[1 0 1] <nil>",
		"a\n1.5\n2\n":            "[1.5 2] <nil>",
		"a\n1\nTRUE\n":           `[1] t.csv: line 3, column "a": ` + ErrMixed.Error(),
		"a\nTRUE\n0\n":           `[1] t.csv: line 3, column "a": ` + ErrMixed.Error(),
		"a\nT\n":                 `[] t.csv: line 2, column "a": is "T", want a finite decimal number`,
	} {
		table := must1(tableOf(content, Options{}))
		got, err := []float64{}, error(nil)
		for err == nil && table.Next() {
			var x float64
			if x, err = table.Feature(0); err == nil {
				got = append(got, x)
			}
		}
		if text := fmt.Sprint(got, " ", err); text != want {
			t.Errorf("%q: %s, want %s", content, text, want)
		}
	}
}
