package online_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/online"
	"graphda/jobs/own/tuning"
	"graphda/jobs/plan"
	"graphda/learners"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// params has parameter values with which every method learns something.
var params = map[string]string{"alpha": "0.01", "lambda": "0.01", "gamma": "5", "rho": "0.001", "eta": "0.1", "s": "4", "q": "0.5",
	"search": "lazy"}

// grid writes a dataset. It returns a folder, the dataset in it, and the path for models.
func grid(t *testing.T) (dir, data, path string) {
	t.Helper()
	dir = jobstest.Folder(t, jobstest.Spec{})
	return dir, filepath.Join(dir, "grid"), filepath.Join(dir, "m.parquet")
}

func beginning(data string, m *learners.Method, loss learners.Loss) online.Beginning {
	b := online.Beginning{Dataset: data, Method: m.Name, Loss: loss.Name()}
	for _, p := range m.Params {
		if v, ok := params[p.Name]; ok {
			b.Params = append(b.Params, plan.Param{Name: p.Name, Value: v})
		}
	}
	return b
}

// lines returns feature names and the lines of a CSV stream with a dataset's features, without the header.
func lines(t *testing.T, data string, n int, seed uint64) (names []string, list []string) {
	t.Helper()
	features, _, err := must1(samples.Open(data)).LoadStructure(0)
	must(t, err)
	r := rand.New(rand.NewPCG(seed, 3))
	for range n {
		y := 2*r.IntN(2) - 1
		line := fmt.Sprint(y)
		for j := range features.Names {
			line += fmt.Sprintf(",%v", r.NormFloat64()+float64(y)*features.Truth[j])
		}
		list = append(list, line+"\n")
	}
	return features.Names, list
}

func csv(names, lines []string) string {
	return "y," + strings.Join(names, ",") + "\n" + strings.Join(lines, "")
}

func learn(t *testing.T, path, text string, change func(*online.Request)) (*online.Report, error) {
	t.Helper()
	req := online.Request{Model: path, Samples: strings.NewReader(text), Path: "s.csv", Label: "y", Every: 10}
	if change != nil {
		change(&req)
	}
	return online.Learn(context.Background(), req)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	return must1(os.ReadFile(path))
}

// Every method ends with the same file, whether it learns in one go, or is stopped each time the file is written
// and started again. The weights are the same as after one pass in memory.
func TestSameFile(t *testing.T) {
	dir, data, _ := grid(t)
	const n = 45
	names, list := lines(t, data, n, 1)
	r := rand.New(rand.NewPCG(7, 7))
	for _, m := range learners.Methods {
		for _, loss := range learners.Losses {
			begin := func(req *online.Request) { req.Begin = beginning(data, m, loss) }
			whole := filepath.Join(dir, m.Name+loss.Name()+".parquet")
			report := must1(learn(t, whole, csv(names, list), begin))
			if report.Samples != n || report.Classifies != loss.Classifies() || !(report.Loss > 0) {
				t.Errorf("%s: %+v", m.Name, report)
			}
			pieces := filepath.Join(dir, m.Name+loss.Name()+"-pieces.parquet")
			for at := 1 + r.IntN(9); ; at = min(at+r.IntN(20), n) {
				must1(learn(t, pieces, csv(names, list[:at]), func(req *online.Request) {
					if req.Every = 1 + r.IntN(7); r.IntN(2) == 0 || at < 10 {
						begin(req)
					}
				}))
				if at == n {
					break
				}
			}
			if !bytes.Equal(read(t, pieces), read(t, whole)) {
				t.Errorf("%s, %s: learned in pieces the file is another", m.Name, loss.Name())
			}
			wantWeights(t, whole, inMemory(t, data, m, loss, list))
		}
	}
}

// inMemory makes one pass over the lines.
func inMemory(t *testing.T, data string, m *learners.Method, loss learners.Loss, list []string) *learners.Learner {
	t.Helper()
	features, g, err := must1(samples.Open(data)).LoadStructure(0)
	must(t, err)
	settings := must1(plan.Settings(m.Name, beginning(data, m, loss).Params))
	pr := &learners.Problem{P: len(features.Names), Graph: g, Groups: features.Groups, Truth: features.Support()}
	l := must1(learners.NewWorkspace(pr).NewLearner(settings, loss))
	for _, line := range list {
		v := numbers(t, line)
		must(t, l.Learn(v[1:], v[0]))
	}
	return l
}

func numbers(t *testing.T, line string) (v []float64) {
	t.Helper()
	for field := range strings.SplitSeq(strings.TrimSpace(line), ",") {
		var x float64
		must1(fmt.Sscan(field, &x))
		v = append(v, x)
	}
	return v
}

func wantWeights(t *testing.T, path string, l *learners.Learner) {
	t.Helper()
	m := must1(model.Read(path))
	var average learners.Model
	l.Average(&average)
	for name, want := range map[string]*learners.Model{model.W: l.Model(), model.Wbar: &average} {
		got := m.Find(name)
		if !slices.Equal(got.W, want.W) || got.Intercept != want.Intercept {
			t.Errorf("%s: %s is not what a pass in memory learns", path, name)
		}
	}
}

// With Next, a second stream follows, even if the process is stopped within it and started again. Without Next the
// second stream is refused. So is the first stream if it has other samples or fewer.
func TestNext(t *testing.T) {
	dir, data, path := grid(t)
	whole := filepath.Join(dir, "whole.parquet")
	names, first := lines(t, data, 20, 1)
	_, second := lines(t, data, 20, 2)
	graphda := must1(learners.Lookup("graphda"))
	begin := func(req *online.Request) { req.Begin = beginning(data, graphda, learners.Logistic{}) }
	must1(learn(t, path, csv(names, first), begin))
	before := read(t, path)
	spoilt := slices.Clone(first)
	spoilt[12] = strings.Replace(spoilt[12], ".", ".5", 1)
	for text, want := range map[string]string{
		csv(names, second):                             "the first sample of s.csv is not the first sample of the last stream",
		csv(names, first[:19]):                         "s.csv ends after 19 samples, but ",
		csv(names, nil):                                "s.csv ends after 0 samples, but ",
		csv(names, append(spoilt, second...)):          "the first 20 samples of s.csv differ from the samples that ",
		csv(names, append(slices.Clone(first), "9\n")): "s.csv: line 22: has 1 fields, but the first line has 17",
	} {
		jobstest.WantError(t, jobstest.Err(learn(t, path, text, nil)), want)
		if !bytes.Equal(read(t, path), before) {
			t.Fatalf("the file has changed though: %s", want)
		}
	}
	next := func(req *online.Request) { req.Next = true }
	for _, at := range []int{7, 7, 13, 20, 20} {
		report := must1(learn(t, path, csv(names, second[:at]), next))
		if report.Samples != 20+at {
			t.Errorf("%d samples were learned, want %d", report.Samples, 20+at)
		}
	}
	// A new stream may begin with the same samples. The last stream without its end is not a new stream.
	for _, alike := range []int{1, 15} {
		before, again := read(t, path), filepath.Join(dir, "again.parquet")
		must(t, os.WriteFile(again, before, 0o666))
		other := append(slices.Clone(second[:alike]), first[:3]...)
		report := must1(learn(t, again, csv(names, other), next))
		want, err := learn(t, again, csv(names, other), next) // again, as after a crash
		must(t, err)
		if report.Samples != 40+len(other) || *want != *report {
			t.Errorf("%+v, then %+v, want %d samples both times", report, want, 40+len(other))
		}
	}
	for _, n := range []int{1, 15, 19} {
		_, err := learn(t, path, csv(names, second[:n]), next)
		if err == nil || !strings.Contains(err.Error(), "give the whole stream") || strings.Contains(err.Error(), "--next") {
			t.Errorf("the last stream's first %d samples: %v", n, err)
		}
	}
	if _, err := learn(t, path, csv(names, nil), next); err != nil {
		t.Errorf("nothing follows: %v", err)
	}
	must1(learn(t, whole, csv(names, append(slices.Clone(first), second...)), begin))
	a := must1(model.Read(path))
	b := must1(model.Read(whole))
	if a.State.Stream.Samples != 20 || b.State.Stream.Samples != 40 {
		t.Errorf("%d and %d samples of the last stream", a.State.Stream.Samples, b.State.Stream.Samples)
	}
	if b.State.Stream = a.State.Stream; !slices.Equal(a.Weights[0].W, b.Weights[0].W) || a.State.Numbers["loss"] != b.State.Numbers["loss"] {
		t.Error("two streams are not what one of both is")
	}
}

// Two sessions at once would lose each other's samples. So would a session whose file is replaced.
func TestAlone(t *testing.T) {
	_, data, path := grid(t)
	names, list := lines(t, data, 8, 1)
	begin := func(req *online.Request) { req.Begin = beginning(data, learners.Methods[0], learners.Logistic{}) }
	must1(learn(t, path, csv(names, list[:4]), begin))
	before := read(t, path)
	must1(learn(t, path, csv(names, list), func(req *online.Request) {
		req.Predicted = func(p *online.Prediction) error {
			if p.Sample > 5 {
				return nil
			}
			_, err := learn(t, path, csv(names, list), nil)
			if !errors.Is(err, seal.ErrHeld) || !strings.Contains(err.Error(), path+": another process is writing this file") {
				t.Errorf("a second session: %v", err)
			}
			return nil
		}
	}))
	whole := read(t, path)
	must(t, os.WriteFile(path, before, 0o666))
	_, err := learn(t, path, csv(names, list), func(req *online.Request) {
		req.Predicted = func(p *online.Prediction) error { return os.WriteFile(path, whole, 0o666) }
	})
	if err == nil || !strings.Contains(err.Error(), path+" was changed by another program") || !bytes.Equal(read(t, path), whole) {
		t.Errorf("a model that was replaced meanwhile: %v", err)
	}
}

// A model of gdrun tune continues as if the stream's samples came after its own, in the targets' original units.
// With Zero it begins from zero.
func TestFromTuned(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "grid")
	jobstest.WriteDataset(t, data, jobstest.Spec{Trials: 2, Targets: true})
	answer := must1(tuning.Tune(context.Background(), tuning.Request{Dataset: data, Methods: []string{"da-iht"}, Passes: 2}))
	tuned, path := filepath.Join(dir, "tuned.parquet"), filepath.Join(dir, "m.parquet")
	must(t, answer.Model.Write(tuned))
	names, list := lines(t, data, 12, 1)
	must1(learn(t, path, csv(names, list), func(req *online.Request) { req.Begin.From = tuned }))
	m := must1(model.Read(path))
	if m.Find(model.Ridge) != nil || m.Frequency != nil || m.Made[model.Found] != "" || answer.Model.Made[model.Found] == "" {
		t.Error("what the model was before it learned on is still in it")
	}
	state := answer.Model.State
	if state.Scale == 1 || state.Center == 0 {
		t.Errorf("targets of centre %v and scale %v test nothing", state.Center, state.Scale)
	}
	settings := must1(online.Settings(state))
	l := must1(learners.NewWorkspace(&learners.Problem{P: len(names), Graph: state.Graph}).NewLearner(settings, learners.LeastSquares{}))
	must(t, l.Restore(&learners.Snapshot{Vectors: state.Vectors, Sets: state.Sets, Numbers: state.Numbers}))
	x := make([]float64, len(names))
	for _, line := range list {
		v := numbers(t, line)
		m.Scaling.Apply(x, v[1:])
		must(t, l.Learn(x, (v[0]-state.Center)/state.Scale))
	}
	for j, w := range l.Model().W {
		if got, want := m.Find(model.W).W[j], state.Scale*w; got != want {
			t.Errorf("weight %v of %s, want %v", got, names[j], want)
		}
	}
	if got := int(m.State.Numbers["samples"]); got != l.Samples() || m.State.Learned != len(list) {
		t.Errorf("%d rounds and %d samples, want %d and %d", got, m.State.Learned, l.Samples(), len(list))
	}
	zero := filepath.Join(dir, "zero.parquet")
	must1(learn(t, zero, csv(names, list), func(req *online.Request) { req.Begin = online.Beginning{From: tuned, Zero: true} }))
	if m = must1(model.Read(zero)); m.State.Numbers["samples"] != float64(len(list)) {
		t.Errorf("%v rounds from zero", m.State.Numbers["samples"])
	}
	for _, other := range []online.Beginning{{From: tuned, Zero: true}, {From: zero}} {
		_, err := learn(t, path, csv(names, list), func(req *online.Request) { req.Begin = other })
		jobstest.WantError(t, err, "its samples before the stream differ")
	}
	must1(learn(t, path, csv(names, list), func(req *online.Request) { req.Begin.From = tuned }))
}

// If the context ends, the file has everything that was learned.
func TestStops(t *testing.T) {
	_, data, path := grid(t)
	names, list := lines(t, data, 1, 1)
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	n := 0
	report, err := online.Learn(ctx, online.Request{Model: path, Begin: beginning(data, learners.Methods[0], learners.Logistic{}),
		Samples: strings.NewReader(csv(names, slices.Repeat(list, 1000))), Path: "s", Label: "y", Every: 1 << 30,
		Predicted: func(*online.Prediction) error {
			if n++; n == 100 {
				cancel(enough)
			}
			return nil
		}})
	if !errors.Is(err, executor.ErrStopped) || !errors.Is(err, enough) || report.Samples != n {
		t.Errorf("%v after %+v, %d predictions", err, report, n)
	}
	m := must1(model.Read(path))
	if m.State.Learned != n {
		t.Errorf("the file has learned %d of %d samples", m.State.Learned, n)
	}
}

func TestRefuses(t *testing.T) {
	dir, data, path := grid(t)
	names, list := lines(t, data, 3, 1)
	adam := beginning(data, learners.Methods[0], learners.Logistic{})
	must1(learn(t, path, csv(names, list), func(req *online.Request) { req.Begin = adam }))
	plain := filepath.Join(dir, "plain.parquet")
	must(t, (&model.Model{Features: names, Loss: "logistic", Weights: []model.Weights{{Name: model.W, W: make([]float64, len(names))}}}).Write(plain))
	for _, test := range []struct {
		path  string
		begin online.Beginning
		want  string
	}{
		{"none.parquet", online.Beginning{From: plain}, "has no state of a learner"},
		{plain, online.Beginning{}, "has no state of a learner"},
	} {
		jobstest.WantError(t, jobstest.Err(learn(t, test.path, csv(names, list), func(req *online.Request) { req.Begin = test.begin })), test.want)
	}
	broken := errors.New("broken")
	_, err := learn(t, path, "", func(req *online.Request) { req.Samples = iotest.ErrReader(broken) })
	if err != broken {
		t.Errorf("%v, want the reader's error", err)
	}
}
