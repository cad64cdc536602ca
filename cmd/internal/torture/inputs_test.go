package torture

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/csv"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"
)

// A frame is a table as another program writes it.
type frame struct {
	fields  []arrow.Field
	columns []arrow.Array
}

func (f *frame) add(name string, column arrow.Array) *frame {
	f.fields = append(f.fields, arrow.Field{Name: name, Type: column.DataType(), Nullable: true})
	f.columns = append(f.columns, column)
	return f
}

func (f *frame) text(name string, values ...string) *frame {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return f.add(name, b.NewArray())
}

func (f *frame) number(name string, values ...float64) *frame {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return f.add(name, b.NewArray())
}

// list adds the column x, with a list in each row.
func (f *frame) list(x [][]float64) *frame {
	b := array.NewListBuilder(memory.DefaultAllocator, arrow.PrimitiveTypes.Float64)
	for _, values := range x {
		b.Append(true)
		b.ValueBuilder().(*array.Float64Builder).AppendValues(values, nil)
	}
	return f.add("x", b.NewArray())
}

func (f *frame) column(name string) arrow.Array {
	return f.columns[slices.IndexFunc(f.fields, func(c arrow.Field) bool { return c.Name == name })]
}

// record returns the frame for Arrow's writers.
func (f *frame) record() arrow.Record {
	return array.NewRecord(arrow.NewSchema(f.fields, nil), f.columns, -1)
}

func (f *frame) csv(t *testing.T, comma rune) []byte {
	t.Helper()
	var b bytes.Buffer
	rec := f.record()
	w := csv.NewWriter(&b, rec.Schema(), csv.WithComma(comma), csv.WithHeader(true))
	must(t, w.Write(rec))
	must(t, w.Flush())
	return b.Bytes()
}

// parquetForms lists ways to write Parquet.
var parquetForms = map[string][]parquet.WriterProperty{
	"plain":  {parquet.WithDictionaryDefault(false)},
	"words":  {parquet.WithDictionaryDefault(true)},
	"snappy": {parquet.WithCompression(compress.Codecs.Snappy)},
	"zstd":   {parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageVersion(parquet.DataPageV2)},
	"gzip":   {parquet.WithCompression(compress.Codecs.Gzip), parquet.WithDictionaryDefault(false)},
}

func (f *frame) parquet(t *testing.T, form string) []byte {
	t.Helper()
	var b bytes.Buffer
	rec := f.record()
	properties := parquet.NewWriterProperties(append(parquetForms[form], parquet.WithMaxRowGroupLength(30))...)
	w := must1(pqarrow.NewFileWriter(rec.Schema(), struct{ io.Writer }{&b}, properties, pqarrow.DefaultWriterProps()))
	must(t, w.Write(rec))
	must(t, w.Close())
	return b.Bytes()
}

// A sink is a buffer with the methods that Arrow's writer of files needs.
type sink struct{ bytes.Buffer }

func (s *sink) Seek(int64, int) (int64, error) { return int64(s.Len()), nil }

func (f *frame) arrow(t *testing.T, options ...ipc.Option) []byte {
	t.Helper()
	var b sink
	rec := f.record()
	w := must1(ipc.NewFileWriter(&b, append(options, ipc.WithSchema(rec.Schema()))...))
	must(t, w.Write(rec))
	must(t, w.Close())
	return b.Bytes()
}

// stream returns the frame as a stream, which has no footer.
func (f *frame) stream(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	rec := f.record()
	w := ipc.NewWriter(&b, ipc.WithSchema(rec.Schema()))
	must(t, w.Write(rec))
	must(t, w.Close())
	return b.Bytes()
}

// The tables are made up: 60 samples of twelve genes in a ring. The first four genes are raised in tumours.
const genes = 12

func gene(i int) string { return "G" + strconv.Itoa(i%genes) }

func madeUp() (samples, edges, weights, features, groups *frame, x [][]float64) {
	rng := rand.New(rand.NewPCG(4, 4))
	samples, edges, weights, features, groups = new(frame), new(frame), new(frame), new(frame), new(frame)
	const n = 60
	y, split, status, columns := make([]float64, n), make([]string, n), make([]string, n), make([][]float64, genes)
	for i := range n {
		y[i], status[i] = float64(1-2*(i%2)), []string{"tumour", "normal"}[i%2]
		split[i] = []string{"train", "train", "valid", "test"}[i/2%4]
		row := make([]float64, genes)
		for j := range row {
			row[j] = rng.NormFloat64()
			if j < 4 {
				row[j] += y[i]
			}
			columns[j] = append(columns[j], row[j])
		}
		x = append(x, row)
	}
	samples.text("status", status...).text("split", split...).number("y", y...)
	var names, next, sets []string
	var costs, values, truth []float64
	for j := range genes {
		samples.number(gene(j), columns[j]...)
		names, next, sets = append(names, gene(j)), append(next, gene(j+1)), append(sets, "set"+strconv.Itoa(j/3))
		costs, values = append(costs, 0.5+rng.Float64()), append(values, rng.NormFloat64())
		truth = append(truth, float64(j/4*-1+1))
	}
	edges.text("source", names...).text("target", next...).number("cost", costs...)
	weights.text("name", names...).number("value", values...)
	features.text("name", names...).number("truth", truth...)
	groups.text("feature", names...).text("group", sets...)
	return samples, edges, weights, features, groups, x
}
