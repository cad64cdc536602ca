package confidence

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"graphda/graph"
	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/own/tuning"
	"graphda/learners/cox"
)

// lives imports 120 samples of 6 × 6 features, in two strata, with an age. Four neighbouring features raise the hazard.
func lives(t *testing.T, trials int) string {
	t.Helper()
	dir, rng, g := t.TempDir(), rand.New(rand.NewPCG(8, 8)), graph.Grid(6, 6)
	table, edges := "id,days,died,site,age", "source,target\n"
	for j := range 36 {
		table += fmt.Sprintf(",g%d", j)
	}
	for _, e := range g.Edges() {
		edges += fmt.Sprintf("g%d,g%d\n", e.U, e.V)
	}
	for i := range 120 {
		genes, score, age := "", 0.0, rng.NormFloat64()
		for j := range 36 {
			x := rng.NormFloat64()
			if genes += fmt.Sprintf(",%.4f", x); j >= 20 && j < 24 {
				score += x
			}
		}
		time, seen := 500*rng.ExpFloat64()*math.Exp(-score-age), 1500*rng.Float64()
		died := 0
		if time < seen {
			died = 1
		}
		table += fmt.Sprintf("\nS%03d,%.0f,%d,%s,%.2f%s", i, math.Ceil(min(time, seen)), died, []string{"a", "b"}[i%2], age, genes)
	}
	must(t, os.WriteFile(filepath.Join(dir, "s.csv"), []byte(table+"\n"), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "e.csv"), []byte(edges), 0o666))
	r := importing.Request{
		Table: sampletable.Table{Samples: filepath.Join(dir, "s.csv"), Label: "days", Event: "died", Strata: "site", Covariates: []string{"age"}, Task: sampletable.Survival},
		Edges: network.EdgeRequest{Path: filepath.Join(dir, "e.csv")}, Trials: trials, Standardise: true, Out: filepath.Join(dir, "lives"),
	}
	must1(importing.Import(context.Background(), r, nil))
	return r.Out
}

// Times are permuted by their martingale residuals. Halves have equally many events. A feature's association is the
// derivative of the partial likelihood.
func TestTimesPermuted(t *testing.T) {
	data := must1(must1(samples.Open(lives(t, 1))).Load(0, samples.AnyLabels))
	whole := must1(learning.NewSplit(learning.Join(data), cox.Loss{}))
	rest, y := whole.Rest(), whole.Train.Y
	p := newPatients(whole)
	for _, half := range p.halves(rand.New(rand.NewPCG(1, 1)), 3) {
		events, all := 0, 0
		for i := range y {
			if y[i] > 0 {
				all++
			}
		}
		for _, i := range half {
			if y[i] > 0 {
				events++
			}
		}
		if events < all/2 || events > all/2+1 {
			t.Errorf("%d of %d events in a half", events, all)
		}
	}
	product, squares := 0.0, 0.0
	for i, k := range p.balanced(rand.New(rand.NewPCG(1, 1))) {
		product += rest[i] * rest[k]
		squares += rest[i] * rest[i]
	}
	if math.Abs(product) > 0.01*squares {
		t.Errorf("residuals correlate with themselves by %v", product/squares)
	}
	scores := make([]float64, len(y))
	at := func(j int, w float64) float64 {
		for i := range scores {
			scores[i] = whole.Train.OffsetOf(i) + w*whole.Train.Row(i)[j]
		}
		return cox.New(y, whole.Train.Strata).Residuals(make([]float64, len(y)), scores)
	}
	for j, size := range newAssociation(whole).of(nil) {
		const h = 1e-4
		if want := math.Abs(at(j, h)-at(j, -h)) / (2 * h); math.Abs(size-want) > 1e-5 {
			t.Errorf("feature %d: %v, want %v", j, size, want)
		}
	}
}

// A command is interrupted again and again, and its journal gets a torn end and false records. In the end the
// command gives the same answer as without interruptions, and learns nothing twice. Another request uses
// nothing from the journal.
func TestJournal(t *testing.T) {
	dir := covariates(t, 2, 0.7, 1, [2]string{"a", "b"})
	lost := func(err error) { t.Error(err) }
	type command = func(ctx context.Context, passes int, progress func(int, int), j *learning.Journal) (string, error)
	tune := func(dir, method string) command {
		return func(ctx context.Context, passes int, progress func(int, int), j *learning.Journal) (string, error) {
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
		"confidence": func(ctx context.Context, passes int, progress func(int, int), j *learning.Journal) (string, error) {
			c, err := Find(ctx, Request{Dataset: dir, False: 1, F: 3, S: 6, Draws: 2, Passes: passes,
				Progress: progress, Journal: j})
			return fmt.Sprintf("%+v", c), err
		},
	} {
		path := filepath.Join(t.TempDir(), "new", "."+what)
		want := must1(do(context.Background(), 1, nil, nil))
		kept := 0
		for _, most := range []int{10, 20, 40} {
			j := must1(learning.OpenJournal(path, lost))
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
			kept = must1(learning.OpenJournal(path, lost)).Len()
			data := must1(os.ReadFile(path))
			must(t, os.WriteFile(path, data[:len(data)-most%7], 0o666)) // a whole end, and torn ones
		}
		other := must1(learning.OpenJournal(path, lost))
		unread := other.Len()
		must1(do(context.Background(), 2, nil, other))
		other.Close()
		if other.Len() != unread || unread < 15 {
			t.Errorf("%s: another request takes %d of %d records", what, unread-other.Len(), unread)
		}
		j := must1(learning.OpenJournal(path, lost))
		if got := must1(do(context.Background(), 1, nil, j)); got != want {
			t.Errorf("%s: the answer is another", what)
		}
		j.Close()
		before := must1(os.ReadFile(path))
		all := must1(learning.OpenJournal(path, lost))
		if got := must1(do(context.Background(), 1, nil, all)); got != want {
			t.Errorf("%s: from the journal alone the answer is another", what)
		}
		if after := must1(os.ReadFile(path)); !bytes.Equal(after, before) {
			t.Errorf("%s: something is learned though the journal has all", what)
		}
		forged := must1(learning.OpenJournal(path+"2", lost)) // values that no run writes, with valid checksums
		for rest := before[bytes.IndexByte(before, '\n')+1:]; len(rest) > 0; {
			n := binary.LittleEndian.Uint32(rest)
			values := []any{[]float64{1}, []float64{1}}
			if what != "confidence" {
				values = []any{1.0, 1.0, []int32{99}, []float64{1}}
			}
			forged.Keep(string(rest[4:40]), values)
			rest = rest[n+8:]
		}
		forged.Close()
		forged = must1(learning.OpenJournal(path+"2", lost))
		if _, err := do(context.Background(), 1, nil, forged); !errors.Is(err, learning.ErrChanged) {
			t.Errorf("%s: a forged journal gives the error %v", what, err)
		}
		must(t, all.Remove())
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the journal is still there: %v", what, err)
		}
	}
}

// If the journal's path has another program's file, the file is left alone. A failure to write the
// journal is reported once.
func TestJournalLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	must(t, os.WriteFile(path, []byte("mine\n"), 0o666))
	if _, err := learning.OpenJournal(path, nil); err == nil {
		t.Error("a foreign file is taken")
	}
	told := 0
	j := must1(learning.OpenJournal(filepath.Join(path, "below a file"), func(error) { told++ }))
	for range 3 {
		j.Keep(string(make([]byte, 36)), []any{new(float64)})
	}
	if told != 1 {
		t.Errorf("it is told %d times that nothing is kept", told)
	}
}
