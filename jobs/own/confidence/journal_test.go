package confidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"graphda/jobs/own/resuming"
	"graphda/jobs/own/tuning"
)

// Interrupted again and again, with a torn end and with what is no record in its journal, a command comes to the answer
// that nothing disturbed, and learns nothing twice. Another request takes nothing of it.
func TestJournal(t *testing.T) {
	dir := covariates(t, 2, 0.7, 1, [2]string{"a", "b"})
	lost := func(err error) { t.Error(err) }
	type command = func(ctx context.Context, passes int, progress func(int, int), j *resuming.Journal) (string, error)
	tune := func(dir, method string) command {
		return func(ctx context.Context, passes int, progress func(int, int), j *resuming.Journal) (string, error) {
			a, err := tuning.Tune(ctx, tuning.Request{Dataset: dir, Methods: []string{method}, Passes: passes, Progress: progress, Journal: j})
			if err != nil {
				return "", err
			}
			path := filepath.Join(t.TempDir(), "model.parquet")
			must(t, a.Model.Write(path))
			written, err := os.ReadFile(path)
			return fmt.Sprint(a.Tried, a.Expected, a.Features, a.Notes, written), err
		}
	}
	for what, do := range map[string]command{
		"tune": tune(dir, "da-iht"), "tune of times": tune(lives(t, 5), "graphda"),
		"confidence": func(ctx context.Context, passes int, progress func(int, int), j *resuming.Journal) (string, error) {
			c, err := Find(ctx, Request{Dataset: dir, False: 1, F: 3, S: 6, Draws: 2, Passes: passes,
				Progress: progress, Journal: j})
			return fmt.Sprintf("%+v", c), err
		},
	} {
		path := filepath.Join(t.TempDir(), "new", "."+what)
		want := must1(do(context.Background(), 1, nil, nil))
		kept := 0
		for _, most := range []int{10, 20, 40} {
			j := must1(resuming.Open(path, lost))
			if j.Len() < kept-1 || kept > 0 && j.Len() == 0 {
				t.Errorf("%s: %d of %d records are read", what, j.Len(), kept)
			}
			ctx, stop := context.WithCancel(context.Background())
			_, err := do(ctx, 1, func(done, _ int) {
				if done == most {
					stop()
				}
			}, j)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v", what, err)
			}
			j.Close()
			kept = must1(resuming.Open(path, lost)).Len()
			data := must1(os.ReadFile(path))
			must(t, os.WriteFile(path, data[:len(data)-most%7], 0o666)) // a whole end, and torn ones
		}
		other := must1(resuming.Open(path, lost))
		unread := other.Len()
		must1(do(context.Background(), 2, nil, other))
		other.Close()
		if other.Len() != unread || unread < 15 {
			t.Errorf("%s: another request takes %d of %d records", what, unread-other.Len(), unread)
		}
		j := must1(resuming.Open(path, lost))
		if got := must1(do(context.Background(), 1, nil, j)); got != want {
			t.Errorf("%s: the answer is another", what)
		}
		j.Close()
		before := must1(os.ReadFile(path))
		all := must1(resuming.Open(path, lost))
		if got := must1(do(context.Background(), 1, nil, all)); got != want {
			t.Errorf("%s: from the journal alone the answer is another", what)
		}
		if after := must1(os.ReadFile(path)); !bytes.Equal(after, before) {
			t.Errorf("%s: something is learned though the journal has all", what)
		}
		must(t, all.Remove())
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the journal is still there: %v", what, err)
		}
	}
}

// A file of somebody else in the journal's place is left alone, and what cannot be kept is told once.
func TestJournalLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	must(t, os.WriteFile(path, []byte("mine\n"), 0o666))
	if _, err := resuming.Open(path, nil); err == nil {
		t.Error("a foreign file is taken")
	}
	told := 0
	j := must1(resuming.Open(filepath.Join(path, "below a file"), func(error) { told++ }))
	for range 3 {
		j.Keep(string(make([]byte, 36)), []any{new(float64)})
	}
	if told != 1 {
		t.Errorf("it is told %d times that nothing is kept", told)
	}
}
