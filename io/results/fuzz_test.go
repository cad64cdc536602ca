package results

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

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
