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

// WriteShard writes the shard of a task. It sets the counts of info from rows. No two rows may have the same (cell,
// checkpoint). The file appears at path only when it is complete and on disk. If another attempt has written the shard,
// WriteShard returns fs.ErrExist. The bytes depend only on the arguments.
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

// RecordModels records the digest of a task's models in the shard. If the shard has a different digest, it
// atomically replaces the shard, with the same rows. The digest changes if the models were learned again on
// another kind of processor.
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

// lostRace returns fs.ErrExist if there is a shard at path: another attempt sealed the task first and removed this
// writer's temporary file. Otherwise it returns err.
func lostRace(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, gone := os.Lstat(path); gone != nil {
		return err
	}
	return fmt.Errorf("%s: %w", path, fs.ErrExist)
}

// ReadShard verifies the seal of a shard and reads it.
func ReadShard(path string, layout Layout) ([]Row, ShardInfo, error) {
	return AppendShard(nil, path, layout)
}

// AppendShard appends the rows of a shard. It reuses rows and their slices of parameters beyond len(all).
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

// WriteTable writes rows to a sealed file without a task, and replaces any file at path. No two rows may have the same
// (cell, checkpoint).
func WriteTable(path string, layout Layout, rows []Row) error {
	if _, err := (ShardInfo{}).counted(rows); err != nil {
		return err
	}
	schema := describe(schema(layout), kindTable, seal.Key, seal.Blank())
	return writeRows(path, seal.Write, schema, layout, rows)
}

// CheckTable returns an error unless the file is complete and WriteTable wrote it.
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

// RemoveParts removes the parts, the notes and the temporary files of a task in dir. It recognises these files by their
// content and by the checksums in their names, and keeps other files with similar names. Without a shard it returns an
// error, because only the parts have the rows.
func RemoveParts(dir string, task int) error {
	if _, err := os.Stat(filepath.Join(dir, ShardName(task))); err != nil {
		return fmt.Errorf("results: keeping the parts of task %d: %w", task, err)
	}
	return RemoveUnneeded(dir, task)
}

// RemoveUnneeded is like RemoveParts, for a task without a shard whose cells are all in shards of other tasks.
func RemoveUnneeded(dir string, task int) error {
	var errs []error
	for _, kind := range []struct {
		prefix, suffix string
		isOurs         func(path string) bool
	}{
		{taskName(task) + ".", partSuffix, isPart},
		{taskName(task) + ".", attemptSuffix, func(path string) bool {
			_, err := readAttempt(path) // another program's file is unreadable
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
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) { // another attempt may have removed it
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}
