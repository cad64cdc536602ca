package results

import (
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"graphda/io/seal"
)

func randomModels(seed uint64, n int) []Model {
	rng := rand.New(rand.NewPCG(seed, 2))
	ascending := func(low, high int) []int32 {
		var v []int32
		for i := low; i <= high; i++ {
			if rng.IntN(5) == 0 {
				v = append(v, int32(i))
			}
		}
		return v
	}
	sparse := func(p int) Sparse {
		s := Sparse{Index: ascending(0, p-1), Intercept: oddNumbers[rng.IntN(len(oddNumbers))]}
		for range s.Index {
			s.Value = append(s.Value, oddNumbers[rng.IntN(len(oddNumbers))]+rng.NormFloat64())
		}
		return s
	}
	models := make([]Model, n)
	for i := range models {
		m := &models[i]
		*m = Model{
			Cell: fmt.Sprintf("%064x", i), Dataset: "mnist-0", Trial: rng.IntN(20), Method: "graphda",
			Checkpoint: rng.IntN(60), P: rng.IntN(50),
		}
		m.W, m.Wbar = sparse(m.P), sparse(m.P)
		m.Mistakes, m.MistakesWbar = ascending(1, m.Checkpoint), ascending(1, m.Checkpoint)
		if i%3 == 0 {
			m.LargestNorm = rng.ExpFloat64()
			for range m.Checkpoint {
				m.Losses, m.LossesWbar = append(m.Losses, rng.ExpFloat64()), append(m.LossesWbar, rng.NormFloat64())
			}
		}
	}
	return models
}

func TestModelsRoundTrip(t *testing.T) {
	countMemory(t)
	path := filepath.Join(t.TempDir(), ModelsName(testTask))
	for _, n := range []int{0, 1, 50, 2*modelBatch + 100} {
		models := randomModels(uint64(n), n)
		must(t, WriteModels(path, models))
		first := must1(os.ReadFile(path))
		got := must1(ReadModels(path))
		wantSame(t, got, models)
		must(t, WriteModels(path, models))
		if second, _ := os.ReadFile(path); !reflect.DeepEqual(first, second) {
			t.Errorf("%d models made two different files", n)
		}
	}
	wantFiles(t, filepath.Dir(path), ModelsName(testTask))
}

func TestModelsHaveAColumnForEachField(t *testing.T) {
	leaves := 0
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		if typ.Kind() != reflect.Struct {
			leaves++
			return
		}
		for i := range typ.NumField() {
			walk(typ.Field(i).Type)
		}
	}
	walk(reflect.TypeFor[Model]())
	if leaves != len(modelColumns) {
		t.Errorf("%d columns for %d fields", len(modelColumns), leaves)
	}
}

func TestModelsRefused(t *testing.T) {
	countMemory(t)
	path := filepath.Join(t.TempDir(), "m.arrow")
	for name, m := range map[string]Model{
		"index past the end":    {P: 3, W: Sparse{Index: []int32{3}, Value: []float64{1}}},
		"negative index":        {P: 3, Wbar: Sparse{Index: []int32{-1}, Value: []float64{1}}},
		"index twice":           {P: 3, W: Sparse{Index: []int32{1, 1}, Value: []float64{1, 1}}},
		"unequal lengths":       {P: 3, W: Sparse{Index: []int32{1}}},
		"mistake 0":             {Checkpoint: 5, Mistakes: []int32{0}},
		"mistake past the end":  {Checkpoint: 5, MistakesWbar: []int32{6}},
		"losses of too few":     {Checkpoint: 5, Trace: Trace{Losses: []float64{1, 2}}},
		"mistakes descending":   {Checkpoint: 5, Mistakes: []int32{3, 2}},
		"method that is a seal": {Method: seal.Blank()},
	} {
		if err := WriteModels(path, []Model{{}, m}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%s: a file was written", name)
		}
	}
}

// A file of models that is swept away by the attempt that seals first is written again.
func TestModelsSwept(t *testing.T) {
	dir := t.TempDir()
	must(t, WriteShard(filepath.Join(dir, ShardName(testTask)), testInfo, testLayout, nil))
	path := filepath.Join(dir, ModelsName(testTask))
	swept := false
	err := writeAgainIfSwept(path, func(w io.Writer) error {
		if !swept {
			swept = true
			must(t, RemoveParts(dir, testTask))
		}
		_, err := io.WriteString(w, "text")
		return err
	})
	must(t, err)
	wantFiles(t, dir, ShardName(testTask), ModelsName(testTask))
	if _, err := ReadModels(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Errorf("%v, want %v", err, fs.ErrNotExist)
	}
}
