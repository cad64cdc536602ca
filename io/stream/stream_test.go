package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/seal/sealtest"
)

type sample struct {
	Label string
	X     []float64
}

func readAll(in io.Reader, features ...string) (all []sample, err error) {
	s, err := New(in, Options{Path: "stream", Features: features, Label: "y"})
	if err != nil {
		return nil, err
	}
	for {
		x := make([]float64, len(features))
		label, err := s.Next(x)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, sample{label, x})
	}
}

// oneByOne returns its bytes one at a time, and records how many were read.
type oneByOne struct {
	data string
	read int
}

func (r *oneByOne) Read(p []byte) (int, error) {
	if r.read == len(r.data) {
		return 0, io.EOF
	}
	p[0] = r.data[r.read]
	r.read++
	return 1, nil
}

// TestKinds checks that every kind of stream gives the same samples, whatever other columns it has and in
// whichever order.
func TestKinds(t *testing.T) {
	want := []sample{{"1", []float64{0.1, -2e-5}}, {"-1", []float64{3, 4}}, {"case, 1", []float64{0, 1e300}}}
	for name, text := range map[string]string{
		"csv":                    "y,a,b\n1,0.1,-2e-5\n-1,3,4\n\"case, 1\",0,1e300\n",
		"another order":          "b,id,a,y\n-2e-5,S1,0.1,1.0\n4,S2,3,-1\n1e300,S3,0,\"case, 1\"\n",
		"row names of R":         "y,a,b\n\"r,1\",1,0.1,-2e-5\nr2,-1,3,4\nr3,\"case, 1\",0,1e300\n",
		"a mark and white space": "\ufeff\"y\", a , b\r\n1, 0.1, -2e-5\r\n\r\n -1,3,4\r\n\"case, 1\",0,1e300\r\n",
		"tabs":                   "y\ta\tb\n1\t0.1\t-2e-5\n-1\t3\t4\ncase, 1\t0\t1e300\n",
		"decimal commas":         "y;a;b\n1;0,1;-2e-5\n-1;3;4\ncase, 1;0;1e300\n",
		"lines in a field":       "y,a,b,note\n1,0.1,-2e-5,\"two\nlines\"\n-1,3,4,\n\"case, 1\",0,1e300,\n",
		"objects": `{"y": 1, "a": 0.1, "b": -2e-5}` + "\n" + `{"b":4,"y":-1.0,"a":3}` + "\n\n" +
			`{"id":[{"x":"}"},2],"a":0,"b":1e300,"y":"case, 1","c":null}` + "\n",
		"escapes": `{"\u0079": "1", "a": 0.1, "b": -2e-5}` + "\n" + `  { "b":4,"y":"-1" , "a":3 }` + "\n" +
			`{"a":0,"b":1e300,"y":"case\u002c 1"}`,
	} {
		for _, in := range []io.Reader{strings.NewReader(text), &oneByOne{data: text}} {
			if got, err := readAll(in, "a", "b"); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, %v, want %v", name, got, err, want)
			}
		}
	}
}

// TestReadsNoFurther checks that a sample is returned as soon as its line is complete, without waiting for more.
func TestReadsNoFurther(t *testing.T) {
	for _, text := range []string{"y,a\n1,2\n-1,3\n", "{\"y\":1,\"a\":2}\n{\"y\":-1,\"a\":3}\n"} {
		in := &oneByOne{data: text}
		s := must1(New(in, Options{Features: []string{"a"}, Label: "y"}))
		if label, err := s.Next(make([]float64, 1)); err != nil || label != "1" {
			t.Errorf("%q, %v", label, err)
		}
		if first := strings.Index(text, "-1") - 1; in.read > first && text[in.read-1] != '\n' {
			t.Errorf("%d bytes were read of %q", in.read, text)
		}
	}
}

func TestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "stream: is empty, want samples",
		"\n\n":                            "stream: line 2: is empty, want a line of column names",
		"a,b\n1,2\n":                      `stream: has no label column "y"; its columns are a, b`,
		"y,c\n1,2\n":                      "stream: has no columns for 2 of 2 features: a, b; its columns are y, c",
		"y,a,b,a\n":                       `stream: column "a": occurs twice in the stream; rename or remove one of the two columns`,
		"y,a,b\n1,2\n":                    "stream: line 2: has 2 fields, but the first line has 3",
		"y,a,b\n1,2,3,4\n":                "stream: line 2: has 4 fields, but the first line has 3",
		"y,a,b\n1,2,x\n":                  `stream: line 2, column "b": is "x", want a finite decimal number`,
		"y,a,b\n1,2,inf\n":                `stream: line 2, column "b": is "inf", want a finite decimal number`,
		"y,a,b\n1,2,0x10\n":               `stream: line 2, column "b": is "0x10", want a finite decimal number`,
		"y,a,b\n1,NA,2\n":                 `stream: line 2, column "a": is "NA", a missing value; fill it in, or leave out the sample`,
		"y,a,b\n,1,2\n":                   `stream: line 2, column "y": is "", a missing value; leave out the sample`,
		"y,a,b\n\"1,2,3\n":                `stream: line 2: has a quotation mark that is not closed`,
		"y,a\x00b\n":                      "stream: is not a text file",
		"\xff\xfey\x00,\x00a\x00\n\x00":   "stream: is text in UTF-16, want UTF-8",
		"y\x00,\x00a\x00,\x00b\x00\n\x00": "stream: is text in UTF-16, want UTF-8",
		"\x00{\x00\"\x00y\x00\"":          "stream: is text in UTF-16, want UTF-8",
		"y,a,b\r1,2,3\r":                  "stream: has lines that end with a carriage return",
		"PAR1....\n":                      "stream: is a Parquet file, want CSV, NDJSON or an Arrow stream",
		"ARROW1\x00":                      "stream: is an Arrow file, want CSV",
		"{}\n":                            `stream: line 1: has no label column "y"`,
		`{"y":1,"a":2}` + "\n":            "stream: line 1: has no columns for 1 of 2 features: b; its columns are y, a",
		`{"y":1,"a":2,"b":null}` + "\n":   `stream: line 1, column "b": is null, a missing value`,
		`{"y":1,"a":2,"b":"3"}` + "\n":    `stream: line 1, column "b": is the text "3", want a number`,
		`{"y":1,"a":2,"b":[3]}` + "\n":    `stream: line 1, column "b": is "[", want a finite decimal number`,
		`{"y":1,"a":2,"a":3}` + "\n":      `stream: line 1, column "a": occurs twice in the object; remove one of them`,
		`{"y":[1],"a":2,"b":3}` + "\n":    `stream: line 1, column "y": is [, want a label`,
		"{\"y\":1,\n\"a\":2}\n":           "stream: line 1: is not a JSON object on one line",
		`{"y":1,"a":2,"b":3} {}` + "\n":   "stream: line 1: has more than one JSON object",
		`{"y":1,"a":2,"b":3}` + "\n[1]\n": "stream: line 2: is not a JSON object; want one object on each line",
	} {
		if _, err := readAll(strings.NewReader(text), "a", "b"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("y,a\n1,2\n1,"), failing{broken})
	if all, err := readAll(in, "a"); err != broken || len(all) != 1 {
		t.Errorf("%v, %v, want one sample and the reader's error", all, err)
	}
}

// TestUnfinished checks that a last line without line end is not a sample, wherever it is cut. A complete object
// is one.
func TestUnfinished(t *testing.T) {
	csv, objects := "y,a,b\n1,2,3\n-1,4,5.626\n", `{"y":1,"a":2,"b":3}`+"\n"+`{"y":-1,"a":4,"b":5.626}`+"\n"
	for _, text := range []string{csv, objects, strings.ReplaceAll(csv, "5.626", "\"5.626\""), "y,a,b\n1,2,3\n-1,\"4"} {
		first := strings.Index(text, "-1")
		first = strings.LastIndexByte(text[:first], '\n') + 1
		for end := first + 1; end < len(text); end++ {
			got, err := readAll(&oneByOne{data: text[:end]}, "a", "b")
			if text[end-1] == '}' && err == nil && len(got) == 2 {
				continue
			}
			if torn := (*Unfinished)(nil); len(got) != 1 || !errors.As(err, &torn) || torn.Line != strings.Count(text[:first], "\n")+1 {
				t.Errorf("%q: %v, %v, want one sample, and the line that is not whole", text[:end], got, err)
			}
		}
	}
	if _, err := readAll(strings.NewReader("y,a,b"), "a", "b"); err == nil || err.Error() != "stream ends inside line 1; this line will be learned after its line end is written" {
		t.Errorf("a line of names: %v", err)
	}
}

// TestUnclosedQuote checks that an open quotation mark soon ends the stream. The error must give its line. The
// lines after it are read once, without waiting.
func TestUnclosedQuote(t *testing.T) {
	head, line := "y,a,b,note\n1,2,3,x\n1,2,3,\"x\n", "1,2,3,x\n"
	for what, text := range map[string]string{
		"samples":   head + strings.Repeat(line, 12),
		"lines":     head + strings.Repeat("words\n", 1001),
		"long line": head + strings.Repeat("words ", 1<<18) + "\n",
	} {
		in := &oneByOne{data: text + strings.Repeat(line, 1<<20)}
		got, err := readAll(struct{ io.Reader }{in}, "a", "b")
		if len(got) != 1 || err == nil || !strings.HasPrefix(err.Error(), "stream: line 3: has a quotation mark that is not closed") {
			t.Errorf("%s: %d samples, %v", what, len(got), err)
		}
		if in.read > len(text) {
			t.Errorf("%s: %d bytes were read, want at most %d", what, in.read, len(text))
		}
	}
	text := head[:len(head)-1] + strings.Repeat("\nwords, words", 900) + "\"\n"
	if got, err := readAll(strings.NewReader(text), "a", "b"); err != nil || len(got) != 2 {
		t.Errorf("a long note: %d samples, %v", len(got), err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// arrowStream writes batches with the given numbers of rows. y is text, and a has 32 bits.
func arrowStream(t *testing.T, rows ...int) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "b", Type: arrow.PrimitiveTypes.Float64}, {Name: "id", Type: arrow.BinaryTypes.String},
		{Name: "a", Type: arrow.PrimitiveTypes.Int32}, {Name: "y", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	k := 0
	for _, n := range rows {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for range n {
			label := fmt.Sprintf(`, "y": "c%d"`, k%2)
			if k == 777 {
				label = ""
			}
			must(t, b.UnmarshalJSON(fmt.Appendf(nil, `{"b": %v, "id": "S", "a": %d%s}`, float64(k)/7, k, label)))
			k++
		}
		must(t, w.Write(b.NewRecord()))
	}
	must(t, w.Close())
	return out.Bytes()
}

func TestArrow(t *testing.T) {
	data := arrowStream(t, 3, 0, 600, 1)
	got, err := readAll(bytes.NewReader(data), "a", "b")
	if err != nil || len(got) != 604 {
		t.Fatalf("%d samples, %v", len(got), err)
	}
	for k, s := range got {
		if want := (sample{fmt.Sprint("c", k%2), []float64{float64(k), float64(k) / 7}}); !reflect.DeepEqual(s, want) {
			t.Fatalf("sample %d is %v, want %v", k, s, want)
		}
	}
	if got, err := readAll(bytes.NewReader(data[:len(data)-8]), "a", "b"); err != nil || len(got) != 604 {
		t.Errorf("without the mark of its end: %d samples, %v", len(got), err)
	}
	if got, err := readAll(bytes.NewReader(data[:len(data)-20]), "a", "b"); err == nil || !strings.Contains(err.Error(), "cut off within a message") {
		t.Errorf("cut off: %d samples, %v", len(got), err)
	}
	if _, err := readAll(bytes.NewReader(arrowStream(t, 700, 100)), "a", "b"); err == nil ||
		!strings.Contains(err.Error(), `row 777 (counting from 0), column "y": is null`) {
		t.Errorf("a null label: %v", err)
	}
	if _, err := readAll(bytes.NewReader(data), "id"); err == nil || !strings.Contains(err.Error(), `column "id": has type utf8, want a number`) {
		t.Errorf("text for a feature: %v", err)
	}
}

// TestDamagedArrow checks that a damaged stream gives an error or finite numbers, and never ends the process.
func TestDamagedArrow(t *testing.T) {
	data := arrowStream(t, 5, 5)
	r := rand.New(rand.NewPCG(3, 1))
	for range 500 {
		bad := bytes.Clone(data)
		for range 1 + r.IntN(3) {
			bad[r.IntN(len(bad))] ^= byte(1 + r.IntN(255))
		}
		got, _ := readAll(bytes.NewReader(bad), "a", "b")
		for _, s := range got {
			for _, v := range s.X {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%v is read", v)
				}
			}
		}
	}
}

// FuzzText checks that no text makes a reader panic, and that accepted values are finite.
func FuzzText(f *testing.F) {
	for _, text := range []string{"y,a\n1,2\n", "y;a\n\"1\";2,5\n", `{"y":1,"a":2}`, `{"y":"\u0031","a":[{"b":"]"}],"a":1}`, "\ufeffa\ty\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := readAll(strings.NewReader(text), "a")
		for _, s := range got {
			if v := s.X[0]; v-v != 0 {
				t.Fatalf("%v is read", v)
			}
		}
	})
}

// TestFollow checks that a followed file gives its samples as it grows, each only after its line end, and that the
// reader stops on request.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.csv")
	out := must1(os.Create(path))
	defer out.Close()
	in := must1(os.Open(path))
	defer in.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	_, err := out.WriteString("y,a\n1,0.5\n-1,0.2")
	must(t, err)
	s := must1(New(Follow(ctx, in), Options{Path: path, Features: []string{"a"}, Label: "y"}))
	x := make([]float64, 1)
	if label, err := s.Next(x); err != nil || label != "1" || x[0] != 0.5 {
		t.Errorf("%s, %v, %v", label, x, err)
	}
	_, err = out.WriteString("5\n1,")
	must(t, err)
	if label, err := s.Next(x); err != nil || label != "-1" || x[0] != 0.25 {
		t.Errorf("%s, %v, %v", label, x, err)
	}
	stop()
	if _, err := s.Next(x); err != context.Canceled {
		t.Errorf("a line without its end after the stop: %v", err)
	}
	must(t, os.Rename(path, path+".1"))
	f := &follower{ctx: context.Background(), file: in, at: 17}
	if _, err := f.Read(make([]byte, 9)); err == nil || !strings.Contains(err.Error(), path+": was renamed, removed or replaced") {
		t.Errorf("a renamed file: %v", err)
	}
	must(t, out.Truncate(3))
	if _, err := f.Read(make([]byte, 9)); err == nil || !strings.Contains(err.Error(), "became shorter") {
		t.Errorf("a shorter file: %v", err)
	}
}

var must = sealtest.Must

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }
