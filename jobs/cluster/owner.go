package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"graphda/io/regular"
	"graphda/slurm"
)

// Not every file system has locks, and some have them for one login node only, without a word. Who
// submits therefore also owns the folder of submissions: by a file .owner-000007 that it has made, which no
// other process can (O_EXCL), and writes anew again and again. The file of the highest number tells the
// owner. It is over when it says so, or is not written for the time of a lease; then the file of the next
// number may be made. Nothing is ever taken out of another's hands, and no links are needed.

// An ownerNote is what such a file says.
type ownerNote struct {
	Host  string    `json:"host"`
	PID   int       `json:"pid"`
	Begin time.Time `json:"begin"`
	Beat  int       `json:"beat"` // times that it was written
	At    time.Time `json:"at"`   // by the owner's clock
	Over  bool      `json:"over"`
}

// The lease. Clocks of login nodes are compared only for what is long over.
const (
	leaseBeat    = 15 * time.Second
	leaseTime    = time.Minute // without a beat, by the clock of who waits
	leaseLongAgo = 10 * time.Minute
)

const ownerPattern = ".owner-%06d"

// A nodeSite is what a lock knows of the machine and its file system; tests have others.
type nodeSite struct {
	host  string
	pid   int
	now   func() time.Time
	flock func(*os.File) error
	alive func(pid int) bool // on this machine
}

// thisNode is the machine that we are on.
func thisNode() *nodeSite {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return &nodeSite{host: host, pid: os.Getpid(), now: time.Now,
		flock: func(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) },
		alive: func(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }}
}

// An owner is this process as the owner of a folder.
type owner struct {
	dir    string
	number int
	site   *nodeSite
	stop   func() // of the goroutine that writes the file
	// abroad tells that the owner before ended on another machine without saying so: what it began there,
	// such as an sbatch, may not have ended.
	abroad bool

	mu   sync.Mutex
	note ownerNote
	last time.Time // when the note was written
	err  error
}

// ownerPath is the file of an owner's number.
func ownerPath(dir string, number int) string {
	return filepath.Join(dir, fmt.Sprintf(ownerPattern, number))
}

// readOwner reads the file of the highest number; 0 if there is none. The text is nil if it has just been made.
func readOwner(dir string) (number int, text []byte, note ownerNote, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, nil, note, err
	}
	for _, e := range entries {
		if digits, ok := strings.CutPrefix(e.Name(), ".owner-"); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				number = max(number, n)
			}
		}
	}
	for ; ; number++ { // a list of the folder may be older than its files
		next, err := regular.ReadFile(ownerPath(dir, number+1))
		if errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return 0, nil, note, err
		}
		text = next
	}
	if number > 0 && text == nil {
		if text, err = regular.ReadFile(ownerPath(dir, number)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, nil, note, err
		}
	}
	if json.Unmarshal(text, &note) != nil {
		note = ownerNote{At: time.Unix(0, 0)} // torn, or not written yet
		if info, err := os.Stat(ownerPath(dir, number)); err == nil {
			note.At = info.ModTime()
		}
	}
	return number, text, note, nil
}

// isOver tells at once whether an owner has ended: it says so, is long silent, or is a process of this machine that
// is gone. A lock that works here tells that, too.
func (s *nodeSite) isOver(n *ownerNote, locked bool) bool {
	switch {
	case n.Over, s.now().Sub(n.At) > leaseLongAgo:
		return true
	case n.Host == s.host:
		return locked || !s.alive(n.PID)
	}
	return false
}

// own makes this process the owner of a folder, and waits for a lease if another's is not known to be over. The
// lock tells whether this process has one that works on its machine.
func (s *nodeSite) own(ctx context.Context, dir string, locked bool, client *slurm.Client) (*owner, error) {
	var seen []byte
	since, watched, told := s.now(), 0, false
	for {
		number, text, note, err := readOwner(dir)
		if err != nil {
			return nil, err
		}
		if number != watched || !bytes.Equal(text, seen) {
			if seen = text; told && number > 0 && !s.isOver(&note, locked) { // it lives
				return nil, fmt.Errorf("%w (%s, process %d)", errLocked, note.Host, note.PID)
			}
			since, watched = s.now(), number
		}
		over := number == 0 || s.isOver(&note, locked) || s.now().Sub(since) > leaseTime
		if over {
			o, err := s.take(dir, number+1)
			if err == nil {
				o.abroad = number > 0 && !note.Over && note.Host != s.host
				return o, nil
			}
			if !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
			continue // another was faster
		}
		if note.Host == s.host && note.Host != "" {
			return nil, errLocked
		}
		var why error
		if !told {
			why = fmt.Errorf("a gdrun submit on %s has not ended; looking for %v whether it still runs", note.Host, leaseTime)
		}
		told = true
		if err := client.Wait(ctx, why, leaseBeat/3); err != nil {
			return nil, err
		}
	}
}

// take makes the file of a number, if nobody has, and begins to write it again and again.
func (s *nodeSite) take(dir string, number int) (*owner, error) {
	f, err := os.OpenFile(ownerPath(dir, number), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	o := &owner{dir: dir, number: number, site: s, note: ownerNote{Host: s.host, PID: s.pid, Begin: s.now()}}
	o.note.At, o.last = o.note.Begin, o.note.Begin
	err = errors.Join(json.NewEncoder(f).Encode(o.note), f.Close())
	if err == nil {
		err = o.check()
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(ownerPath(dir, number)))
	}
	for n := number - 1; n > 0; n-- { // others look for the highest
		if os.Remove(ownerPath(dir, n)) != nil {
			break
		}
	}
	done := make(chan struct{})
	var once sync.Once
	o.stop = func() { once.Do(func() { close(done) }) }
	go func() {
		ticker := time.NewTicker(leaseBeat)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				o.beat(false)
			}
		}
	}()
	return o, nil
}

// errLost says that the owner was silent for too long.
var errLost = errors.New("this gdrun submit stood still for so long that another may have begun; submit again")

// check tells whether this process is still the owner: nobody has followed, and nobody may have.
func (o *owner) check() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	number, _, note, err := readOwner(o.dir)
	switch {
	case err != nil:
		return err
	case number != o.number || note.Host != o.site.host || note.PID != o.site.pid || !note.Begin.Equal(o.note.Begin),
		o.site.now().Sub(o.last) > leaseTime-leaseBeat:
		return errLost
	}
	return o.err
}

// beat writes the file anew.
func (o *owner) beat(over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.note.Over {
		return
	}
	o.note.Beat++
	o.note.At, o.note.Over = o.site.now(), over
	text, err := json.Marshal(o.note)
	if err == nil {
		path := ownerPath(o.dir, o.number)
		temporary := path + ".new"
		if err = os.WriteFile(temporary, append(text, '\n'), 0o666); err == nil {
			err = os.Rename(temporary, path)
		}
	}
	if o.err = err; err == nil {
		o.last = o.note.At
	}
}

// release says that the owner has ended.
func (o *owner) release() error {
	o.stop()
	o.beat(true)
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
