package tuning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/jobs/own/choice"
	"graphda/jobs/own/explaining"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/jobs/plan"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// A Request says what to tune.
type Request struct {
	Dataset     string            // directory
	Methods     []string          // of Methods; none: all that the dataset has what they need for
	Loss        string            // its name; "": as of learning.LossFor
	Passes      int               // over the training samples; 0: DefaultPasses
	Root        string            // name of a feature that must be selected; "": none. Only methods with a root are tried
	Size        int               // features that are selected; 0: what is best
	MaxFeatures int               // that are selected at most; 0: what is best
	Force       bool              // covariates may tell nearly all of the label
	Workers     int               // settings to learn at once; 0: 1
	Journal     *learning.Journal // of what was learned before the same request was interrupted; nil: none is kept

	// Progress, if not nil, is told after every setting that was learned on a split: how many are done, and how many
	// there are. The second number may grow, and falls where settings are dropped.
	Progress func(done, total int)
}

// DefaultPasses returns how often the samples are learned from under a loss: one pass is enough for
// labels, and far from it for numbers; of times each pass is one step.
func DefaultPasses(loss learners.Loss) int { return learning.OutcomeOf(loss).Passes }

// A Tried is a setting with what it has done on every split, or on the first ones until it was dropped: see race.
type Tried struct {
	learning.Setting
	Splits    int     // that it was learned on
	Score     float64 // mean of Valid and Test; −∞ if the setting failed on a split
	Error     float64 // standard error of it, corrected for samples that splits share
	Valid     float64 // mean of the measure over the validation samples
	Test      float64 // likewise, over the test samples
	Size      float64 // mean number of features selected
	Unfit     bool    // it cannot be chosen for its size: see Tuner.unfit
	Stability float64 // of the selection, at most 1; NaN of one split
	Failed    string  // why it failed on a split; "" if on none

	valid, test []float64
	supports    [][]int32
	weights     [][]float64 // of w, in the order of supports
}

// An Answer is what came of tuning.
type Answer struct {
	Dataset     string
	Loss        learners.Loss
	Passes      int
	Trials      []int           // the splits
	Independent bool            // trials are drawn anew, not splits of the same samples
	Positives   float64         // share of the positive class, where there are classes
	Learned     float64         // share of the samples that splits learn from
	Overlap     float64         // of the splits where they choose a setting; see package stats
	Network     *choice.Network // nil: there is none

	Tried    []Tried  // every setting, by method in the order of Methods
	Chosen   *Tried   // one of them
	AsGood   []*Tried // within one standard error of the best score, the best first; Chosen among them
	Weighed  string   // by which weights of samples, and a warning if few have most; "" if all count alike
	Adjusted string   // for which covariates, and a warning if these tell much of the label; "" if there are none
	Notes    []string // grids extended, and what failed
	Alike    string   // a warning; see importing.Alike
	Never    string   // the class that the refit predicts for no test sample; "" if there is none
	Unfitted bool     // of numbers: the model predicts with w, since its refits predict the test samples worse
	Constant bool     // of numbers: the model predicts the same for every sample
	Expected []Expectation
	Found    Finding
	Features []Feature // selected by the model, or in more than half of splits that can tell; the most frequent first
	Model    *model.Model
	Subgraph *explaining.Subgraph // what the model selects
	FitOn    string               // the samples that the model was fitted to
	Origin   string               // see importing.Origin

	scores, labels []float64 // of the test samples of all splits, by the refits of the splits
	fitted         []float64 // labels of the samples that the model was fitted to
}

// Tune tries settings on all splits, chooses one and fits it to all samples.
func Tune(ctx context.Context, req Request) (*Answer, error) {
	t, err := New(req)
	if err != nil {
		return nil, err
	}
	if err := t.chooseWithGate(ctx); err != nil {
		return nil, err
	}
	if err := t.crossValidate(ctx); err != nil {
		return nil, err
	}
	if err := t.expect(ctx); err != nil {
		return nil, err
	}
	return t.Answer, t.fit()
}

// A Tuner is a request at work.
type Tuner struct {
	Request
	dataset  *samples.Dataset
	digests  map[int]string // of all trials when the command began
	Answer   *Answer        // as far as it is known
	grids    []*choice.Grid
	p        int
	rows     int // training samples of the first split
	varying  int // features that vary over them
	Crew     learning.Crew
	Features *samples.Features // of the first split
	unraced  bool              // no setting is dropped before all splits

	overlapBoth float64 // as Answer.Overlap, where validation and test samples are predicted

	first       *samples.Trial       // trial 0; the model is fitted to all its samples
	whole       *learning.Split      // these samples as one block
	median      []float64            // of each feature over these samples, as they were measured
	held        []learning.Scored    // scores of these samples, predicted by folds
	calibration learning.Calibration // of the refit, from held
}

// New returns a tuner that has tried nothing yet.
func New(req Request) (*Tuner, error) {
	if req.Size > 0 && req.MaxFeatures > 0 {
		return nil, userinput.Errorf("size = %d and max-features = %d, want one of them", req.Size, req.MaxFeatures)
	}
	ds, err := samples.Open(req.Dataset)
	if err != nil {
		return nil, err
	}
	t := &Tuner{Request: req, dataset: ds, Crew: learning.Crew{Workers: req.Workers, Progress: req.Progress,
		Journal: req.Journal}}
	asked := req
	asked.Dataset, asked.Workers, asked.Force, asked.Progress, asked.Journal = ds.Name, 0, false, nil, nil
	t.Crew.Give(learning.Program(), asked)
	if t.digests, err = ds.Digests(); err != nil {
		return nil, err
	}
	first, err := t.load(ds.Trials[0], samples.AnyLabels)
	if err != nil {
		return nil, err
	}
	loss, err := learning.LossFor(first, req.Loss)
	if err != nil {
		return nil, err
	}
	passes := cmp.Or(req.Passes, DefaultPasses(loss))
	if passes < 0 {
		return nil, userinput.Errorf("passes = %d, want at least 1", passes)
	}
	t.Answer = &Answer{Dataset: ds.Name, Loss: loss, Passes: passes, Trials: ds.Trials,
		Independent: !samples.SameSamples(first.Metadata) && len(ds.Trials) > 1}
	t.Answer.Overlap = t.overlap(first.Train, first.Valid)
	t.overlapBoth = t.overlap(first.Train, first.Valid, first.Test)
	if t.Answer.Origin, err = importing.Origin(ds, first); err != nil {
		return nil, err
	}
	t.p, t.Features = len(first.Features.Names), first.Features
	if err := t.judgeWeights(first); err != nil {
		return nil, err
	}
	if err := t.judgeCovariates(first); err != nil {
		return nil, err
	}
	return t, t.newGrids(first)
}

// judgeWeights says how many samples of equal weight tell as much as these.
func (t *Tuner) judgeWeights(first *samples.Trial) error {
	if first.Train.Weight == nil {
		return nil
	}
	told, err := samples.Covariates(first.Metadata)
	if err != nil {
		return err
	}
	w := learning.Join(first).Train.Weight
	by := told[slices.IndexFunc(told, func(c samples.Covariate) bool { return c.Weight })].Name
	t.Answer.Weighed = fmt.Sprintf(" Weighted by %s: the %d samples tell as much as %.0f of equal weight.", by, len(w),
		learning.Effective(w))
	if 2*learning.Effective(w) < float64(len(w)) {
		t.Answer.Weighed += " That is less than half: a few samples decide."
	}
	return nil
}

// From these AUCs, or C-indices, of the covariates alone on, features are hard to tell from them, and cannot be.
const (
	muchTold = 0.9
	allTold  = 0.97
)

// judgeCovariates says how much the covariates alone tell of the labels, and refuses covariates that tell all.
func (t *Tuner) judgeCovariates(first *samples.Trial) error {
	a, sum := t.Answer, 0.0
	if first.Covariates == nil {
		return nil
	}
	names := samples.NewDesign(first.Covariates, nil, nil).Names()
	a.Adjusted = " Adjusted for " + names + "."
	outcome := learning.OutcomeOf(a.Loss)
	if !outcome.Area {
		return nil
	}
	for _, trial := range t.dataset.Trials {
		data, err := t.Read(trial)
		if err != nil {
			return err
		}
		sp, err := learning.NewSplit(data, a.Loss)
		if err != nil {
			return err
		}
		area := sp.Predict(func([]float64) float64 { return 0 }, &sp.Test, &metrics.Evaluator{})
		sum += outcome.Score(&area) / float64(len(t.dataset.Trials))
	}
	if sum >= allTold && !t.Force {
		return fmt.Errorf("%s: %s alone have %s %.3f, want less than %g: features cannot be told from them; import without "+
			"the one that stands for the label, or add --force", t.dataset.Name, names, outcome.Measure, sum, allTold)
	}
	if sum >= muchTold {
		a.Adjusted += fmt.Sprintf(" These alone have %s %.3f: many features that matter may be missed, as what they tell "+
			"of the label is taken for theirs.", outcome.Measure, sum)
	}
	return nil
}

// newGrids makes the grids of the methods that are asked for, else of all methods that can run.
func (t *Tuner) newGrids(first *samples.Trial) error {
	names := t.Methods
	if len(names) == 0 {
		names = choice.Methods()
	}
	root := 0
	if t.Root != "" {
		if root = slices.Index(t.Features.Names, t.Root) + 1; root == 0 {
			return userinput.Errorf("root = %q, and the dataset has no feature of that name%s", t.Root,
				learners.DidYouMean(t.Root, t.Features.Names))
		}
	}
	sp, err := learning.NewSplit(first, t.Answer.Loss)
	if err != nil {
		return err
	}
	if sp.Flat {
		return fmt.Errorf("%s: no feature varies over the training samples of split %d: its values are equal, or differ by "+
			"less than 1e-150 or more than 1e150", t.dataset.Name, t.dataset.Trials[0])
	}
	t.survey(sp)
	if max(t.Size, t.MaxFeatures) > t.p {
		return userinput.Errorf("%d features are asked for, and %s has %d", max(t.Size, t.MaxFeatures), t.dataset.Name, t.p)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return userinput.Errorf("method %s is named twice", name)
		}
		g, err := choice.NewGrid(name, learning.OutcomeOf(t.Answer.Loss), t.p)
		if err != nil {
			return &userinput.Error{Err: err}
		}
		g.Limit(t.Size, t.MaxFeatures)
		if g.Root = root; root > 0 {
			if _, err = g.Method.Param("root"); err != nil {
				err = fmt.Errorf("%s takes no root: only methods that project onto the network do", name)
			}
		}
		if err == nil {
			err = t.able(g, sp)
		}
		var settings learners.Settings
		if err == nil {
			settings, err = g.Settings()[0].Fill(sp, 1)
		}
		if err == nil {
			err = g.Method.Check(sp.Problem, settings)
		}
		switch {
		case err == nil:
			t.grids = append(t.grids, g)
		case len(t.Methods) > 0:
			return &userinput.Error{Err: err}
		}
	}
	if len(t.grids) == 0 {
		return userinput.Errorf("dataset %s has no graph to join features to a root by", t.dataset.Name)
	}
	return nil
}

// able refuses a method that cannot learn what is asked for, and notes that it is not tried.
func (t *Tuner) able(g *choice.Grid, sp *learning.Split) error {
	cannot, why := "", ""
	switch {
	case len(g.F) == 0:
		cannot, why = "does not learn from times of an event", "it does not learn from times of an event"
	case t.Size > 0 && len(g.S) == 0:
		cannot, why = "cannot be asked for a number of features", "it cannot be asked for a number of features"
	case sp.Alone != nil && g.Method.Plain && t.Answer.Loss.Classifies():
		cannot, why = "compares classes as they are: it cannot adjust for covariates", "it cannot adjust for covariates"
	case t.Answer.Weighed != "" && g.Method.Plain:
		cannot, why = "compares samples as they are: it cannot weigh them", "it cannot weigh samples"
	default:
		return nil
	}
	t.Answer.Notes = append(t.Answer.Notes, g.Method.Label+" was not tried: "+why)
	return fmt.Errorf("%s %s", g.Method.Name, cannot)
}

// overlap returns the overlap of splits that learn from some samples and predict others: see package stats. Patients
// are counted, as the samples of one are never on two sides of a split.
func (t *Tuner) overlap(learned samples.Block, predicted ...samples.Block) float64 {
	if t.Answer.Independent || len(t.dataset.Trials) == 1 {
		return 0
	}
	count := func(b samples.Block) float64 {
		return float64(len(slices.Compact(slices.Sorted(slices.Values(learning.Units(&b))))))
	}
	sum := 0.0
	for _, b := range predicted {
		sum += count(b)
	}
	return sum / count(learned)
}

// Read reads a trial, with labels that the loss takes.
func (t *Tuner) Read(trial int) (*samples.Trial, error) {
	data, err := t.load(trial, plan.Labels(t.Answer.Loss))
	if err == nil {
		t.Crew.Give(data.Digest)
	}
	return data, err
}

// load reads a trial. It refuses a trial that is not as it was when the command began.
func (t *Tuner) load(trial int, labels samples.Labels) (*samples.Trial, error) {
	data, err := t.dataset.Load(trial, labels)
	if err == nil && data.Digest != t.digests[trial] {
		err = fmt.Errorf("%s: trial %d was changed while this command ran; run the command again", t.Dataset, trial)
	}
	return data, err
}
