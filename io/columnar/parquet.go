package columnar

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow/go/v15/arrow/float16"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"graphda/io/arrowio"
)

// A parquetFile is the source for a Parquet file. It decodes column chunks directly into the caller's memory, without
// Arrow's arrays. The time is linear in the number of columns.
type parquetFile struct {
	data     []byte      // the whole file; nil if it is read through content
	content  io.ReaderAt // reads the file; nil if it is in data
	size     int64
	reader   *file.Reader
	from, to int // the row groups to read
	mem      memory.Allocator
	leaves   []leaf // leaves[i] describes the column whose field `at` is i
	pager    *arrowio.Pager
	chunk    []byte
	scratch  []any // a *batch for each pair of a stored and a requested type
}

// A leaf says where the values of a top-level column are.
type leaf struct {
	*schema.Column
	index   int
	slotDef int16 // smallest definition level of a list's element; the element may be null
}

func openParquet(data []byte, mem memory.Allocator) (*File, error) {
	if magic := []byte("PAR1"); len(data) < 8 || !bytes.HasPrefix(data, magic) || !bytes.HasSuffix(data, magic) {
		return nil, fmt.Errorf("is not a Parquet file, or is cut off: it does not begin and end with PAR1")
	}
	if err := arrowio.CheckFooter(data); err != nil {
		return nil, damaged("%w", err)
	}
	r, err := file.NewParquetReader(bytes.NewReader(data), file.WithReadProps(parquet.NewReaderProperties(mem)))
	if err != nil {
		return nil, damaged("%w", err)
	}
	f := &parquetFile{data: data, size: int64(len(data)), reader: r, mem: mem, pager: arrowio.NewPager(mem)}
	return f.describeFile(len(data))
}

func (f *parquetFile) describeFile(size int) (*File, error) {
	meta := f.reader.MetaData()
	rows, err := countRows(meta, size)
	if err != nil {
		return nil, err
	}
	f.to = f.reader.NumRowGroups()
	t := &File{Rows: int(rows), source: f, Metadata: map[string]string{}}
	for _, kv := range meta.KeyValueMetadata() {
		t.Metadata[kv.Key] = kv.GetValue()
	}
	t.Columns = f.columns(meta.Schema)
	return t, nil
}

// countRows returns the number of rows, or an error if there are too many values for the file's size.
func countRows(meta *metadata.FileMetaData, size int) (rows int64, err error) {
	var values int64
	for _, g := range meta.RowGroups {
		rows += g.NumRows
		if g.NumRows < 0 || rows < 0 {
			return 0, damaged("a row group has %d rows", g.NumRows)
		}
		for i, c := range g.Columns {
			if c.MetaData == nil || c.MetaData.NumValues < 0 {
				return 0, damaged("column %d of a row group does not say how many values it has", i)
			}
			values += min(c.MetaData.NumValues, math.MaxInt64-values)
		}
	}
	if rows != meta.GetNumRows() {
		return 0, damaged("its row groups have %d rows, but the file says %d", rows, meta.GetNumRows())
	}
	if err := CheckCount("rows", rows, size); err != nil {
		return 0, err
	}
	return rows, CheckCount("values", values, size)
}

// columns describes the top-level columns. A column with several leaves, or none, is nested and has the kind Other.
func (f *parquetFile) columns(s *schema.Schema) []Column {
	leaves := make(map[schema.Node][]int, s.NumColumns())
	for i := range s.NumColumns() {
		root := s.ColumnRoot(i)
		leaves[root] = append(leaves[root], i)
	}
	columns := make([]Column, s.Root().NumFields())
	f.leaves = make([]leaf, len(columns))
	for i := range columns {
		node := s.Root().Field(i)
		c := &columns[i]
		c.Name, c.at, c.Type = node.Name(), i, "a group of columns"
		if at := leaves[node]; len(at) == 1 {
			f.leaves[i] = leaf{Column: s.Column(at[0]), index: at[0]}
			f.describe(c, node, &f.leaves[i])
		}
	}
	return columns
}

func (f *parquetFile) describe(c *Column, root schema.Node, l *leaf) {
	kind, typ := leafKind(l.Column)
	c.tick = tickOf(l.Column)
	depth := len(l.ColumnPath())
	switch _, isList := root.LogicalType().(schema.ListLogicalType); {
	case l.MaxRepetitionLevel() == 0 && depth == 1:
		c.Kind, c.Type = kind, typ
	case l.MaxRepetitionLevel() == 1 && (depth == 1 || isList && depth <= 3):
		c.Kind, c.Type, c.List = kind, "list of "+typ, true
		l.slotDef = slotLevel(l.SchemaNode())
	default:
		c.Type = "nested " + typ
	}
}

func tickOf(c *schema.Column) time.Duration {
	stamp, ok := c.LogicalType().(*schema.TimestampLogicalType)
	switch {
	case !ok: // a column of dates, which counts days
		return 24 * time.Hour
	case stamp.TimeUnit() == schema.TimeUnitMillis:
		return time.Millisecond
	case stamp.TimeUnit() == schema.TimeUnitMicros:
		return time.Microsecond
	}
	return time.Nanosecond
}

// slotLevel returns the definition level of n, or of the innermost repeated node around n if n is not repeated.
func slotLevel(n schema.Node) (level int16) {
	for n.RepetitionType() != parquet.Repetitions.Repeated {
		n = n.Parent()
	}
	for ; n.Parent() != nil; n = n.Parent() {
		if n.RepetitionType() != parquet.Repetitions.Required {
			level++
		}
	}
	return level
}

func leafKind(c *schema.Column) (Kind, string) {
	physical := strings.ToLower(c.PhysicalType().String())
	switch t := c.LogicalType().(type) {
	case nil, schema.NoLogicalType, schema.NullLogicalType:
		switch c.PhysicalType() {
		case parquet.Types.Int32, parquet.Types.Int64:
			return Integer, physical
		case parquet.Types.Float, parquet.Types.Double:
			return Number, physical
		case parquet.Types.Boolean:
			return Boolean, physical
		case parquet.Types.ByteArray: // how Impala and old versions of Hive store text
			return Text, physical
		}
		return Other, physical
	case *schema.IntLogicalType:
		if t.IsSigned() {
			return Integer, fmt.Sprintf("int%d", t.BitWidth())
		}
		return Integer, fmt.Sprintf("uint%d", t.BitWidth())
	case *schema.DecimalLogicalType:
		return Number, fmt.Sprintf("decimal(%d,%d)", t.Precision(), t.Scale())
	case schema.Float16LogicalType:
		return Number, "float16"
	case schema.DateLogicalType, *schema.TimestampLogicalType:
		return Time, strings.ToLower(t.String())
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
		if c.PhysicalType() == parquet.Types.ByteArray {
			return Text, strings.ToLower(t.String())
		}
	}
	return Other, fmt.Sprintf("%s (%s)", strings.ToLower(c.LogicalType().String()), physical)
}

func (f *parquetFile) floats(c *Column, visit func(int, []float64) error) error {
	l := &f.leaves[c.at]
	if d, ok := l.LogicalType().(*schema.DecimalLogicalType); ok {
		return f.decimals(l, c, int(d.Scale()), visit)
	}
	switch l.PhysicalType() {
	case parquet.Types.Boolean:
		return scan(f, c, func(dst []float64, src []bool) (int, error) {
			for i, v := range src {
				dst[i] = truth[v]
			}
			return 0, nil
		}, visit)
	case parquet.Types.Double:
		return scan[float64](f, c, nil, visit)
	case parquet.Types.Float:
		return scan(f, c, widen, visit)
	case parquet.Types.Int64:
		if isUnsigned(l) {
			return scan(f, c, func(dst []float64, src []int64) (int, error) {
				return exactFloats(dst, asUint64(src))
			}, visit)
		}
		return scan(f, c, exactFloats[int64], visit)
	case parquet.Types.Int32:
		return f.ofInts(c, exactFloats, visit)
	case parquet.Types.FixedLenByteArray: // a float16, the only such type that leafKind allows
		return scan(f, c, func(dst []float64, src []parquet.FixedLenByteArray) (int, error) {
			for i, v := range src {
				dst[i] = float64(float16.FromLEBytes(v).Float32())
			}
			return 0, nil
		}, visit)
	}
	return damaged("its type cannot be read as numbers")
}

func (f *parquetFile) ofInts(c *Column, convert converter[int64, float64], visit func(int, []float64) error) error {
	var dst []float64
	return f.ints(c, func(row int, values []int64) error {
		dst = slices.Grow(dst[:0], len(values))[:len(values)]
		if bad, err := convert(dst, values); err != nil && c.List {
			return AtRow(row, "%w", err)
		} else if err != nil {
			return AtRow(row+bad, "%w", err)
		}
		return visit(row, dst)
	})
}

func (f *parquetFile) decimals(l *leaf, c *Column, scale int, visit func(int, []float64) error) error {
	switch l.PhysicalType() {
	case parquet.Types.Int32, parquet.Types.Int64:
		return f.ofInts(c, func(dst []float64, src []int64) (int, error) {
			for i, v := range src {
				dst[i] = smallDecimal(v, scale)
			}
			return 0, nil
		}, visit)
	case parquet.Types.FixedLenByteArray:
		return scan(f, c, bytesDecimals[parquet.FixedLenByteArray](scale), visit)
	}
	return scan(f, c, bytesDecimals[parquet.ByteArray](scale), visit)
}

func bytesDecimals[P ~[]byte](scale int) converter[P, float64] {
	return func(dst []float64, src []P) (int, error) {
		for i, v := range src {
			dst[i] = decimalFloat(bigEndian(v), scale)
		}
		return 0, nil
	}
}

func (f *parquetFile) ints(c *Column, visit func(int, []int64) error) error {
	l := &f.leaves[c.at]
	unsigned := isUnsigned(l)
	switch l.PhysicalType() {
	case parquet.Types.Int32:
		return scan(f, c, func(dst []int64, src []int32) (int, error) {
			for i, v := range src {
				if dst[i] = int64(v); unsigned {
					dst[i] = int64(uint32(v))
				}
			}
			return 0, nil
		}, visit)
	case parquet.Types.Int64:
		if !unsigned {
			return scan[int64](f, c, nil, visit)
		}
		return scan(f, c, func(dst, src []int64) (int, error) {
			return wholeInts(dst, asUint64(src))
		}, visit)
	}
	return damaged("its type cannot be read as whole numbers")
}

func (f *parquetFile) texts(c *Column, visit func(int, []string) error) error {
	if c.Kind == Boolean {
		return scan(f, c, func(dst []string, src []bool) (int, error) {
			for i, v := range src {
				dst[i] = strconv.FormatBool(v)
			}
			return 0, nil
		}, visit)
	}
	return scan(f, c, copyTexts, visit)
}

// copyTexts copies texts out of the pages. Equal consecutive texts share a copy.
func copyTexts(dst []string, src []parquet.ByteArray) (int, error) {
	isRepeat := func(i int) bool { return i > 0 && bytes.Equal(src[i], src[i-1]) }
	size := 0
	for i, v := range src {
		if !isRepeat(i) {
			size += len(v)
		}
	}
	var text strings.Builder
	text.Grow(size)
	for i, v := range src {
		if isRepeat(i) {
			dst[i] = dst[i-1]
			continue
		}
		from := text.Len()
		text.Write(v)
		dst[i] = text.String()[from:]
	}
	return 0, nil
}

func (f *parquetFile) release() { f.pager.Release() }

var _ source = (*parquetFile)(nil)

func isUnsigned(l *leaf) bool {
	t, ok := l.LogicalType().(*schema.IntLogicalType)
	return ok && !t.IsSigned()
}

func asUint64(src []int64) (dst []uint64) {
	for _, v := range src {
		dst = append(dst, uint64(v))
	}
	return dst
}
