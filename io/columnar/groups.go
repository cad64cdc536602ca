package columnar

import (
	"fmt"
	"os"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"graphda/io/arrowio"
	"graphda/io/seal"
)

// Groups is a sealed Parquet file that is read one row group at a time, to save memory. It is not
// safe for concurrent use.
type Groups struct {
	Digest string
	path   string
	file   *os.File
	source *parquetFile
	all    *File
}

// OpenGroups opens a file. It first checks every byte against the file's seal.
func OpenGroups(path string) (*Groups, error) {
	in, digest, err := seal.OpenSealed(path)
	if err != nil {
		return nil, err
	}
	g := &Groups{Digest: digest, path: path, file: in}
	if err := reading(g.parse); err != nil {
		in.Close()
		return nil, Locate(err, path, "")
	}
	return g, nil
}

func (g *Groups) parse() error {
	st, err := g.file.Stat()
	if err != nil {
		return err
	}
	mem := arrowio.Bounded(int(st.Size()))
	r, err := file.NewParquetReader(g.file, file.WithReadProps(parquet.NewReaderProperties(mem)))
	if err != nil {
		return damaged("%w", err)
	}
	g.source = &parquetFile{content: g.file, size: st.Size(), reader: r, mem: mem, pager: arrowio.NewPager(mem)}
	g.all, err = g.source.describeFile(int(st.Size()))
	return err
}

// Close closes the file.
func (g *Groups) Close() error { return g.file.Close() }

// Metadata returns the value of a key in the file's metadata, or "" if there is none.
func (g *Groups) Metadata(key string) string { return g.all.Metadata[key] }

// Groups returns the number of row groups.
func (g *Groups) Groups() int { return g.source.reader.NumRowGroups() }

// Rows returns the number of rows in a group.
func (g *Groups) Rows(group int) int { return int(g.source.reader.RowGroup(group).NumRows()) }

// Group returns a group as a File. The File is valid until the next call of Group.
func (g *Groups) Group(group int) (*File, error) {
	if n := g.Groups(); group >= n {
		return nil, fmt.Errorf("%s: %d groups of rows, want more", g.path, n)
	}
	g.source.from, g.source.to = group, group+1
	part := *g.all
	part.Path, part.Rows = g.path, g.Rows(group)
	return &part, nil
}

// EachText visits the texts of a column in a group. Rows are counted within the group. visit must not keep the bytes.
func (g *Groups) EachText(group int, column string, visit func(row int, text []byte) error) error {
	t, err := g.Group(group)
	var c *Column
	if err == nil {
		c, err = t.Want(Column{Name: column, Kind: Text}, "text")
	}
	if err != nil {
		return err
	}
	texts := func(c *Column, visit func(int, []parquet.ByteArray) error) error {
		return scan[parquet.ByteArray](g.source, c, nil, visit)
	}
	return read(t, c, texts, func(row int, values []parquet.ByteArray) error {
		for i, v := range values {
			if err := visit(row+i, v); err != nil {
				return err
			}
		}
		return nil
	})
}
