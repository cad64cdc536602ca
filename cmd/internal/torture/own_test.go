package torture

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"graphda/cmd/internal/command"
	"graphda/io/seal/sealtest"
	"graphda/jobs/simulate/simulatetest"
)

// formatsOfTheField returns, by name, files of samples x in the biological formats that import reads.
func formatsOfTheField(t *testing.T, x [][]float64) map[string]string {
	var gct, names, rows, labels, sif, edges, xml, gmt strings.Builder
	fmt.Fprintf(&gct, "#1.2\n%d\t%d\nName\tDescription", genes, len(x))
	values := mat.NewDense(len(x), genes, nil)
	labels.WriteString("id,y\n")
	for i := range x {
		fmt.Fprintf(&gct, "\tS%d", i)
		fmt.Fprintf(&rows, "S%d\n", i)
		fmt.Fprintf(&labels, "S%d,%d\n", i, 1-2*(i%2))
	}
	xml.WriteString(`<?xml version="1.0"?><graphml><key id="w" for="edge" attr.name="cost"/><graph>`)
	for j := range genes {
		fmt.Fprintf(&gct, "\n%s\tna", gene(j))
		fmt.Fprintf(&names, "%s\n", gene(j))
		fmt.Fprintf(&xml, `<node id="%s"/>`, gene(j))
		for i := range x {
			fmt.Fprintf(&gct, "\t%v", x[i][j])
			values.Set(i, j, x[i][j])
		}
		if j+1 < genes {
			fmt.Fprintf(&sif, "%s\tpp\t%s\n", gene(j), gene(j+1))
			fmt.Fprintf(&edges, "%s %s %v\n", gene(j), gene(j+1), 1+float64(j)/7)
			fmt.Fprintf(&xml, `<edge source="%s" target="%s"><data key="w">1.5</data></edge>`, gene(j), gene(j+1))
			fmt.Fprintf(&gmt, "set%d\tna\t%s\t%s\n", j, gene(j), gene(j+1))
		}
	}
	return map[string]string{"field.gct": gct.String() + "\n", "field.npy": string(simulatetest.NPY(t, values)), "field.columns.txt": names.String(),
		"field.rows.txt": rows.String(), "labels.csv": labels.String(), "net.sif": sif.String(), "net.edges": edges.String(),
		"net.graphml": xml.String() + "</graph></graphml>", "sets.gmt": gmt.String()}
}

// own makes, once, a folder with a user's own data: a dataset, a model of it, and streams of samples.
func own(t *testing.T) (dir string) {
	t.Helper()
	built(t)
	dir = filepath.Join(programs, "own")
	makeOwn.Do(func() {
		samples, edges, _, _, _, x := madeUp()
		write(t, filepath.Join(dir, "s.csv"), samples.csv(t, ','))
		write(t, filepath.Join(dir, "e.csv"), edges.csv(t, ','))
		in(t, dir, "gdrun", words(ownImport+"--out data")...).must(t)
		in(t, dir, "gdrun", words(tune)...).must(t)
		var csv, objects strings.Builder
		csv.WriteString("y")
		for j := range genes {
			csv.WriteString("," + gene(j))
		}
		for i, row := range x {
			fmt.Fprintf(&csv, "\n%d", 1-2*(i%2))
			fmt.Fprintf(&objects, `{"y":%d`, 1-2*(i%2))
			for j, v := range row {
				fmt.Fprintf(&csv, ",%v", v)
				fmt.Fprintf(&objects, `,"%s":%v`, gene(j), v)
			}
			objects.WriteString("}\n")
		}
		write(t, filepath.Join(dir, "stream.csv"), []byte(csv.String()+"\n"))
		write(t, filepath.Join(dir, "stream.ndjson"), []byte(objects.String()))
		in(t, dir, "gdrun", words(learn+"stream.csv")...).must(t)
	})
	if t.Failed() {
		t.FailNow()
	}
	return dir
}

var makeOwn sync.Once

// Commands on a user's own data. Their output is in the folder out or in the file live.parquet.
const (
	tune      = "tune data --method graphda --passes 1 -j 1 --out out"
	learn     = "learn --model live.parquet --from out/model.parquet --every 7 --samples "
	ownImport = "import --samples s.csv --edges e.csv --drop status "
	ask       = "predict --model out/model.parquet --out p.csv --samples "
)

// place copies the folder of own without the given output files.
func place(t *testing.T, without ...string) (dir string) {
	t.Helper()
	base := own(t)
	dir = t.TempDir()
	copyTree(t, base, dir)
	for _, name := range without {
		must(t, os.RemoveAll(filepath.Join(dir, name)))
	}
	return dir
}

func text(t *testing.T, dir, name string) string { return string(read(t, filepath.Join(dir, name))) }

// If a stream is cut anywhere, its whole samples are learned, and the rest of it leads to the same model. If
// samples to predict are cut, they are refused, except for a cut between two samples.
func TestCuts(t *testing.T) {
	base := own(t)
	cases(t, 200, 3, func(t *testing.T, number int, rng *rand.Rand) string {
		dir := place(t, "live.parquet")
		name := []string{"stream.csv", "stream.ndjson", "predict"}[number%3]
		if name == "predict" {
			return cutSamples(t, dir, rng)
		}
		whole := read(t, filepath.Join(dir, name))
		at := rng.IntN(len(whole))
		write(t, filepath.Join(dir, name), whole[:at])
		o := in(t, dir, "gdrun", words(learn+name)...)
		write(t, filepath.Join(dir, name), whole)
		in(t, dir, "gdrun", words(learn+name)...).must(t)
		if text(t, dir, "live.parquet") != text(t, base, "live.parquet") {
			t.Errorf("%s cut at byte %d: with the rest of it the model is another", name, at)
		}
		return name + ": the part " + done(o.code == 0)
	})
}

// cutSamples predicts samples from a table that is cut.
func cutSamples(t *testing.T, dir string, rng *rand.Rand) string {
	whole := read(t, filepath.Join(dir, "stream.csv"))
	in(t, dir, "gdrun", words(ask+"stream.csv")...).must(t)
	want := text(t, dir, "p.csv")
	at := 1 + rng.IntN(len(whole)-1)
	if rng.IntN(4) == 0 {
		at = bytes.LastIndexByte(whole[:at], '\n') + 1
	}
	must(t, os.Remove(filepath.Join(dir, "p.csv")))
	write(t, filepath.Join(dir, "cut.csv"), whole[:at])
	o := in(t, dir, "gdrun", words(ask+"cut.csv")...)
	switch {
	case o.code == 0 && (at == 0 || whole[at-1] != '\n'):
		t.Errorf("WRONG: samples cut at byte %d, within one, are predicted", at)
	case o.code == 0 && !strings.HasPrefix(want, text(t, dir, "p.csv")):
		t.Errorf("WRONG: samples cut at byte %d are predicted otherwise", at)
	}
	return "predict: " + done(o.code == 0)
}

// bomb returns a gzip file with a head and then 300 times some text. The file holds most of the text only once,
// compressed.
func bomb(head, text string) func(t *testing.T) []byte {
	return func(t *testing.T) []byte {
		member := sealtest.Gzip([]byte(strings.Repeat(text, 10<<20/len(text))))
		return append(sealtest.Gzip([]byte(head)), bytes.Repeat(member, 300)...)
	}
}

// repeated returns a text whose middle is repeated n times.
func repeated(begin, middle string, n int, end string) func(*testing.T) []byte {
	return func(*testing.T) []byte { return []byte(begin + strings.Repeat(middle, n) + end) }
}

// A mess is a file or a stream that takes long to read, or claims or unpacks to more than any memory holds.
// commands read it.
type mess struct {
	name, says string
	commands   []string
	content    func(t *testing.T) []byte
}

var (
	asSamples = []string{"inspect FILE", "import --samples FILE --edges e.csv --out out2",
		"predict --model out/model.parquet --samples FILE"}
	asEdges = []string{"import --samples s.csv --drop status --out out2 --edges FILE"}
	toLearn = []string{learn + "FILE"}
)

// Ordinary runs use the quick messes 0 to 2, 7, 9, 11 and 12.
var messes = []mess{
	{"quote.csv", "", asSamples[1:2], repeated("y,a\n1,\"", "1,2\n", 2<<20, "")},
	{"net.graphml.gz", "unpacks to more than", asEdges, bomb("<graphml><graph>", "<desc>a</desc>")},
	{"net.sif.gz", "unpacks to more than", asEdges, bomb("<graphml><graph>", "<node id='a'/>")},
	{"zeros.npy", "", asSamples, bomb("\x93NUMPY\x01\x00", "\x00")},
	{"line.csv.gz", "", asSamples, bomb("y,a,b\n", "0,0,")},
	{"commas.csv", "", asSamples, repeated("y,a,b\n", ",", 30<<20, "\n")},
	{"rows.gct.gz", "", asSamples, bomb("#1.2\n1000000000\t2\nName\tDescription\tA\tB\n", "g\td\t0\t0\n")},
	{"rows.csv.gz", "", asSamples, bomb("y,a,b\n", "0,0,0\n")},
	{"line.csv", "", toLearn, repeated("", "1,", 70<<20, "")},
	{"b.graphml", "", asEdges, func(*testing.T) []byte {
		b := []byte("<graphml>")
		for i := range 20_000 {
			b = fmt.Appendf(b, `<key id="k%d" for="edge"/>`, i)
		}
		return append(b, "<graph>"+strings.Repeat("<edge source='a' target='b'/>", 100_000)+"</graph></graphml>"...)
	}},
	{"line.ndjson", "", toLearn, repeated("{", "[", 70<<20, "")},
	{"b.graphml.gz", "", asEdges, bomb("<graphml><graph>", "<a>")},
	{"deep.ndjson", "", toLearn, repeated("", "{\"a\":", 1<<20, "\n")},
	{"quote.csv", "", toLearn, func(t *testing.T) []byte {
		return append(read(t, filepath.Join(own(t), "stream.csv")), "1,\""+strings.Repeat(strings.Repeat("0,", 30)+"\n", 100_000)...)
	}},
}

// Each mess is refused in one line that names it, in little memory and time.
func TestMesses(t *testing.T) {
	own(t)
	cases(t, len(messes), 4, func(t *testing.T, number int, _ *rand.Rand) string {
		b := messes[number]
		dir := place(t)
		write(t, filepath.Join(dir, b.name), b.content(t))
		for _, command := range b.commands {
			o := in(t, dir, "gdrun", words(strings.ReplaceAll(command, "FILE", b.name))...)
			if o.code == 0 || !strings.Contains(o.last(), b.name) || !strings.Contains(o.last(), b.says) {
				t.Errorf("%s: exit code %d, want a line that names the file and says %q: %s", o.line, o.code, b.says, short(o.last()))
			}
		}
		return b.name + ": refused"
	})
}

// outputs lists commands that write, each with one of its files.
var outputs = []struct{ args, file string }{
	{tune, "out/features.csv"}, {learn + "stream.csv", "live.parquet"},
	{"confidence data --s 3 --f 3 --draws 1 --passes 1 -j 1 --out c.csv", "c.csv"},
}

// If the reader of printed output exits early, or there is no space for it, the requested files are still written.
func TestClosedPipes(t *testing.T) {
	base := own(t)
	sinks := []string{"| true", "| head -c 1 > one", "| head -1 > one", "> /dev/full"}
	cases(t, len(sinks)*len(outputs), 4, func(t *testing.T, number int, _ *rand.Rand) string {
		c, sink := outputs[number%len(outputs)], sinks[number/len(outputs)]
		dir := place(t, c.file, "out/model.parquet.keep")
		if c.file == "out/features.csv" {
			must(t, os.RemoveAll(filepath.Join(dir, "out")))
		}
		program := exec.Command("sh", "-c", filepath.Join(programs, "gdrun")+" "+c.args+" 2> notes "+sink+"; exit 0")
		program.Dir = dir
		out, err := program.CombinedOutput()
		if err != nil {
			t.Errorf("%s %s: %v: %s", c.args, sink, err, out)
		}
		o := outcome{line: c.args + " " + sink, stderr: text(t, dir, "notes")}
		if trace := o.trace(); trace != "" {
			t.Errorf("%s: %q in %s", o.line, trace, short(o.stderr))
		}
		if c.file == "live.parquet" { // the next run learns what was not learned because the reader left early
			in(t, dir, "gdrun", words(c.args)...).must(t)
		}
		if _, err := os.Stat(filepath.Join(dir, c.file)); err != nil {
			t.Errorf("%s: %v", o.line, err)
		} else if c.file != "c.csv" && text(t, dir, c.file) != text(t, base, c.file) {
			t.Errorf("%s: %s is another", o.line, c.file)
		}
		if c.file == "out/features.csv" && text(t, dir, "out/model.parquet") != text(t, base, "out/model.parquet") {
			t.Errorf("%s: the model is another", o.line)
		}
		return c.file + " " + sink
	})
}

// After a logout or the end of a job at any time, the same command continues and writes the same files.
func TestHangUp(t *testing.T) {
	base := own(t)
	cases(t, 60, 2, func(t *testing.T, number int, rng *rand.Rand) string {
		c := outputs[number%2]
		dir := place(t, "out/features.csv", "live.parquet")
		if number%2 == 0 {
			must(t, os.RemoveAll(filepath.Join(dir, "out")))
		}
		kind := []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGKILL}[rng.IntN(3)]
		stopped := 0
		for range 3 {
			ctx, stop := context.WithTimeout(context.Background(), longest)
			program := exec.CommandContext(ctx, filepath.Join(programs, "gdrun"), words(c.args)...)
			var notes bytes.Buffer
			program.Dir, program.Stderr = dir, &notes
			must(t, program.Start())
			time.Sleep(time.Duration(rng.IntN(400)) * time.Millisecond)
			_ = program.Process.Signal(kind)
			_ = program.Wait()
			stop()
			o := outcome{line: "gdrun " + c.args, code: program.ProcessState.ExitCode(), stderr: notes.String()}
			if o.trace() != "" || kind == syscall.SIGTERM && o.code != 0 && o.code != command.Stopped && o.code != -1 {
				t.Errorf("%s: %v: exit code %d: %s", o.line, kind, o.code, short(o.stderr))
			}
			if o.code != 0 {
				stopped++
			}
		}
		in(t, dir, "gdrun", words(c.args)...).must(t)
		files := []string{c.file}
		if number%2 == 0 {
			files = append(files, "out/model.parquet")
		}
		for _, name := range files {
			if text(t, dir, name) != text(t, base, name) {
				t.Errorf("stopped %d times by %v, %s is another", stopped, kind, name)
			}
		}
		return fmt.Sprintf("%s: %v", c.file, kind)
	})
}
