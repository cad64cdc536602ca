package results

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"graphda/io/arrowfile"
)

// FuzzReadParts: whatever is in a part, its rows are the first ones that were appended.
// The seeds are one part, whole and damaged; no other sums can be made.
func FuzzReadParts(f *testing.F) {
	data, rows, ends, _ := smallPart(f, f.TempDir(), "a", 1)
	f.Add(data)
	f.Add(data[:ends[2]])
	f.Add(data[ends[1]:])
	f.Add(append(data[:ends[1]:ends[1]], make([]byte, 64)...))
	f.Add([]byte(blankBlock))
	f.Add([]byte{})
	dir := f.TempDir()
	path := filepath.Join(dir, "task-00012.fuzz.arrows.part")
	f.Fuzz(func(t *testing.T, data []byte) {
		must(t, os.WriteFile(path, data, 0o666))
		parts, err := ReadParts(dir, testTask, testLayout)
		must(t, err)
		if len(parts.Rows) > len(rows) {
			t.Fatalf("%d rows, at most %d were written", len(parts.Rows), len(rows))
		}
		wantSame(t, parts.Rows, rows[:len(parts.Rows)])
	})
}

// FuzzReadShard: whatever is in a shard, it is an error or the rows that were written.
func FuzzReadShard(f *testing.F) {
	rows := randomRows(1, 3)
	data, err := os.ReadFile(writeShard(f, rows))
	must(f, err)
	_, footer, err := arrowfile.Split(data)
	must(f, err)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add(append(data[:8:8], data[bytes.LastIndex(data, footer):]...))
	f.Add([]byte("ARROW1\x00\x00\xff\xff\xff\xffARROW1"))
	info, err := findInfo(footer)
	must(f, err)
	path := filepath.Join(f.TempDir(), "fuzz.arrow")
	f.Fuzz(func(t *testing.T, data []byte) {
		must(t, os.WriteFile(path, data, 0o666))
		if got, _, err := ReadShard(path, testLayout); err == nil {
			wantSame(t, got, rows)
		}
		if got, err := ReadShardInfo(path); err == nil && !reflect.DeepEqual(got, info) {
			t.Fatalf("info %+v, want %+v or an error", got, info)
		}
	})
}

// FuzzRow: every row that is taken comes back from a part and a shard as it was.
func FuzzRow(f *testing.F) {
	f.Add("c", "d", 1, "m", 400, 0.5, -1.0, int64(7), "h", "", int64(1e15))
	f.Add("", "\xff", -1, blankBlock, 0, 0.0, 1e308, int64(-1), sealPrefix, "boom", int64(0))
	f.Fuzz(func(t *testing.T, cell, dataset string, trial int, method string, checkpoint int, gamma, mse float64, solves int64, host, msg string, started int64) {
		row := Row{
			Cell: cell, Dataset: dataset, Trial: trial, Method: method, Checkpoint: checkpoint, Params: []float64{gamma},
			W: Metrics{TestMSE: mse}, Solves: solves, Host: host, Error: msg, Started: time.UnixMicro(started).UTC(),
		}
		layout := Layout{{Name: "gamma"}}
		dir := t.TempDir()
		p, err := CreatePart(dir, testTask, host, layout)
		must(t, err)
		if p.Append(row) != nil {
			must(t, p.Close())
			return
		}
		must(t, p.Close())
		parts, err := ReadParts(dir, testTask, layout)
		must(t, err)
		path := filepath.Join(dir, ShardName(testTask))
		must(t, WriteShard(path, testInfo, layout, parts.Rows))
		rows, _, err := ReadShard(path, layout)
		must(t, err)
		wantSame(t, rows, parts.Rows)
		if storable(host) && storable(msg) && !row.Started.IsZero() {
			if d := difference("", reflect.ValueOf(rows[0]), reflect.ValueOf(row)); d != "" {
				t.Fatal(d)
			}
		}
	})
}
