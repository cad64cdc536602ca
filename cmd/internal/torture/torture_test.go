// Package torture tests the programs against faults of disks, file systems and other programs. It damages files
// that they read, fills the disk that they write to, and makes their system calls fail. In every case a program
// must end in time, in little memory and without a stack trace. It must say in one clear line what it cannot do,
// and print no wrong number.
//
// Files of other programs cannot always reveal damage. gzip has a checksum. .npy, IDX, Parquet and Arrow files
// contain their sizes, so a file that was cut is refused. Otherwise a value that was damaged into another value is
// read as that value. The tests count these cases, and require only the rules above.
//
// Ordinary test runs take a small sample of all cases, in half a minute. With GRAPHDA_TORTURE=full, as in `make
// torture`, all cases run. A case depends only on its number, which is the name of its subtest. So a failed case
// shows how to repeat it.
package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"graphda/jobs/jobstest"
)

// full reports whether all cases run.
var full = os.Getenv("GRAPHDA_TORTURE") == "full"

// programs is the folder with gdrun and gdmerge.
var programs string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "graphda-torture")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programs = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var build = sync.OnceValue(func() error {
	c := exec.Command("go", "build", "-ldflags", "-s -w", "-o", programs, "graphda/cmd/gdrun", "graphda/cmd/gdmerge")
	c.Env = append(os.Environ(), "CGO_ENABLED=0") // the C library would react to faults in its own way
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
})

func built(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs and runs them many times")
	}
	must(t, build())
}

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// cases runs the cases 0 to total − 1, or a few of them. Each is a subtest named by its number, with its own
// random numbers. In the end, cases logs how often each end occurred, as returned by run.
func cases(t *testing.T, total, few int, run func(t *testing.T, number int, rng *rand.Rand) (end string)) {
	t.Helper()
	numbers := rand.New(rand.NewPCG(10, 1)).Perm(total)
	if !full {
		numbers = numbers[:min(few, total)]
	}
	tally := &tally{ends: map[string]int{}}
	largest.Store(0)
	t.Cleanup(func() { t.Log(tally) })
	for _, number := range numbers {
		t.Run(strconv.Itoa(number), func(t *testing.T) {
			t.Parallel()
			name := t.Name()
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("repeat it with GRAPHDA_TORTURE=full go test ./cmd/internal/torture -run '^%s$'",
						strings.ReplaceAll(name, "/", "$/^"))
				}
			})
			end := run(t, number, rand.New(rand.NewPCG(7, uint64(number))))
			if t.Failed() {
				end = "FAILED " + end
			}
			tally.add(end)
		})
	}
}

// A tally counts how cases ended.
type tally struct {
	mu   sync.Mutex
	ends map[string]int
}

func (c *tally) add(end string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ends[end]++
}

// String lists the ends with their counts.
func (c *tally) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	total := 0
	var b strings.Builder
	for _, end := range sortedKeys(c.ends) {
		fmt.Fprintf(&b, "\n%6d  %s", c.ends[end], end)
		total += c.ends[end]
	}
	return fmt.Sprintf("%d cases; a program took %d MB of memory at most:%s", total, largest.Load()>>20, b.String())
}

// A lazy value is made by the first case that needs it.
type lazy[T any] struct {
	mu    sync.Mutex
	made  bool
	value T
}

func (l *lazy[T]) get(make func() T) T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.made {
		l.value, l.made = make(), true
	}
	return l.value
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.CopyFS(to, os.DirFS(from)))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	return must1(os.ReadFile(path))
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must(t, os.WriteFile(path, data, 0o666))
}
