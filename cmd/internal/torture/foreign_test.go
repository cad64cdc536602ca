package torture

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/ipc"

	"graphda/io/seal/sealtest"
	"graphda/jobs/simulate/simulatetest"
)

// A foreign is a file of another program, with a command that reads it. The command's results are in out.csv, or
// in files below the folder out.
type foreign struct {
	path string
	args []string
	// tells reports whether the file itself reveals the damage. If it does, the command must refuse the file or read
	// the same content.
	tells func(whole, damaged []byte) bool
}

func always(_, _ []byte) bool            { return true }
func never(_, _ []byte) bool             { return false }
func resized(whole, damaged []byte) bool { return len(whole) != len(damaged) }
func cut(whole, damaged []byte) bool {
	return len(damaged) < len(whole) && bytes.HasPrefix(whole, damaged)
}

// tellsOf returns the function tells for a file's name.
func tellsOf(name string) func(whole, damaged []byte) bool {
	switch filepath.Ext(name) {
	case ".gz":
		return always // by the checksum
	case ".npy", "":
		return resized // by the dimensions in the header; IDX files have no extension
	case ".parquet", ".arrow", ".arrows":
		return cut // by the mark at the end
	}
	return never
}

// 800 damaged files of other programs never cause a stack trace, a program that hangs, or too much memory. If a
// file can reveal its damage, the program notices.
func TestForeign(t *testing.T) {
	base := filesOfOthers(t)
	files := foreignFiles()
	undisturbed := make([]lazy[map[string]string], len(files))
	cases(t, 800, 32, func(t *testing.T, number int, rng *rand.Rand) string {
		f := files[number%len(files)]
		dir := t.TempDir()
		copyTree(t, base, dir)
		path := filepath.Join(dir, f.path)
		whole := read(t, path)
		d := damage(rng, whole)
		write(t, path, d.content)
		end := f.kind() + ": refused"
		if got := f.run(t, dir, false); got != nil {
			want := undisturbed[number%len(files)].get(func() map[string]string {
				sound := t.TempDir()
				copyTree(t, base, sound)
				return f.run(t, sound, true)
			})
			end = f.kind() + ": same values"
			if !maps.Equal(got, want) {
				end = f.kind() + ": other values"
				if f.tells(whole, d.content) {
					t.Error("WRONG: other values are taken from a file that tells its damage")
					same(t, f.path, got, want)
				}
			}
		}
		if t.Failed() {
			t.Logf("%s: %s; gdrun %s", f.path, d.what, strings.Join(f.args, " "))
		}
		return end
	})
}

// kind returns the file's kind for the tally.
func (f *foreign) kind() string {
	name := filepath.Base(f.path)
	if ext := filepath.Ext(name); ext == "" {
		return "idx"
	} else if ext == ".gz" {
		return filepath.Ext(strings.TrimSuffix(name, ext)) + ".gz"
	} else {
		return ext
	}
}

// run runs the command and returns its results; nil if it refuses the file.
func (f *foreign) run(t *testing.T, dir string, must bool) map[string]string {
	t.Helper()
	o := in(t, dir, "gdrun", f.args...)
	if must {
		o.must(t)
	}
	if o.code == 0 {
		if _, err := os.Stat(filepath.Join(dir, "out.csv")); err == nil {
			return map[string]string{"out.csv": string(read(t, filepath.Join(dir, "out.csv")))}
		}
		got := contents(t, filepath.Join(dir, "out"))
		if cells, ok := got["plan.parquet"]; ok { // other files of a plan have estimated times
			return map[string]string{"plan.parquet": cells}
		}
		return got
	}
	folder, name := filepath.Split(filepath.Clean(f.path))
	named := strings.Contains(o.last(), name) || folder != "" && strings.Contains(o.last(), filepath.Base(folder))
	// If damage changes a name in an experiment, the error is about the changed name.
	if !named && filepath.Ext(f.path) != ".yaml" {
		t.Errorf("%s: the error does not name %s: %s", o.line, f.path, o.last())
	}
	return nil
}

// filesOfOthers makes a folder with all foreign files, undamaged.
func filesOfOthers(t *testing.T) (dir string) {
	t.Helper()
	built(t)
	dir = t.TempDir()
	put := func(name string, data []byte) { write(t, filepath.Join(dir, name), data) }
	samples, edges, weights, features, groups, x := madeUp()
	for name, f := range map[string]*frame{
		"samples": samples, "edges": edges, "weights": weights, "features": features, "groups": groups,
	} {
		put(name+".csv", f.csv(t, ','))
		put(name+".tsv", f.csv(t, '\t'))
		put(name+".csv.gz", sealtest.Gzip(f.csv(t, ',')))
		put(name+".arrow", f.arrow(t))
		put(name+".zstd.arrow", f.arrow(t, ipc.WithZstd()))
		put(name+".arrows", f.stream(t))
		for form := range parquetForms {
			put(name+"."+form+".parquet", f.parquet(t, form))
		}
	}
	for name, text := range formatsOfTheField(t, x) {
		put(name, []byte(text))
		if ext := filepath.Ext(name); ext != ".txt" {
			put(name+".gz", sealtest.Gzip([]byte(text)))
		}
	}
	listed := new(frame).add("split", samples.column("split")).add("y", samples.column("y")).list(x)
	put("lists/graph.arrow", edges.arrow(t))
	put("lists/features.parquet", features.parquet(t, "snappy"))
	put("lists/trial-00/samples.parquet", listed.parquet(t, "zstd"))
	put("wide/graph.parquet", edges.parquet(t, "plain"))
	put("wide/features.arrow", features.arrow(t))
	put("wide/trial-00/samples.arrow", samples.arrow(t))
	for _, name := range []string{"lists", "wide"} {
		put(name+".yaml", []byte(strings.ReplaceAll(userExperiment, "NAME", name)))
	}
	simulatetest.WriteMNIST(t, filepath.Join(dir, "raw"), simulatetest.Pictures()...)
	simulatetest.WriteKEGG(t, filepath.Join(dir, "raw"), simulatetest.KEGGFiles(t))
	return dir
}

const userExperiment = `name: mine
loss: logistic
datasets: [NAME]
checkpoints: [10, 20]
methods:
  - {method: graphda, gamma: [5, 20], s: 4}
  - {method: adam, alpha: [0.01, 0.1]}
reports:
  - {name: mine, kind: classification}
`

// foreignFiles lists all files with the commands that read them.
func foreignFiles() []foreign {
	var files []foreign
	add := func(path string, args string) {
		files = append(files, foreign{path, strings.Fields(strings.ReplaceAll(args, "FILE", path)), tellsOf(path)})
	}
	kinds := []string{".csv", ".tsv", ".csv.gz", ".arrow", ".zstd.arrow", ".arrows"}
	for _, form := range sortedKeys(parquetForms) {
		kinds = append(kinds, "."+form+".parquet")
	}
	for _, ext := range kinds {
		add("samples"+ext, "import --samples FILE --edges edges.csv --drop status --out out")
		add("edges"+ext, "import --samples samples.csv --edges FILE --drop y --label status --positive tumour --out out")
		add("edges"+ext, "project --edges FILE --weights weights.csv -s 4 --out out.csv")
		add("weights"+ext, "project --edges edges.csv --weights FILE -s 4 --out out.csv")
	}
	for _, ext := range []string{".csv", ".arrow", ".snappy.parquet"} {
		add("features"+ext, "import --samples samples.csv --edges edges.csv --features FILE --drop status --out out")
		add("groups"+ext, "import --samples samples.csv --edges edges.csv --groups FILE --drop status --out out")
	}
	for _, name := range []string{
		"lists/graph.arrow", "lists/features.parquet", "lists/trial-00/samples.parquet",
		"wide/graph.parquet", "wide/features.arrow", "wide/trial-00/samples.arrow",
	} {
		set, _, _ := strings.Cut(name, "/")
		add(name, fmt.Sprintf("cell --dataset %s --method graphda --set gamma=5,s=4 --weights out.csv", set))
		add(name, fmt.Sprintf("plan %s.yaml --data . --out out", set))
	}
	add("lists.yaml", "plan FILE --data . --out out")
	for _, kind := range []string{".gct", ".gct.gz", ".npy"} {
		add("field"+kind, "import --samples FILE --labels labels.csv --id id --edges edges.csv --out out")
	}
	for _, kind := range []string{".sif", ".graphml", ".edges"} {
		add("net"+kind, "import --samples samples.csv --edges FILE --drop status --out out")
		add("net"+kind+".gz", "import --samples samples.csv --edges FILE --drop status --out out")
	}
	add("sets.gmt", "import --samples samples.csv --edges edges.csv --groups FILE --drop status --out out")
	mnist := "simulate mnist --raw raw --digit 3 --trials 1 --train 10 --valid 4 --test 4 --out out"
	add("raw/mnist/train-images-idx3-ubyte.gz", mnist)
	add("raw/mnist/train-labels-idx1-ubyte", mnist)
	for _, name := range []string{"genes.csv", "edges.csv.gz", "pathways.csv.gz", "expr.npy"} {
		add("raw/kegg/"+name, "simulate kegg --raw raw --trials 1 --out out")
	}
	return files
}
