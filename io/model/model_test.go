package model

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/io/arrowio"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/io/seal/sealtest"
)

var must = sealtest.Must

func example() *Model {
	return &Model{
		Features: []string{"TP53", "1-Mar", "007"},
		Weights: []Weights{{Ridge, []float64{0.1, 0, -1e-300}, 1.0 / 3, -2.0 / 7}, {W, []float64{1, 0, 2}, -2, 0},
			{Wbar, []float64{1, 2, 3}, 0, 0}},
		Scaling:   &samples.Scaling{Mean: []float64{1, 2, 3}, Deviation: []float64{1, 0, 0.5}},
		Frequency: []float64{1, 0, 0.05}, Median: []float64{-1, 1e300, 7},
		Loss: "logistic", Negative: "control", Positive: "case",
		Made: map[string]string{versionKey: seal.Version, "method": "graphda", "s": "26"},
	}
}

// exampleState has an edge with a later index at an earlier node, and values with unusual bits.
func exampleState(t *testing.T) *State {
	g := must1(graph.New(3, []graph.Edge{{U: 2, V: 1}, {U: 0, V: 2}, {U: 0, V: 1}}, []float64{0.1, 0, 1.0 / 3}))
	return &State{
		Method: "graphda", Parameters: map[string]string{"gamma": "3", "search": "lazy"}, Center: 0.1, Scale: 1.0 / 3,
		Graph: g, Groups: [][]int32{{0, 1}, {1, 2}}, Truth: []int32{0, 2},
		Vectors: map[string][]float64{"w": {math.Copysign(0, -1), 5e-324, 1e300}},
		Sets:    map[string][]int32{"support": {}, "head": {0, 1, 2}},
		Numbers: map[string]float64{"loss": 2.0 / 3, "samples": 1 << 40},
		Learned: 12, Stream: Stream{Samples: 7, First: [16]uint32{1<<31 + 5, 0, 7, 8, 9, 10, 11}, Digest: 3},
	}
}

func TestRoundTrip(t *testing.T) {
	plain := example()
	plain.Scaling, plain.Frequency, plain.Weights = nil, nil, plain.Weights[1:2]
	plain.Loss, plain.Negative, plain.Positive = "least_squares", "", ""
	learned, bare := example(), example()
	learned.State = exampleState(t)
	bare.State = exampleState(t)
	bare.State.Graph, bare.State.Groups, bare.State.Truth = nil, nil, nil
	for _, m := range []*Model{example(), plain, learned, bare} {
		path := filepath.Join(t.TempDir(), "model.parquet")
		must(t, m.Write(path))
		got := must1(Read(path))
		if !reflect.DeepEqual(got, m) {
			t.Errorf("read\n%+v, want\n%+v", got, m)
		}
		if m.State != nil && !math.Signbit(got.State.Vectors["w"][0]) {
			t.Error("-0 is read as 0")
		}
	}
}

// TestTarget checks labels for two classes, and for one class and all other labels.
func TestTarget(t *testing.T) {
	two, rest := Model{Positive: "a", Negative: "b"}, Model{Positive: "a", Negative: Rest("a")}
	for label, want := range map[string][2]float64{"a": {1, 1}, "b": {-1, -1}, "c": {0, -1}, "A": {0, 0}, "": {0, 0}} {
		for k, m := range []Model{two, rest} {
			if got, err := m.Target(label); got != want[k] || (err == nil) != (want[k] != 0) {
				t.Errorf("%q of %q and %q: %v, %v", label, m.Positive, m.Negative, got, err)
			}
		}
	}
}

func TestRefusesStates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.parquet")
	for _, test := range map[string]struct {
		spoil func(s *State)
		want  string
	}{
		"scale":    {func(s *State) { s.Scale = 0 }, "a scale of the targets of 0, want more than 0"},
		"stream":   {func(s *State) { s.Stream.Samples = -1 }, "12 and -1 samples learned, want at least 0"},
		"infinite": {func(s *State) { s.Vectors["w"][1] = math.Inf(1) }, "is +Inf, want a finite number"},
		"nan":      {func(s *State) { s.Numbers["loss"] = math.NaN() }, "loss is NaN"},
		"short":    {func(s *State) { s.Vectors["w"] = s.Vectors["w"][1:] }, "2 values of w for 3 features"},
	} {
		m := example()
		m.State = exampleState(t)
		test.spoil(m.State)
		err := m.Write(path)
		if err == nil {
			_, err = Read(path)
		}
		sealtest.WantError(t, err, test.want)
	}
	lists := func(lists ...[]int32) [][]int32 { return lists }
	metadata := map[string]string{kindKey: "1", versionKey: seal.Version, lossKey: "logistic", "intercept_w": "1", stateKey: `{"method": "adam", "scale": 1}`}
	for _, test := range map[string]struct {
		columns []arrowio.ParquetColumn
		want    string
	}{
		"no such neighbour": {[]arrowio.ParquetColumn{arrowio.Lists(neighbourColumn, lists(nil, []int32{2}))}, "row 1"},
		"lack of costs": {[]arrowio.ParquetColumn{arrowio.Lists(neighbourColumn, lists([]int32{1}, nil)),
			arrowio.Lists(edgeColumn, lists([]int32{0}, nil)), arrowio.Lists(costColumn, make([][]float64, 2))},
			"has 1 neighbours, 1 edges and 0 costs"},
		"self-loop": {[]arrowio.ParquetColumn{arrowio.Lists(neighbourColumn, lists([]int32{0}, nil)),
			arrowio.Lists(edgeColumn, lists([]int32{0}, nil)), arrowio.Lists(costColumn, [][]float64{{1}, nil})},
			"is a self-loop"},
		"no such group": {[]arrowio.ParquetColumn{arrowio.Lists(groupColumn, lists([]int32{-1}, nil))}, "has group -1"},
		"an empty group": {[]arrowio.ParquetColumn{arrowio.Lists(groupColumn, lists([]int32{1 << 30}, nil))},
			"has 1 groups, but their numbers go up to 1073741824"},
		"no set": {[]arrowio.ParquetColumn{arrowio.Floats("set_support", []float64{0, 2})}, "is 2, want 0 or 1"},
	} {
		columns := append(test.columns, arrowio.Texts("feature", []string{"a", "b"}), arrowio.Floats(W, []float64{1, 2}))
		must(t, arrowio.WriteParquet(path, metadata, 2, columns...))
		sealtest.WantError(t, sealtest.Err(Read(path)), test.want)
	}
}

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	names, one := arrowio.Texts("feature", []string{"a", "b"}), []float64{1, 2}
	good := map[string]string{kindKey: "1", versionKey: seal.Version, lossKey: "logistic", "intercept_w": "1"}
	with := func(key, value string) map[string]string {
		m := maps.Clone(good)
		m[key] = value
		return m
	}
	for _, test := range map[string]struct {
		metadata map[string]string
		columns  []arrowio.ParquetColumn
		want     string
	}{
		"any table":    {nil, []arrowio.ParquetColumn{names}, "is not a model"},
		"no weights":   {good, []arrowio.ParquetColumn{names}, "has no column of weights; want ridge, w or wbar"},
		"no threshold": {with(positiveKey, "ill"), []arrowio.ParquetColumn{names, arrowio.Floats(W, one)}, `threshold_w = "", want a number`},
		"no intercept": {with("intercept_w", ""), []arrowio.ParquetColumn{names, arrowio.Floats(W, one)}, `intercept_w = "", want a number`},
		"twice":        {good, []arrowio.ParquetColumn{arrowio.Texts("feature", []string{"a", "a"}), arrowio.Floats(W, one)}, `is "a", but row 0 has the same value; want different values`},
		"half scaled":  {good, []arrowio.ParquetColumn{names, arrowio.Floats(W, one), arrowio.Floats("mean", one)}, "has only one of"},
		"numbered":     {good, []arrowio.ParquetColumn{arrowio.Floats("feature", one), arrowio.Floats(W, one)}, "want text"},
	} {
		path := filepath.Join(dir, "m.parquet")
		must(t, arrowio.WriteParquet(path, test.metadata, 2, test.columns...))
		sealtest.WantError(t, sealtest.Err(Read(path)), test.want)
	}
	path := filepath.Join(dir, "damaged.parquet")
	must(t, example().Write(path))
	data := must1(os.ReadFile(path))
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

// Another user may have written a model. Content that no training gives is refused.
func TestRefusesForged(t *testing.T) {
	sound := func() *Model {
		m := example()
		m.Covariates = &Covariates{Alone: []float64{1, 2, 3}, Ridge: []float64{1, 2, 3}, Terms: samples.Design{
			{Covariate: samples.Covariate{Name: "age", Number: true}, Mean: 50, Deviation: 9},
			{Covariate: samples.Covariate{Name: "sex"}, Levels: []string{"f", "m"}, Shares: []float64{0.3, 0.7}}}}
		m.Survival = &Survival{Time: "t", Event: "e", Is: "1", Censored: "0", Strata: "site", Baselines: []Baseline{
			{"a", []float64{1, 2}, []float64{0.5, 0.5}, 2}, {"b", nil, nil, 3}}}
		m.Trained = NewTrained(m.Features, [][8]byte{{2}, {1}})
		return m
	}
	path := filepath.Join(t.TempDir(), "m.parquet")
	must(t, sound().Write(path))
	must1(Read(path))
	for name, forge := range map[string]func(*Model){
		"have the same name for both classes": func(m *Model) { m.Negative = m.Positive },
		"covariate \"age\"":                   func(m *Model) { m.Covariates.Terms[0].Deviation = -9 },
		"twice":                               func(m *Model) { m.Covariates.Terms[1].Name = "age" },
		"a level":                             func(m *Model) { m.Covariates.Terms[1].Levels[0] = "m" },
		"number is negative":                  func(m *Model) { m.Covariates.Terms[1].Shares = []float64{-0.3, 1.3} },
		"add up to 1":                         func(m *Model) { m.Covariates.Terms[1].Shares[1] = 1e308 },
		"stratum \"a\"":                       func(m *Model) { m.Survival.Baselines[0].Hazard[0] = -1e308 },
		"does not ascend":                     func(m *Model) { m.Survival.Baselines[0].Last = 1 },
		"from 0":                              func(m *Model) { m.Survival.Baselines[1].Last = -1 },
		"or the stratum occurs twice":         func(m *Model) { m.Survival.Baselines[1].Stratum = "a" },
		"have 2 baselines":                    func(m *Model) { m.Survival.Strata = "" },
		"have 0 baselines":                    func(m *Model) { m.Survival.Baselines = nil },
		"is 5, want 0 to 1":                   func(m *Model) { m.Frequency[0] = 5 },
		"is -1, want 0 to 1":                  func(m *Model) { m.Frequency[2] = -1 },
		"training samples":                    func(m *Model) { slices.Reverse(m.Trained.Digests) },
	} {
		m := sound()
		forge(m)
		must(t, m.Write(path))
		sealtest.WantError(t, sealtest.Err(Read(path)), name)
	}
}

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }
