package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"graphda/io/arrowio"
	"graphda/io/seal"
)

const testTask = 12

// A clock is moved by the test.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// testPart creates a part with a stopped clock.
func testPart(t testing.TB, dir, attempt string, layout Layout) (*Part, *clock) {
	t.Helper()
	p := must1(CreatePart(dir, testTask, attempt, layout))
	c := &clock{time.Unix(1e9, 0)}
	p.now, p.last = c.now, c.at
	return p, c
}

func size(t testing.TB, p *Part) int64 {
	t.Helper()
	return must1(os.Stat(p.Path())).Size()
}

func readParts(t testing.TB, dir string) Parts {
	t.Helper()
	return must1(ReadParts(dir, testTask, testLayout))
}

func TestTwoAttemptsAtOnce(t *testing.T) {
	countMemory(t)
	dir := filepath.Join(t.TempDir(), "made", "for", "it")
	rows := randomRows(1, 30)
	a, _ := testPart(t, dir, "123_4.r0", testLayout)
	b, _ := testPart(t, dir, "host/9", testLayout)
	for i := range 15 {
		must(t, a.Append(rows[i]))
		must(t, b.Append(rows[15+i]))
		if i%4 == 0 {
			must(t, a.Flush())
		}
		if i%5 == 0 {
			must(t, b.Flush())
		}
	}
	must(t, a.Close())
	must(t, b.Close())
	must(t, b.Close())
	other := must1(CreatePart(dir, testTask*10, "x", testLayout))
	must(t, other.Append(rows...))
	must(t, other.Close())

	wantFiles(t, dir, "task-00012.123-4-r0.arrows.part", "task-00012.host-9.arrows.part", "task-00120.x.arrows.part")
	parts := readParts(t, dir)
	wantSame(t, parts.Rows, rows)
	wantSame(t, parts.Paths, []string{a.Path(), b.Path()})
}

func TestPartIsSafeForConcurrentUse(t *testing.T) {
	dir := t.TempDir()
	rows := randomRows(2, 400)
	p, _ := testPart(t, dir, "a", testLayout)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < len(rows); i += 4 {
				if err := errors.Join(p.Append(rows[i]), p.Flush()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	must(t, p.Close())
	got := must1(Dedup(append(readParts(t, dir).Rows, rows...)))
	if len(got) != len(rows) {
		t.Errorf("%d different rows, want %d", len(got), len(rows))
	}
}

func TestPartNeverOpensAnother(t *testing.T) {
	dir := t.TempDir()
	rows := randomRows(3, 3)
	for i, want := range []string{"task-00012.a.arrows.part", "task-00012.a-2.arrows.part", "task-00012.a-3.arrows.part"} {
		p, _ := testPart(t, dir, "a", testLayout)
		if got := filepath.Base(p.Path()); got != want {
			t.Errorf("part %q, want %q", got, want)
		}
		must(t, p.Append(rows[i]))
		must(t, p.Close())
	}
	parts := readParts(t, dir)
	wantSame(t, parts.Rows, []Row{rows[1], rows[2], rows[0]}) // "-" sorts before "."
}

func TestSafeName(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "attempt",
		"12345_7.0":              "12345-7-0",
		"../../etc/x":            "------etc-x",
		"größe *?[]":             "gr--e-----",
		strings.Repeat("a", 300): strings.Repeat("a", 100),
	} {
		if got := safeName(in); got != want {
			t.Errorf("safeName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAppendWritesInTime(t *testing.T) {
	dir := t.TempDir()
	p, clock := testPart(t, dir, "a", testLayout)
	defer p.Close()
	rows := randomRows(4, 10)
	for i, c := range []struct {
		after   time.Duration
		written int
	}{
		{0, 0},
		{partDelay - 1, 0}, // less than 2 s since the part was created
		{1, 3},             // 2 s: all three rows
		{partDelay - 1, 3},
		{1, 5},
		{time.Hour, 6},
		{0, 6},
	} {
		clock.at = clock.at.Add(c.after)
		must(t, p.Append(rows[i]))
		wantSame(t, readParts(t, dir).Rows, rows[:c.written])
	}
	must(t, p.Flush())
	wantSame(t, readParts(t, dir).Rows, rows[:7])
	before := size(t, p)
	must(t, p.Flush())
	if got := size(t, p); got != before {
		t.Errorf("an empty Flush wrote %d bytes", got-before)
	}
}

func TestAppendWritesFullBatches(t *testing.T) {
	countMemory(t)
	dir := t.TempDir()
	p, _ := testPart(t, dir, "a", testLayout)
	rows := randomRows(5, 10_000)
	must(t, p.Append(rows[:partRows-1]...))
	wantSame(t, readParts(t, dir).Rows, nil)
	must(t, p.Append(rows[partRows-1]))
	wantSame(t, readParts(t, dir).Rows, rows[:partRows])
	must(t, p.Append(rows[partRows:]...))
	wantSame(t, readParts(t, dir).Rows, rows[:2*partRows])
	must(t, p.Close())
	wantSame(t, readParts(t, dir).Rows, rows)
}

func TestAppendRefusesAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	p, _ := testPart(t, dir, "a", testLayout)
	rows := randomRows(6, 3)
	bad := rows[1]
	bad.Params = nil
	mustFail(t, p.Append(rows[0], bad), "row 1", "0 parameters")
	must(t, p.Append(rows[2]))
	must(t, p.Close())
	wantSame(t, readParts(t, dir).Rows, rows[2:])
	if err := p.Append(rows[0]); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Append after Close: %v", err)
	}
}

// TestAppendErrorIsFinal checks that nothing is appended after an incomplete block, where a reader could not find it.
func TestAppendErrorIsFinal(t *testing.T) {
	countMemory(t)
	dir := t.TempDir()
	p, _ := testPart(t, dir, "a", testLayout)
	rows := randomRows(7, 3)
	must(t, p.Append(rows[0]))
	must(t, p.Flush())
	file := p.file
	p.file, _ = os.Open(p.Path()) // opened read-only
	must(t, p.Append(rows[1]))
	mustFail(t, p.Flush())
	p.file.Close()
	p.file = file
	mustFail(t, p.Append(rows[2]))
	mustFail(t, p.Flush())
	mustFail(t, p.Close())
	wantSame(t, readParts(t, dir).Rows, rows[:1])
}

// A smallPart is a part with blocks of 1, 2, 3 and 1 rows. Its first k blocks end at ends[k] and have counts[k] rows.
type smallPart struct {
	data         []byte
	rows         []Row
	ends, counts []int
}

func newSmallPart(t testing.TB, dir, attempt string, seed uint64) smallPart {
	t.Helper()
	p, _ := testPart(t, dir, attempt, testLayout)
	s := smallPart{rows: randomRows(seed, 7), ends: []int{0}, counts: []int{0, 1, 3, 6, 7}}
	s.rows[1].Host, s.rows[1].Dataset = blankBlock, blockPrefix+"00000010"
	for k, to := range s.counts[1:] {
		must(t, p.Append(s.rows[s.counts[k]:to]...))
		must(t, p.Flush())
		s.ends = append(s.ends, int(size(t, p)))
	}
	must(t, p.Close())
	s.data = must1(os.ReadFile(p.Path()))
	if len(s.data) != s.ends[4]+len(arrowio.EndMark) {
		t.Fatalf("%d bytes, want %d and the end mark", len(s.data), s.ends[4])
	}
	return s
}

// wantDecoded decodes a part's bytes and checks that the result is the rows of the blocks that end at or before sound.
func (s smallPart) wantDecoded(t *testing.T, what string, data []byte, sound int) {
	t.Helper()
	want := 0
	for k, end := range s.ends {
		if end <= sound {
			want = s.counts[k]
		}
	}
	got, err := decodePart(data, testLayout)
	if err != nil || len(got) != want {
		t.Fatalf("%s: %d rows, %v, want %d", what, len(got), err, want)
	}
	wantSame(t, got, s.rows[:want])
}

// TestPartDamagedAnywhere cuts a part, flips a bit or zeroes the rest. It does so at every byte within 24 of a
// block's end, and at every 21st byte elsewhere.
func TestPartDamagedAnywhere(t *testing.T) {
	s := newSmallPart(t, t.TempDir(), "a", 8)
	rng := rand.New(rand.NewPCG(1, 2))
	for at := range s.data {
		if near := func(end int) bool { return max(at, end)-min(at, end) <= 24 }; at%21 != 0 && !slices.ContainsFunc(s.ends, near) {
			continue
		}
		s.wantDecoded(t, fmt.Sprint("cut at ", at), s.data[:at], at)
		if at%63 == 0 {
			sound := at
			for sound < len(s.data) && s.data[sound] == 0 {
				sound++ // these bytes were zeros already
			}
			s.wantDecoded(t, fmt.Sprint("zeros from ", at), append(bytes.Clone(s.data[:at]), make([]byte, 5000)...), sound)
		}
		bit := byte(1) << rng.IntN(8)
		s.data[at] ^= bit
		s.wantDecoded(t, fmt.Sprintf("bit %#x of byte %d", bit, at), s.data, at)
		s.data[at] ^= bit
	}
	s.wantDecoded(t, "whole", s.data, len(s.data))
}

// TestPartForeignBlocks checks that an intact block ends the part if it is not this part's next block.
func TestPartForeignBlocks(t *testing.T) {
	dir := t.TempDir()
	s, other := newSmallPart(t, dir, "a", 11), newSmallPart(t, dir, "b", 12)
	block := func(k int) []byte { return s.data[s.ends[k]:s.ends[k+1]] }
	for _, c := range []struct {
		name  string
		data  []byte
		sound int
	}{
		{"missing first", s.data[s.ends[1]:], 0},
		{"missing second", slices.Concat(block(0), s.data[s.ends[2]:]), 1},
		{"swapped", slices.Concat(block(0), block(2), block(1)), 1},
		{"twice", slices.Concat(block(0), block(1), block(1)), 2},
		{"another part's", slices.Concat(block(0), other.data[other.ends[1]:]), 1},
		{"two parts", slices.Concat(s.data, other.data), 4},
	} {
		s.wantDecoded(t, c.name, c.data, s.ends[c.sound])
	}
}

func TestPartsOnDisk(t *testing.T) {
	dir := t.TempDir()
	parts := must1(ReadParts(filepath.Join(dir, "missing"), testTask, testLayout))
	wantSame(t, parts.Paths, nil)

	s := newSmallPart(t, dir, "a", 13)
	empty, _ := testPart(t, dir, "empty", testLayout)
	must(t, empty.Close())
	torn := filepath.Join(dir, "task-00012.torn.arrows.part")
	must(t, os.WriteFile(torn, s.data[:s.ends[2]+100], 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "task-00012.text.arrows.part"), []byte("not Arrow"), 0o666))
	parts = readParts(t, dir)
	wantSame(t, parts.Rows, append(s.rows[:7:7], s.rows[:3]...))
	if len(parts.Paths) != 4 {
		t.Errorf("paths %q", parts.Paths)
	}
}

func TestPartOfAnotherLayout(t *testing.T) {
	countMemory(t)
	dir := t.TempDir()
	p, _ := testPart(t, dir, "a", Layout{{Name: "alpha"}})
	defer p.Close()
	readParts(t, dir) // it is still empty
	must(t, p.Append(Row{Cell: "c", Params: []float64{1}}))
	must(t, p.Flush())
	_, err := ReadParts(dir, testTask, testLayout)
	mustFail(t, err, p.Path(), `"alpha"`)
}

// TestAttempts checks that a task's notes are read ordered by begin, with the last note of each attempt. Damaged
// notes and other tasks' notes are skipped.
func TestAttempts(t *testing.T) {
	dir := t.TempDir()
	if all, err := ReadAttempts(filepath.Join(dir, "none"), testTask); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v in a folder that is not there", all, err)
	}
	begin := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	first := Attempt{Name: "slurm-7_1-0", Host: "h", Node: "n1", Workers: 2, Begin: begin, Seconds: 60, CPUSeconds: 110, Peak: 1 << 30, JobPeak: 2 << 30}
	second := Attempt{Name: "slurm-7_1-1", Begin: begin.Add(time.Hour), Cells: 3, OnePass: 1.5, End: TimeLimit, Error: "stopped"}
	must(t, WriteAttempt(dir, testTask, second))
	must(t, WriteAttempt(dir, testTask, Attempt{Name: first.Name, Begin: begin}))
	must(t, WriteAttempt(dir, testTask, first))
	must(t, WriteAttempt(dir, testTask+1, first))
	must(t, WriteAttempt(dir, testTask, Attempt{Name: "torn"}))
	torn := attemptPath(dir, testTask, "torn")
	must(t, os.Truncate(torn, 20))
	all := must1(ReadAttempts(dir, testTask))
	if want := []Attempt{first, second}; !reflect.DeepEqual(all, want) {
		t.Errorf("%+v, want %+v", all, want)
	}

	// RemoveParts removes the notes too.
	must(t, WriteShard(filepath.Join(dir, ShardName(testTask)), testInfo, testLayout, nil))
	must(t, RemoveParts(dir, testTask))
	wantFiles(t, dir, ShardName(testTask), filepath.Base(torn), filepath.Base(attemptPath(dir, testTask+1, first.Name)))
}

func randomModels(seed uint64, n int) []Model {
	rng := rand.New(rand.NewPCG(seed, 2))
	ascending := func(low, high int) []int32 {
		var v []int32
		for i := low; i <= high; i++ {
			if rng.IntN(5) == 0 {
				v = append(v, int32(i))
			}
		}
		return v
	}
	sparse := func(p int) Sparse {
		s := Sparse{Index: ascending(0, p-1), Intercept: oddNumbers[rng.IntN(len(oddNumbers))]}
		for range s.Index {
			s.Value = append(s.Value, oddNumbers[rng.IntN(len(oddNumbers))]+rng.NormFloat64())
		}
		return s
	}
	models := make([]Model, n)
	for i := range models {
		m := &models[i]
		*m = Model{
			Cell: fmt.Sprintf("%064x", i), Dataset: "mnist-0", Trial: rng.IntN(20), Method: "graphda",
			Checkpoint: rng.IntN(60), P: rng.IntN(50),
		}
		m.W, m.Wbar = sparse(m.P), sparse(m.P)
		m.Mistakes, m.MistakesWbar = ascending(1, m.Checkpoint), ascending(1, m.Checkpoint)
		if i%3 == 0 {
			m.LargestNorm = rng.ExpFloat64()
			for range m.Checkpoint {
				m.Losses, m.LossesWbar = append(m.Losses, rng.ExpFloat64()), append(m.LossesWbar, rng.NormFloat64())
			}
		}
	}
	return models
}

func TestModelsRoundTrip(t *testing.T) {
	countMemory(t)
	path := filepath.Join(t.TempDir(), ModelsName(testTask))
	for _, n := range []int{0, 1, 50, 2*modelBatch + 100} {
		models := randomModels(uint64(n), n)
		must(t, WriteModels(path, models))
		first := must1(os.ReadFile(path))
		got := must1(ReadModels(path))
		wantSame(t, got, models)
		must(t, WriteModels(path, models))
		if second, _ := os.ReadFile(path); !reflect.DeepEqual(first, second) {
			t.Errorf("%d models made two different files", n)
		}
	}
	wantFiles(t, filepath.Dir(path), ModelsName(testTask))
}

func TestModelsHaveAColumnForEachField(t *testing.T) {
	leaves := 0
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		if typ.Kind() != reflect.Struct {
			leaves++
			return
		}
		for i := range typ.NumField() {
			walk(typ.Field(i).Type)
		}
	}
	walk(reflect.TypeFor[Model]())
	if leaves != len(modelColumns) {
		t.Errorf("%d columns for %d fields", len(modelColumns), leaves)
	}
}

func TestModelsRefused(t *testing.T) {
	countMemory(t)
	path := filepath.Join(t.TempDir(), "m.arrow")
	for name, m := range map[string]Model{
		"index past the end":    {P: 3, W: Sparse{Index: []int32{3}, Value: []float64{1}}},
		"negative index":        {P: 3, Wbar: Sparse{Index: []int32{-1}, Value: []float64{1}}},
		"index twice":           {P: 3, W: Sparse{Index: []int32{1, 1}, Value: []float64{1, 1}}},
		"unequal lengths":       {P: 3, W: Sparse{Index: []int32{1}}},
		"mistake 0":             {Checkpoint: 5, Mistakes: []int32{0}},
		"mistake past the end":  {Checkpoint: 5, MistakesWbar: []int32{6}},
		"losses of too few":     {Checkpoint: 5, Trace: Trace{Losses: []float64{1, 2}}},
		"mistakes descending":   {Checkpoint: 5, Mistakes: []int32{3, 2}},
		"method that is a seal": {Method: seal.Blank()},
	} {
		if err := WriteModels(path, []Model{{}, m}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%s: a file was written", name)
		}
	}
}

// TestModelsSwept checks that a models file is written again if the attempt that seals first removed its temporary
// file.
func TestModelsSwept(t *testing.T) {
	dir := t.TempDir()
	must(t, WriteShard(filepath.Join(dir, ShardName(testTask)), testInfo, testLayout, nil))
	path := filepath.Join(dir, ModelsName(testTask))
	swept := false
	err := writeAgainIfSwept(path, func(w io.Writer) error {
		if !swept {
			swept = true
			must(t, RemoveParts(dir, testTask))
		}
		_, err := io.WriteString(w, "text")
		return err
	})
	must(t, err)
	wantFiles(t, dir, ShardName(testTask), ModelsName(testTask))
	if _, err := ReadModels(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Errorf("%v, want %v", err, fs.ErrNotExist)
	}
}
