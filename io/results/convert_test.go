package results

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"graphda/io/arrowio"
	"graphda/io/seal"
)

func roundTrip(t *testing.T, rows []Row, write, read Layout) ([]Row, error) {
	t.Helper()
	rec := must1(toRecord(schema(write), write, rows))
	defer rec.Release()
	return appendRecord(nil, rec, read)
}

// TestNaNIsNull checks that NaN is null in the file, because other programs would average NaN.
func TestNaNIsNull(t *testing.T) {
	rows := []Row{{Cell: "c", Params: []float64{math.NaN()}, W: NoMetrics(), Wbar: NoMetrics(), Seconds: math.NaN(), HeadBound: math.NaN()}}
	rec := must1(toRecord(schema(Layout{{Name: "gamma"}}), Layout{{Name: "gamma"}}, rows))
	defer rec.Release()
	for i, f := range rec.Schema().Fields() {
		if got := rec.Column(i).NullN() == 1; got != f.Nullable {
			t.Errorf("column %q: null %v, nullable %v", f.Name, got, f.Nullable)
		}
	}
}

// TestWhatIsNotKept checks that times come back in UTC and in microseconds, and that texts that are not storable
// come back similar.
func TestWhatIsNotKept(t *testing.T) {
	at := time.Date(2024, 5, 1, 12, 0, 0, 123456789, time.FixedZone("", 7200))
	rows := must1(roundTrip(t, []Row{{Cell: "c", Started: at, Host: "h\xff", Error: "bad: " + seal.Blank()}}, nil, nil))
	if want := time.Date(2024, 5, 1, 10, 0, 0, 123456000, time.UTC); rows[0].Started != want {
		t.Errorf("%v, want %v", rows[0].Started, want)
	}
	if got, want := rows[0].Host, "h\uFFFD"; got != want {
		t.Errorf("host %q, want %q", got, want)
	}
	if got := rows[0].Error; !strings.HasPrefix(got, "bad: seal 000") {
		t.Errorf("error %q", got)
	}
}

// TestReadIntoOtherLayout checks that columns are mapped by name and words by text, whatever their order in the file.
func TestReadIntoOtherLayout(t *testing.T) {
	rows := randomRows(2, 40)
	rows[0].Params[1] = 1 // exact
	got, err := roundTrip(t, rows, testLayout, Layout{
		{Name: "new"},
		{Name: "s"},
		{Name: "search", Words: []string{"größer", "more", "exact", "paper"}},
		{Name: "gamma"},
	})
	must(t, err)
	renumber := map[float64]float64{0: 3, 1: 2, 2: 0}
	for i := range rows {
		p := rows[i].Params
		word, ok := renumber[p[1]]
		if !ok {
			word = math.NaN()
		}
		rows[i].Params = []float64{math.NaN(), p[2], word, p[0]}
	}
	wantSame(t, got, rows)
}

func TestReadRefuses(t *testing.T) {
	rows := []Row{{Cell: "c", Params: []float64{1, 2, 3}}}
	for _, c := range []struct {
		name  string
		read  Layout
		parts []string
	}{
		{"unknown parameter", testLayout[:2], []string{`"s"`, "unknown"}},
		{"unknown word", Layout{{Name: "gamma"}, {Name: "search", Words: []string{"paper"}}, {Name: "s"}}, []string{`"search"`, `"größer"`}},
		{"words for a number", Layout{{Name: "gamma"}, {Name: "search"}, {Name: "s"}}, []string{`"search"`, "dictionary"}},
		{"a number for words", Layout{{Name: "gamma", Words: []string{"a"}}, testLayout[1], {Name: "s"}}, []string{`"gamma"`, "float64"}},
		{"invalid layout", Layout{{Name: "cell"}}, []string{`"cell"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			countMemory(t)
			_, err := roundTrip(t, rows, testLayout, c.read)
			mustFail(t, err, c.parts...)
		})
	}
}

// withCopies returns a record with n copies of one column, and one copy of every other column.
func withCopies(rec arrow.Record, name string, n int) arrow.Record {
	var fields []arrow.Field
	var cols []arrow.Array
	for i, f := range rec.Schema().Fields() {
		copies := 1
		if f.Name == name {
			copies = n
		}
		for range copies {
			fields, cols = append(fields, f), append(cols, rec.Column(i))
		}
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), cols, rec.NumRows())
}

func TestReadMissingColumns(t *testing.T) {
	rows := randomRows(3, 5)
	full := must1(toRecord(schema(testLayout), testLayout, rows))
	defer full.Release()
	for _, c := range Fields(testLayout) {
		rec := withCopies(full, c.Name, 0)
		got, err := appendRecord(nil, rec, testLayout)
		rec.Release()
		if c.Role == RoleIdentity {
			mustFail(t, err, c.Name, "missing")
			continue
		}
		must(t, err)
		want := clone(rows)
		c.Blank(want)
		wantSame(t, got, want)
	}
	twice := withCopies(full, "trial", 2)
	defer twice.Release()
	_, err := appendRecord(nil, twice, testLayout)
	mustFail(t, err, "trial", "2 times")
}

func TestReadNullIdentity(t *testing.T) {
	full := must1(toRecord(schema(nil), nil, []Row{{Cell: "c"}, {Cell: "d"}}))
	defer full.Release()
	b := array.NewInt64Builder(arrowio.Allocator)
	b.AppendValues([]int64{1, 2}, []bool{true, false})
	cols := slices.Clone(full.Columns())
	cols[2] = b.NewArray()
	rec := array.NewRecord(full.Schema(), cols, 2)
	defer rec.Release()
	_, err := appendRecord(nil, rec, nil)
	mustFail(t, err, "row 1", "trial", "null")
}

func TestWriteRefuses(t *testing.T) {
	good := Row{Cell: "c", Params: []float64{1, 2, 3}}
	for _, c := range []struct {
		name  string
		edit  func(*Row)
		parts []string
	}{
		{"no cell", func(r *Row) { r.Cell = "" }, []string{"no id"}},
		{"dataset not UTF-8", func(r *Row) { r.Dataset = "\xff" }, []string{`\xff`}},
		{"method like a seal", func(r *Row) { r.Method = seal.Blank() }, []string{"graphda-seal"}},
		{"too few parameters", func(r *Row) { r.Params = r.Params[:2] }, []string{"2 parameters", "want 3"}},
		{"word out of range", func(r *Row) { r.Params = []float64{1, 3, 0} }, []string{"search", "3 words"}},
		{"negative word", func(r *Row) { r.Params = []float64{1, -1, 0} }, []string{"search", "-1"}},
		{"half a word", func(r *Row) { r.Params = []float64{1, 0.5, 0} }, []string{"search", "0.5"}},
		{"infinite word", func(r *Row) { r.Params = []float64{1, math.Inf(1), 0} }, []string{"search", "Inf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			countMemory(t)
			bad := good
			c.edit(&bad)
			_, err := toRecord(schema(testLayout), testLayout, []Row{good, bad})
			mustFail(t, err, append(c.parts, "row 1")...)
		})
	}
}

func TestLayoutValidate(t *testing.T) {
	must(t, testLayout.Validate())
	err := Layout{{Name: ""}, {Name: "f1_wbar"}, {Name: "a"}, {Name: "a"}, {Name: "b", Words: []string{"x", "x"}}, {Name: blockColumn}}.Validate()
	for _, part := range []string{`""`, `"f1_wbar"`, `"a"`, `"x"`, blockColumn} { // a line each
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %s", err, part)
		}
	}
}
