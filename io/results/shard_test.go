package results

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"graphda/io/arrowio"
	"graphda/io/seal"
	"graphda/io/seal/sealtest"
)

var testInfo = ShardInfo{Task: testTask, Plan: "6f1e", Version: seal.Version + " \"ß\" <&>", Attempts: []Attempt{{Name: "slurm-7_1-0", Peak: 1 << 30, End: Sealed}}}

func writeShard(t testing.TB, rows []Row) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), ShardName(testTask))
	must(t, WriteShard(path, testInfo, testLayout, rows))
	return path
}

// TestShardIsNotCompressed checks that the file holds a column's values as they are in memory. Arrow JS cannot
// read compressed values.
func TestShardIsNotCompressed(t *testing.T) {
	rows := randomRows(1, 100)
	var column []byte
	for i := range rows {
		rows[i].Seconds = float64(i)
		column = binary.LittleEndian.AppendUint64(column, math.Float64bits(rows[i].Seconds))
	}
	data := must1(os.ReadFile(writeShard(t, rows)))
	if !bytes.Contains(data, column) {
		t.Error("the seconds do not stand in the shard as they are in memory")
	}
}

func TestShardRoundTrip(t *testing.T) {
	countMemory(t)
	for _, n := range []int{0, 1, 300, shardBatch + 5000} {
		rows := randomRows(1, n)
		path := writeShard(t, rows)
		got, info, err := ReadShard(path, testLayout)
		must(t, err)
		wantSame(t, got, rows)
		table, _, err := appendRows(nil, path, testLayout, kindShard)
		must(t, err)
		wantSame(t, table, rows)

		want := testInfo
		want.Rows = n
		for i := range rows { // each row is a cell of its own
			if s := want.Seconds + rows[i].Seconds; s > want.Seconds && !math.IsInf(s, 1) {
				want.Seconds = s
			}
			if rows[i].Failed() {
				want.Failed++
			} else {
				want.Done++
			}
		}
		if !reflect.DeepEqual(info, want) {
			t.Errorf("info %+v, want %+v", info, want)
		}
		if short, err := ReadShardInfo(path); err != nil || !reflect.DeepEqual(short, want) {
			t.Errorf("info of the footer %+v, %v, want %+v", short, err, want)
		}
		wantFiles(t, filepath.Dir(path), ShardName(testTask))
	}
}

func TestShardCountsCells(t *testing.T) {
	var rows []Row
	for i, failed := range []string{"", "", "boom", "", "boom", "boom"} {
		rows = append(rows, Row{Cell: "abc"[i/2 : i/2+1], Checkpoint: i % 2, Error: failed, Seconds: []float64{2, 5}[i%2]})
	}
	path := filepath.Join(t.TempDir(), "s.arrow")
	must(t, WriteShard(path, ShardInfo{Version: seal.Version, Rows: 99, Done: 99, Failed: 99}, nil, rows))
	info := must1(ReadShardInfo(path))
	if want := (ShardInfo{Version: seal.Version, Rows: 6, Done: 1, Failed: 2, Seconds: 15}); !reflect.DeepEqual(info, want) { // b has failed at one checkpoint
		t.Errorf("info %+v, want %+v", info, want)
	}
}

// TestShardIsAnOrdinaryFile checks that another program can read a shard as a plain IPC file with a seal,
// dictionaries and roles.
func TestShardIsAnOrdinaryFile(t *testing.T) {
	rows := randomRows(2, 100)
	for i := range rows {
		rows[i].Method = "graphda"
	}
	data := must1(os.ReadFile(writeShard(t, rows)))
	r := must1(ipc.NewFileReader(bytes.NewReader(data)))
	defer r.Close()
	if r.NumRecords() != 1 {
		t.Fatalf("%d record batches, want 1", r.NumRecords())
	}
	rec := must1(r.Record(0))
	got := must1(appendRecord(nil, rec, testLayout))
	wantSame(t, got, rows)
	method := rec.Column(rec.Schema().FieldIndices("method")[0]).(*array.Dictionary)
	if n := method.Dictionary().Len(); n != 1 {
		t.Errorf("%d words in the dictionary of methods, want 1", n)
	}
	for _, c := range Fields(testLayout) {
		f, _ := rec.Schema().FieldsByName(c.Name)
		if role, _ := f[0].Metadata.GetValue(RoleKey); Role(role) != c.Role {
			t.Errorf("column %q: role %q, want %q", c.Name, role, c.Role)
		}
	}
	if s, _ := rec.Schema().Metadata().GetValue(seal.Key); s == seal.Blank() || !strings.HasPrefix(s, "graphda-seal:") {
		t.Errorf("seal %q", s)
	}
}

func TestWriteShardRefuses(t *testing.T) {
	countMemory(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "s.arrow")
	rows := randomRows(4, 2)
	mustFail(t, WriteShard(path, testInfo, testLayout, append(rows, rows[0])), rows[0].Cell, "two rows")
	mustFail(t, WriteShard(path, testInfo, testLayout[:1], rows), "3 parameters")
	mustFail(t, WriteShard(path, testInfo, Layout{{Name: "a"}, {Name: "a"}, {Name: "b"}}, rows), `"a"`)
	err := WriteShard(filepath.Join(dir, "missing", "s.arrow"), testInfo, testLayout, rows)
	if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		t.Errorf("shard in a missing directory: %v", err)
	}
	wantFiles(t, dir)
}

// TestSealingRace seals a task from many attempts at once. One must succeed, the others must report that there is
// a shard, and nothing else may be left, even though the winner removes files while others still write.
func TestSealingRace(t *testing.T) {
	for round := range 20 {
		dir := t.TempDir()
		path := filepath.Join(dir, ShardName(testTask))
		rows := randomRows(uint64(round), 200)
		var won atomic.Int32
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range 6 {
			mine := rows[i:] // identifies the writer of the shard
			wg.Go(func() {
				<-start
				switch err := WriteShard(path, testInfo, testLayout, mine); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, fs.ErrExist):
					t.Errorf("attempt %d: %v", i, err)
					return
				}
				if err := RemoveParts(dir, testTask); err != nil {
					t.Error(err)
				}
			})
		}
		close(start)
		wg.Wait()
		if n := won.Load(); n != 1 {
			t.Errorf("%d attempts won", n)
		}
		got, _, err := ReadShard(path, testLayout)
		must(t, err)
		wantSame(t, got, rows[len(rows)-len(got):])
		wantFiles(t, dir, ShardName(testTask))
	}
}

// TestSweptWriterLoses checks that a writer whose temporary file was removed by the winner reports the winner's shard.
func TestSweptWriterLoses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ShardName(testTask))
	rows := randomRows(6, 3)
	layout := Layout{{Name: "gamma"}, testLayout[1], {Name: "s"}}
	// The winner seals while the loser writes, so seal.WriteNew finds its temporary file gone.
	err := seal.WriteNew(path, func(w io.Writer) error {
		must(t, WriteShard(path, testInfo, layout, rows))
		return RemoveParts(dir, testTask)
	})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("linking a file that was removed: %v; WriteShard expects fs.ErrNotExist", err)
	}
	if err := lostRace(path, err); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v, want fs.ErrExist", err)
	}
	if err := lostRace(filepath.Join(dir, "none"), err); errors.Is(err, fs.ErrExist) {
		t.Errorf("without a shard: %v", err)
	}
}

func TestShardBitFlips(t *testing.T) {
	path := writeShard(t, randomRows(8, 3))
	want, data := must1(ReadShardInfo(path)), must1(os.ReadFile(path))
	f := must1(os.OpenFile(path, os.O_RDWR, 0))
	defer f.Close()
	rng := rand.New(rand.NewPCG(3, 4))
	for at, b := range data {
		if at%4 != 0 {
			continue
		}
		must1(f.WriteAt([]byte{b ^ 1<<rng.IntN(8)}, int64(at)))
		if _, _, err := ReadShard(path, testLayout); err == nil {
			t.Fatalf("byte %d was changed and nobody noticed", at)
		}
		if info, err := ReadShardInfo(path); err == nil && !reflect.DeepEqual(info, want) {
			t.Fatalf("byte %d was changed and the info became %+v", at, info)
		}
		must1(f.WriteAt([]byte{b}, int64(at)))
	}
	_, _, err := ReadShard(path, testLayout)
	must(t, err)
}

// TestShardInfoReadsTheFooterAlone checks that the info is read without the rows: the status of a run reads a
// million cells' infos.
func TestShardInfoReadsTheFooterAlone(t *testing.T) {
	path := writeShard(t, randomRows(9, 3000))
	want := must1(ReadShardInfo(path))
	data := must1(os.ReadFile(path))
	_, footer, err := arrowio.SplitIPC(data)
	must(t, err)
	clear(data[:bytes.LastIndex(data, footer)])
	got := must1(ReadShardInfo(sealtest.File(t, "footer", data)))
	if !reflect.DeepEqual(got, want) || want.Rows != 3000 {
		t.Errorf("info %+v, want %+v", got, want)
	}
	layout := make(Layout, 500)
	for i := range layout {
		layout[i].Name = fmt.Sprintf("a parameter with a long name, number %d", i)
	}
	path = filepath.Join(t.TempDir(), "s.arrow")
	must(t, WriteShard(path, testInfo, layout, nil))
	if got := must1(ReadShardInfo(path)); !reflect.DeepEqual(got, testInfo) {
		t.Errorf("info of a long footer %+v, want %+v", got, testInfo)
	}
}

// TestReadShardComparesCounts checks that a shard with a valid seal is refused if its rows do not match its info.
func TestReadShardComparesCounts(t *testing.T) {
	rows := randomRows(10, 4)
	wrong := testInfo
	wrong.Rows, wrong.Done, wrong.Failed = 4, 4, 1
	schema := describe(schema(testLayout), kindShard, infoKey, wrong.text(), seal.Key, seal.Blank())
	path := filepath.Join(t.TempDir(), "s.arrow")
	must(t, writeRows(path, seal.Write, schema, testLayout, rows))
	_, _, err := ReadShard(path, testLayout)
	mustFail(t, err, path, "Failed:1")
}

// TestReadersRefuseOtherFiles checks that every reader refuses sealed files of other kinds.
func TestReadersRefuseOtherFiles(t *testing.T) {
	countMemory(t)
	dir := t.TempDir()
	rows := randomRows(11, 3)
	text := func(content string) func(path string) error {
		return func(p string) error {
			return seal.Write(p, func(w io.Writer) error { _, err := io.WriteString(w, content); return err })
		}
	}
	files := map[string]func(path string) error{
		"table":  func(p string) error { return WriteTable(p, testLayout, rows) },
		"models": func(p string) error { return WriteModels(p, randomModels(1, 3)) },
		"text":   text(seal.Blank()),
		"magic":  text("ARROW1\x00\x00" + seal.Blank() + "\xff\xff\xff\x7f" + "\x10\x00\x00\x00" + "ARROW1"),
		"unsealed": func(p string) error {
			f, err := os.Create(p)
			if err != nil {
				return err
			}
			defer f.Close()
			rec, err := toRecord(describe(schema(testLayout), kindTable), testLayout, rows)
			if err != nil {
				return err
			}
			defer rec.Release()
			return writeFile(f, rec, shardBatch)
		},
		"older": func(p string) error {
			md := arrow.NewMetadata([]string{formatKey, kindKey, seal.Key}, []string{"0.1.9", kindShard, seal.Blank()})
			return writeRows(p, seal.Write, arrow.NewSchema(schema(testLayout).Fields(), &md), testLayout, rows)
		},
	}
	for name, write := range files {
		path := filepath.Join(dir, name)
		must(t, write(path))
		_, _, err := ReadShard(path, testLayout)
		mustFail(t, err, path)
		if name == kindTable || name == kindModels {
			mustFail(t, err, "a file of kind "+strconv.Quote(name))
		}
		if name == "older" {
			mustFail(t, err, "was written by graphda 0.1.9, ")
		}
		_, err = ReadShardInfo(path)
		mustFail(t, err, path)
		if name != "models" {
			_, err = ReadModels(path)
			mustFail(t, err, path)
		}
		if name != "table" {
			_, _, err = appendRows(nil, path, testLayout, kindTable)
			mustFail(t, err, path)
		}
	}
	_, _, err := ReadShard(filepath.Join(dir, "missing"), testLayout)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing shard: %v", err)
	}
	if _, err = ReadShardInfo(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing shard: %v", err)
	}
}

func TestTableReplaces(t *testing.T) {
	countMemory(t)
	path := filepath.Join(t.TempDir(), "cell.arrow")
	rows := randomRows(12, 20)
	for _, want := range [][]Row{rows[:10], rows[5:], nil} {
		must(t, WriteTable(path, testLayout, want))
		got, _, err := appendRows(nil, path, testLayout, kindTable)
		must(t, err)
		wantSame(t, got, want)
	}
	mustFail(t, WriteTable(path, testLayout, []Row{rows[0], rows[0]}), "two rows")
}

func TestNames(t *testing.T) {
	for task, want := range map[int]string{0: "r/000/task-00000.arrow", 12: "r/000/task-00012.arrow", 999: "r/000/task-00999.arrow",
		1000: "r/001/task-01000.arrow", 123456: "r/123/task-123456.arrow", 1234567: "r/1234/task-1234567.arrow"} {
		got := filepath.ToSlash(filepath.Join(ShardDir("r", task), ShardName(task)))
		if got != want {
			t.Errorf("task %d: %q, want %q", task, got, want)
		}
		if back, ok := ParseShardName(ShardName(task)); !ok || back != task {
			t.Errorf("ParseShardName(%q) = %d, %v", ShardName(task), back, ok)
		}
	}
	for _, name := range []string{"", "task-00012.models.arrow", "task-12.arrow", "task--0012.arrow", "task-+0012.arrow",
		".task-00012.arrow.x.tmp", "task-00012.a.arrows.part", "00012.arrow", "task-00012"} {
		if task, ok := ParseShardName(name); ok {
			t.Errorf("ParseShardName(%q) = %d", name, task)
		}
	}
}

func TestRemoveParts(t *testing.T) {
	dir := t.TempDir()
	rows := randomRows(13, 3)
	for _, attempt := range []string{"a", "b"} {
		p, _ := testPart(t, dir, attempt, testLayout)
		must(t, p.Append(rows...))
		must(t, p.Close())
	}
	other := must1(CreatePart(dir, testTask+1, "a", testLayout))
	must(t, other.Close())
	var others []string // files of another task, or of other programs
	for _, name := range []string{ShardName(testTask), ModelsName(testTask), ShardName(testTask + 1)} {
		w := must1(seal.Create(filepath.Join(dir, name)))
		defer w.Abort()
	}
	for _, name := range filesOf(t, dir) {
		if strings.HasPrefix(name, "."+ShardName(testTask+1)) {
			others = append(others, name)
		}
	}
	for _, name := range []string{".task-00012.arrow.ABCDEFGHIJ.tmp", ".task-00012.arrow.ABCDEFGHIJKLMNOP.tmp", "task-00012.notes.arrows.part"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("of the user"), 0o666))
		others = append(others, name)
	}
	torn := filepath.Join(dir, "task-00012.torn.arrows.part")
	must(t, os.WriteFile(torn, arrowio.EndMark[:3], 0o666))
	if err := RemoveParts(dir, testTask); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a shard: %v", err)
	}
	wantSame(t, readParts(t, dir).Rows, append(rows[:3:3], rows...))

	must(t, WriteShard(filepath.Join(dir, ShardName(testTask)), testInfo, testLayout, rows))
	must(t, WriteModels(filepath.Join(dir, ModelsName(testTask)), nil))
	must(t, RemoveParts(dir, testTask))
	must(t, RemoveParts(dir, testTask))
	wantFiles(t, dir, append(others, "task-00012.arrow", "task-00012.models.arrow", "task-00013.a.arrows.part")...)
}
