package importing

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
)

// table returns the rows of a file with ten samples of three features. The first row is the header.
func table() []string {
	rows := []string{"id,y,a,b,c"}
	for i := range 10 {
		rows = append(rows, fmt.Sprintf("P%d,%d,%d,%d,%d", i, i%2, i, i*i%7, 10-i))
	}
	return rows
}

func joined(rows []string) string { return strings.Join(rows, "\n") + "\n" }

func tableRequest() Request {
	return Request{
		Table: sampletable.Table{Samples: "s.csv", Label: "y", Task: sampletable.Classification},
		Edges: network.EdgeRequest{Path: "e.csv"}, Out: "data/mine", Trials: 1, Seed: 1,
	}
}

// values returns the label and the features of all samples, by id.
func values(t *testing.T, dir string, trial int) map[string][]float64 {
	t.Helper()
	all := map[string][]float64{}
	got := load(t, dir, trial)
	for _, b := range []samples.Block{got.Train, got.Valid, got.Test} {
		for i := range b.Rows() {
			all[b.IDs[i]] = append([]float64{b.Y[i]}, b.Row(i)...)
		}
	}
	return all
}

// Results depend neither on the order of rows nor on the order of edges.
func TestOrder(t *testing.T) {
	for _, ids := range []bool{true, false} {
		t.Chdir(t.TempDir())
		rows, edges := table(), []string{"source,target,cost", "a,b,1", "b,c,2", "c,a,3"}
		if !ids {
			for i, row := range rows {
				_, rows[i], _ = strings.Cut(row, ",")
			}
		}
		rng := rand.New(rand.NewPCG(1, 2))
		var want *samples.Trial
		for k := range 4 {
			write(t, "s.csv", joined(rows))
			write(t, "e.csv", joined(edges))
			r := tableRequest()
			r.Out, r.Standardise = fmt.Sprintf("d%d/mine", k), true
			run(t, r)
			got := load(t, r.Out, 0)
			if want == nil {
				want = got
			}
			for i, b := range []samples.Block{got.Train, got.Valid, got.Test} {
				w := []samples.Block{want.Train, want.Valid, want.Test}[i]
				if !slices.Equal(b.X, w.X) || !slices.Equal(b.Y, w.Y) || ids && !slices.Equal(b.IDs, w.IDs) {
					t.Errorf("ids %v, order %d: %v, want %v", ids, k, b, w)
				}
			}
			if !slices.Equal(got.Graph.Edges(), want.Graph.Edges()) || !slices.Equal(got.Graph.Costs(), want.Graph.Costs()) {
				t.Errorf("order %d: another graph", k)
			}
			rng.Shuffle(10, func(i, j int) { rows[1+i], rows[1+j] = rows[1+j], rows[1+i] })
			rng.Shuffle(3, func(i, j int) { edges[1+i], edges[1+j] = edges[1+j], edges[1+i] })
		}
	}
}

// Labels in another file are joined by id, in any order. Genes may be rows.
func TestLabelFile(t *testing.T) {
	t.Chdir(t.TempDir())
	var genes [4][]string
	labels := []string{"age,patient,status"}
	for i, row := range table() {
		f := strings.Split(row, ",")
		if i == 0 {
			f[0] = "gene"
		}
		for j, k := range []int{0, 2, 3, 4} {
			genes[j] = append(genes[j], f[k])
		}
		if i > 0 {
			labels = append(labels, fmt.Sprintf("%d,%s,%s", 50+i, f[0], []string{"No", "YES"}[(i-1)%2]))
		}
	}
	slices.Reverse(labels[1:])
	write(t, "l.csv", joined(append(labels, "9,P99,YES")))
	var g []string
	for _, row := range genes {
		g = append(g, strings.Join(row, ","))
	}
	write(t, "g.csv", joined(g))
	write(t, "s.csv", joined(table()))
	write(t, "e.csv", "source,target\na,b\nb,c\n")
	plain := tableRequest()
	run(t, plain)
	turned := tableRequest()
	turned.Samples, turned.Labels, turned.Label, turned.Text.Transpose, turned.Out = "g.csv", "l.csv", "status", true, "turned/mine"
	result := run(t, turned)
	a, b := values(t, plain.Out, 0), values(t, turned.Out, 0)
	if fmt.Sprint(a) != fmt.Sprint(b) || len(b) != 10 {
		t.Errorf("%v, want %v", b, a)
	}
	if result.Positive != "YES" || result.Negative != "No" || !slices.Contains(result.Notes, "left out 1 label of l.csv, because g.csv has no such samples") {
		t.Errorf("%+v", result)
	}
}

// Missing values are treated as the user asked.
func TestMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := table()
	rows[3] = "P2,0,,4,8" // before, a is 2 and b is 4
	rows[4] = "P3,1,NA,2,7"
	rows[6] = "P5,1,5,nan,5"
	write(t, "s.csv", joined(rows))
	write(t, "e.csv", "source,target\na,c\nb,c\n")
	few := tableRequest()
	few.Missing = sampletable.MissingSamples
	if _, err := Import(t.Context(), few, nil); err == nil || !strings.Contains(err.Error(), "--missing drop-samples leaves out 3 of the 10 samples of s.csv (30 %): P2, P3, P5") {
		t.Errorf("error %v", err)
	}
	for how, c := range map[sampletable.Missing]struct {
		samples, features int
		note              string
	}{
		sampletable.MissingSamples:  {7, 3, "left out 3 samples of s.csv with missing values (30 %): P2, P3, P5"},
		sampletable.MissingFeatures: {10, 1, ""},
		sampletable.MissingMean:     {10, 3, "3 of 30 values are missing (10 %), in 3 samples and 2 features: a (20 %), b (10 %); each is replaced by the mean of its feature over the trial's training samples"},
		sampletable.MissingMedian:   {10, 3, "replaced by the median of"},
	} {
		r := tableRequest()
		r.Missing, r.Out, r.Force = how, filepath.Join(string(how), "mine"), true
		if how == sampletable.MissingFeatures {
			rows[4] = "P3,1,3,2,7"
			r.Samples = "f.csv"
			write(t, "f.csv", strings.Replace(joined(rows), "nan", "4", 1))
			c.features = 2
		}
		result := run(t, r)
		all := values(t, r.Out, 0)
		if len(all) != c.samples || result.Features != c.features || !strings.Contains(strings.Join(result.Notes, "\n"), c.note) {
			t.Errorf("%s: %d samples of %d features, notes %q", how, len(all), result.Features, result.Notes)
		}
		if how != sampletable.MissingMean && how != sampletable.MissingMedian {
			continue
		}
		var present []float64 // values of a in the training samples
		train := load(t, r.Out, 0).Train
		for i, id := range train.IDs {
			if id != "P2" && id != "P3" {
				present = append(present, train.Row(i)[0])
			}
		}
		slices.Sort(present)
		n, sum := len(present), 0.0
		for _, v := range present {
			sum += v
		}
		want := sum / float64(n)
		if how == sampletable.MissingMedian {
			want = (present[(n-1)/2] + present[n/2]) / 2
		}
		if math.Abs(all["P2"][1]-want) > 1e-12 || math.Abs(all["P3"][1]-want) > 1e-12 || all["P5"][1] != 5 {
			t.Errorf("%s: filled with %v and %v, want %v", how, all["P2"], all["P3"], want)
		}
	}
}

// Data frames may have nulls, NaN and booleans, as pandas and polars write them.
func TestDataFrames(t *testing.T) {
	t.Chdir(t.TempDir())
	fields := []arrow.Field{
		{Name: "a", Type: arrow.PrimitiveTypes.Float64, Nullable: true}, {Name: "b", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "sick", Type: arrow.FixedWidthTypes.Boolean, Nullable: true}, {Name: "c", Type: arrow.PrimitiveTypes.Float32},
		{Name: "__index_level_0__", Type: arrow.BinaryTypes.String, Nullable: true},
	}
	const rows = `[{"a": 1, "b": 7, "sick": true, "c": 1, "__index_level_0__": "007"}, {"a": null, "b": 8, "sick": false, "c": 2, "__index_level_0__": "NAN"},
		{"a": 3, "b": null, "sick": true, "c": 3, "__index_level_0__": "x"}, {"a": 5, "b": 10, "sick": false, "c": 4, "__index_level_0__": "y"},
		{"a": 6, "b": 11, "sick": true, "c": 5, "__index_level_0__": "z"}, {"a": 7, "b": 12, "sick": false, "c": 6, "__index_level_0__": "w"},
		{"a": 8, "b": 13, "sick": null, "c": 7, "__index_level_0__": "v"},
		{"a": 9, "b": 14, "sick": true, "c": 8, "__index_level_0__": "u"}, {"a": 10, "b": 15, "sick": false, "c": 9, "__index_level_0__": "t"}]`
	writeArrow(t, "s.arrow", fields, rows)
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(fields, nil), strings.NewReader(rows))
	must(t, err)
	f := must1(os.Create("s.parquet"))
	w := must1(pqarrow.NewFileWriter(rec.Schema(), f, nil, pqarrow.DefaultWriterProps()))
	must(t, w.Write(rec))
	must(t, w.Close())
	write(t, "e.csv", "source,target\na,b\nb,c\n")
	for _, name := range []string{"s.arrow", "s.parquet"} {
		r := tableRequest()
		r.Samples, r.Label, r.Out = name, "sick", name+".out/mine"
		if _, err := Import(context.Background(), r, nil); err == nil || !strings.Contains(err.Error(), name+`: column "sick": has no label for 1 of 9 samples: v (row 6); --unlabelled drop`) {
			t.Errorf("%s: error %v", name, err)
		}
		r.Missing, r.Unlabelled, r.Force = sampletable.MissingSamples, "drop", true
		if result := run(t, r); result.Positive != "true" || !strings.Contains(strings.Join(result.Notes, "\n"), "left out 1 sample of "+name+" without a label (11.1 %): v\nleft out 2 samples of "+name+" with missing values (25 %): NAN, x") {
			t.Errorf("%s: %+v", name, result)
		}
		if got, want := fmt.Sprint(values(t, r.Out, 0)), "map[007:[1 1 7 1] t:[-1 10 15 9] u:[1 9 14 8] w:[-1 7 12 6] y:[-1 5 10 4] z:[1 6 11 5]]"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestDates checks that dates and times in an index are names as in a text, and that weights may have any size.
func TestDates(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, typ := range map[string]arrow.DataType{"date": arrow.FixedWidthTypes.Date32, "ms": arrow.FixedWidthTypes.Date64,
		"s": arrow.FixedWidthTypes.Timestamp_s, "ns": arrow.FixedWidthTypes.Timestamp_ns} {
		fields := []arrow.Field{{Name: "day", Type: typ}, {Name: "a", Type: arrow.PrimitiveTypes.Float64},
			{Name: "b", Type: arrow.PrimitiveTypes.Float64}}
		rows, labels, want := []string{}, "sample,y,w\n", []string{}
		for i := range 8 {
			day := fmt.Sprintf("19%d-03-0%d", 66+i, 1+i)
			rows = append(rows, fmt.Sprintf(`{"day": "%s", "a": %d, "b": %d}`, day, i, i*i))
			labels += fmt.Sprintf("%s,%d,%de-300\n", day, i%2, 1+i%3)
			want = append(want, fmt.Sprintf("%s=%d", day, i))
		}
		writeArrow(t, "s.arrow", fields, "["+strings.Join(rows, ",")+"]")
		write(t, "e.csv", "source,target\na,b\n")
		write(t, "l.csv", labels)
		r := tableRequest()
		r.Samples, r.Labels, r.Label, r.ID, r.Weight, r.Out = "s.arrow", "l.csv", "y", "", "w", name+"/mine"
		run(t, r)
		got := load(t, r.Out, 0)
		if ids := idsOf(got); !slices.Equal(ids, want) || slices.Max(got.Train.Weight) < 0.3 {
			t.Errorf("%s: %q with weights %v, want %q", name, ids, got.Train.Weight, want)
		}
	}
}
