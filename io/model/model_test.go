package model

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"graphda/io/columnar"
	"graphda/io/samples"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func example() *Model {
	return &Model{
		Features: []string{"TP53", "1-Mar", "007"},
		Weights: []Weights{{Ridge, []float64{0.1, 0, -1e-300}, 1.0 / 3}, {W, []float64{1, 0, 2}, -2},
			{Wbar, []float64{1, 2, 3}, 0}},
		Scaling:   &samples.Scaling{Mean: []float64{1, 2, 3}, Deviation: []float64{1, 0, 0.5}},
		Frequency: []float64{1, 0, 0.05},
		Loss:      "logistic", Negative: "control", Positive: "case",
		Made: map[string]string{"method": "graphda", "s": "26"},
	}
}

func TestRoundTrip(t *testing.T) {
	plain := example()
	plain.Scaling, plain.Frequency, plain.Weights = nil, nil, plain.Weights[1:2]
	plain.Loss, plain.Negative, plain.Positive = "least_squares", "", ""
	for _, m := range []*Model{example(), plain} {
		path := filepath.Join(t.TempDir(), "model.parquet")
		must(t, m.Write(path))
		got, err := Read(path)
		must(t, err)
		if !reflect.DeepEqual(got, m) {
			t.Errorf("read\n%+v, want\n%+v", got, m)
		}
	}
}

// The score is that of the standardised features; those of weight 0 have no say, whatever they are.
func TestScore(t *testing.T) {
	m := example()
	x := make([]float64, 3)
	m.Scaling.Apply(x, []float64{3, 1e300, 4})
	if z := m.Find(W).Score(x); z != -2+2*1+2*2 {
		t.Errorf("score %v of %v", z, x)
	}
	if m.Find("b") != nil {
		t.Error("weights that are not there")
	}
}

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	names, one := columnar.Texts("feature", []string{"a", "b"}), []float64{1, 2}
	good := map[string]string{versionKey: version, lossKey: "logistic", "intercept_w": "1"}
	without := func(key string) map[string]string {
		m := map[string]string{}
		for k, v := range good {
			if k != key {
				m[k] = v
			}
		}
		return m
	}
	for name, test := range map[string]struct {
		metadata map[string]string
		columns  []columnar.Out
		want     string
	}{
		"any table":    {nil, []columnar.Out{names}, "is no model"},
		"no weights":   {good, []columnar.Out{names}, "has no column of weights: ridge, w or wbar"},
		"no intercept": {without("intercept_w"), []columnar.Out{names, columnar.Floats(W, one)}, `intercept_w = "", want a number`},
		"twice":        {good, []columnar.Out{columnar.Texts("feature", []string{"a", "a"}), columnar.Floats(W, one)}, `is "a", as in row 0`},
		"half scaled":  {good, []columnar.Out{names, columnar.Floats(W, one), columnar.Floats("mean", one)}, "without the other"},
		"numbered":     {good, []columnar.Out{columnar.Floats("feature", one), columnar.Floats(W, one)}, "want text"},
	} {
		path := filepath.Join(dir, "m.parquet")
		must(t, columnar.WriteParquet(path, test.metadata, 2, test.columns...))
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	path := filepath.Join(dir, "damaged.parquet")
	must(t, example().Write(path))
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)/3] ^= 1
	must(t, os.WriteFile(path, data, 0o666))
	if _, err := Read(path); err == nil {
		t.Error("a damaged model is read")
	}
	bad := example()
	bad.Frequency = bad.Frequency[:2]
	if err := bad.Write(filepath.Join(dir, "bad.parquet")); err == nil {
		t.Error("a model of two frequencies for three features is written")
	}
}
