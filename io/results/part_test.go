package results

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"graphda/io/arrowfile"
)

const testTask = 12

// A clock is moved by hand.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// testPart creates a part whose clock stands still.
func testPart(t testing.TB, dir, attempt string, layout Layout) (*Part, *clock) {
	t.Helper()
	p := must1(CreatePart(dir, testTask, attempt, layout))
	c := &clock{time.Unix(1e9, 0)}
	p.now, p.last = c.now, c.at
	return p, c
}

func size(t testing.TB, p *Part) int64 {
	t.Helper()
	st := must1(os.Stat(p.Path()))
	return st.Size()
}

func readParts(t testing.TB, dir string) Parts {
	t.Helper()
	parts := must1(ReadParts(dir, testTask, testLayout))
	return parts
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
		{partDelay - 1, 0}, // less than 2 s since the part was made
		{1, 3},             // 2 s: all three
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

// After half a block nothing must follow that a reader cannot reach.
func TestAppendErrorIsFinal(t *testing.T) {
	countMemory(t)
	dir := t.TempDir()
	p, _ := testPart(t, dir, "a", testLayout)
	rows := randomRows(7, 3)
	must(t, p.Append(rows[0]))
	must(t, p.Flush())
	file := p.file
	p.file, _ = os.Open(p.Path()) // not for writing
	must(t, p.Append(rows[1]))
	mustFail(t, p.Flush())
	p.file.Close()
	p.file = file
	mustFail(t, p.Append(rows[2]))
	mustFail(t, p.Flush())
	mustFail(t, p.Close())
	wantSame(t, readParts(t, dir).Rows, rows[:1])
}

// smallPart writes blocks of 1, 2, 3 and 1 rows and returns the file and where each
// block ends; ends[k] is the end of the first k blocks and rows[:k(k+1)/2] are in them.
func smallPart(t testing.TB, dir, attempt string, seed uint64) (data []byte, rows []Row, ends, counts []int) {
	t.Helper()
	p, _ := testPart(t, dir, attempt, testLayout)
	rows = randomRows(seed, 7)
	rows[1].Host, rows[1].Dataset = blankBlock, blockPrefix+"00000010"
	ends, counts = []int{0}, []int{0}
	for _, n := range []int{1, 2, 3, 1} {
		from := counts[len(counts)-1]
		must(t, p.Append(rows[from:from+n]...))
		must(t, p.Flush())
		ends, counts = append(ends, int(size(t, p))), append(counts, from+n)
	}
	must(t, p.Close())
	data = must1(os.ReadFile(p.Path()))
	if len(data) != ends[4]+len(arrowfile.EndMark) {
		t.Fatalf("%d bytes, want %d and the end mark", len(data), ends[4])
	}
	return data, rows, ends, counts
}

// wantDecoded decodes a part's bytes and wants the rows of the blocks that end by sound.
func wantDecoded(t *testing.T, what string, data []byte, rows []Row, ends, counts []int, sound int) {
	t.Helper()
	want := 0
	for k, end := range ends {
		if end <= sound {
			want = counts[k]
		}
	}
	got, err := decodePart(data, testLayout)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if len(got) != want {
		t.Fatalf("%s: %d rows, want %d", what, len(got), want)
	}
	wantSame(t, got, rows[:want])
}

// damagedAt calls use with every byte within 64 of where a block ends, and every seventh of the others.
func damagedAt(data []byte, ends []int, use func(at int)) {
	for at := range data {
		if near := func(end int) bool { return max(at, end)-min(at, end) <= 64 }; at%7 == 0 || slices.ContainsFunc(ends, near) {
			use(at)
		}
	}
}

func TestPartTornAnywhere(t *testing.T) {
	data, rows, ends, counts := smallPart(t, t.TempDir(), "a", 8)
	damagedAt(data, ends, func(cut int) {
		wantDecoded(t, fmt.Sprint("cut at ", cut), data[:cut], rows, ends, counts, cut)
	})
	wantDecoded(t, "whole", data, rows, ends, counts, len(data))
}

func TestPartZeroFilledTail(t *testing.T) {
	data, rows, ends, counts := smallPart(t, t.TempDir(), "a", 9)
	for cut := 0; cut <= len(data); cut += 23 {
		zeroed := append(bytes.Clone(data[:cut]), make([]byte, 5000)...)
		sound := cut
		for sound < len(data) && data[sound] == 0 {
			sound++ // these bytes were zeros anyway
		}
		wantDecoded(t, fmt.Sprint("zeros from ", cut), zeroed, rows, ends, counts, sound)
	}
}

func TestPartBitFlips(t *testing.T) {
	data, rows, ends, counts := smallPart(t, t.TempDir(), "a", 10)
	rng := rand.New(rand.NewPCG(1, 2))
	damagedAt(data, ends, func(at int) {
		bit := byte(1) << rng.IntN(8)
		data[at] ^= bit
		wantDecoded(t, fmt.Sprintf("bit %#x of byte %d", bit, at), data, rows, ends, counts, at)
		data[at] ^= bit
	})
}

// Whole blocks that are not the next ones of this part end it as well.
func TestPartForeignBlocks(t *testing.T) {
	dir := t.TempDir()
	data, rows, ends, counts := smallPart(t, dir, "a", 11)
	other, _, otherEnds, _ := smallPart(t, dir, "b", 12)
	block := func(k int) []byte { return data[ends[k]:ends[k+1]] }
	for _, c := range []struct {
		name  string
		data  []byte
		sound int
	}{
		{"missing first", data[ends[1]:], 0},
		{"missing second", append(bytes.Clone(block(0)), data[ends[2]:]...), 1},
		{"swapped", bytes.Join([][]byte{block(0), block(2), block(1)}, nil), 1},
		{"twice", bytes.Join([][]byte{block(0), block(1), block(1)}, nil), 2},
		{"another part's", bytes.Join([][]byte{block(0), other[otherEnds[1]:]}, nil), 1},
		{"two parts", append(bytes.Clone(data), other...), 4},
	} {
		wantDecoded(t, c.name, c.data, rows, ends, counts, ends[c.sound])
	}
}

func TestPartsOnDisk(t *testing.T) {
	dir := t.TempDir()
	parts := must1(ReadParts(filepath.Join(dir, "missing"), testTask, testLayout))
	wantSame(t, parts.Paths, nil)

	data, rows, ends, _ := smallPart(t, dir, "a", 13)
	empty, _ := testPart(t, dir, "empty", testLayout)
	must(t, empty.Close())
	torn := filepath.Join(dir, "task-00012.torn.arrows.part")
	must(t, os.WriteFile(torn, data[:ends[2]+100], 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "task-00012.text.arrows.part"), []byte("not Arrow"), 0o666))
	parts = readParts(t, dir)
	wantSame(t, parts.Rows, append(rows[:7:7], rows[:3]...))
	if len(parts.Paths) != 4 {
		t.Errorf("paths %q", parts.Paths)
	}
}

func TestPartOfAnotherLayout(t *testing.T) {
	countMemory(t)
	dir := t.TempDir()
	p, _ := testPart(t, dir, "a", Layout{{Name: "alpha"}})
	defer p.Close()
	readParts(t, dir) // it holds nothing yet
	must(t, p.Append(Row{Cell: "c", Params: []float64{1}}))
	must(t, p.Flush())
	_, err := ReadParts(dir, testTask, testLayout)
	mustFail(t, err, p.Path(), `"alpha"`)
}
