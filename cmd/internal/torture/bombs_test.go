package torture

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"graphda/jobs/simulate/simulatetest"
)

// bomb is a gzip file of 300 times some text, which begins with a head. Most of it stands there once, compressed.
func bomb(t *testing.T, head, text string) []byte {
	t.Helper()
	member := simulatetest.Gzip(t, []byte(strings.Repeat(text, 10<<20/len(text))))
	return append(simulatetest.Gzip(t, []byte(head)), bytes.Repeat(member, 300)...)
}

// Small files that say, or unpack to, what no memory holds are refused in one line that names them.
func TestBombs(t *testing.T) {
	built(t)
	dir := t.TempDir()
	samples, edges, _, _, _, _ := madeUp()
	write(t, filepath.Join(dir, "samples.csv"), samples.csv(t, ','))
	write(t, filepath.Join(dir, "edges.csv"), edges.csv(t, ','))
	commands := []string{"inspect FILE", "import --samples FILE --edges edges.csv --out new"}
	if full {
		in(t, dir, "gdrun", words("import --samples samples.csv --edges edges.csv --drop status --out data")...).must(t)
		in(t, dir, "gdrun", words("tune data --method l1-rda --out tuned")...).must(t)
		commands = append(commands, "predict --model tuned/model.parquet --samples FILE")
	}
	market := "%%MatrixMarket matrix coordinate real general\n1000000 1000000 "
	for name, content := range map[string][]byte{
		"rows.csv.gz": bomb(t, "y,a,b\n", "0,0,0\n"),
		"line.csv.gz": bomb(t, "y,a,b\n", "0,0,"),
		"rows.gct.gz": bomb(t, "#1.2\n1000000000\t2\nName\tDescription\tA\tB\n", "g\td\t0\t0\n"),
		"zeros.npy":   bomb(t, "\x93NUMPY\x01\x00", "\x00"),
		"claims.mtx":  []byte(market + "1000000000000\n"),
		"holds.mtx":   []byte(market + "3000000\n" + strings.Repeat("1 1 1\n", 3000000)),
		"commas.csv":  []byte("y,a,b\n" + strings.Repeat(",", 30<<20) + "\n"),
	} {
		if !full && name != "rows.csv.gz" && name != "claims.mtx" {
			continue
		}
		write(t, filepath.Join(dir, name), content)
		for _, command := range commands {
			o := in(t, dir, "gdrun", words(strings.ReplaceAll(command, "FILE", name))...)
			if o.code == 0 || !strings.Contains(o.last(), name) {
				t.Errorf("%s: exit code %d, %s", o.line, o.code, o.last())
			}
		}
	}
	for _, name := range []string{"net.sif.gz", "net.graphml.gz"} {
		write(t, filepath.Join(dir, name), bomb(t, "<graphml><graph>", "<node id='a'/>"))
		o := in(t, dir, "gdrun", words("import --samples samples.csv --drop status --out new --edges "+name)...)
		if o.code == 0 || !strings.Contains(o.last(), name+": ") || !strings.Contains(o.last(), "unpacks to more than") {
			t.Errorf("%s: exit code %d, %s", o.line, o.code, o.last())
		}
	}
}
