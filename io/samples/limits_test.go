package samples

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"

	"graphda/io/columnar"
)

// withFooter returns the small samples as a Parquet file whose footer was changed.
func withFooter(t *testing.T, change func(*metadata.FileMetaData)) []byte {
	t.Helper()
	var buf bytes.Buffer
	encodeParquet(t, &buf, frame{listed, only(smallRows, listed)}.record(t), 1<<20, parquet.WithDictionaryDefault(false))
	r := must1(file.NewParquetReader(bytes.NewReader(buf.Bytes())))
	meta := r.MetaData()
	buf.Truncate(buf.Len() - 8 - meta.Size())
	change(meta)
	begin := buf.Len()
	must1(meta.WriteTo(&buf, nil))
	return append(binary.LittleEndian.AppendUint32(buf.Bytes(), uint32(buf.Len()-begin)), "PAR1"...)
}

// What a small file asks for is refused before memory is taken for it, with the number.
func TestLimits(t *testing.T) {
	nested := func(m *metadata.FileMetaData) {
		one := int32(1)
		group, leaf := *m.FileMetaData.Schema[0], m.FileMetaData.Schema[1]
		group.NumChildren = &one
		m.FileMetaData.Schema = m.FileMetaData.Schema[:0]
		for range 3000 {
			m.FileMetaData.Schema = append(m.FileMetaData.Schema, &group)
		}
		m.FileMetaData.Schema = append(m.FileMetaData.Schema, leaf)
	}
	children := func(n int32) func(*metadata.FileMetaData) {
		return func(m *metadata.FileMetaData) { *m.FileMetaData.Schema[0].NumChildren = n }
	}
	values := func(n int64) func(*metadata.FileMetaData) {
		return func(m *metadata.FileMetaData) { m.RowGroups[0].Columns[2].MetaData.NumValues = n }
	}
	for name, c := range map[string]struct {
		change func(*metadata.FileMetaData)
		column string
		want   string
	}{
		"children":          {children(1<<31 - 1), "", "a group of its schema has 2147483647 columns, of which "},
		"negative children": {children(-1), "", "a group of its schema has -1 columns, of which "},
		"no children":       {children(0), "", "columns that belong to no group"},
		"depth":             {nested, "", "its schema is more than 64 levels deep"},
		"rows": {func(m *metadata.FileMetaData) {
			m.NumRows, m.RowGroups[0].NumRows = 1e9, 1e9
		}, "", "has 1000000000 rows in "},
		"values":          {values(1e9), "", "has 10000000"},
		"negative values": {values(-1), "", "does not say how many values it has"},
		"too few values":  {values(3), "x", "a page has fewer values than it says, or more than its column"},
		"columns": {func(m *metadata.FileMetaData) {
			for range 8192 {
				m.FileMetaData.Schema = append(m.FileMetaData.Schema, m.FileMetaData.Schema[1])
			}
			*m.FileMetaData.Schema[0].NumChildren += 8192
		}, "", "columns in "},
	} {
		path, content := filepath.Join(t.TempDir(), "file.parquet"), withFooter(t, c.change)
		must(t, os.WriteFile(path, content, 0o666))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := (&Dataset{mem: memory.NewGoAllocator()}).with(path, func(f *columnar.File) error {
			var trial Trial
			return trial.readSamples(f, &featureTable{Features: &Features{Names: smallNames}, path: "features.parquet"}, AnyLabels, nil)
		})
		runtime.ReadMemStats(&after)
		checkRefusal(t, err, path, -1, c.column, "…"+c.want+"…")
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("%s: %d bytes of memory for a file of %d", name, took, len(content))
		}
	}
}
