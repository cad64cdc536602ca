package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"graphda/jobs/jobstest"
	"graphda/jobs/usage"
	"graphda/slurm"
)

// A clock that moves when somebody waits.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// The locks of file systems: none, and one that every machine has for itself.
var (
	noLocks    = func(*os.File) error { return syscall.ENOLCK }
	localLocks = func(*os.File) error { return nil }
)

// A machine of a test, with the file system's lock.
func (c *clock) machine(host string, flock func(*os.File) error) *nodeSite {
	return &nodeSite{host: host, pid: 7, now: c.now, flock: flock, alive: func(int) bool { return true }}
}

// waiting is a client whose waits move the clock, and do what else there is to do meanwhile.
func (c *clock) waiting(meanwhile func()) *slurm.Client {
	return &slurm.Client{Sleep: func(_ context.Context, d time.Duration) error {
		c.add(d)
		if meanwhile != nil {
			meanwhile()
		}
		return nil
	}}
}

// Whatever the file system's locks are worth, a second gdrun submit is refused while the first lives, on the same
// machine and on another, and goes on when it has ended.
func TestOwnerKeepsOthersOut(t *testing.T) {
	for what, flock := range map[string]func(*os.File) error{"no locks": noLocks, "local locks": localLocks} {
		for _, host := range []string{"login1", "login2"} {
			if what == "local locks" && host == "login1" {
				continue // there the lock itself would tell
			}
			dir, c := t.TempDir(), &clock{at: time.Unix(1e9, 0)}
			first, err := c.machine("login1", flock).lockSubmissions(t.Context(), dir, c.waiting(nil))
			must(t, err)
			second := c.machine(host, flock)
			_, err = second.lockSubmissions(t.Context(), dir, c.waiting(func() { first.owner.beat(false) }))
			var config *usage.Error
			if !errors.Is(err, errLocked) || !errors.As(err, &config) {
				t.Fatalf("%s, %s: %v, want that it is locked", what, host, err)
			}
			if !second.isLocked(dir) {
				t.Errorf("%s, %s: cancel does not see that somebody submits", what, host)
			}
			must(t, first.close())
			if second.isLocked(dir) {
				t.Errorf("%s, %s: locked when the first has ended", what, host)
			}
			l, err := second.lockSubmissions(t.Context(), dir, c.waiting(nil))
			must(t, err)
			if l.settled() != (what == "local locks") {
				t.Errorf("%s, %s: settled %v", what, host, l.settled())
			}
			must(t, l.close())
		}
	}
}

// An owner that ends without a word is followed after a lease, at once where its process is known to be gone. What it
// has begun on another machine may go on.
func TestOwnerThatCrashed(t *testing.T) {
	for _, test := range []struct {
		what, host string
		flock      func(*os.File) error
		gone       bool
		later      time.Duration
		waits      time.Duration
		settled    bool
	}{
		{"on the same machine, with locks", "login1", localLocks, false, 0, 0, true},
		{"on the same machine, without", "login1", noLocks, true, 0, 0, false},
		{"on another", "login2", localLocks, false, 0, leaseTime, false},
		{"long ago", "login2", localLocks, false, time.Hour, 0, false},
	} {
		dir, c := t.TempDir(), &clock{at: time.Unix(1e9, 0)}
		first, err := c.machine("login1", test.flock).own(t.Context(), dir, false, c.waiting(nil))
		must(t, err)
		first.stop()
		c.add(test.later)
		began := c.now()
		next := c.machine(test.host, test.flock)
		next.alive = func(int) bool { return !test.gone }
		l, err := next.lockSubmissions(t.Context(), dir, c.waiting(nil))
		must(t, err)
		if waited := c.now().Sub(began); waited < test.waits || waited > test.waits+leaseBeat || l.settled() != test.settled {
			t.Errorf("%s: waited %v, settled %v", test.what, waited, l.settled())
		}
		if err := first.check(); !errors.Is(err, errLost) {
			t.Errorf("%s: %v, want that the first has lost it", test.what, err)
		}
		first.beat(false) // it wakes up
		must(t, l.check())
		must(t, l.close())
	}
}

// A file that is torn, or empty, is of somebody who may live.
func TestTornOwner(t *testing.T) {
	dir, c := t.TempDir(), &clock{at: time.Now()}
	jobstest.WriteFile(t, dir, ".owner-000004", `{"host": "log`)
	l, err := c.machine("login2", noLocks).lockSubmissions(t.Context(), dir, c.waiting(nil))
	must(t, err)
	if l.owner.number != 5 {
		t.Errorf("number %d, want 5", l.owner.number)
	}
	if names, err := filepath.Glob(filepath.Join(dir, ".owner-*")); err != nil || len(names) != 1 {
		t.Errorf("files %q, %v, want that of the owner", names, err)
	}
	must(t, l.close())
}

// Of many that begin at once, on many machines without locks, one at a time is the owner, also where some crash.
func TestOneOwnerAtATime(t *testing.T) {
	dir := t.TempDir()
	c := &clock{at: time.Unix(1e9, 0)}
	var inside sync.Map
	var got sync.WaitGroup
	owners := 0
	var mu sync.Mutex
	for i := range 16 {
		got.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 5))
			s := c.machine(fmt.Sprint("login", i), noLocks)
			for range 4 {
				o, err := s.own(t.Context(), dir, false, c.waiting(func() { time.Sleep(time.Microsecond) }))
				if err != nil {
					if !errors.Is(err, errLocked) && !errors.Is(err, errLost) {
						t.Error(err)
					}
					continue
				}
				mu.Lock()
				owners++
				mu.Unlock()
				if o.check() == nil { // else the clock has run away, and it would not submit
					inside.Store(o.number, s.host)
				}
				if rng.IntN(4) == 0 {
					o.stop() // crashes
				} else if err := o.release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	got.Wait()
	numbers := map[int]bool{}
	inside.Range(func(k, _ any) bool { numbers[k.(int)] = true; return true })
	if owners < 4 || len(numbers) == 0 {
		t.Errorf("%d owners, %d of them sure of it", owners, len(numbers))
	}
	number, _, _, err := readOwner(dir)
	must(t, err)
	if number < owners {
		t.Errorf("%d owners, and the last file is of number %d: two had the same", owners, number)
	}
}

// Who has stood still for longer than a lease does not call sbatch any more.
func TestSubmissionThatStoodStill(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	at := &clock{at: time.Now()}
	s := newSubmission(run, c.client(), submitOptions())
	s.site = at.machine("login1", noLocks)
	must(t, s.open(t.Context()))
	s.lock.owner.stop()
	at.add(leaseTime)
	err := s.Send(t.Context(), func(*ProposedJob) {})
	if !errors.Is(err, errLost) || len(c.jobs) > 0 {
		t.Errorf("%v, %d jobs", err, len(c.jobs))
	}
	entries, err := os.ReadDir(filepath.Join(run.Dir, submissionsDir))
	must(t, err)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") {
			t.Errorf("it has written %s", e.Name())
		}
	}
	must(t, s.Close())
	if second := submit(t, run, c, submitOptions()); len(second.Jobs) == 0 {
		t.Error("nothing was submitted afterwards")
	}
	wantOnce(t, run, c)
}
