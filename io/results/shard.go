package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v15/arrow"

	"graphda/io/seal"
)

// WriteShard writes the shard of a task; info's counts are those of rows, whatever it
// says. Rows must be one for each (cell, checkpoint). The file appears at path whole,
// sealed and on the disk, or not at all. If another attempt has sealed the task, before
// or meanwhile, its shard stands and the error is fs.ErrExist. The bytes depend on the
// arguments alone.
func WriteShard(path string, info ShardInfo, layout Layout, rows []Row) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	info, err := info.counted(rows)
	if err != nil {
		return err
	}
	return lostRace(path, writeRows(path, seal.WriteNew, shardSchema(info, layout), layout, rows))
}

// RecordModels has a shard name the models of this digest as its own. The shard is replaced
// in one step, with the same rows, unless it names them already: models that were learned
// again on another kind of machine may differ in the last bits from those it was sealed with.
func RecordModels(path string, layout Layout, digest string) error {
	rows, info, err := ReadShard(path, layout)
	if err != nil || info.Models == digest {
		return err
	}
	info.Models = digest
	return writeRows(path, writeAgainIfSwept, shardSchema(info, layout), layout, rows)
}

func shardSchema(info ShardInfo, layout Layout) *arrow.Schema {
	return describe(schema(layout), kindShard, infoKey, info.text(), seal.Key, seal.Blank())
}

// lostRace returns the error of a writer whose temporary file was removed by the
// attempt that sealed the task first: there is a shard.
func lostRace(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, gone := os.Lstat(path); gone != nil {
		return err
	}
	return fmt.Errorf("%s: %w", path, fs.ErrExist)
}

// ReadShard reads a shard after checking it against its seal. Its columns are mapped
// on layout as appendRecord does.
func ReadShard(path string, layout Layout) ([]Row, ShardInfo, error) {
	return AppendShard(nil, path, layout)
}

// AppendShard appends the rows of a shard. Rows between the length and the capacity of all are overwritten, and so are
// their parameters.
func AppendShard(all []Row, path string, layout Layout) ([]Row, ShardInfo, error) {
	rows, schema, err := appendRows(all, path, layout, kindShard)
	if err != nil {
		return nil, ShardInfo{}, err
	}
	text, _ := schema.Metadata().GetValue(infoKey)
	info, err := findInfo([]byte(text))
	if err != nil {
		return nil, ShardInfo{}, fmt.Errorf("%s: %w", path, err)
	}
	counted, err := info.counted(rows[len(all):])
	if err != nil {
		return nil, ShardInfo{}, fmt.Errorf("%s: %w", path, err)
	}
	if !counted.sameCounts(info) {
		return nil, ShardInfo{}, fmt.Errorf("%s: holds %+v but its footer says %+v", path, counted, info)
	}
	return rows, info, nil
}

// WriteTable writes rows to a sealed file of their own, one for each (cell,
// checkpoint), and replaces what stood at path.
func WriteTable(path string, layout Layout, rows []Row) error {
	if _, err := (ShardInfo{}).counted(rows); err != nil {
		return err
	}
	schema := describe(schema(layout), kindTable, seal.Key, seal.Blank())
	return writeRows(path, seal.Write, schema, layout, rows)
}

// CheckTable returns an error if a file is not a whole one of WriteTable's.
func CheckTable(path string) error {
	_, err := readFile(path, func(arrow.Record) error { return nil }, kindTable)
	return err
}

func writeRows(path string, write func(string, func(io.Writer) error) error, schema *arrow.Schema, layout Layout,
	rows []Row) error {
	rec, err := toRecord(schema, layout, rows)
	if err != nil {
		return err
	}
	defer rec.Release()
	return write(path, func(w io.Writer) error { return writeFile(w, rec, shardBatch) })
}

func appendRows(rows []Row, path string, layout Layout, kind string) ([]Row, *arrow.Schema, error) {
	schema, err := readFile(path, func(rec arrow.Record) (err error) {
		rows, err = appendRecord(rows, rec, layout)
		return err
	}, kind)
	return rows, schema, err
}

// RemoveParts removes what the attempts at a task have left in dir beside the shard:
// their parts and notes, and temporary files of those that were killed while they sealed it, by their
// content and the checksums in their names: other files of such names stay. It refuses while
// there is no shard, for then the parts are all there is.
func RemoveParts(dir string, task int) error {
	if _, err := os.Stat(filepath.Join(dir, ShardName(task))); err != nil {
		return fmt.Errorf("results: keeping the parts of task %d: %w", task, err)
	}
	return RemoveUnneeded(dir, task)
}

// RemoveUnneeded is RemoveParts of a task that has no shard, since the shards of other tasks have all of its cells.
func RemoveUnneeded(dir string, task int) error {
	var errs []error
	for _, kind := range []struct {
		prefix, suffix string
		isOurs         func(path string) bool
	}{
		{taskName(task) + ".", partSuffix, isPart},
		{taskName(task) + ".", attemptSuffix, func(path string) bool {
			_, err := readAttempt(path) // what cannot be read may be another's
			return err == nil
		}},
		{"." + taskName(task) + ".", "", func(path string) bool {
			_, ours := seal.Temporary(filepath.Base(path))
			return ours
		}},
	} {
		names, err := namesOf(dir, kind.prefix, kind.suffix)
		errs = append(errs, err)
		for _, name := range names {
			path := filepath.Join(dir, name)
			if !kind.isOurs(path) {
				continue
			}
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) { // others may be faster
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}
