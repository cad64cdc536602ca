package results

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// gridRows are rows as a task makes them: ten checkpoints a cell, few words.
func gridRows(n int) []Row {
	rows := randomRows(1, n)
	at := time.Unix(1.7e9, 0).UTC()
	for i := range rows {
		r := &rows[i]
		r.Cell, r.Checkpoint = fmt.Sprintf("%064x", uint64(i/10)*0x9E3779B97F4A7C15), i%10*40+40
		r.Dataset, r.Trial, r.Method, r.Host, r.Attempt, r.Error = "graph01-mu0.3", 7, "graphda", "node017", "123456-0", ""
		at = at.Add(time.Second)
		r.Started, r.Finished = at, at
	}
	return rows
}

func BenchmarkAppend10000(b *testing.B) {
	rows := gridRows(10_000)
	b.ReportAllocs()
	for b.Loop() {
		p, err := CreatePart(b.TempDir(), testTask, "a", testLayout)
		must(b, err)
		for i := range rows {
			must(b, p.Append(rows[i]))
		}
		must(b, p.Close())
		must(b, os.Remove(p.Path()))
	}
}

func BenchmarkReadParts10000(b *testing.B) {
	dir := b.TempDir()
	p, err := CreatePart(dir, testTask, "a", testLayout)
	must(b, err)
	must(b, p.Append(gridRows(10_000)...))
	must(b, p.Close())
	b.ReportAllocs()
	for b.Loop() {
		readParts(b, dir)
	}
}

func BenchmarkWriteShard60000(b *testing.B) {
	rows := gridRows(60_000)
	path := filepath.Join(b.TempDir(), ShardName(testTask))
	b.ReportAllocs()
	for b.Loop() {
		must(b, WriteShard(path, testInfo, testLayout, rows))
		st, err := os.Stat(path)
		must(b, err)
		b.ReportMetric(float64(st.Size()), "file-bytes")
		must(b, os.Remove(path))
	}
}

func BenchmarkReadShard60000(b *testing.B) {
	path := writeShard(b, gridRows(60_000))
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := ReadShard(path, testLayout)
		must(b, err)
	}
}

func BenchmarkReadShardInfo(b *testing.B) {
	path := writeShard(b, gridRows(60_000))
	b.ReportAllocs()
	for b.Loop() {
		_, err := ReadShardInfo(path)
		must(b, err)
	}
}

func BenchmarkDedup(b *testing.B) {
	rows := gridRows(200_000)
	b.ReportAllocs()
	for b.Loop() {
		_, err := Dedup(rows)
		must(b, err)
	}
}
