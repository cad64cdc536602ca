package tuning

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
	"graphda/io/samples"
	"graphda/jobs/explaining"
	"graphda/jobs/seeds"
	"graphda/jobs/usage"
	"graphda/learners"
)

// A ConfidenceRequest asks which features are selected not by chance alone.
type ConfidenceRequest struct {
	Dataset string  // directory
	Trial   int     // whose samples, of all splits, are used; 0 where trials are splits of the same samples
	Loss    string  // "": logistic if all labels are −1 and +1, else least_squares
	F       float64 // of GraphDA; 0: as Tune chooses it on the dataset's splits
	S       int     // features that a selection has; 0: twice what Tune chooses
	Passes  int     // over the samples; 0: DefaultPasses
	False   int     // expected number of false features, at least 1; 0 if FDR is given
	FDR     float64 // expected share of false ones among those reported; 0 if False is given
	Draws   int     // of decoys; 0: 5, and 1 if FDR is given, which allows no more
	Seed    uint64
	Workers int

	Progress func(done, total int)
}

// Of the recipe: pairs of half-samples that features are ranked by, and of each draw of decoys; and
// networks of permuted names.
const (
	rankPairs  = 25
	decoyPairs = 5
	networks   = 19
)

// A Confidence is the answer to a ConfidenceRequest.
type Confidence struct {
	Dataset  string
	Loss     learners.Loss
	Samples  int
	Setting  Setting
	Passes   int
	False    int     // as asked for
	FDR      float64 // as asked for
	Draws    int
	Features []Sure // kept, or selected in half of the half-samples; the kept first, then by frequency

	// NetworkP is the p-value of the network: the share of networks with permuted names, this one
	// among them, on which the samples were learned with no more loss.
	NetworkP float64
}

// A Sure is a feature with how sure it is.
type Sure struct {
	Name      string
	Kept      bool    // it passes the control of errors
	Share     float64 // of the draws of decoys that keep it
	Frequency float64 // share of the half-samples that select it
	Mean      float64 // of its weight in w over these
	Component int     // of the kept features' graph: see Feature
	Known     bool    // see Feature
	True      bool
}

func (r *ConfidenceRequest) validate() error {
	switch {
	case (r.False == 0) == (r.FDR == 0):
		return usage.Errorf("want either an expected number of false features or a share of them")
	case r.False < 0:
		return usage.Errorf("false = %d, want at least 1", r.False)
	case r.FDR < 0 || r.FDR >= 1:
		return usage.Errorf("fdr = %v, want a share between 0 and 1", r.FDR)
	case r.FDR > 0 && r.Draws > 1:
		return usage.Errorf("draws = %d, want 1 with fdr: the share of false features is controlled in one draw only",
			r.Draws)
	case r.Draws < 0 || r.S < 0 || r.F < 0 || r.Passes < 0:
		return usage.Errorf("draws, s, f and passes must be at least 0")
	}
	return nil
}

// FindConfidence ranks features by how often half-samples select them, and keeps those that are selected
// more often than decoys: copies with permuted values and the same neighbours in the network.
//
// Of v = False, in each draw the features are walked through by |W|, W the difference of the selections of
// a feature and of its decoy, and those of W > 0 are kept until the v-th of W < 0: at most v of them are
// false in expectation if a false feature wins against its decoy as often as it loses. Features that half
// of the draws keep are reported, of which at most 2v are false in expectation. Of a share q, of one draw,
// those of W ≥ t for the least t with (1 + #{W ≤ −t})/#{W ≥ t} ≤ q (knockoff+; Barber and Candès,
// Controlling the false discovery rate via knockoffs, Annals of Statistics 2015).
func FindConfidence(ctx context.Context, req ConfidenceRequest) (*Confidence, error) {
	if err := req.validate(); err != nil {
		return nil, err
	}
	t, err := newTuner(Request{Dataset: req.Dataset, Loss: req.Loss, Methods: []string{"graphda"}, Passes: req.Passes,
		Workers: req.Workers, Progress: req.Progress})
	if err != nil {
		return nil, err
	}
	if !slices.Contains(t.dataset.Trials, req.Trial) {
		return nil, usage.Errorf("trial = %d, which %s has not", req.Trial, t.answer.Dataset)
	}
	f := &finder{tuner: t, req: req, found: &Confidence{Dataset: t.answer.Dataset, Loss: t.answer.Loss,
		Passes: t.answer.Passes, False: req.False, FDR: req.FDR, Draws: req.Draws}}
	if f.found.Draws == 0 {
		if f.found.Draws = 5; req.FDR > 0 {
			f.found.Draws = 1
		}
	}
	if err := f.setting(ctx); err != nil {
		return nil, err
	}
	return f.found, f.find(ctx)
}

// A finder is a ConfidenceRequest at work.
type finder struct {
	*tuner
	req   ConfidenceRequest
	found *Confidence
	whole *split // all samples
}

// setting takes the setting that is asked for, or makes it of what tuning chooses.
func (f *finder) setting(ctx context.Context) error {
	s := Setting{Method: f.grids[0].method, F: f.req.F, S: f.req.S}
	if s.F == 0 || s.S == 0 {
		if err := f.search(ctx); err != nil {
			return err
		}
		if err := f.choose(); err != nil {
			return err
		}
		chosen := f.answer.Chosen.Setting
		if s.F == 0 {
			s.F = chosen.F
		}
		if s.S == 0 {
			s.S = min(2*chosen.S, f.p)
		}
	}
	if s.S > f.p {
		return usage.Errorf("s = %d, want at most the number of features, %d", s.S, f.p)
	}
	f.found.Setting = s
	return nil
}

func (f *finder) find(ctx context.Context) error {
	data, err := f.read(f.req.Trial)
	if err != nil {
		return err
	}
	f.whole = newSplit(join(data), f.answer.Loss)
	f.found.Samples = f.whole.train.Rows()
	const least = 8 // that both classes are in each half
	if f.found.Samples < least {
		return fmt.Errorf("%s: has %d samples, want at least %d to halve them", f.answer.Dataset, f.found.Samples, least)
	}
	f.crew.total += 2*rankPairs + 2*decoyPairs*f.found.Draws + networks + 1
	if err := f.rank(ctx); err != nil {
		return err
	}
	if err := f.control(ctx); err != nil {
		return err
	}
	if err := f.testNetwork(ctx); err != nil {
		return err
	}
	return f.sumUp()
}

// random returns the random numbers of a part of the work.
func (f *finder) random(part string) *rand.Rand {
	return seeds.Part(f.req.Seed, f.answer.Dataset, part)
}

// halves returns pairs of complementary halves of the samples, each with half of each class.
func (f *finder) halves(rng *rand.Rand, pairs int) [][]int {
	var halves [][]int
	for range pairs {
		var a, b []int
		second := map[float64]bool{}                       // by class: the next goes to the second half
		for _, i := range rng.Perm(f.whole.train.Rows()) { // in a random order, as samples come
			class := 0.0
			if f.whole.loss.Classifies() {
				class = f.whole.train.Y[i]
			}
			if second[class] {
				b = append(b, i)
			} else {
				a = append(a, i)
			}
			second[class] = !second[class]
		}
		halves = append(halves, a, b)
	}
	return halves
}

// subset returns a split of some samples, on a problem of p features that fill makes of a sample's.
func (sp *split) subset(rows []int, problem *learners.Problem, fill func(dst []float64, i int)) *split {
	sub := &split{problem: problem, loss: sp.loss, scale: 1}
	sub.train = samples.Block{P: problem.P, X: make([]float64, len(rows)*problem.P)}
	for k, i := range rows {
		fill(sub.train.X[k*problem.P:(k+1)*problem.P], i)
		sub.train.Y = append(sub.train.Y, sp.train.Y[i])
	}
	sub.measure()
	return sub
}

// A half is what a half-sample's cell selects.
type half struct {
	w, wbar []float64
	err     error
}

// learnHalves learns the setting from each half, on the problem.
func (f *finder) learnHalves(ctx context.Context, halves [][]int, problem *learners.Problem,
	fill func(dst []float64, i int)) ([]half, error) {
	learned := make([]half, len(halves))
	err := f.crew.parallel(ctx, len(halves), func() func(int) {
		ws := learners.NewWorkspace(problem)
		return func(i int) {
			l, err := f.whole.subset(halves[i], problem, fill).learn(ws, f.found.Setting, f.found.Passes)
			if err != nil {
				learned[i].err = err
				return
			}
			var average learners.Model
			l.Average(&average)
			learned[i] = half{slices.Clone(l.Model().W), average.W, nil}
		}
	})
	for i := range learned {
		err = errors.Join(err, learned[i].err)
	}
	return learned, err
}

// rank finds how often half-samples select each feature.
func (f *finder) rank(ctx context.Context) error {
	problem := f.whole.problem
	learned, err := f.learnHalves(ctx, f.halves(f.random("halves"), rankPairs), problem,
		func(dst []float64, i int) { copy(dst, f.whole.train.Row(i)) })
	if err != nil {
		return err
	}
	for j, name := range f.features.Names {
		s := Sure{Name: name, Known: f.features.Truth != nil}
		s.True = s.Known && f.features.Truth[j] != 0
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
		s.Frequency = n / float64(len(learned))
		f.found.Features = append(f.found.Features, s)
	}
	return nil
}

// control finds the share of the draws of decoys that keep each feature.
func (f *finder) control(ctx context.Context) error {
	for d := range f.found.Draws {
		rng := f.random("decoys " + strconv.Itoa(d))
		twins, err := newTwins(rng, f.whole)
		if err != nil {
			return err
		}
		learned, err := f.learnHalves(ctx, f.halves(rng, decoyPairs), twins.problem, twins.fill)
		if err != nil {
			return err
		}
		for _, j := range f.keep(twins.contrasts(learned)) {
			f.found.Features[j].Share += 1 / float64(f.found.Draws)
		}
	}
	for j := range f.found.Features {
		s := &f.found.Features[j]
		s.Kept = s.Share >= 0.5-1e-9
	}
	return nil
}

// testNetwork compares the loss of learning online on the network with that on networks whose names are
// permuted.
func (f *finder) testNetwork(ctx context.Context) error {
	old := f.whole.problem.Graph
	problems := []*learners.Problem{f.whole.problem}
	for k := range networks {
		perm := f.random("network " + strconv.Itoa(k)).Perm(f.p)
		edges := make([]graph.Edge, old.NumEdges())
		for i, e := range old.Edges() {
			edges[i] = graph.Edge{U: int32(perm[e.U]), V: int32(perm[e.V])}
		}
		g, err := graph.New(f.p, edges, old.Costs())
		if err != nil {
			return err
		}
		problems = append(problems, &learners.Problem{P: f.p, Graph: g})
	}
	losses, failures := make([]float64, len(problems)), make([]error, len(problems))
	order := f.random("network").Perm(f.whole.train.Rows())
	err := f.crew.parallel(ctx, len(problems), func() func(int) {
		return func(i int) {
			sp := f.whole.subset(order, problems[i], func(dst []float64, i int) { copy(dst, f.whole.train.Row(i)) })
			l, err := sp.learn(learners.NewWorkspace(problems[i]), f.found.Setting, 1)
			if failures[i] = err; err == nil {
				losses[i] = l.Account().Loss
			}
		}
	})
	if err = errors.Join(append(failures, err)...); err != nil {
		return err
	}
	asGood := 0
	for _, loss := range losses {
		if loss <= losses[0] {
			asGood++
		}
	}
	f.found.NetworkP = float64(asGood) / float64(len(losses))
	return nil
}

// sumUp numbers the components and keeps the features worth telling.
func (f *finder) sumUp() error {
	var kept []int32
	for j := range f.found.Features {
		if f.found.Features[j].Kept {
			kept = append(kept, int32(j))
		}
	}
	if g := f.whole.problem.Graph; g != nil {
		component, _, err := explaining.Parts(g, kept)
		if err != nil {
			return err
		}
		for j, c := range component {
			f.found.Features[j].Component = c
		}
	}
	f.found.Features = slices.DeleteFunc(f.found.Features, func(s Sure) bool { return !s.Kept && s.Frequency < 0.5 })
	rank := func(s *Sure) float64 {
		if s.Kept {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(f.found.Features, func(a, b Sure) int {
		return cmp.Or(cmp.Compare(rank(&b), rank(&a)), cmp.Compare(b.Frequency, a.Frequency),
			cmp.Compare(b.Share, a.Share), cmp.Compare(math.Abs(b.Mean), math.Abs(a.Mean)))
	})
	return nil
}
