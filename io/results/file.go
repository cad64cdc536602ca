package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"graphda/io/arrowio"
	"graphda/io/seal"
)

const (
	formatKey = "graphda.format" // version of the program that wrote the file
	kindKey   = "graphda.kind"
	infoKey   = "graphda.shard" // the ShardInfo, see info.go
)

const (
	kindPart   = "part"
	kindShard  = "shard"
	kindTable  = "table"
	kindModels = "models"
)

// runAgain is the advice for results of another version of the program.
const runAgain = "run its task again"

// describe adds a file's metadata to a schema. The slice `more` has keys and values in turn.
func describe(schema *arrow.Schema, kind string, more ...string) *arrow.Schema {
	keys, values := []string{formatKey, kindKey}, []string{seal.Version, kind}
	for i := 0; i+1 < len(more); i += 2 {
		keys, values = append(keys, more[i]), append(values, more[i+1])
	}
	md := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(schema.Fields(), &md)
}

func expect(schema *arrow.Schema, kind string) error {
	if got, _ := schema.Metadata().GetValue(kindKey); got != kind {
		return fmt.Errorf("a file of kind %q, want %q", got, []string{kind})
	}
	v, _ := schema.Metadata().GetValue(formatKey)
	return seal.CheckVersion(v, runAgain)
}

// readFile reads a sealed IPC file of the given kind, and returns its schema. It calls use with one record at a time.
func readFile(path string, use func(arrow.Record) error, kind string) (*arrow.Schema, error) {
	f, err := seal.ReadSealed(path)
	if err != nil {
		return nil, err
	}
	stream, _, err := arrowio.SplitIPC(f.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	schema, err := readStream(stream, use, kind)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return schema, nil
}

// readStream calls use with each record of an IPC stream. The bytes must be verified, because damaged bytes may give
// wrong values or exhaust the memory. A panic of the library becomes an error.
func readStream(data []byte, use func(arrow.Record) error, kind string) (schema *arrow.Schema, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("unreadable Arrow data: %v", p)
		}
		if err != nil && strings.Contains(err.Error(), "runtime error: ") { // the library's text does not help users
			err = errors.New("is damaged: its content does not match its own description")
		}
	}()
	r, err := ipc.NewReaderFromMessageReader(arrowio.IPCPart(data), ipc.WithAllocator(arrowio.Bounded(len(data))))
	if err != nil {
		return nil, err
	}
	defer r.Release()
	if err := expect(r.Schema(), kind); err != nil {
		return nil, err
	}
	for r.Next() {
		if err := use(r.Record()); err != nil {
			return nil, err
		}
	}
	if err := r.Err(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return r.Schema(), nil
}

// writeFile writes one record as an IPC file, with at most batch rows in a record batch. The file is not compressed, so
// that Arrow JS can read it.
func writeFile(w io.Writer, rec arrow.Record, batch int64) error {
	return arrowio.WriteIPC(w, rec, batch, ipc.WithAllocator(arrowio.Allocator))
}

const (
	taskPrefix   = "task-"
	shardSuffix  = ".arrow"
	modelsSuffix = ".models.arrow"
	shardBatch   = 1 << 16 // number of rows
)

func taskName(task int) string { return fmt.Sprintf("%s%05d", taskPrefix, task) }

// ShardName returns the name of a task's shard, such as task-00012.arrow.
func ShardName(task int) string { return taskName(task) + shardSuffix }

// ModelsName returns the name of a task's models, such as task-00012.models.arrow.
func ModelsName(task int) string { return taskName(task) + modelsSuffix }

// ParseShardName returns the task in the file name of a shard, or false for other files.
func ParseShardName(name string) (int, bool) {
	digits := strings.TrimSuffix(strings.TrimPrefix(name, taskPrefix), shardSuffix)
	task, err := strconv.Atoi(digits)
	if err != nil || task < 0 || ShardName(task) != name {
		return 0, false
	}
	return task, true
}

// ShardDir returns the directory of a task's files. For tasks 12000 to 12999 it is results/012.
func ShardDir(results string, task int) string {
	return filepath.Join(results, fmt.Sprintf("%03d", task/1000))
}

// safeName makes a name safe for file names and patterns, and shortens long names.
func safeName(s string) string {
	const longest = 100
	s = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
	if s == "" {
		return "attempt"
	}
	return s[:min(len(s), longest)]
}

// namesOf returns the sorted names in dir with the prefix and the suffix. dir need not exist.
func namesOf(dir, prefix, suffix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if n := e.Name(); len(n) >= len(prefix)+len(suffix) && strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) {
			names = append(names, n)
		}
	}
	return names, nil
}
