package importing

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// adviceTables writes 20 samples of four features, both as rows and as columns, with labels inside
// and in a separate file.
func adviceTables(t *testing.T, id string) {
	t.Helper()
	t.Chdir(t.TempDir())
	rows, labels := "id,y,a,b,c,d\n", "id,group,days,died,grade,odd\n"
	columns := []string{"gene", "y", "a", "b", "c", "d"}
	for i := range 20 {
		name, values := fmt.Sprintf(id, 10+i), []int{i % 2, i, i * i % 7, 20 - i, i * i % 11}
		row := name
		columns[0] += "," + name
		for j, v := range values {
			row += fmt.Sprint(",", v)
			columns[j+1] += fmt.Sprint(",", v)
		}
		rows += row + "\n"
		labels += fmt.Sprintf("%s,%s,%d,%d,%d,NA\n", name, []string{"Her2", "LumA", "Basal"}[i%3], 100+i, i%2, i%3)
	}
	write(t, "rows.csv", rows)
	write(t, "alone.csv", strings.NewReplacer("id,y,", "id,", ",0,", ",", ",1,", ",").Replace(rows))
	write(t, "columns.csv", joined(columns))
	write(t, "labels.csv", labels)
	write(t, "edges.csv", "source,target\na,b\nb,c\nc,d\n")
}

// If most nodes are features, notes do not claim that the other nodes have names of another system. Connectors are
// counted in the largest part and in all.
func TestNotesOfMatchedNetwork(t *testing.T) {
	adviceTables(t, "S%d")
	samples := strings.NewReplacer("id,y,a,b,c,d\n", "id,y,7,8,9,10\n").Replace(read(t, "rows.csv"))
	write(t, "rows.csv", samples)
	for _, test := range []struct{ edges, want, not string }{
		{"7,8\n8,9\n9,10\nhsa-miR-21,7\n", "hsa-miR-21", "systems"},
		{"7,8\n8,9\n9,10\nx7,7\n", "x7", "systems"},
	} {
		write(t, "edges.csv", "source,target\n"+test.edges)
		r := tableRequest()
		r.Samples, r.Edges.Path, r.Out = "rows.csv", "edges.csv", "data/m"
		notes := strings.Join(run(t, r).Notes, "\n")
		if !strings.Contains(notes, test.want) || strings.Contains(notes, test.not) {
			t.Errorf("%s, want %s without %s", notes, test.want, test.not)
		}
	}
	write(t, "edges.csv", "source,target\n7,x\nx,8\nx,9\n9,y\n10,z\nz,10\nw,10\nw,11\n")
	write(t, "rows.csv", strings.Replace(samples, "id,y,7,8,9,10\n", "id,11,7,8,9,10\n", 1))
	r := tableRequest()
	r.Samples, r.Label, r.Labels, r.Edges.Path, r.Out, r.Connectors = "rows.csv", "died", "labels.csv", "edges.csv", "data/c", true
	r.MinMatched = 0.1
	if got := run(t, r); got.Largest != 3 || got.Joining != 1 || got.Connectors != 2 {
		t.Errorf("%d features in the largest part, joined by %d of %d connectors", got.Largest, got.Joining, got.Connectors)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}
