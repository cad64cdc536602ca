package learners_test

import (
	"errors"
	"maps"
	"math"
	"slices"
	"testing"

	"graphda/io/seal/sealtest"
	"graphda/learners"
)

func lookup(tb testing.TB, name string) *learners.Method {
	tb.Helper()
	return must1(learners.Lookup(name))
}

var (
	must      = sealtest.Must
	wantError = sealtest.WantError
)

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }

func among(m *learners.Method, all map[string]float64) map[string]float64 {
	own := maps.Clone(all)
	maps.DeleteFunc(own, func(name string, _ float64) bool {
		_, err := m.Param(name)
		return err != nil
	})
	return own
}

func TestFill(t *testing.T) {
	got := must1(lookup(t, "graphda").Fill(map[string]float64{"s": 26, "gamma": 100, "max_iter": 30}))
	if want := []float64{100, 26, 1, 0.1, 30, 0, 0, 0.98, 1.5, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("values %v, want %v", got, want)
	}
}

// TestFillReportsEveryFault checks that several bad parameters give one error in one line.
func TestFillReportsEveryFault(t *testing.T) {
	given := map[string]float64{
		"s": 2.5, "components": 0, "omega": math.NaN(), "max_iter": math.Inf(1), "search": 3,
		"gama": 1, "beta": 2,
	}
	_, err := lookup(t, "graphda").Fill(given)
	wantError(t, err,
		"graphda: gamma is missing; want a number above 0; ",
		"s = 2.5, want a whole number of at least 1; ",
		"components = 0, want a whole number of at least 1; ",
		"omega = NaN, want a number of at least 0; ",
		"max_iter = +Inf, want a whole number of at least 0 and below 61; ",
		"search = 3, want one of paper, warm, lazy; ",
		`unknown parameter "beta"`,
		`unknown parameter "gama"`, `did you mean "gamma"?`)
	var fault *learners.ParamsError
	if !errors.As(err, &fault) || fault.Method != "graphda" {
		t.Errorf("%v is not a ParamsError of graphda", err)
	}
}

func TestParamRange(t *testing.T) {
	tests := []struct {
		param learners.Param
		want  string
	}{
		{learners.Param{}, "a number of at least 0"},
		{learners.Param{Min: 2, Above: true}, "a number above 2"},
		{learners.Param{Min: 1, Integer: true}, "a whole number of at least 1"},
		{learners.Param{Below: 1}, "a number of at least 0 and below 1"},
		{learners.Param{Min: -1, Above: true, Below: 1}, "a number above -1 and below 1"},
		{learners.Param{Words: []string{"a", "b"}}, "one of a, b"},
	}
	for _, test := range tests {
		if got := test.param.Range(); got != test.want {
			t.Errorf("the range of %+v is %q, want %q", test.param, got, test.want)
		}
	}
}

// TestParamBounds checks that values beyond the bounds are refused and values just inside are allowed.
func TestParamBounds(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		param       learners.Param
		least, most float64
	}{
		{learners.Param{}, 0, inf},
		{learners.Param{Min: 2, Above: true, Below: 3}, 2, 3},
		{learners.Param{Min: 1, Integer: true, Counts: true}, 1, 16},
		{learners.Param{Integer: true, Above: true, Below: 61}, 1, 60},
		{learners.Param{Integer: true, Below: 10, Counts: true}, 0, 9},
		{learners.Param{Words: []string{"a", "b"}}, 0, 1},
	} {
		p := &test.param
		least, most := p.Bounds(16)
		if least != test.least || most != test.most {
			t.Errorf("bounds of %s: %v and %v, want %v and %v", p.Range(), least, most, test.least, test.most)
		}
		step := 0.5
		if p.Integer || p.Words != nil {
			step = 1
		}
		if p.Check(least-step) == nil || p.Check(least+step) != nil {
			t.Errorf("%s is allowed below %v, or not above", p.Range(), least)
		}
		if !p.Counts && !math.IsInf(most, 1) && (p.Check(most+step) == nil || p.Check(most-step) != nil) {
			t.Errorf("%s is allowed above %v, or not below", p.Range(), most)
		}
	}
}

func TestParseAndFormat(t *testing.T) {
	number := learners.Param{Name: "lambda"}
	for v, text := range map[float64]string{0: "0", 0.1: "0.1", 1e-8: "1e-08", 3: "3", 1e21: "1e+21", 0.30000000000000004: "0.30000000000000004"} {
		if got := number.Format(v); got != text {
			t.Errorf("%v is written %q, want %q", v, got, text)
		}
		if got, err := number.Parse(text); err != nil || got != v {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "1,5", "NaN", "inf", "-1", "1e400", "0.1 "} {
		_, err := number.Parse(text)
		wantError(t, err, "lambda = ", "want a number of at least 0")
	}
	words := learners.Param{Name: "search", Words: []string{"paper", "other"}}
	for v, text := range words.Words {
		if got, err := words.Parse(text); err != nil || got != float64(v) || words.Format(got) != text {
			t.Errorf("%q is read as %v, %v and written %q", text, got, err, words.Format(float64(v)))
		}
	}
	for _, text := range []string{"", "0", "Paper"} {
		_, err := words.Parse(text)
		wantError(t, err, "search = ", "want one of paper, other")
	}
}

func TestSettingsGetPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a parameter that the method lacks does not panic")
		}
	}()
	learners.Settings{Method: lookup(t, "da-iht"), Values: []float64{7, 3}}.Get("lambda")
}

// TestCheckReportsEveryFault checks a problem without a graph and with too few features.
func TestCheckReportsEveryFault(t *testing.T) {
	m := lookup(t, "graphda")
	values := must1(m.Fill(map[string]float64{"gamma": 1, "s": 5}))
	err := m.Check(&learners.Problem{P: 4}, learners.Settings{Method: m, Values: values})
	wantError(t, err, "graphda: needs a network", "; s = 5, want at most the number of features, 4")
}
