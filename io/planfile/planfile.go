// Package planfile reads and writes sealed Parquet files of plain columns: plans and task lists. Other programs can
// open these files too.
//
// A large table has several files: NAME.parquet has the first 262,144 rows, NAME.2.parquet has the next rows, and so
// on. The first file lists the other files with their digests, so the digest of the first file identifies the whole
// table. To read a few rows, a program verifies only the first file and the files with these rows.
package planfile

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"graphda/io/arrowio"
	"graphda/io/seal"
)

// A Column is one column of a table. Exactly one of its slices has the values. NaN in Floats is written as null.
type Column struct {
	Name    string
	Strings []string
	Ints    []int64
	Floats  []float64

	Unique bool // set if strings seldom repeat; they then have no dictionary
}

// Len returns the number of values.
func (c *Column) Len() int { return max(len(c.Strings), len(c.Ints), len(c.Floats)) }

// A Table is a list of columns of equal length.
type Table []Column

// A split says how many rows form a group and how many form a file. Groups limit the memory for writing, and files
// limit how much must be checked to read a few rows.
type split struct{ group, file int }

var usual = split{1 << 14, 1 << 18}

// WriteRows writes a table of n rows and replaces any file at path. The table need not fit into memory: each call of
// rows returns the rows in [from, to), always with the same columns. WriteRows returns the same digest as File.Digest.
func WriteRows(path string, n int, rows func(from, to int) Table) (digest string, err error) {
	return usual.write(path, n, rows)
}

const indexKey = "graphda.files"

// An index is the first file's list of the other files.
type index struct {
	Group int         `json:"group"` // number of rows in a group; the last group of a file may have fewer
	Files []indexFile `json:"files"`
}

type indexFile struct {
	Name   string              `json:"name"`
	Rows   int                 `json:"rows"`
	Digest string              `json:"digest"`
	Spans  map[string][2]int64 `json:"spans"` // least and greatest value of each column of integers
}

func fileName(path string, k int) string {
	if k == 1 {
		return path
	}
	suffix := filepath.Ext(path)
	return fmt.Sprintf("%s.%d%s", strings.TrimSuffix(path, suffix), k, suffix)
}

// Names returns the paths of all files of a table with the given number of rows.
func Names(path string, rows int) []string {
	names := []string{path}
	for len(names)*usual.file < rows {
		names = append(names, fileName(path, len(names)+1))
	}
	return names
}

// write writes all files of a table, the first file last. So readers find a complete table at path, or no table.
func (s split) write(path string, n int, rows func(from, to int) Table) (digest string, err error) {
	x := index{Group: s.group}
	for from := s.file; from < n; from += s.file {
		f := indexFile{Rows: min(s.file, n-from), Spans: map[string][2]int64{}}
		name := fileName(path, len(x.Files)+2)
		f.Name = filepath.Base(name)
		digest, err := s.writeFile(name, nil, from, from+f.Rows, func(from, to int) Table {
			t := rows(from, to)
			f.extend(t)
			return t
		})
		if err != nil {
			return "", err
		}
		f.Digest = digest
		x.Files = append(x.Files, f)
	}
	return s.writeFile(path, x.metadata(), 0, min(n, s.file), rows)
}

func (f *indexFile) extend(t Table) {
	for i := range t {
		if c := &t[i]; len(c.Ints) > 0 {
			span, ok := f.Spans[c.Name]
			if !ok {
				span = [2]int64{c.Ints[0], c.Ints[0]}
			}
			f.Spans[c.Name] = [2]int64{min(span[0], slices.Min(c.Ints)), max(span[1], slices.Max(c.Ints))}
		}
	}
}

func (x *index) metadata() map[string]string {
	if len(x.Files) == 0 {
		return nil
	}
	text, err := json.Marshal(x)
	if err != nil {
		panic("tables: " + err.Error()) // cannot fail for names and integers
	}
	return map[string]string{indexKey: string(text)}
}

func (s split) writeFile(path string, metadata map[string]string, from, to int,
	rows func(from, to int) Table) (digest string, err error) {
	w, err := seal.Create(path)
	if err != nil {
		return "", err
	}
	defer w.Abort()
	if err := w.Try(func() error { return s.encode(w, metadata, from, to, rows) }); err != nil {
		return "", fmt.Errorf("writing %s: %w", path, err)
	}
	if err := w.Commit(); err != nil {
		return "", err
	}
	return w.Digest(), nil
}

func (s split) encode(w io.Writer, metadata map[string]string, from, to int, rows func(from, to int) Table) error {
	t := rows(from, min(from+s.group, to))
	out, err := arrowio.NewParquetWriter(w, arrowio.ParquetLayout{Columns: t.columns(), Codec: compress.Codecs.Snappy})
	if err != nil {
		return err
	}
	for key, value := range metadata {
		if err := out.AppendKeyValueMetadata(key, value); err != nil {
			return err
		}
	}
	for from < to {
		if err := arrowio.WriteRowGroup(out, t.columns()...); err != nil {
			return err
		}
		if from += s.group; from < to {
			t = rows(from, min(from+s.group, to))
		}
	}
	return out.Close()
}

func (t Table) columns() (all []arrowio.ParquetColumn) {
	for _, c := range t {
		var out arrowio.ParquetColumn
		switch {
		case c.Strings != nil:
			out = arrowio.Texts(c.Name, c.Strings)
			out.Dictionary = !c.Unique
		case c.Ints != nil:
			out = arrowio.Flat(c.Name, c.Ints, nil)
			out.Node = schema.MustPrimitive(schema.NewPrimitiveNodeLogical(c.Name, parquet.Repetitions.Required,
				schema.NewIntLogicalType(64, true), parquet.Types.Int64, -1, -1)) // the type in earlier plans
		default:
			values, present := make([]float64, 0, len(c.Floats)), make([]int16, len(c.Floats))
			for i, v := range c.Floats {
				if v == v {
					values, present[i] = append(values, v), 1
				}
			}
			out = arrowio.Flat(c.Name, values, present)
		}
		out.Stats = true
		all = append(all, out)
	}
	return all
}
