package samples

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/file"

	"graphda/graph"
	"graphda/io/columnar"
	"graphda/io/seal"
	"graphda/io/seal/sealtest"
)

func graphOf(tb testing.TB, n int) *graph.Graph {
	tb.Helper()
	var edges []graph.Edge
	var costs []float64
	for u := range int32(n) {
		for _, v := range []int32{u / 2, u - 1, u * 7 % int32(n)} {
			e := graph.Edge{U: u, V: v}
			if v >= 0 && v != u && !slices.Contains(edges, e) && !slices.Contains(edges, graph.Edge{U: v, V: u}) {
				edges, costs = append(edges, e), append(costs, float64(u)/3)
			}
		}
	}
	return must1(graph.New(n, edges, costs))
}

// Values that a careless writer or reader would change.
var awkward = []float64{0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, -math.MaxFloat64, 1.0 / 3, 1e-300, 1 << 60}

// TestSamplesRoundTrip checks that written samples read back bit for bit. It tries short and long rows, few and
// many row groups and pages, and batches of every alignment.
func TestSamplesRoundTrip(t *testing.T) {
	tests := []struct{ rows, p int }{{3, 1}, {5, 3}, {3000, 1}, {1800, 1089}, {40, 8191}, {40, 8192}, {40, 8193}, {7, 70_000}, {3, 1_100_000}, {20_000, 17}}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%dx%d", test.rows, test.p), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, uint64(test.p)))
			path := filepath.Join(t.TempDir(), "samples.parquet")
			metadata := map[string]string{"generator": "test", "μ": "0,3", "empty": ""}
			check := countMemory(t)
			w := must1(NewSamplesWriter(path, SamplesHeader{Features: test.p, Metadata: metadata}))
			var want [numSplits]Block
			x := make([]float64, test.p)
			for i := range test.rows {
				for j := range x {
					x[j] = rng.NormFloat64()
				}
				x[i%len(x)] = awkward[i%len(awkward)]
				y, s := rng.NormFloat64(), Split(rng.IntN(3))
				if i < 3 {
					s = Split(2 - i)
				}
				want[s].X, want[s].Y = append(want[s].X, x...), append(want[s].Y, y)
				must(t, w.Append(Sample{Split: s, Y: y, X: x}))
			}
			must(t, w.Close())
			check()
			got := readSamplesFile(t, path, test.p)
			for s, b := range []*Block{&got.Train, &got.Valid, &got.Test} {
				if b.P != test.p || b.Rows() != want[s].Rows() || !sameBits(b.X, want[s].X) || !sameBits(b.Y, want[s].Y) {
					t.Errorf("%v: the values differ", Split(s))
				}
			}
			if !maps.Equal(got.Metadata, metadata) {
				t.Errorf("metadata %q, want %q", got.Metadata, metadata)
			}
		})
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
}

// readSamplesFile reads a samples file with p features f0, f1, …
func readSamplesFile(t *testing.T, path string, p int) *Trial {
	t.Helper()
	features := &featureTable{Features: &Features{Names: make([]string, p)}, path: "features.parquet"}
	trial := &Trial{Metadata: map[string]string{}}
	defer countMemory(t)()
	must(t, read(path, func(f *columnar.File) error {
		must(t, trial.takeMetadata(f))
		return trial.readSamples(f, features, AnyLabels, nil)
	}))
	return trial
}

func TestGraphRoundTrip(t *testing.T) {
	for _, n := range []int{1, 2, 50, 3000} {
		g := graphOf(t, n)
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("gene %d, %s", i, strings.Repeat("é", i%5))
		}
		features := &featureTable{Features: &Features{Names: names}, index: map[string]int32{}}
		for i, name := range names {
			features.index[name] = int32(i)
		}
		for _, ends := range [][]string{nil, names} {
			path := filepath.Join(t.TempDir(), "graph.parquet")
			must(t, WriteGraph(path, g, ends))
			must(t, read(path, func(f *columnar.File) error {
				got, err := readGraph(f, features)
				if err == nil && !sameGraph(got, g) {
					t.Errorf("%d nodes, names %v: the graphs differ", n, ends != nil)
				}
				return err
			}))
		}
	}
}

func sameGraph(a, b *graph.Graph) bool {
	return a.NumNodes() == b.NumNodes() && slices.Equal(a.Edges(), b.Edges()) && slices.Equal(a.Costs(), b.Costs())
}

func TestFeaturesRoundTrip(t *testing.T) {
	const p = 5000
	full := &Features{}
	ring := make([][]int32, 40)
	everyone := make([]int32, p)
	for i := range p {
		full.Names = append(full.Names, fmt.Sprint("feature ", i))
		full.Truth = append(full.Truth, awkward[i%len(awkward)])
		full.Row, full.Col = append(full.Row, float64(i/70)), append(full.Col, float64(i%70))
		full.X, full.Y = append(full.X, math.Sin(float64(i))), append(full.Y, math.Cos(float64(i)))
		if i%3 > 0 { // every third feature is in the last group only
			ring[i%39] = append(ring[i%39], int32(i))
		}
		everyone[i] = int32(i)
	}
	ring[39] = everyone
	for i := 0; i < 39; i += 3 {
		ring[i] = []int32{int32(i)}
	}
	full.Groups = ring
	lists := [][]int32{}
	for id := range 3000 { // the longest list is longer than a writer's usual batch
		lists = append(lists, []int32{7, int32(id) + 8})
	}
	tests := map[string]*Features{
		"names":      {Names: []string{"a", "", "c"}},
		"truth":      {Names: []string{"a", "b"}, Truth: []float64{0, -2}},
		"measured":   {Names: []string{"a", "b", "c"}, Measured: []bool{true, false, true}},
		"full":       full,
		"long lists": {Names: full.Names, Groups: lists, Row: full.Row, Col: full.Col},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "features.parquet")
			must(t, WriteFeatures(path, want))
			must(t, read(path, func(f *columnar.File) error {
				got, err := readFeatures(f)
				if err == nil && !reflect.DeepEqual(got.Features, want) {
					t.Error("the features differ")
				}
				return err
			}))
		})
	}
}

// TestWrittenParquet checks the format of written files: sealed, required root, lists of nullable elements, no
// float dictionaries, no row across pages.
func TestWrittenParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "samples.parquet")
	writeBenchmarkSamples(t, path, 1800, 1089)
	f := must1(seal.ReadSealed(path))
	if n := bytes.Count(f.Data, []byte("graphda-seal:sha256:"+f.Digest)); n != 1 {
		t.Errorf("the digest stands %d times in the file, want once", n)
	}
	if i := bytes.Index(f.Data, []byte("ARROW:schema")); i >= 0 {
		t.Error("the file has an Arrow schema")
	}
	r := must1(file.NewParquetReader(bytes.NewReader(f.Data)))
	want := `required group field_id=-1 schema {
  required double field_id=-1 y;
  required byte_array field_id=-1 split (String);
  required group field_id=-1 x (List) {
    repeated group field_id=-1 list {
      optional double field_id=-1 element;
    }
  }
}
`
	if got := r.MetaData().Schema.String(); got != want {
		t.Errorf("schema\n%s\nwant\n%s", got, want)
	}
	if n := r.NumRowGroups(); n != 2 {
		t.Errorf("%d row groups, want 2", n)
	}
	for g := range r.NumRowGroups() {
		meta := must1(r.RowGroup(g).MetaData().ColumnChunk(2))
		if meta.HasDictionaryPage() {
			t.Error("x has a dictionary")
		}
		pages := must1(r.RowGroup(g).GetColumnPageReader(2))
		var rows, count int
		for pages.Next() {
			page, ok := pages.Page().(*file.DataPageV2)
			if !ok {
				t.Fatalf("page of type %T, want version 2", pages.Page())
			}
			if n := int(page.NumValues()); n != 1089*int(page.NumRows()) {
				t.Errorf("a page has %d values of %d rows", n, page.NumRows())
			}
			rows += int(page.NumRows())
			count++
		}
		if int64(rows) != r.RowGroup(g).NumRows() || count < 4 {
			t.Errorf("%d pages have %d rows of %d", count, rows, r.RowGroup(g).NumRows())
		}
	}
}

// TestWritersRefuse checks that writers refuse what readers would refuse. An incomplete file leaves nothing behind
// and does not change an existing file.
func TestWritersRefuse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.parquet")
	must(t, os.WriteFile(path, []byte("before"), 0o666))
	g := graph.Grid(2, 1)
	ab := []string{"a", "b"}
	samples := func(use func(w *SamplesWriter)) error {
		w := must1(NewSamplesWriter(path, SamplesHeader{Features: 2}))
		for s := range numSplits {
			must(t, w.Append(Sample{Split: s, Y: 1, X: []float64{1, 2}}))
		}
		use(w)
		return w.Close()
	}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"graph names short":    {WriteGraph(path, g, ab[:1]), "1 names for a graph of 2 nodes"},
		"graph names equal":    {WriteGraph(path, g, []string{"a", "a"}), `two features are named "a"`},
		"no features":          {WriteFeatures(path, &Features{}), "no features"},
		"feature names equal":  {WriteFeatures(path, &Features{Names: []string{"b", "b"}}), `two features are named "b"`},
		"truth short":          {WriteFeatures(path, &Features{Names: ab, Truth: []float64{1}}), "1 values of truth for 2 features"},
		"truth infinite":       {WriteFeatures(path, &Features{Names: ab, Truth: []float64{1, math.Inf(1)}}), "+Inf"},
		"row without col":      {WriteFeatures(path, &Features{Names: ab, Row: []float64{1, 2}}), "both of row and col"},
		"group empty":          {WriteFeatures(path, &Features{Names: ab, Groups: [][]int32{{0}, {}}}), "group 1 is empty"},
		"group outside":        {WriteFeatures(path, &Features{Names: ab, Groups: [][]int32{{0, 2}}}), "group 0"},
		"group not ascending":  {WriteFeatures(path, &Features{Names: ab, Groups: [][]int32{{1, 0}}}), "group 0"},
		"x short":              {samples(func(w *SamplesWriter) { w.Append(Sample{Split: Train, Y: 1, X: []float64{1}}) }), "row 3: 1 features, want 2"},
		"x NaN":                {samples(func(w *SamplesWriter) { w.Append(Sample{Split: Train, Y: 1, X: []float64{1, math.NaN()}}) }), "row 3: feature 1 is NaN"},
		"y infinite":           {samples(func(w *SamplesWriter) { w.Append(Sample{Split: Train, Y: math.Inf(-1), X: []float64{1, 2}}) }), "row 3: y is -Inf"},
		"split":                {samples(func(w *SamplesWriter) { w.Append(Sample{Split: 9, Y: 1, X: []float64{1, 2}}) }), "row 3: Split(9) is not a split"},
		"id in a file without": {samples(func(w *SamplesWriter) { w.Append(Sample{ID: "P1", Y: 1, X: []float64{1, 2}}) }), `row 3: the id is "P1" and the patient "", want one for every sample or none`},
		"error then more": {samples(func(w *SamplesWriter) {
			w.Append(Sample{Split: Train, Y: 1, X: nil})
			w.Append(Sample{Split: Train, Y: 1, X: []float64{1, 2}})
		}), "row 3: 0 features"},
		"aborted": {samples(func(w *SamplesWriter) { w.Abort() }), "closed already"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: error %v, want one about %q", name, test.err, test.want)
		}
	}
	w := must1(NewSamplesWriter(path, SamplesHeader{Features: 2}))
	must(t, w.Append(Sample{Split: Train, Y: 1, X: []float64{1, 2}}))
	must(t, w.Append(Sample{Split: Valid, Y: 1, X: []float64{1, 2}}))
	sealtest.WantError(t, w.Close(), "no test sample")
	if _, err := NewSamplesWriter(path, SamplesHeader{Features: 0}); err == nil {
		t.Error("a file of no features was begun")
	}
	if _, err := NewSamplesWriter(path, SamplesHeader{Features: 2, Metadata: map[string]string{seal.Key: "x"}}); err == nil {
		t.Error("metadata with the seal's key was taken")
	}
	if _, err := NewSamplesWriter(filepath.Join(dir, "none", "file.parquet"), SamplesHeader{Features: 2}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file in no directory: %v", err)
	}
	if content, _ := os.ReadFile(path); string(content) != "before" {
		t.Error("a failed writer changed the file that was there")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("failed writers left %v behind", entries)
	}
}

// TestWriterOnFullDisk fills the disk at the beginning, in the middle of a row group, and in the footer.
func TestWriterOnFullDisk(t *testing.T) {
	f := &Features{Names: make([]string, 3000), Truth: make([]float64, 3000)}
	for i := range f.Names {
		f.Names[i] = fmt.Sprint(i)
	}
	path := filepath.Join(t.TempDir(), "file.parquet")
	samples := func() error {
		w, err := NewSamplesWriter(path, SamplesHeader{Features: 3000})
		for i := 0; err == nil && i < 6; i++ {
			err = w.Append(Sample{Split: Split(i % 3), Y: 1, X: f.Truth})
		}
		if w != nil {
			err = w.Close()
		}
		return err
	}
	rooms := []uint64{0, 1, 3, 4, 100, 20_000, 40_000}
	sealtest.OnFullDisk(t, path, rooms, func() error { return WriteFeatures(path, f) }, samples)
}

// TestRandomNumbersDiffer checks that trials, shared parts and seeds have different random numbers.
func TestRandomNumbersDiffer(t *testing.T) {
	seen := map[uint64]string{}
	see := func(what string, v uint64) {
		if other, ok := seen[v]; ok {
			t.Errorf("%s has the numbers of %s", what, other)
		}
		seen[v] = what
	}
	for _, dataset := range []string{"kegg-1", "kegg-2", "graph01-mu0.3"} {
		for _, seed := range []uint64{0, 1, 11} {
			for _, part := range []string{"null", "delta"} {
				see(dataset+" "+part, PartRand(seed, dataset, part).Uint64())
			}
			for trial := range 20 {
				see(dataset, TrialRand(seed, dataset, trial).Uint64())
			}
		}
	}
}

// TestRandomNumbersStay checks that random numbers never change, so that earlier datasets can be drawn again.
func TestRandomNumbersStay(t *testing.T) {
	if got, want := TrialRand(1, "graph01-mu0.3", 7).Uint64(), uint64(851925781892062129); got != want {
		t.Errorf("the first number is %d, want %d", got, want)
	}
	if got, want := PartRand(1, "kegg-1", "delta").Uint64(), uint64(9367179981795332786); got != want {
		t.Errorf("the first number is %d, want %d", got, want)
	}
}

// TestDesign compares with results worked out by hand, for ages 1, 2, 3 and a missing age, and two sites with
// three samples and one.
func TestDesign(t *testing.T) {
	texts := [][]string{{"1", "b"}, {"2", "a"}, {"", "b"}, {"3", "b"}}
	d := NewDesign([]Covariate{{Name: "age", Number: true}, {Name: "site", Batch: true}}, texts, nil)
	deviation := math.Sqrt(2.0 / 3)
	sums := make([]float64, 4)
	for i, want := range [][]float64{{-1 / deviation, -0.25, -0.25, 0.25}, {0, -0.25, 0.75, -0.75}, {0, 0.75, -0.25, 0.25},
		{1 / deviation, -0.25, -0.25, 0.25}} {
		for k, v := range d.Row(texts[i], nil) {
			if sums[k] += v; math.Abs(v-want[k]) > 1e-15 {
				t.Errorf("sample %d: %v, want %v", i, d.Row(texts[i], nil), want)
			}
		}
	}
	for k, sum := range sums {
		if math.Abs(sum) > 1e-15 {
			t.Errorf("column %d has the sum %v", k, sum)
		}
	}
	if got := d.Row([]string{"2", "elsewhere"}, nil); !slices.Equal(got, []float64{0, -0.25, 0, 0}) {
		t.Errorf("a level that no training sample had: %v", got)
	}
	if got := d.Row([]string{"3", "b"}, []bool{true, false}); !slices.Equal(got, []float64{0, 0, -0.25, 0.25}) {
		t.Errorf("age at its mean: %v", got)
	}
	if d.Names() != "age and batch site" || d[1].Knows("elsewhere") || d[1].Knows("") || !d[0].Knows("7") {
		t.Errorf("%s, %+v", d.Names(), d)
	}
	full := NewDesign([]Covariate{{Name: "age", Number: true}}, [][]string{{"1"}, {"1"}}, nil)
	if got := full.Row([]string{"9"}, nil); !slices.Equal(got, []float64{0}) {
		t.Errorf("a constant number: %v", got)
	}
}

// writeShared writes a dataset with four shared samples and a trial that has the given rows.
func writeShared(t *testing.T, rows []int32, splits []Split, f *Features) string {
	t.Helper()
	dir := small(t)
	trial := filepath.Join(dir, "trial-00")
	must(t, os.Remove(filepath.Join(trial, "samples.parquet")))
	must(t, WriteFeatures(filepath.Join(trial, "features.parquet"), f))
	w := must1(NewSamplesWriter(filepath.Join(dir, "samples.parquet"), SamplesHeader{Features: 3, IDs: true, Shared: true}))
	for i, x := range [][]float64{{1, 2, 3}, {4, math.NaN(), 6}, {7, 8, 10}, {0, 1, math.NaN()}} {
		must(t, w.Append(Sample{ID: string(rune('a' + i)), Y: float64(1 - 2*(i%2)), X: x}))
	}
	must(t, w.Close())
	must(t, WriteRows(filepath.Join(trial, "rows.parquet"), rows, splits, map[string]string{"seed": "7"}))
	return dir
}

// TestSharedSamples checks that a trial has its rows of shared samples in its own order, filled in and then
// standardised according to its features.
func TestSharedSamples(t *testing.T) {
	f := &Features{Names: smallNames, Fill: []float64{9, 5, 7}, Scaling: &Scaling{Mean: []float64{1, 1, 1}, Deviation: []float64{2, 0.5, 0}}}
	got := must1(load(t, writeShared(t, []int32{3, 1, 0}, []Split{Train, Test, Valid}, f), BinaryLabels))
	for _, c := range []struct {
		b  Block
		id string
		x  []float64
	}{{got.Train, "d", []float64{-0.5, 0, 0}}, {got.Valid, "a", []float64{0, 2, 0}}, {got.Test, "b", []float64{1.5, 8, 0}}} {
		if !slices.Equal(c.b.IDs, []string{c.id}) || !slices.Equal(c.b.X, c.x) {
			t.Errorf("%q: %v, want %q: %v", c.b.IDs, c.b.X, c.id, c.x)
		}
	}
	if got.Metadata["seed"] != "7" || got.Train.Y[0] != -1 {
		t.Errorf("metadata %v, labels %v", got.Metadata, got.Train.Y)
	}
}

// TestHold checks that held samples are the file's samples in each load, and that a load does not change them.
func TestHold(t *testing.T) {
	f := &Features{Names: smallNames, Fill: []float64{9, 5, 7}, Scaling: &Scaling{Mean: []float64{1, 1, 1}, Deviation: []float64{2, 0.5, 0}}}
	dir := writeShared(t, []int32{3, 1, 0}, []Split{Train, Test, Valid}, f)
	want := must1(load(t, dir, BinaryLabels))
	for _, most := range []int{0, 1 << 20} {
		ds := must1(Open(dir))
		ds.Hold = columnar.Hold(most)
		for range 3 {
			got := must1(ds.Load(0, BinaryLabels))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("held up to %d bytes: %+v, want %+v", most, got, want)
			}
			clear(got.Train.X)
		}
		must(t, os.Rename(filepath.Join(dir, "samples.parquet"), filepath.Join(dir, "samples")))
		must(t, os.WriteFile(filepath.Join(dir, "samples.parquet"), nil, 0o600)) // what is held does not need the file
		if got, err := ds.Load(0, BinaryLabels); (err == nil) != (most > 0) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("held up to %d bytes, without the file: %+v, %v", most, got, err)
		}
		must(t, os.Rename(filepath.Join(dir, "samples"), filepath.Join(dir, "samples.parquet")))
	}
}

// TestSharedDigest checks that the digest covers the trial's rows and the shared samples.
func TestSharedDigest(t *testing.T) {
	f := &Features{Names: smallNames, Fill: []float64{9, 5, 7}}
	splits := []Split{Train, Test, Valid}
	digests := map[string]bool{}
	for _, rows := range [][]int32{{3, 1, 0}, {1, 3, 0}, {3, 1, 0}} {
		dir := writeShared(t, rows, splits, f)
		got := must1(load(t, dir, BinaryLabels))
		ds := must1(Open(dir))
		if sum, err := ds.Digest(0); err != nil || sum != got.Digest {
			t.Errorf("%s, %v, loaded %s", sum, err, got.Digest)
		}
		digests[got.Digest] = true
	}
	if len(digests) != 2 {
		t.Errorf("%d digests of two contents", len(digests))
	}
}

func TestSharedRefuses(t *testing.T) {
	full := &Features{Names: smallNames, Fill: []float64{9, 5, 7}}
	for _, c := range map[string]struct {
		rows   []int32
		splits []Split
		f      *Features
		want   string
	}{
		"twice":    {[]int32{3, 1, 3}, []Split{Train, Test, Valid}, full, `row 2 (counting from 0), column "row": is 3; want rows of`},
		"beyond":   {[]int32{3, 1, 4}, []Split{Train, Test, Valid}, full, "from 0 to 3"},
		"a gap":    {[]int32{3, 1, 0}, []Split{Train, Test, Valid}, &Features{Names: smallNames}, "is NaN after filling in and standardising"},
		"no split": {[]int32{3, 1}, []Split{Train, Valid}, full, `no row is "test"`},
	} {
		sealtest.WantError(t, sealtest.Err(load(t, writeShared(t, c.rows, c.splits, c.f), BinaryLabels)), c.want)
	}
}
