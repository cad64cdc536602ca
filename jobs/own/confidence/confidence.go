// Package confidence finds the features that are selected more often than their shuffled copies (decoys). It limits how
// many of these features may be false. It also tests whether features that are related to the label lie together in the
// network. `gdrun confidence` runs it.
//
// The typical steps, all in Find, are:
//
//  1. Request.validate checks the settings. finder.setting takes F and S from the request, or lets package tuning
//     choose F and S.
//  2. finder.use groups correlated neighbours into modules (modules.go). The features of a module are too similar to
//     separate, so a whole module counts as true or false.
//  3. finder.networkP tests whether features that are related to the label are neighbours in the network.
//  4. finder.compete makes several draws of decoys (decoys.go). In each draw, half-samples select among features and
//     decoys. A feature's contrast is the number of half-samples that select it, minus the number that select its
//     decoy. If a draw does not show that the network helps, finder.alone ranks features by their correlation with the
//     label.
//  5. finder.vote reports the modules that at least half of the draws keep.
//  6. finder.rank counts how often half-samples without decoys select each feature. It drops features that no
//     half-sample selects.
//  7. Confidence.Printed and Files show the answer (report.go).
//
// A Request asks the question, a Confidence is the answer, and a Sure is a feature with measures of its certainty.
//
// # What is promised
//
// With False = v, at most 2v reported modules are false in expectation. This assumes that a false module loses against
// its decoys as often as it wins. With FDR = q, each draw aims at a share q of false modules. The comment of Find says
// what is proved, and docs/measured.md what was measured.
//
// Shuffles and half-samples never separate the samples of a patient (patients.go). The number of workers does not
// change the answer. With a Journal, the command continues after a kill.
//
// confidence_test.go tests every step on small data, covariates_test.go tests covariates and weights, and times_test.go
// tests event times and kills. `make confidence-study` counts false modules in simulated data (study_test.go).
package confidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"graphda/graph"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/jobs/own/choice"
	"graphda/jobs/own/explaining"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/jobs/own/tuning"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// A Request asks which features are selected more often than chance allows.
type Request struct {
	Dataset string  // directory of the dataset
	Trial   int     // trial whose samples are used; 0 if all trials have the same samples
	Loss    string  // name of the loss, as in a tuning.Request
	F       float64 // GraphDA's f; 0 means that package tuning chooses f
	S       int     // number of features to select; 0 means twice as many as package tuning chooses
	Passes  int     // number of passes over the samples; 0 means tuning.DefaultPasses
	False   int     // largest expected number of false modules per draw, at least 1; 0 if FDR is given
	FDR     float64 // target share of false modules; 0 if False is given
	Draws   int     // number of draws of decoys; 0 means 5
	Force   bool    // as in a tuning.Request
	Seed    uint64
	Workers int
	Journal *learning.Journal // as in a tuning.Request

	Progress func(done, total int)
}

// These are numbers of pairs of half-samples.
const (
	rankPairs  = 25 // for ranking the features
	decoyPairs = 5  // for each draw of decoys
)

const theLabel = "the label"

// A Confidence is the answer to a Request.
type Confidence struct {
	Dataset  string
	Loss     learners.Loss
	Samples  int
	Setting  learning.Setting
	Passes   int
	False    int     // as in the Request
	FDR      float64 // as in the Request
	Draws    int
	Patients int     // number of patients; 0 if unknown
	Alike    string  // a warning; see importing.Alike
	Origin   string  // see importing.Origin
	Weighed  string  // as in a tuning.Answer
	Adjusted string  // as in a tuning.Answer
	Outcome  string  // what positive weights raise
	Related  string  // what features are related to: the label, or the hazard of an event
	Modules  int     // number of all modules
	Largest  int     // number of features in the largest module
	Of       int     // number of all features of the dataset
	Loose    float64 // share of loose edges; see the constant loose
	Kept     int     // number of kept modules
	Features []Sure  // kept features, then other features that half of the half-samples select

	Untested  string  // says why the network cannot be tested; "" if it was tested
	NetworkP  float64 // p-value of the test of the network; see finder.networkP
	OnNetwork int     // number of draws that ranked features on the network
	Reach     int     // number of features in the largest connected part of the network
}

// A Sure is a feature with measures of its certainty.
type Sure struct {
	Name      string
	Module    int     // number of the module, from 1
	Kept      bool    // set if the module is kept, and the feature is selected and beats its decoys
	Share     float64 // share of the draws that keep the module
	Frequency float64 // share of the half-samples that select the feature
	Decoy     float64 // share of the half-samples that select the decoy; NaN if no draw is on the network
	Mean      float64 // mean weight in w over the half-samples that select the feature
	Component int     // component of the kept features' graph; see tuning.Feature
	Known     bool    // set if the truth is known; see tuning.Feature
	True      bool

	contrast float64 // sum over the draws that keep the module
}

func (r *Request) validate() error {
	switch {
	case (r.False == 0) == (r.FDR == 0):
		return userinput.Errorf("want exactly one of --false N and --fdr SHARE, above 0")
	case r.False < 0:
		return userinput.Errorf("false = %d, want at least 1", r.False)
	case r.FDR < 0 || r.FDR >= 1:
		return userinput.Errorf("fdr = %v, want a share between 0 and 1", r.FDR)
	case r.Draws < 0 || r.S < 0 || r.F < 0 || r.Passes < 0:
		return userinput.Errorf("--draws, -s, -f and --passes must not be negative")
	}
	return nil
}

// Find keeps modules that half-samples select more often than their decoys. A decoy is a copy of a feature with
// permuted samples and the same neighbours in the network. A module is false if none of its features is related to the
// label.
//
// The contrast of a feature is the number of half-samples that select it, minus the number that select its decoy. The
// contrast W of a module is the sum of its features' contrasts.
//
// With v = False, each draw orders the modules by falling |W|. It keeps the modules with W > 0 that come before the
// v-th module with W < 0. If a false module's W is as often positive as negative, a draw keeps at most v false modules
// in expectation. Find reports the modules that at least half of the draws keep. So it reports at most 2v false modules
// in expectation.
//
// With q = FDR, a draw keeps the modules with W ≥ t for the least t with (1 + #{W ≤ −t})/#{W ≥ t} ≤ q (knockoff+;
// Barber and Candès, Controlling the false discovery rate via knockoffs, Annals of Statistics 2015). For several draws
// together, this share is not proved.
//
// If a draw does not show that the network helps, it keeps modules by their features' correlation with the label (see
// finder.alone). The test of the network must not know which feature of a pair is the decoy. So it uses the larger of
// the pair's two correlations with the label.
func Find(ctx context.Context, req Request) (*Confidence, error) {
	if err := req.validate(); err != nil {
		return nil, err
	}
	t, err := tuning.New(tuning.Request{Dataset: req.Dataset, Loss: req.Loss, Methods: []string{"graphda"},
		Passes: req.Passes, Workers: req.Workers, Progress: req.Progress, Journal: req.Journal, Force: req.Force})
	if err != nil {
		return nil, err
	}
	if !slices.Contains(t.Answer.Trials, req.Trial) {
		_, err := t.Read(req.Trial) // the error says which trials the dataset has
		return nil, err
	}
	asked := req
	asked.Dataset, asked.Workers, asked.Force, asked.Progress, asked.Journal = "", 0, false, nil, nil
	t.Crew.Give(asked)
	f := &finder{Tuner: t, req: req, found: &Confidence{Dataset: t.Answer.Dataset, Loss: t.Answer.Loss,
		Passes: t.Answer.Passes, False: req.False, FDR: req.FDR, Draws: cmp.Or(req.Draws, 5),
		Weighed: t.Answer.Weighed, Adjusted: t.Answer.Adjusted, Origin: t.Answer.Origin}}
	if err := f.setting(ctx); err != nil {
		return nil, err
	}
	return f.found, f.find(ctx)
}

type finder struct {
	*tuning.Tuner
	req      Request
	found    *Confidence
	whole    *learning.Split // all samples as training samples
	patients *patients
	module   []int32   // module of each feature
	decoys   []float64 // for each feature: share of half-samples that select its decoy, summed over draws
}

// setting takes F and S from the request, or lets package tuning choose them.
func (f *finder) setting(ctx context.Context) error {
	method, err := learners.Lookup("graphda")
	if err != nil {
		return err
	}
	s, p := learning.Setting{Method: method, F: f.req.F, S: f.req.S}, len(f.Features.Names)
	if s.F == 0 || s.S == 0 {
		if err := f.Choose(ctx); err != nil {
			return err
		}
		chosen := f.Answer.Chosen.Setting
		s.F, s.S = cmp.Or(s.F, chosen.F), cmp.Or(s.S, min(2*chosen.S, p))
	}
	if s.S > p {
		return userinput.Errorf("s = %d, want at most the number of features, %d", s.S, p)
	}
	f.found.Setting = s
	return nil
}

func (f *finder) find(ctx context.Context) error {
	data, joined, err := f.ReadAll(f.req.Trial)
	if err != nil {
		return err
	}
	_, positive := importing.Classes(data.Metadata)
	if f.found.Related = theLabel; !f.Answer.Loss.Classifies() {
		positive = importing.TimesOf(data.Metadata).Event
	}
	f.found.Alike, f.found.Outcome = importing.Alike(data.Metadata), explaining.Outcome(f.Answer.Loss.Name(), positive)
	if samples.Times(data.Metadata) {
		f.found.Related = f.found.Outcome
	}
	whole, err := learning.NewSplit(joined, f.Answer.Loss)
	if err != nil {
		return err
	}
	if err := f.use(whole); err != nil {
		return err
	}
	const least = 8 // with fewer patients, a half may lack a class
	if n := len(f.patients.rows); n < least {
		unit := "sample"
		if f.found.Patients > 0 {
			unit = "patient"
		}
		return fmt.Errorf("%s: has %s, want at least %d, because features are selected on halves of them", f.Answer.Dataset,
			message.Count(n, unit), least)
	}
	f.Crew.Total += 2 * rankPairs
	if f.found.Untested == "" {
		f.found.NetworkP = f.networkP(f.random("network"), newAssociation(f.whole).of)
	}
	contrasts, err := f.compete(ctx)
	if err != nil {
		return err
	}
	f.name()
	f.vote(contrasts)
	if err := f.rank(ctx); err != nil {
		return err
	}
	return f.sumUp()
}

func (f *finder) use(whole *learning.Split) error {
	f.whole, f.patients = whole, newPatients(whole)
	if f.found.Samples = whole.Train.Rows(); whole.Train.Patient != nil {
		f.found.Patients = len(f.patients.rows)
	}
	var err error
	f.module, f.found.Modules, f.found.Loose, err = modules(whole)
	sizes := make([]int, f.found.Modules)
	for _, m := range f.module {
		sizes[m]++
		f.found.Largest = max(f.found.Largest, sizes[m])
	}
	f.found.Of = len(f.module)
	n, _ := choice.Survey(whole)
	joins := func(e graph.Edge) bool { return int(max(e.U, e.V)) < f.found.Of } // false if a connector takes part
	switch f.found.Reach = n.Parts[0]; {
	case !slices.ContainsFunc(whole.Problem.Graph.Edges(), joins):
		f.found.Untested = "The network cannot be tested: it joins no two features directly."
	case !n.Tells(f.found.Setting.Method): // gdrun tune cannot test the network, either
		f.found.Untested = n.Untested()
	}
	return err
}

// small reports whether the network is too small for ranking features, because most features lie outside of its largest
// part. GraphDA selects features of one part, so the others could not be kept.
func (c *Confidence) small() bool { return c.Untested != "" || 2*c.Reach < c.Of }

func (f *finder) random(part string) *rand.Rand {
	return samples.PartRand(f.req.Seed, f.Answer.Dataset, part)
}

// A half has the weights learned from a half-sample.
type half struct {
	w, wbar []float64
	err     error
}

func (f *finder) learnHalves(ctx context.Context, rng *rand.Rand, pairs int, setting learning.Setting,
	problem *learners.Problem, fill func(dst []float64, i int)) ([]half, error) {
	halves := f.patients.halves(rng, pairs)
	learned := make([]half, len(halves))
	err := f.Crew.Keep(ctx, len(halves), func() func(int) {
		ws := learners.NewWorkspace(problem)
		return func(i int) {
			sub, err := f.whole.Subset(halves[i], problem, fill)
			var l *learners.Learner
			if err == nil {
				l, err = sub.Learn(ws, setting, f.found.Passes)
			}
			if err != nil {
				learned[i].err = err
				return
			}
			var average learners.Model
			l.Average(&average)
			learned[i] = half{slices.Clone(l.Model().W), average.W, nil}
		}
	}, func(i int) []any {
		if learned[i].err != nil {
			return nil
		}
		return []any{&learned[i].w, &learned[i].wbar}
	})
	for _, of := range learned {
		if err == nil && of.err == nil && (len(of.w) != problem.P || len(of.wbar) != problem.P) {
			return nil, learning.ErrChanged
		}
		err = errors.Join(err, of.err)
	}
	return learned, err
}

// name appends an entry with name, module and truth for each feature to f.found.Features.
func (f *finder) name() {
	for j, name := range f.Features.Names {
		s := Sure{Name: name, Module: int(f.module[j]), Known: f.Features.Truth != nil}
		s.True = s.Known && f.Features.Truth[j] != 0
		f.found.Features = append(f.found.Features, s)
	}
}

// rank counts how often half-samples select each feature. It uses the network if the network helps in at least half of
// the draws. Without the network, a half-sample selects at least as many features as finder.vote has kept.
func (f *finder) rank(ctx context.Context) error {
	problem := f.whole.Problem
	setting := f.found.Setting
	if 2*f.found.OnNetwork < f.found.Draws {
		var err error
		if setting.Method, err = learners.Lookup("da-iht"); err != nil {
			return err
		}
		setting.S = max(setting.S, f.found.kept())
	}
	learned, err := f.learnHalves(ctx, f.random("halves"), rankPairs, setting, problem,
		func(dst []float64, i int) { copy(dst, f.whole.Train.Row(i)) })
	if err != nil {
		return err
	}
	for j := range f.found.Features {
		s := &f.found.Features[j]
		n, sum := 0.0, 0.0
		for _, h := range learned {
			if h.w[j] != 0 {
				n++
				sum += h.w[j]
			}
		}
		if n > 0 {
			s.Mean = sum / n
		}
		s.Frequency, s.Decoy = n/float64(len(learned)), f.decoys[j]/float64(f.found.OnNetwork)
		s.Kept = s.Kept && n > 0
	}
	return nil
}

// compete returns the contrasts of each draw of decoys. The contrasts are nil if the draw does not show that the
// network helps.
func (f *finder) compete(ctx context.Context) ([][]float64, error) {
	contrasts := make([][]float64, f.found.Draws)
	f.decoys = make([]float64, f.whole.Problem.P)
	a := newAssociation(f.whole)
	for d := range contrasts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rng := f.random("decoys " + strconv.Itoa(d))
		from := f.patients.balanced(rng)
		if f.found.small() || f.networkP(rng, func(seen []int) []float64 { return a.both(seen, from) }) > helps {
			continue
		}
		f.found.OnNetwork++
		f.Crew.Total += 2 * decoyPairs
		both, err := double(rng, f.whole, from)
		if err != nil {
			return nil, err
		}
		learned, err := f.learnHalves(ctx, rng, decoyPairs, f.found.Setting, both.problem, both.fill)
		if err != nil {
			return nil, err
		}
		contrasts[d] = both.contrasts(learned)
		for j, at := range both.real {
			f.decoys[j] += selecting(learned, at^1) / float64(len(learned))
		}
	}
	return contrasts, nil
}

// vote keeps the modules that at least half of the draws keep. If a draw has no contrasts, or if the rule for FDR keeps
// no module, the draw keeps the modules that finder.alone chooses.
func (f *finder) vote(contrasts [][]float64) {
	var alone []int
	var sizes []float64
	for _, w := range contrasts {
		var kept []int
		if w != nil {
			sums := make([]float64, f.found.Modules)
			for j, v := range w {
				sums[f.module[j]] += v
			}
			kept = keep(sums, f.found.False, f.found.FDR)
		}
		if w == nil || f.found.FDR > 0 && len(kept) == 0 {
			if sizes == nil {
				alone, sizes = f.alone()
			}
			kept, w = alone, sizes
		}
		for j, m := range f.module {
			if slices.Contains(kept, int(m)) {
				f.found.Features[j].Share += 1 / float64(len(contrasts))
				f.found.Features[j].contrast += w[j]
			}
		}
	}
	for j := range f.found.Features {
		s := &f.found.Features[j]
		s.Kept = s.Share >= 0.5-1e-9 && s.contrast > 0
	}
}

func (f *finder) sumUp() error {
	var kept []int32
	for j := range f.found.Features {
		if f.found.Features[j].Kept {
			kept = append(kept, int32(j))
		}
	}
	if g := f.whole.Problem.Graph; g != nil {
		component, _, err := explaining.Parts(g, kept)
		if err != nil {
			return err
		}
		for j, c := range component {
			f.found.Features[j].Component = c
		}
	}
	best := make([]float64, f.found.Modules) // by module: the largest contrast of its kept features
	for j, m := range f.module {
		s := &f.found.Features[j]
		if !s.Kept {
			s.contrast = 0
		} else if best[m] == 0 {
			f.found.Kept++
		}
		best[m] = max(best[m], s.contrast)
	}
	f.found.Features = slices.DeleteFunc(f.found.Features, func(s Sure) bool { return !s.Kept && s.Frequency < 0.5 })
	strength := func(s *Sure) float64 {
		if s.Kept {
			return best[s.Module]
		}
		return 0
	}
	slices.SortStableFunc(f.found.Features, func(a, b Sure) int {
		module := 0
		if a.Kept && b.Kept {
			module = a.Module - b.Module
		}
		return cmp.Or(cmp.Compare(strength(&b), strength(&a)), module, cmp.Compare(b.contrast, a.contrast),
			cmp.Compare(b.Frequency, a.Frequency), cmp.Compare(math.Abs(b.Mean), math.Abs(a.Mean)))
	})
	number := map[int]int{}
	for i := range f.found.Features {
		s := &f.found.Features[i]
		if number[s.Module] == 0 {
			number[s.Module] = len(number) + 1
		}
		s.Module = number[s.Module]
	}
	return nil
}
