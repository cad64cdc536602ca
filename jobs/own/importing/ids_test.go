package importing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"graphda/io/samples"
)

const idEdges = "source,target\nNAN,1-Mar\n007,1-Mar\n"

// idRows are samples of three odd genes with these texts in the place of %s.
func idRows(head string, ids ...string) string {
	rows := head + ",status,NAN,1-Mar,007\n"
	for i, id := range ids {
		rows += fmt.Sprintf("%s,%d,%d,%d,%d\n", id, i%2, i, i*i, 5-i)
	}
	return rows
}

func idsOf(t *samples.Trial) (all []string) {
	for _, b := range []samples.Block{t.Train, t.Valid, t.Test} {
		for i := range b.Rows() {
			all = append(all, fmt.Sprintf("%s=%v", b.IDs[i], b.Row(i)[0]))
		}
	}
	slices.Sort(all)
	return all
}

// A sample keeps its id through every draw, whatever it looks like, and so does a gene.
func TestIDs(t *testing.T) {
	odd := []string{"007", "NAN", "1-Mar", "1e5", "TRUE", "7"}
	for name, c := range map[string]struct {
		samples, id string
		want        []string
	}{
		"asked for":           {idRows("name", odd...), "name", odd},
		"named sample":        {idRows("Sample", odd...), "", odd},
		"an index":            {idRows("", odd...), "", odd},
		"an index read again": {idRows("Unnamed: 0", odd...), "", odd},
		"an index twice over": {idRows("", "0", "1", "2", "0", "1", "2"), "", []string{"1", "2", "3", "4", "5", "6"}},
		"none":                {strings.ReplaceAll(idRows("\x00", odd...), "\x00,", ""), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if c.want == nil {
				for _, id := range odd {
					c.samples = strings.Replace(c.samples, "\n"+id+",", "\n", 1)
				}
				c.want = []string{"1", "2", "3", "4", "5", "6"}
			}
			write(t, "samples.csv", c.samples)
			write(t, "edges.csv", idEdges)
			r := request()
			r.Positive, r.Drop, r.ID, r.Trials = "", nil, c.id, 2
			run(t, r)
			want := make([]string, len(c.want))
			for i, id := range c.want {
				want[i] = fmt.Sprintf("%s=%d", id, i)
			}
			slices.Sort(want)
			for trial := range 2 {
				got := load(t, r.Out, trial)
				if ids := idsOf(got); !slices.Equal(ids, want) {
					t.Errorf("trial %d: %q, want %q", trial, ids, want)
				}
				if !slices.Equal(got.Features.Names, []string{"NAN", "1-Mar", "007"}) || got.Graph.NumEdges() != 2 {
					t.Errorf("features %q, %d edges", got.Features.Names, got.Graph.NumEdges())
				}
			}
		})
	}
}
