package importing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/graph"
	"graphda/io/network"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/userinput"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

func write(tb testing.TB, name, content string) { jobstest.WriteFile(tb, ".", name, content) }

// Two features have names that need quotes, and c has no edge.
const (
	ownSplit = "id,a,status,\"b \"\"x\"\", 1\",split,größe,c\n" +
		"P1,1,case,2,train,3,4\nP2,-1.5,control,1e3,train,0,5\nP3,7,case,8,valid,9,10\nP4,0.1,control,0.2,test,0.3,0.4\n"
	someEdges = "source,target,cost\na,\"b \"\"x\"\", 1\",0.5\ngröße,a,2\na,größe,2\nz,a,1\nz,y,1\na,a,1\n"
)

func request() Request {
	return Request{
		Table: sampletable.Table{Samples: "samples.csv", Label: "status", Task: sampletable.Classification, Positive: "case", Drop: []string{"id"}},
		Edges: network.EdgeRequest{Path: "edges.csv"}, Out: "data/mine", Trials: 1,
	}
}

func workplace(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "samples.csv", ownSplit)
	write(t, "edges.csv", someEdges)
}

func run(t *testing.T, r Request) *Result {
	t.Helper()
	return must1(Import(context.Background(), r, nil))
}

func load(t *testing.T, dir string, trial int) *samples.Trial {
	t.Helper()
	return must1(must1(samples.Open(dir)).Load(trial, samples.AnyLabels))
}

func TestImport(t *testing.T) {
	workplace(t)
	r := request()
	r.Trials = 0 // the column split makes one trial
	result := run(t, r)
	if result.Features != 4 || result.Edges != 2 || result.Connected != 3 || result.Largest != 3 || result.Trials != 1 || result.Positive != "case" || result.Negative != "control" ||
		result.Splits != [3]Split{{2, 1}, {1, 1}, {1, 0}} {
		t.Errorf("%+v", result)
	}
	got := load(t, "data/mine", 0)
	if !slices.Equal(got.Features.Names, []string{"a", `b "x", 1`, "größe", "c"}) || got.Features.Truth != nil || got.Features.Groups != nil {
		t.Errorf("features %+v", got.Features)
	}
	if !slices.Equal(got.Graph.Edges(), []graph.Edge{{U: 0, V: 1}, {U: 0, V: 2}}) || !slices.Equal(got.Graph.Costs(), []float64{0.5, 2}) {
		t.Errorf("edges %v, costs %v", got.Graph.Edges(), got.Graph.Costs())
	}
	if !slices.Equal(got.Train.X, []float64{1, 2, 3, 4, -1.5, 1000, 0, 5}) || !slices.Equal(got.Train.Y, []float64{1, -1}) ||
		!slices.Equal(got.Valid.X, []float64{7, 8, 9, 10}) || !slices.Equal(got.Test.X, []float64{0.1, 0.2, 0.3, 0.4}) || got.Test.Y[0] != -1 {
		t.Errorf("samples %+v", got)
	}
	if samples.SameSamples(got.Metadata) {
		t.Errorf("a split of the file's own is called one of several: %v", got.Metadata)
	}
}

func writeArrow(t *testing.T, path string, columns []arrow.Field, rows string) {
	t.Helper()
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(columns, nil), strings.NewReader(rows))
	must(t, err)
	f := must1(os.Create(path))
	w := must1(ipc.NewFileWriter(f, ipc.WithSchema(rec.Schema())))
	must(t, w.Write(rec))
	must(t, w.Close())
	must(t, f.Close())
}

// An import into the same folder replaces the earlier dataset as a whole. It replaces nothing else: neither a folder
// with another file, nor a dataset of another program. If the import fails or is interrupted after the first file was
// written, the old content stays.
func TestImportAgain(t *testing.T) {
	workplace(t)
	r := request()
	run(t, r)
	r.Drop, r.Trials, r.Standardise = append(r.Drop, "c"), 1, true
	again := run(t, r)
	fresh := r
	fresh.Out = "data/fresh"
	if want := run(t, fresh); again.Features != 3 || !slices.Contains(again.Notes, "the dataset of an earlier import at data/mine was replaced") ||
		slices.ContainsFunc(want.Notes, func(s string) bool { return strings.Contains(s, "replaced") }) {
		t.Errorf("%+v, at first %q", again, want.Notes)
	}
	same := func(what string) {
		t.Helper()
		must(t, filepath.WalkDir("data/fresh", func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			want, _ := os.ReadFile(path)
			got, _ := os.ReadFile(strings.Replace(path, "fresh", "mine", 1))
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %s differs", what, path)
			}
			return nil
		}))
		if left, _ := os.ReadDir("data"); len(left) != 2 {
			t.Errorf("%s: data has %v", what, left)
		}
	}
	same("replaced")
	write(t, "samples.csv", strings.Replace(ownSplit, "1e3", "1e300", 1))
	if _, err := Import(t.Context(), r, nil); err == nil || !strings.Contains(err.Error(), `samples.csv: column "b \"x\", 1": cannot be standardised`) {
		t.Errorf("1e300 was standardised: %v", err)
	}
	same("after an error")
	ctx, cancel := context.WithCancel(t.Context())
	write(t, "samples.csv", ownSplit+strings.ReplaceAll(strings.SplitAfterN(ownSplit, "\n", 2)[1], "P", "Q"))
	r.Drop, r.Trials = append(r.Drop, "split"), 3
	if _, err := Import(ctx, r, func(int, int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	same("after an interruption")
	refused := func(want string) {
		t.Helper()
		var setting *userinput.Error
		if _, err := Import(t.Context(), request(), nil); !errors.As(err, &setting) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	write(t, "data/mine/trial-00/notes.txt", "mine")
	refused("data/mine exists: notes.txt in it was not made by import; remove it or choose another folder")
	must(t, os.RemoveAll("data/mine"))
	must(t, os.Symlink("fresh", "data/mine"))
	refused("data/mine exists: it is not a folder")
	must(t, os.Remove("data/mine"))
	jobstest.WriteDataset(t, "data/mine", jobstest.Spec{})
	refused("it was not made by import")
}

// The next import of a dataset removes old files that a killed import has left.
func TestLeftDraftsAreSwept(t *testing.T) {
	workplace(t)
	must(t, os.Mkdir("data", 0o777))
	for _, age := range []time.Duration{0, 48 * time.Hour} {
		draft := must1(seal.CreateDir(filepath.Join("data", "mine")))
		at := time.Now().Add(-age)
		must(t, os.Chtimes(draft, at, at))
	}
	run(t, request())
	left := must1(filepath.Glob("data/.*.tmp"))
	if len(left) != 1 {
		t.Errorf("left: %q, want the young one", left)
	}
}

// The list of sources has the read files with the digests that sha256sum prints. It is not part of the digest: the same
// tables under other names make the same dataset.
func TestSources(t *testing.T) {
	workplace(t)
	r := request()
	run(t, r)
	write(t, "renamed.csv", ownSplit)
	r.Samples, r.Out = "renamed.csv", "data/renamed"
	run(t, r)
	mine, renamed := must1(samples.Open("data/mine")), must1(samples.Open("data/renamed"))
	if a, b := must1(mine.Digest(0)), must1(renamed.Digest(0)); a != b {
		t.Errorf("digests %s and %s of the same tables", a, b)
	}
	sources := must1(Sources(renamed))
	sum := sha256.Sum256([]byte(ownSplit))
	if len(sources) != 2 || sources[0].Role != "samples" || sources[0].Name != "renamed.csv" ||
		sources[0].SHA256 != hex.EncodeToString(sum[:]) || sources[1].Name != "edges.csv" {
		t.Errorf("sources %+v", sources)
	}
	jobstest.WantText(t, must1(Origin(renamed, load(t, "data/renamed", 0))), `4 samples of 4 features, 2 edges`,
		`labels by column "status"`, "renamed.csv (SHA-256 "+hex.EncodeToString(sum[:])[:12], "edges.csv (SHA-256 ")
	must(t, os.Remove("data/mine/"+samples.SourcesFile)) // as after an early import, which wrote no list
	if sources, err := Sources(mine); sources != nil || err != nil {
		t.Errorf("%v, %v without a list", sources, err)
	}
}
