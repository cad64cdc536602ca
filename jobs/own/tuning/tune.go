package tuning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"graphda/io/columnar"
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

// A Request says which dataset to tune on, and how.
type Request struct {
	Dataset     string            // directory of the dataset
	Methods     []string          // names from choice.Methods; an empty list means all methods that can run on the dataset
	Loss        string            // name of the loss; for "", see learning.LossFor
	Passes      int               // number of passes over the training samples; 0 means DefaultPasses
	Root        string            // name of a feature that must be selected, by methods with a root; "" means no feature
	Size        int               // the model selects exactly this many features; 0 means as many as predict best
	MaxFeatures int               // the model selects at most this many features; 0 means no limit
	Force       bool              // accept covariates that predict the label nearly perfectly
	Workers     int               // number of settings to learn at once; 0 means 1
	Journal     *learning.Journal // stores results, so that the same request can continue later; may be nil

	// Progress may be nil. It is called after each job (one setting on one split) with the numbers of finished jobs and
	// of all jobs. `total` grows when grids are extended and falls when settings are dropped.
	Progress func(done, total int)
}

// DefaultPasses returns a loss's default number of passes.
func DefaultPasses(loss learners.Loss) int { return learning.OutcomeOf(loss).Passes }

// A Tried is a setting with its results. If the race dropped the setting, later splits have no results.
type Tried struct {
	learning.Setting
	Splits    int     // number of splits on which the setting was learned
	Score     float64 // mean of Valid and Test; −∞ if the setting failed on a split
	Error     float64 // standard error of Score, corrected for samples that splits share
	Valid     float64 // mean over the splits of the measure on validation samples
	Test      float64 // mean over the splits of the measure on test samples
	Size      float64 // mean number of selected features over the splits
	Unfit     bool    // see Tuner.unfit
	Stability float64 // how similar the selections of the splits are, at most 1; NaN with a single split
	Failed    string  // why the setting failed on a split; "" if it failed on none

	valid, test []float64
	supports    [][]int32
	weights     [][]float64 // by split, then feature in supports: weight in w
}

// An Answer is the result of Tune.
type Answer struct {
	Dataset     string
	Loss        learners.Loss
	Passes      int
	Trials      []int           // the splits
	Independent bool            // whether each trial has its own samples; otherwise all trials split the same samples
	Positives   float64         // share of the positive class; meaningless unless labels are classes
	Learned     float64         // share of training and validation samples in the first split
	Overlap     float64         // overlap of the splits' validation samples; see package stats
	Network     *choice.Network // nil if the dataset has no network

	Tried    []Tried  // all settings that ran, grouped by method
	Chosen   *Tried   // an element of Tried
	AsGood   []*Tried // settings within one standard error of the best score, the best first; Chosen is among them
	Weighed  string   // names the sample weights, and warns if few samples decide; "" without weights
	Adjusted string   // names the covariates, and warns if they predict the label well; "" without covariates
	Notes    []string // which grids were extended, and which settings failed and why
	Alike    string   // warning that samples may come from one patient, or ""; see importing.Alike
	Never    string   // the class that refits predict for no test sample; "" if there is none
	Unfitted bool     // whether the final model predicts numbers with w, because refits predict test samples worse
	Constant bool     // whether the final model predicts the same number for every sample
	Expected []Expectation
	Found    Finding
	Features []Feature // the most frequent feature first; see Tuner.sumUp
	Model    *model.Model
	Subgraph *explaining.Subgraph // the part of the network that the model selects
	FitOn    string               // samples to which the model was fitted, in words
	Origin   string               // see importing.Origin

	scores, labels []float64 // scores and labels of the test samples of all splits
	fitted         []float64 // labels of the samples to which the final model was fitted
}

// Tune tries settings on all splits, chooses one of them, and fits it to all samples.
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

// A Tuner is a running call of Tune.
type Tuner struct {
	Request
	dataset  *samples.Dataset
	digests  map[int]string // digest of each trial when the command began
	Answer   *Answer        // filled in step by step while Tune runs
	grids    []*choice.Grid
	p        int
	rows     int // number of training samples of the first split
	varying  int // number of features that vary over the first split's training samples
	Crew     learning.Crew
	Features *samples.Features // features of the first split
	unraced  bool              // set if no setting may be dropped early
	weight   string            // column of the samples' weights; "" without weights

	overlapBoth float64 // like Answer.Overlap, but for validation and test samples together

	first       *samples.Trial       // the first trial; the final model is fitted to all its samples
	whole       *learning.Split      // all samples of the first trial as one block
	median      []float64            // median of each feature over the first trial, in the units of the data
	held        []learning.Scored    // scores of the first trial's samples by models of the other folds
	calibration learning.Calibration // calibration of the final refit, fitted to held
}

// New returns a tuner that has not tried any setting yet.
func New(req Request) (*Tuner, error) {
	if req.Size > 0 && req.MaxFeatures > 0 {
		return nil, userinput.Errorf("--size %d and --max-features %d: want only one of them", req.Size, req.MaxFeatures)
	}
	ds, err := samples.Open(req.Dataset)
	if err != nil {
		return nil, err
	}
	ds.Hold = columnar.Hold(512 << 20)
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
	t.weight = by
	t.Answer.Weighed = fmt.Sprintf(" Samples are weighted by %s: %d samples have as much information as %.0f samples of "+
		"equal weight.", by, len(w), learning.Effective(w))
	if 2*learning.Effective(w) < float64(len(w)) {
		t.Answer.Weighed += " That is less than half, so a few samples decide."
	}
	return nil
}

// These are limits for the AUC or C-index of the covariates alone.
const (
	muchTold = 0.9  // from here on, effects of features and covariates are hard to separate
	allTold  = 0.97 // from here on, they cannot be separated at all
)

// judgeCovariates refuses covariates that predict the label nearly perfectly.
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
		return fmt.Errorf("%s: the covariates alone (%s) have %s %.3f; want less than %g, because otherwise nothing is left "+
			"for features to explain; import without the covariate that gives the label away, or add --force",
			t.dataset.Name, names, outcome.Measure, sum, allTold)
	}
	if sum >= muchTold {
		a.Adjusted += fmt.Sprintf(" These alone have %s %.3f. Many features that matter may be missed, because the "+
			"covariates already explain their effect.", outcome.Measure, sum)
	}
	return nil
}

// newGrids makes a grid for each requested method, by default each method that can run.
func (t *Tuner) newGrids(first *samples.Trial) error {
	names := t.Methods
	if len(names) == 0 {
		names = choice.Methods()
	}
	root := 0
	if t.Root != "" {
		if root = slices.Index(t.Features.Names, t.Root) + 1; root == 0 {
			return userinput.Errorf("root = %q, but the dataset has no feature of that name%s", t.Root,
				learners.DidYouMean(t.Root, t.Features.Names))
		}
	}
	sp, err := learning.NewSplit(first, t.Answer.Loss)
	if err != nil {
		return err
	}
	if sp.Flat {
		return fmt.Errorf("%s: no feature varies over the training samples of split %d: the values of each feature are "+
			"equal, or differ by less than 1e-150 or more than 1e150", t.dataset.Name, t.dataset.Trials[0])
	}
	t.survey(sp)
	if n := max(t.Size, t.MaxFeatures); n > t.p {
		return userinput.Errorf("--size or --max-features is %d, but %s has %d features", n, t.dataset.Name, t.p)
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
				err = fmt.Errorf("%s has no root; --root needs a method that uses the network, such as graphda", name)
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
		return userinput.Errorf("dataset %s has no network, which --root needs", t.dataset.Name)
	}
	return nil
}

// able returns an error, and adds a note, if the method of g cannot do what the user asks for.
func (t *Tuner) able(g *choice.Grid, sp *learning.Split) error {
	cannot := ""
	switch {
	case len(g.F) == 0:
		cannot = "does not learn from times of an event"
	case t.Size > 0 && len(g.S) == 0:
		cannot = "cannot select a given number of features"
	case sp.Alone != nil && g.Method.Plain && t.Answer.Loss.Classifies():
		cannot = "cannot adjust for covariates"
	case t.Answer.Weighed != "" && g.Method.Plain:
		cannot = "cannot weigh samples"
	default:
		return nil
	}
	t.Answer.Notes = append(t.Answer.Notes, g.Method.Label+" was not tried, because it "+cannot)
	return fmt.Errorf("%s %s; without --method, gdrun tune tries the methods that can", g.Method.Name, cannot)
}

// overlap returns the overlap (see package stats) of splits that learn from one block and predict other blocks. It
// counts patients, not samples.
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

// Read reads a trial and checks that its labels fit the loss.
func (t *Tuner) Read(trial int) (*samples.Trial, error) {
	data, err := t.load(trial, plan.Labels(t.Answer.Loss))
	if err == nil {
		t.Crew.Give(data.Digest)
	}
	return data, err
}

// ReadAll reads a trial, and joins all its samples. It then frees the memory of the trial's own samples.
func (t *Tuner) ReadAll(trial int) (data, joined *samples.Trial, err error) {
	if data, err = t.Read(trial); err == nil {
		joined = learning.Join(data)
		data.Train.X, data.Valid.X, data.Test.X, t.dataset.Spare = nil, nil, nil, samples.Trial{}
	}
	return data, joined, err
}

// load reads the given trial into the memory of the trial before. It refuses a trial that has changed since the command
// began.
func (t *Tuner) load(trial int, labels samples.Labels) (*samples.Trial, error) {
	data, err := t.dataset.Load(trial, labels)
	if err == nil {
		t.dataset.Spare = *data
	}
	if err == nil && data.Digest != t.digests[trial] {
		err = fmt.Errorf("%s: trial %d was changed while this command ran; run the command again", t.Dataset, trial)
	}
	return data, err
}
