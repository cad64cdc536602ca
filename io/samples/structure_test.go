package samples

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/graph"
	"graphda/io/seal"
)

// LoadStructure gives what Load gives, also where a trial has files of its own, and opens no
// samples.
func TestLoadStructure(t *testing.T) {
	dir := small(t)
	must(t, WriteFeatures(filepath.Join(dir, "features.parquet"), &Features{
		Names: smallNames, Truth: []float64{0, -2, 1}, Row: []float64{0, 1, 2}, Col: []float64{2, 1, 0}, Groups: [][]int32{{0, 2}, {1}},
	}))
	own := filepath.Join(dir, "trial-01")
	writeSmallSamples(t, own)
	frame{edges, `[{"source": 2, "target": 0, "cost": 9}]`}.write(t, filepath.Join(own, "graph.arrow"))
	d := must1(Open(dir))
	for trial, want := range [][]graph.Edge{{{U: 0, V: 1}, {U: 2, V: 1}}, {{U: 2, V: 0}}} {
		whole := must1(d.Load(trial, AnyLabels))
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		d.mem = mem
		f, g, err := d.LoadStructure(trial)
		must(t, err)
		mem.AssertSize(t, 0)
		if e := g.Edges(); !slices.Equal(e, want) || !slices.Equal(e, whole.Graph.Edges()) {
			t.Errorf("trial %d has edges %v, want %v", trial, e, want)
		}
		if !slices.Equal(f.Truth, []float64{0, -2, 1}) || !slices.Equal(f.Names, smallNames) || !slices.Equal(f.Row, []float64{0, 1, 2}) ||
			!slices.Equal(f.Col, []float64{2, 1, 0}) || len(f.Groups) != 2 || !slices.Equal(f.Groups[0], []int32{0, 2}) || f.X != nil {
			t.Errorf("trial %d has features %+v", trial, f)
		}
	}
	must(t, os.WriteFile(filepath.Join(own, "samples.parquet"), []byte("no table"), 0o666))
	if _, _, err := d.LoadStructure(1); err != nil {
		t.Errorf("with samples that cannot be read: %v", err)
	}
	if _, _, err := d.LoadStructure(7); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no trial: %v", err)
	}
	damage(t, filepath.Join(dir, "features.parquet"), 100)
	if _, _, err := d.LoadStructure(0); !errors.Is(err, seal.ErrDamaged) {
		t.Errorf("of damaged features: %v", err)
	}
}
